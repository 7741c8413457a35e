// How much a file can make us take. The program counts every byte that is
// allocated; files that were made to be greedy, small ones above all, must stay
// within a small constant and a multiple of their own size, and four times as
// large a file must not cost sixteen times as much.

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_matchers.h"
#include "deserializer/deserialize.h"
#include "ir/text/opset_for_testing.h"
#include "schema/opset.h"
#include "wire/module.pb.h"
#include "wire/testing/raw_fields.h"
#include "wire/testing/seal.h"

namespace {

// One thread.
struct Allocated {
  size_t now = 0;
  size_t peak = 0;
  size_t total = 0;
};
Allocated allocated;

void* Count(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  const size_t size = malloc_usable_size(p);
  allocated.now += size;
  allocated.total += size;
  allocated.peak = std::max(allocated.peak, allocated.now);
  return p;
}
void Uncount(void* p) {
  if (p == nullptr) return;
  allocated.now -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(size_t size) { return Count(std::malloc(size)); }
void* operator new[](size_t size) { return Count(std::malloc(size)); }
void operator delete(void* p) noexcept { Uncount(p); }
void operator delete[](void* p) noexcept { Uncount(p); }
void operator delete(void* p, size_t) noexcept { Uncount(p); }
void operator delete[](void* p, size_t) noexcept { Uncount(p); }

namespace opcompat {
namespace {

// What reading costs beyond what depends on the file.
constexpr size_t kAnyFile = size_t{6} << 20;
constexpr size_t kPerByte = 512;
// Files of at most so many bytes take less than a megabyte.
constexpr size_t kSmallFile = 256;

struct Cost {
  absl::Status status;
  size_t peak;
  size_t total;
};

const Runtime& Reader() {
  static const auto* const reader = new Runtime(
      *RuntimeForTesting({"opset t 1\n"
                          "t::typed(int[][] x) -> Tensor\n"
                          "t::one(int x, int y) -> Tensor\n"
                          "t::changed(Tensor x, int y=0) -> Tensor\n"}));
  return *reader;
}

Cost Read(const std::string& file) {
  const Runtime& reader = Reader();
  DeserializeOptions options;
  options.keep_unknown_operators = true;
  Cost cost;
  const size_t before = allocated.now;
  const size_t total_before = allocated.total;
  allocated.peak = before;
  {
    std::vector<Reason> reasons;
    cost.status = Deserialize(file, reader, options, &reasons).status();
    cost.peak = allocated.peak - before;
    cost.total = allocated.total - total_before;
  }
  return cost;
}

// A file by hand. Strings, types and so on are added when they are named.
class FileMaker {
 public:
  FileMaker() {
    message_.set_magic("opcompat");
    message_.set_wire_version(1);
    String("f");
  }

  uint32_t String(const std::string& s) {
    message_.add_strings(s);
    return message_.strings_size() - 1;
  }
  uint32_t Type(uint32_t kind, const std::vector<uint32_t>& children = {},
                const std::string& name = "") {
    if (!name.empty()) String(name);
    wire::Type* type = message_.add_types();
    type->set_kind(kind);
    if (!name.empty()) type->set_name(message_.strings_size());
    for (const uint32_t child : children) type->add_children(child);
    return message_.types_size() - 1;
  }
  uint32_t Constant(uint32_t kind, const std::vector<uint32_t>& elements,
                    int64_t integer = 0) {
    wire::Constant* constant = message_.mutable_constants()->add_others();
    constant->set_kind(kind);
    constant->set_integer(integer);
    for (const uint32_t element : elements) constant->add_elements(element);
    return message_.constants().others_size() - 1;
  }
  void Attribute(const std::string& name, uint32_t type, uint32_t value) {
    wire::Attribute* attribute = message_.add_attributes();
    attribute->set_name(String(name));
    attribute->set_type(type);
    attribute->set_value(value);
  }
  wire::Operator* Operator(const std::string& name) {
    const uint32_t index = String(name);
    const uint32_t history = String("t");
    wire::Operator* op = message_.add_operators();
    op->add_names(index);
    op->set_history(history);
    op->set_revision(1);
    return op;
  }
  wire::Argument* Argument(wire::Operator* op, const std::string& name,
                           uint32_t type, uint32_t default_value = 1) {
    const uint32_t index = String(name);
    wire::Argument* argument = op->add_arguments();
    argument->add_names(index);
    argument->set_state(1);
    argument->set_type(type);
    argument->set_default_value(default_value);
    argument->set_neutral(1);
    argument->set_retired(1);
    return argument;
  }
  // Of operator `op` (32 and up), or of an intrinsic.
  uint32_t Form(uint32_t op, const std::vector<uint32_t>& slots,
                const std::vector<uint32_t>& results) {
    wire::CallForms* forms = message_.mutable_forms();
    uint32_t num_slots = 0;
    for (size_t i = 0; i < slots.size(); ++i, ++num_slots) {
      if ((slots[i] & 15) == 1) ++i;
    }
    forms->add_operators(op);
    forms->add_slot_counts(num_slots);
    forms->add_attribute_counts(0);
    forms->add_result_counts(static_cast<uint32_t>(results.size()));
    forms->add_block_counts(0);
    for (const uint32_t slot : slots) forms->add_slots(slot);
    for (const uint32_t type : results) forms->add_result_types(type);
    return forms->operators_size() - 1;
  }
  // The next function, whose nodes have these forms; parameters of `types`.
  wire::Function* Function(const std::vector<uint32_t>& forms,
                           const std::vector<uint32_t>& types = {},
                           uint32_t name = 0) {
    wire::Function* function = message_.add_functions();
    function->set_name(name);
    function->add_forms(Form(1, {}, types));
    for (const uint32_t form : forms) function->add_forms(form);
    function->add_forms(Form(2, {}, {}));
    return function;
  }
  wire::Module& message() { return message_; }
  std::string File() const { return Seal(message_); }

 private:
  wire::Module message_;
};

// A file that grows with n, and its answer.
struct GreedyCase {
  const char* name;
  std::function<std::string(int n)> make;
};
std::ostream& operator<<(std::ostream& os, const GreedyCase& c) {
  return os << c.name;
}

constexpr uint32_t kTensor = 1, kInt = 2, kNamed = 23, kList = 25, kDict = 26,
                   kTuple = 27;
constexpr uint32_t kIntValue = 2, kListValue = 7, kTupleValue = 8;
constexpr uint32_t kFirstOperator = 32;

uint32_t Doubled(FileMaker* file, uint32_t kind, uint32_t first, int times,
                 bool type) {
  uint32_t last = first;
  for (int i = 0; i < times; ++i) {
    last = type ? file->Type(kind, {last, last})
                : file->Constant(kind, {last, last});
  }
  return last;
}

const GreedyCase kGreedyCases[] = {
    {"a tuple that doubles, where nothing says its type",
     [](int n) {
       FileMaker file;
       file.Operator("t::any")->set_is_vararg(true);
       const uint32_t tuple =
           Doubled(&file, kTupleValue, file.Constant(kIntValue, {}, 1), 20,
                   /*type=*/false);
       const uint32_t form = file.Form(kFirstOperator, {9}, {});
       wire::Function* f =
           file.Function(std::vector<uint32_t>(std::max(1, n / 64), form));
       for (int i = 0; i < std::max(1, n / 64); ++i) f->add_constants(tuple);
       return file.File();
     }},
    {"a list that doubles, at a type that nests as deep",
     [](int n) {
       FileMaker file;
       uint32_t type = file.Type(kInt);
       for (int i = 0; i < 20; ++i) type = file.Type(kList, {type});
       const uint32_t list =
           Doubled(&file, kListValue, file.Constant(kIntValue, {}, 1), 20,
                   /*type=*/false);
       for (int i = 0; i < std::max(1, n / 64); ++i) {
         file.Attribute(absl::StrCat("a", i), type, list);
       }
       return file.File();
     }},
    {"a list of n lists that are one, for an argument of another type",
     [](int n) {
       FileMaker file;
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       const uint32_t inner =
           file.Constant(kListValue, std::vector<uint32_t>(n, one));
       const uint32_t outer =
           file.Constant(kListValue, std::vector<uint32_t>(n, inner));
       const uint32_t sized = file.Type(kList, {file.Type(kInt)});
       file.message().mutable_types(sized)->set_size(3);
       wire::Operator* op = file.Operator("t::typed");
       file.Argument(op, "x", file.Type(kList, {sized}));
       op->add_results()->set_type(file.Type(kTensor));
       file.Function({file.Form(kFirstOperator, {9}, {op->results(0).type()})})
           ->add_constants(outer);
       return file.File();
     }},
    {"one list at n types",
     [](int n) {
       FileMaker file;
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       const uint32_t list =
           file.Constant(kListValue, std::vector<uint32_t>(n, one));
       for (int i = 0; i < n; ++i) {
         const uint32_t named = file.Type(kNamed, {}, absl::StrCat("n", i));
         file.Attribute(absl::StrCat("a", i), file.Type(kList, {named}), list);
       }
       return file.File();
     }},
    {"a type that doubles, in a message",
     [](int n) {
       FileMaker file;
       const uint32_t type =
           Doubled(&file, kDict, file.Type(kNamed, {}, std::string(n, 'a')), 12,
                   /*type=*/true);
       file.Attribute("a", type, file.Constant(kIntValue, {}, 1));
       return file.File();
     }},
    {"a long name, used many times",
     [](int n) {
       FileMaker file;
       wire::Operator* op = file.Operator("t::f");
       const uint32_t name = file.String(std::string(n, 'a'));
       file.message().add_required_features("covered_marks");
       wire::CoveredMarks* marks = op->add_covered_marks();
       for (int i = 0; i < n; ++i) {
         marks->add_results()->add_alias()->add_before(name);
       }
       return file.File();
     }},
    {"results that take no byte",
     [](int n) {
       FileMaker file;
       file.Operator("t::any")->set_is_varret(true);
       const uint32_t type = file.Type(kTensor);
       const uint32_t form =
           file.Form(kFirstOperator, {}, std::vector<uint32_t>(n, type));
       file.Function(std::vector<uint32_t>(n, form));
       return file.File();
     }},
    {"operands that take no byte",
     [](int n) {
       FileMaker file;
       file.Operator("t::any")->set_is_vararg(true);
       const uint32_t form =
           file.Form(kFirstOperator, std::vector<uint32_t>(n, 2), {});
       file.Function(std::vector<uint32_t>(n, form));
       return file.File();
     }},
    {"a schema of n arguments and n wrong call forms",
     [](int n) {
       FileMaker file;
       wire::Operator* op = file.Operator("t::f");
       const uint32_t type = file.Type(kInt);
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       const int num_arguments = std::min(n, 1024);
       for (int i = 0; i < num_arguments; ++i) {
         file.Argument(op, absl::StrCat("argument", i), type, 2 + one);
       }
       for (int i = 0; i < n; ++i) {
         // Each is another: it has results that the schema lacks.
         file.Form(kFirstOperator, {}, std::vector<uint32_t>(1 + i % 7, type));
       }
       file.Function({});
       return file.File();
     }},
    {"n call forms of a schema of n arguments",
     [](int n) {
       FileMaker file;
       wire::Operator* op = file.Operator("t::f");
       const uint32_t type = file.Type(kInt);
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       const int num_arguments = std::min(n, 1024);
       std::vector<uint32_t> forms;
       for (int i = 0; i < num_arguments; ++i) {
         file.Argument(op, absl::StrCat("argument", i), type, 2 + one);
       }
       for (int i = 0; i < n; ++i) {
         forms.push_back(file.Form(
             kFirstOperator,
             {static_cast<uint32_t>(i % num_arguments) << 4 | 5}, {}));
       }
       wire::Function* f = file.Function(forms);
       for (int i = 0; i < n; ++i) f->add_constants(4);
       return file.File();
     }},
    {"n reasons against a function with a long name",
     [](int n) {
       FileMaker file;
       const uint32_t name = file.String(std::string(n, 'f'));
       wire::Operator* op = file.Operator("t::one");
       const uint32_t type = file.Type(kList, {file.Type(kInt)});
       file.Argument(op, "x", type);
       file.Argument(op, "z", file.Type(kInt));
       op->add_results()->set_type(file.Type(kTensor));
       const uint32_t lists = file.message().constants().others_size();
       for (int i = 0; i < n; ++i) {
         file.Constant(kListValue, {file.Constant(kIntValue, {}, i)});
       }
       const uint32_t form =
           file.Form(kFirstOperator, {9, 16 | 5}, {op->results(0).type()});
       wire::Function* f =
           file.Function(std::vector<uint32_t>(n, form), {}, name);
       for (int i = 0; i < n; ++i) {
         f->add_constants(lists + 2 * i + 1);
         f->add_constants(2 * i);
       }
       return file.File();
     }},
    {"a lone n that stands for 2^40 copies",
     [](int n) {
       FileMaker file;
       file.message().add_required_features("equal_values");
       wire::Operator* op = file.Operator("t::changed");
       file.Argument(op, "x", file.Type(kTensor));
       const uint32_t type = file.Type(kInt);
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       wire::Argument* y = file.Argument(op, "y", type, 2 + one);
       const uint32_t many = file.Type(kList, {type});
       file.message().mutable_types(many)->set_size(int64_t{1} << 40);
       wire::EqualValue* equal = y->add_equal_values();
       equal->set_value(file.Constant(kListValue, {}));
       equal->set_value_type(many);
       equal->set_means(one);
       equal->set_means_type(type);
       op->add_results()->set_type(0);
       const uint32_t form = file.Form(kFirstOperator, {0}, {0});
       wire::Function* f =
           file.Function(std::vector<uint32_t>(std::max(1, n / 16), form), {0});
       for (int i = 0; i < std::max(1, n / 16); ++i) f->add_values(1);
       return file.File();
     }},
    {"n empty elements of a table",
     [](int n) {
       FileMaker file;
       for (int i = 0; i < n; ++i) file.message().add_metadata();
       return file.File();
     }},
    {"a column in n pieces",
     [](int n) {
       FileMaker file;
       file.Function({});
       std::string pieces;
       for (int i = 0; i < n; ++i) pieces += std::string("\x42\x01\x00", 3);
       return Reseal(absl::StrCat(file.message().SerializeAsString(),
                                  LengthDelimited(11, pieces)));
     }},
    {"a tuple type of n parts and a constant that has fewer",
     [](int n) {
       FileMaker file;
       const uint32_t one = file.Constant(kIntValue, {}, 1);
       const uint32_t type = file.Type(kInt);
       const uint32_t tuple =
           file.Type(kTuple, std::vector<uint32_t>(std::min(n, 16000), type));
       for (int i = 0; i < n / 16 + 1; ++i) {
         file.Attribute(
             absl::StrCat("a", i), tuple,
             file.Constant(kTupleValue, std::vector<uint32_t>(2 + i, one)));
       }
       return file.File();
     }},
};

class GreedyTest : public ::testing::TestWithParam<GreedyCase> {};

INSTANTIATE_TEST_SUITE_P(Cases, GreedyTest, ::testing::ValuesIn(kGreedyCases));

TEST_P(GreedyTest, TakesASmallMultipleOfItsSizeAtMost) {
  for (const int n : {1, 4, 16, 100, 500, 2000}) {
    const std::string file = GetParam().make(n);
    const Cost cost = Read(file);
    EXPECT_LE(cost.peak, kAnyFile + kPerByte * file.size())
        << file.size() << " bytes: " << cost.status.message().substr(0, 200);
    if (file.size() <= kSmallFile) {
      EXPECT_LT(cost.peak, size_t{1} << 20) << file.size() << " bytes";
    }
    EXPECT_LE(cost.status.message().size(), kAnyFile / 2);
  }
}

// All that is ever allocated stands for all that is ever done: a loop over
// pairs makes something of each.
TEST_P(GreedyTest, CostsInProportionToItsSize) {
  const std::string small = GetParam().make(400);
  const std::string large = GetParam().make(1600);
  const double growth =
      static_cast<double>(large.size()) / static_cast<double>(small.size());
  const Cost of_small = Read(small);
  const Cost of_large = Read(large);
  EXPECT_LE(static_cast<double>(of_large.total),
            kAnyFile + 2 * growth * static_cast<double>(of_small.total))
      << small.size() << " and " << large.size()
      << " bytes: " << of_large.status.message().substr(0, 200);
}

}  // namespace
}  // namespace opcompat
