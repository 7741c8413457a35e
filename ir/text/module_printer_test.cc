#include "ir/text/module_printer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_matchers.h"
#include "ir/ids.h"
#include "ir/module.h"
#include "ir/module_builder.h"
#include "schema/operator_entry.h"
#include "schema/type.h"
#include "schema/value.h"

namespace opcompat {
namespace {

Module Build(ModuleBuilder builder) {
  absl::StatusOr<Module> module = std::move(builder).Build();
  EXPECT_THAT(module, IsOk());
  return module.ok() ? *std::move(module) : Module();
}

// A function whose parameters, ints, have these debug names.
Module WithNames(const std::vector<std::string>& names) {
  ModuleBuilder b;
  const TypeId type = b.InternType(Type(TypeKind::kInt));
  b.BeginFunction("f");
  std::vector<ModuleBuilder::Definition> parameters;
  for (const std::string& name : names) parameters.push_back({type, name});
  b.BeginBlock(parameters);
  b.EndBlock({});
  b.EndFunction({});
  return Build(std::move(b));
}

TEST(ModulePrinterTest, NamesAreKeptOrMadeUnique) {
  const auto header = [](absl::string_view parameters) {
    return absl::StrCat("func f(", parameters, ") -> ():\n  return ()\n");
  };
  // Nobody has a name: the numbers.
  EXPECT_EQ(PrintModule(WithNames({"", "", ""})),
            header("%0 : int, %1 : int, %2 : int"));
  EXPECT_EQ(PrintModule(WithNames({"x", "", "y.1"})),
            header("%x : int, %1 : int, %y.1 : int"));
  // A name that is another's number, and one that is what it would become.
  EXPECT_EQ(PrintModule(WithNames({"1", "", "1.1"})),
            header("%1 : int, %1.2 : int, %1.1 : int"));
  EXPECT_EQ(PrintModule(WithNames({"2", "1", ""})),
            header("%2 : int, %1 : int, %2.1 : int"));
  // The first of a name has it.
  EXPECT_EQ(PrintModule(WithNames({"x", "x", "x"})),
            header("%x : int, %1 : int, %2 : int"));
  // Names that text cannot have.
  EXPECT_EQ(PrintModule(WithNames({"a b", "%x", "\n", "é", "a-b"})),
            header("%0 : int, %1 : int, %2 : int, %3 : int, %4 : int"));
}

TEST(ModulePrinterTest, NamesCanBeIgnored) {
  PrintOptions options;
  options.ignore_names = true;
  EXPECT_EQ(PrintModule(WithNames({"x", "7", ""}), options),
            "func f(%0 : int, %1 : int, %2 : int) -> ():\n  return ()\n");
}

EntryArgument Argument(absl::string_view name, TypeKind type) {
  EntryArgument argument;
  argument.names = {std::string(name)};
  argument.type = Type(type);
  argument.default_value = Value::Int(0);
  return argument;
}

// `t::op(int a, int b, *, int c, ...)`.
OperatorEntryPtr Op(uint32_t revision) {
  OperatorEntry entry;
  entry.names = {"t::op"};
  entry.history = "t";
  entry.revision = revision;
  entry.arguments = {Argument("a", TypeKind::kInt),
                     Argument("b", TypeKind::kInt),
                     Argument("c", TypeKind::kInt)};
  entry.arguments[2].keyword_only = true;
  entry.is_vararg = true;
  return std::make_shared<const OperatorEntry>(std::move(entry));
}

// A function that calls t::op once.
Module WithCall(const std::vector<uint32_t>& arguments, uint32_t revision) {
  ModuleBuilder b;
  b.BeginFunction("f");
  b.BeginBlock({});
  std::vector<ModuleBuilder::Given> given;
  for (const uint32_t argument : arguments) {
    given.push_back(
        {argument, Operand(b.Constant(Value::Int(
                       argument == Slot::kVariadic ? 9 : argument)))});
  }
  b.AddNode(b.Operator(Op(revision)), given, {}, {});
  b.EndBlock({});
  b.EndFunction({});
  return Build(std::move(b));
}

TEST(ModulePrinterTest, ArgumentsAreNamedAfterTheFirstLeftOut) {
  constexpr uint32_t kMore = Slot::kVariadic;
  const auto call = [](const std::vector<uint32_t>& arguments) {
    return PrintModule(WithCall(arguments, 1));
  };
  const auto text = [](absl::string_view arguments) {
    return absl::StrCat("func f() -> ():\n   = t::op(", arguments,
                        ")\n  return ()\n");
  };
  EXPECT_EQ(call({}), text(""));
  EXPECT_EQ(call({0, 1}), text("0, 1"));
  EXPECT_EQ(call({1}), text("b=1"));
  EXPECT_EQ(call({2}), text("c=2"));
  EXPECT_EQ(call({0, 1, 2}), text("0, 1, c=2"));
  EXPECT_EQ(call({kMore}), text("..., 9"));
  EXPECT_EQ(call({0, kMore}), text("0, ..., 9"));
  EXPECT_EQ(call({0, 1, 2, kMore, kMore}), text("0, 1, 9, 9, c=2"));
  EXPECT_EQ(call({1, 2, kMore}), text("b=1, ..., 9, c=2"));
}

TEST(ModulePrinterTest, RevisionsAreShownOnRequest) {
  PrintOptions options;
  options.show_revisions = true;
  EXPECT_EQ(PrintModule(WithCall({}, 1), options),
            "func f() -> ():\n   = t::op()\n  return ()\n");
  EXPECT_EQ(PrintModule(WithCall({}, 12), options),
            "func f() -> ():\n   = t::op() # revision 12\n  return ()\n");
  EXPECT_EQ(PrintModule(WithCall({}, 12)),
            "func f() -> ():\n   = t::op()\n  return ()\n");
}

// Deeper blocks stand below each other, so that the text stays linear.
TEST(ModulePrinterTest, IndentationEndsAtSixtyFourLevels) {
  constexpr size_t kDepth = 100;
  ModuleBuilder b;
  const TypeId int_type = b.InternType(Type(TypeKind::kInt));
  const Operand one(b.Constant(Value::Int(1)));
  const Operand yes(b.Constant(Value::Bool(true)));
  b.BeginFunction("f");
  b.BeginBlock({});
  for (size_t i = 0; i < kDepth; ++i) {
    b.AddNode(b.Operator(Intrinsic::kLoop),
              {{Slot::kVariadic, one}, {Slot::kVariadic, yes}}, {}, {}, 1);
    b.BeginBlock({{int_type, ""}});
  }
  for (size_t i = 0; i < kDepth; ++i) b.EndBlock({yes});
  b.EndBlock({});
  b.EndFunction({});

  std::string expected = "func f() -> ():\n";
  const auto line = [&](size_t level, absl::string_view text) {
    absl::StrAppend(&expected, std::string(level < 64 ? 2 * level : 128, ' '),
                    text, "\n");
  };
  for (size_t i = 0; i < kDepth; ++i) {
    line(2 * i + 1, " = prim::Loop(1, True)");
    line(2 * i + 2, absl::StrCat("block0(%", i, " : int):"));
  }
  for (size_t i = kDepth; i > 0; --i) line(2 * i + 1, "-> (True)");
  line(1, "return ()");
  EXPECT_EQ(PrintModule(Build(std::move(b))), expected);
}

}  // namespace
}  // namespace opcompat
