// Reads a module from MLIR's text, and times writing it as bytecode and reading
// that: for benchmarks/mlir_peer.py, which builds it. Prints JSON: bytes, and
// seconds of processor time for one pass.
//
// In a context that has seen the module before, which has all of its types and
// attributes already, and in a new one each time, which has to make them, as
// opcompat makes the tables of a module.
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace {

double Now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Of one call, over as many as take half a second.
double SecondsOf(const std::function<void()>& call) {
  call();
  const double begin = Now();
  int calls = 0;
  double end = begin;
  do {
    call();
    ++calls;
    end = Now();
  } while (end - begin < 0.5);
  return (end - begin) / calls;
}

class Context : public mlir::MLIRContext {
 public:
  Context() : mlir::MLIRContext(Threading::DISABLED) {
    allowUnregisteredDialects();
  }
};

mlir::OwningOpRef<mlir::ModuleOp> Read(llvm::StringRef text,
                                       mlir::MLIRContext* context,
                                       bool verify) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(
          text, mlir::ParserConfig(context, verify));
  if (!module) std::exit(1);
  return module;
}

std::string Write(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  if (mlir::failed(mlir::writeBytecodeToFile(module, out))) std::exit(1);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    llvm::errs() << "usage: mlir_peer MODULE\n";
    return 2;
  }
  Context context;
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module) return 1;
  // Lines of the text, one for each operation: our file has none.
  module->walk([&](mlir::Operation* operation) {
    operation->setLoc(mlir::UnknownLoc::get(&context));
  });
  const std::string bytes = Write(*module);
  const double write = SecondsOf([&] { Write(*module); });
  const double read = SecondsOf([&] { Read(bytes, &context, true); });
  const double unverified = SecondsOf([&] { Read(bytes, &context, false); });
  const double in_new_context = SecondsOf([&] {
    Context new_context;
    Read(bytes, &new_context, true);
  });
  llvm::outs() << "{\"bytes\": " << bytes.size() << ", \"write\": " << write
               << ", \"read\": " << read
               << ", \"read_unverified\": " << unverified
               << ", \"read_new_context\": " << in_new_context << "}\n";
  return 0;
}
