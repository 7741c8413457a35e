// What a file must not be, one by one, with the code of the answer and a word
// of its message; and what protobuf writers may do that must be accepted.

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/wire_format_lite.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "base/status_matchers.h"
#include "deserializer/decode.h"
#include "deserializer/decode_limits.h"
#include "deserializer/file_fields.h"
#include "ir/equality.h"
#include "ir/module.h"
#include "schema/opset.h"
#include "serializer/serialize.h"
#include "wire/module.pb.h"
#include "wire/testing/sample_modules.h"
#include "wire/testing/seal.h"

namespace opcompat {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;
using ::google::protobuf::io::CodedOutputStream;
using ::google::protobuf::io::StringOutputStream;
using ::testing::HasSubstr;

constexpr uint32_t kFirstOperator = 32;

std::string GoodFile() {
  const SampleModule sample = ModuleOf(
      R"(
t::f(Tensor x, int a=1, str? mode=None) -> Tensor
t::g(Tensor x, float[] w=[0.5]) -> Tensor
)",
      R"(
attr scale : float[] = [0.5, 2.5]
func f(%x : Tensor, %n : int, %b : bool) -> (Tensor, int[]):
  %y : Tensor = t::f(%x, 7, mode="a")
  %w : Tensor = t::g(%y, [0.25, 4.0])
  %z : Tensor = prim::If(%b)
    block0():
      -> (%w)
    block1():
      -> (%x)
  %k : int[] = prim::ListConstruct(%n, 3)
  return (%z, %k)
)");
  return Serialize(sample.module, sample.writer).value();
}

wire::Module GoodMessage() {
  wire::Module message;
  EXPECT_TRUE(message.ParseFromString(GoodFile()));
  return message;
}

// The form of the first call of `op`, and where its slots begin.
struct FormPlace {
  int form = -1;
  int first_slot = 0;
};

FormPlace FormOf(const wire::Module& message, const std::string& op) {
  FormPlace place;
  for (int f = 0; f < message.forms().operators_size(); ++f) {
    const uint32_t number = message.forms().operators(f);
    if (number >= kFirstOperator &&
        message.strings(message.operators(number - kFirstOperator).names(0)) ==
            op) {
      place.form = f;
      return place;
    }
    for (uint32_t i = 0; i < message.forms().slot_counts(f); ++i) {
      if ((message.forms().slots(place.first_slot) & 15) == 1) {
        ++place.first_slot;
      }
      ++place.first_slot;
    }
  }
  ADD_FAILURE() << "no form of " << op;
  return place;
}

wire::Operator* OperatorOf(wire::Module* message, const std::string& op) {
  for (wire::Operator& entry : *message->mutable_operators()) {
    if (message->strings(entry.names(0)) == op) return &entry;
  }
  ADD_FAILURE() << "no operator " << op;
  return nullptr;
}

struct RefusalCase {
  const char* name;
  std::function<void(wire::Module*)> change;
  absl::StatusCode code;
  const char* message;
};

std::ostream& operator<<(std::ostream& os, const RefusalCase& c) {
  return os << c.name;
}

class RefusalTest : public ::testing::TestWithParam<RefusalCase> {};

TEST_P(RefusalTest, NamesWhatIsWrong) {
  wire::Module message = GoodMessage();
  ASSERT_THAT(Decode(Seal(message)), IsOk());
  GetParam().change(&message);
  EXPECT_THAT(Decode(Seal(message)),
              StatusIs(GetParam().code, HasSubstr(GetParam().message)));
}

constexpr absl::StatusCode kMalformed = absl::StatusCode::kInvalidArgument;
constexpr absl::StatusCode kTooNew = absl::StatusCode::kUnimplemented;
constexpr absl::StatusCode kTooMuch = absl::StatusCode::kResourceExhausted;

INSTANTIATE_TEST_SUITE_P(
    Header, RefusalTest,
    ::testing::Values(
        RefusalCase{"wire version 2",
                    [](wire::Module* m) { m->set_wire_version(2); }, kTooNew,
                    "wire version 2; this reader reads wire version 1"},
        RefusalCase{"no wire version",
                    [](wire::Module* m) { m->clear_wire_version(); },
                    kMalformed, "no wire version"},
        RefusalCase{"unknown feature",
                    [](wire::Module* m) { m->add_required_features("zz_new"); },
                    kTooNew, "\"zz_new\""},
        RefusalCase{"feature twice",
                    [](wire::Module* m) {
                      m->add_required_features(m->required_features(
                          m->required_features_size() - 1));
                    },
                    kMalformed, "each once"},
        RefusalCase{"intrinsic that is not required",
                    [](wire::Module* m) { m->clear_required_features(); },
                    kMalformed, "does not require"},
        RefusalCase{"wrong magic",
                    [](wire::Module* m) { m->set_magic("opcompax"); },
                    kMalformed, "does not begin"},
        RefusalCase{
            "opset without version",
            [](wire::Module* m) { m->mutable_opsets(0)->clear_version(); },
            kMalformed, "opset 0"},
        RefusalCase{"opset twice",
                    [](wire::Module* m) { *m->add_opsets() = m->opsets(0); },
                    kMalformed, "twice"}));

INSTANTIATE_TEST_SUITE_P(
    Tables, RefusalTest,
    ::testing::Values(
        RefusalCase{"string twice",
                    [](wire::Module* m) { m->add_strings(m->strings(0)); },
                    kMalformed, "is there twice"},
        RefusalCase{"type twice",
                    [](wire::Module* m) { *m->add_types() = m->types(0); },
                    kMalformed, "is there twice"},
        RefusalCase{"constant twice",
                    [](wire::Module* m) {
                      *m->mutable_constants()->add_others() =
                          m->constants().others(0);
                    },
                    kMalformed, "is there twice"},
        RefusalCase{"type of no kind",
                    [](wire::Module* m) { m->add_types()->set_kind(33); },
                    kMalformed, "no kind of type"},
        RefusalCase{"type of a name that is no word",
                    [](wire::Module* m) {
                      wire::Type* type = m->add_types();
                      type->set_kind(23);
                      m->add_strings("a b");
                      type->set_name(static_cast<uint32_t>(m->strings_size()));
                    },
                    kMalformed, "\"a b\" is no name of a type"},
        RefusalCase{"tuple with a field of a name that is no word",
                    [](wire::Module* m) {
                      wire::Type* type = m->add_types();
                      type->set_kind(28);
                      type->add_children(0);
                      m->add_strings("a b");
                      type->add_field_names(
                          static_cast<uint32_t>(m->strings_size() - 1));
                    },
                    kMalformed, "the name of a field is no word"},
        RefusalCase{"list of itself",
                    [](wire::Module* m) {
                      wire::Type* type = m->add_types();
                      type->set_kind(25);
                      type->add_children(m->types_size() - 1);
                    },
                    kMalformed, "an earlier one was expected"},
        RefusalCase{"constant of itself",
                    [](wire::Module* m) {
                      wire::Constant* c = m->mutable_constants()->add_others();
                      c->set_kind(7);
                      c->add_elements(m->constants().others_size() - 1);
                    },
                    kMalformed, "an earlier one was expected"},
        RefusalCase{"int with text",
                    [](wire::Module* m) {
                      wire::Constant* c = m->mutable_constants()->add_others();
                      c->set_kind(2);
                      c->set_text(1);
                    },
                    kMalformed, "does not have"},
        RefusalCase{"tensor of too few bytes",
                    [](wire::Module* m) {
                      m->add_strings("float32");
                      wire::Tensor* tensor = m->add_tensors();
                      tensor->set_dtype(m->strings_size() - 1);
                      tensor->add_shape(2);
                      tensor->set_data("1234");
                    },
                    kMalformed, "shape and dtype"},
        RefusalCase{"tensor of an overflowing shape",
                    [](wire::Module* m) {
                      m->add_strings("float32");
                      wire::Tensor* tensor = m->add_tensors();
                      tensor->set_dtype(m->strings_size() - 1);
                      for (int i = 0; i < 4; ++i) {
                        tensor->add_shape(int64_t{1} << 62);
                      }
                    },
                    kMalformed, "shape and dtype"},
        RefusalCase{"tensor with more bytes than its shape needs",
                    [](wire::Module* m) {
                      m->add_strings("float32");
                      wire::Tensor* tensor = m->add_tensors();
                      tensor->set_dtype(m->strings_size() - 1);
                      tensor->add_shape(2);
                      tensor->set_data(std::string(12, 'a'));
                    },
                    kMalformed, "its 12 bytes are not what its shape"}));

INSTANTIATE_TEST_SUITE_P(
    Entries, RefusalTest,
    ::testing::Values(
        RefusalCase{"no word on a default",
                    [](wire::Module* m) {
                      OperatorOf(m, "t::f")
                          ->mutable_arguments(1)
                          ->clear_default_value();
                    },
                    kMalformed, "does not say whether there is a default"},
        RefusalCase{
            "no word on a neutral value",
            [](wire::Module* m) {
              OperatorOf(m, "t::f")->mutable_arguments(1)->clear_neutral();
            },
            kMalformed, "whether there is a neutral value"},
        RefusalCase{
            "no state",
            [](wire::Module* m) {
              OperatorOf(m, "t::f")->mutable_arguments(1)->clear_state();
            },
            kMalformed, "neither exposed nor retired"},
        RefusalCase{"default of another type",
                    [](wire::Module* m) {
                      wire::Operator* op = OperatorOf(m, "t::f");
                      op->mutable_arguments(1)->set_type(
                          op->arguments(2).type());
                    },
                    kMalformed, "default"},
        RefusalCase{
            "default spelled at another type",
            [](wire::Module* m) {
              wire::Constants* constants = m->mutable_constants();
              wire::Constant* one = constants->add_others();
              one->set_kind(2);
              one->set_integer(1234);
              wire::Constant* list = constants->add_others();
              list->set_kind(7);
              const int size = constants->others_size();
              list->add_elements(size - 2);
              // `w=[1234]` of type float[], and not `w=[1234.0]`.
              OperatorOf(m, "t::g")->mutable_arguments(1)->set_default_value(
                  2 + size - 1);
            },
            kMalformed, "[1234.0] was expected"},
        RefusalCase{"exposed argument after a retired one",
                    [](wire::Module* m) {
                      wire::Argument* a =
                          OperatorOf(m, "t::f")->mutable_arguments(1);
                      a->set_state(2);
                      a->set_default_value(1);
                      m->add_required_features("retired_arguments");
                    },
                    kMalformed, "`mode` stands after a retired one"},
        RefusalCase{"argument twice",
                    [](wire::Module* m) {
                      wire::Operator* op = OperatorOf(m, "t::f");
                      op->mutable_arguments(2)->set_names(
                          0, op->arguments(1).names(0));
                    },
                    kMalformed, "twice"},
        RefusalCase{
            "operator twice",
            [](wire::Module* m) { *m->add_operators() = m->operators(0); },
            kMalformed, "revision 1 is there twice"},
        RefusalCase{"name without a namespace",
                    [](wire::Module* m) {
                      m->add_strings("no_colons");
                      OperatorOf(m, "t::f")->set_names(0,
                                                       m->strings_size() - 1);
                    },
                    kMalformed, "namespace::name"},
        RefusalCase{"neutral value that is not required",
                    [](wire::Module* m) {
                      wire::Argument* argument =
                          OperatorOf(m, "t::f")->mutable_arguments(1);
                      argument->set_neutral(argument->default_value());
                      argument->set_neutral_type(argument->type() + 1);
                    },
                    kMalformed, "\"neutral_values\""},
        RefusalCase{
            "revision that is not required",
            [](wire::Module* m) { OperatorOf(m, "t::f")->set_revision(2); },
            kMalformed, "\"revisions\""},
        RefusalCase{
            "no revision",
            [](wire::Module* m) { OperatorOf(m, "t::f")->clear_revision(); },
            kMalformed, "no revision"}));

INSTANTIATE_TEST_SUITE_P(
    Calls, RefusalTest,
    ::testing::Values(
        RefusalCase{"required argument left out",
                    [](wire::Module* m) {
                      const FormPlace place = FormOf(*m, "t::f");
                      wire::CallForms* forms = m->mutable_forms();
                      // x, a and mode become None, a and mode.
                      forms->set_slots(place.first_slot, 1 << 4 | 5);
                      forms->set_slots(place.first_slot + 1, 2 << 4 | 2);
                      forms->set_slots(place.first_slot + 2, 2 << 4 | 2);
                    },
                    kMalformed, "twice or out of order"},
        RefusalCase{
            "required argument replaced",
            [](wire::Module* m) {
              OperatorOf(m, "t::g")->mutable_arguments(1)->set_default_value(1);
              // Nobody writes x any more.
              const FormPlace place = FormOf(*m, "t::g");
              m->mutable_forms()->set_slots(place.first_slot, 1 << 4 | 0);
            },
            kMalformed, "twice or out of order"},
        RefusalCase{"argument twice",
                    [](wire::Module* m) {
                      const FormPlace place = FormOf(*m, "t::f");
                      m->mutable_forms()->set_slots(
                          place.first_slot + 1,
                          m->forms().slots(place.first_slot));
                    },
                    kMalformed, "twice or out of order"},
        RefusalCase{"retired argument",
                    [](wire::Module* m) {
                      wire::Argument* mode =
                          OperatorOf(m, "t::f")->mutable_arguments(2);
                      mode->set_state(2);
                      mode->set_default_value(1);
                      m->clear_required_features();
                      for (const char* feature :
                           {"prim::If", "prim::ListConstruct",
                            "retired_arguments"}) {
                        m->add_required_features(feature);
                      }
                    },
                    kMalformed, "t::f: slot 2 gives argument 2; it has 2"},
        RefusalCase{"argument that is required now",
                    [](wire::Module* m) {
                      m->mutable_forms()->set_slot_counts(
                          FormOf(*m, "t::f").form, 0);
                    },
                    kMalformed, "required arguments are not given"},
        RefusalCase{
            "intrinsic that nobody knows",
            [](wire::Module* m) { m->mutable_forms()->set_operators(0, 31); },
            kMalformed, "no intrinsic of number 31"},
        RefusalCase{"value before the first",
                    [](wire::Module* m) {
                      m->mutable_functions(0)->set_values(0, 1000);
                    },
                    kMalformed, "not among the 3 defined before it"},
        RefusalCase{
            "value that is not yet there",
            [](wire::Module* m) { m->mutable_functions(0)->set_values(0, 0); },
            kMalformed, "not among"},
        RefusalCase{
            "value too many",
            [](wire::Module* m) { m->mutable_functions(0)->add_values(1); },
            kMalformed, "columns have"},
        RefusalCase{
            "constant too many",
            [](wire::Module* m) { m->mutable_functions(0)->add_constants(1); },
            kMalformed, "columns have"},
        RefusalCase{"constant that is not there",
                    [](wire::Module* m) {
                      wire::Function* f = m->mutable_functions(0);
                      f->set_constants(1, 1000);
                    },
                    kMalformed, "there is no constant 1000"},
        RefusalCase{"node too few",
                    [](wire::Module* m) {
                      m->mutable_functions(0)->mutable_forms()->RemoveLast();
                    },
                    kMalformed, "function `f`"}));

INSTANTIATE_TEST_SUITE_P(
    HugeClaims, RefusalTest,
    ::testing::Values(
        RefusalCase{"list of four billion integers",
                    [](wire::Module* m) {
                      m->mutable_constants()->add_int_list_lengths(~0u);
                    },
                    kMalformed, "are left"},
        RefusalCase{"four billion blocks",
                    [](wire::Module* m) {
                      for (int i = 0; i < m->forms().block_counts_size(); ++i) {
                        if (m->forms().block_counts(i) > 0) {
                          m->mutable_forms()->set_block_counts(i, ~0u);
                        }
                      }
                    },
                    kMalformed, "blocks"},
        RefusalCase{"four billion variadic values",
                    [](wire::Module* m) {
                      for (int i = 0; i < m->forms().slots_size(); ++i) {
                        if (m->forms().slots(i) == 1) {
                          m->mutable_forms()->set_slots(i + 1, ~0u);
                        }
                      }
                    },
                    kMalformed, "columns of operands end"},
        RefusalCase{"four billion slots",
                    [](wire::Module* m) {
                      m->mutable_forms()->set_slot_counts(0, ~0u);
                    },
                    kMalformed, "slots, but"},
        RefusalCase{"tuple that doubles sixty times",
                    [](wire::Module* m) {
                      for (int i = 0; i < 60; ++i) {
                        wire::Type* type = m->add_types();
                        type->set_kind(27);
                        type->add_children(m->types_size() - 2);
                        type->add_children(m->types_size() - 2);
                      }
                    },
                    kTooMuch, "parts"},
        RefusalCase{"list of lists, a hundred thousand deep",
                    [](wire::Module* m) {
                      for (int i = 0; i < 100000; ++i) {
                        wire::Type* type = m->add_types();
                        type->set_kind(25);
                        type->add_children(m->types_size() - 2);
                      }
                    },
                    kTooMuch, "levels deep"},
        RefusalCase{"constant that doubles sixty times",
                    [](wire::Module* m) {
                      for (int i = 0; i < 60; ++i) {
                        wire::Constant* c =
                            m->mutable_constants()->add_others();
                        c->set_kind(7);
                        const int before = m->constants().others_size() - 2;
                        c->add_elements(before);
                        c->add_elements(before);
                      }
                    },
                    kTooMuch, "parts"},
        RefusalCase{"constant a hundred thousand deep",
                    [](wire::Module* m) {
                      for (int i = 0; i < 100000; ++i) {
                        wire::Constant* c =
                            m->mutable_constants()->add_others();
                        c->set_kind(7);
                        c->add_elements(m->constants().others_size() - 2);
                      }
                    },
                    kTooMuch, "levels deep"},
        RefusalCase{"long name, used many times",
                    [](wire::Module* m) {
                      m->add_strings(std::string(100000, 'a'));
                      wire::CoveredMarks* marks =
                          m->mutable_operators(0)->add_covered_marks();
                      for (int i = 0; i < 10000; ++i) {
                        wire::Alias* alias = marks->add_results()->add_alias();
                        alias->add_before(m->strings_size() - 1);
                      }
                    },
                    kTooMuch, "names expand"},
        RefusalCase{"many operands that take no byte",
                    [](wire::Module* m) {
                      wire::CallForms* forms = m->mutable_forms();
                      forms->add_operators(6);  // prim::ListConstruct
                      forms->add_slot_counts(20000);
                      for (int i = 0; i < 20000; ++i) forms->add_slots(2);
                      forms->add_attribute_counts(0);
                      forms->add_result_counts(0);
                      forms->add_block_counts(0);
                      const uint32_t form = forms->operators_size() - 1;
                      for (int i = 0; i < 20000; ++i) {
                        m->mutable_functions(0)->add_forms(form);
                      }
                    },
                    kTooMuch, "operands and results"},
        RefusalCase{"many results that take no byte",
                    [](wire::Module* m) {
                      wire::CallForms* forms = m->mutable_forms();
                      forms->add_operators(9);  // prim::ListUnpack
                      forms->add_slot_counts(0);
                      forms->add_attribute_counts(0);
                      forms->add_result_counts(20000);
                      for (int i = 0; i < 20000; ++i) {
                        forms->add_result_types(0);
                      }
                      forms->add_block_counts(0);
                      m->add_required_features("prim::ListUnpack");
                      const uint32_t form = forms->operators_size() - 1;
                      for (int i = 0; i < 20000; ++i) {
                        m->mutable_functions(0)->add_forms(form);
                      }
                    },
                    kTooMuch, "operands and results"}));

TEST(HeaderTest, ARefusalOfTheWireVersionIsKnownAsOne) {
  wire::Module message = GoodMessage();
  message.set_wire_version(7);
  EXPECT_TRUE(decoding::RefusesWireVersion(Decode(Seal(message)).status()));
  message = GoodMessage();
  message.add_required_features("the file has wire version 7");
  const absl::Status feature = Decode(Seal(message)).status();
  EXPECT_TRUE(absl::IsUnimplemented(feature)) << feature;
  EXPECT_FALSE(decoding::RefusesWireVersion(feature));
}

// Inserts a field before the checksum.
std::string With(absl::string_view field) {
  std::string file = GoodFile();
  file.resize(file.size() - 10);
  const absl::string_view any_checksum("\xa1\x06\0\0\0\0\0\0\0\0", 10);
  return Reseal(absl::StrCat(file, field, any_checksum));
}

TEST(FieldsTest, AFieldThatMustBeOnceIsRefusedTwice) {
  EXPECT_THAT(Decode(With("\x0a\x08opcompat")),
              StatusIs(kMalformed, HasSubstr("second magic")));
  EXPECT_THAT(Decode(With("\x10\x01")),
              StatusIs(kMalformed, HasSubstr("second wire version")));
  EXPECT_THAT(Decode(With(absl::string_view("\xa1\x06\0\0\0\0\0\0\0\0", 10))),
              StatusIs(kMalformed, HasSubstr("second checksum")));
}

TEST(FieldsTest, UnknownFieldsAreSkippedAndUnknownWireTypesRefused) {
  // Field 90 as varint, fixed64, bytes, fixed32.
  EXPECT_THAT(Decode(With("\xd0\x05\x07")), IsOk());
  EXPECT_THAT(Decode(With("\xd1\x05"
                          "12345678")),
              IsOk());
  EXPECT_THAT(Decode(With("\xd2\x05\x02"
                          "ab")),
              IsOk());
  EXPECT_THAT(Decode(With("\xd5\x05"
                          "1234")),
              IsOk());
  // A group, its end, and two types that do not exist.
  for (const char* field : {"\xd3\x05", "\xd4\x05", "\xd6\x05", "\xd7\x05"}) {
    EXPECT_THAT(Decode(With(field)),
                StatusIs(kMalformed, HasSubstr("which no field is")));
  }
  // Field 0, a known field of another type, and a length beyond the end.
  EXPECT_THAT(Decode(With(absl::string_view("\x02\0", 2))),
              StatusIs(kMalformed, HasSubstr("tag")));
  EXPECT_THAT(Decode(With("\x30\x01")),
              StatusIs(kMalformed, HasSubstr("field 6 is a varint")));
  EXPECT_THAT(Decode(With("\x32\x7f")),
              StatusIs(kMalformed, HasSubstr("length")));
}

TEST(FieldsTest, NumbersThatProtobufWouldCutAreRefused) {
  // A type (field 7) of kind (field 1) 12, padded: as protobuf reads it.
  const absl::string_view padded("\x3a\x04\x08\x8c\x80\x00", 6);
  EXPECT_THAT(Decode(With(padded)), IsOk());
  EXPECT_THAT(Decode(With("\x3a\x06\x08\x8c\x80\x80\x80\x10")),
              StatusIs(kMalformed, HasSubstr("32 bits")));
  EXPECT_THAT(
      Decode(With("\x3a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02")),
      StatusIs(kMalformed, HasSubstr("64 bits")));
  EXPECT_THAT(
      Decode(With("\x3a\x0c\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")),
      StatusIs(kMalformed, HasSubstr("64 bits")));
}

// The message as an unusual but lawful protobuf writer might write it: fields
// in falling order, columns element by element, singular messages in pieces,
// one for each of their fields.
std::string Unusual(const Message& message, bool is_file) {
  using ::google::protobuf::internal::WireFormatLite;
  std::string out;
  StringOutputStream stream(&out);
  CodedOutputStream coded(&stream);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  std::reverse(fields.begin(), fields.end());
  if (is_file) {  // the magic string stays in front
    fields.insert(fields.begin(), fields.back());
    fields.pop_back();
  }
  const auto bytes = [&](int number, const std::string& s) {
    WireFormatLite::WriteBytes(number, s, &coded);
  };
  for (const FieldDescriptor* field : fields) {
    const int number = field->number();
    if (field->name() == "checksum") continue;
    if (!field->is_repeated()) {
      switch (field->type()) {
        case FieldDescriptor::TYPE_UINT32:
          WireFormatLite::WriteUInt32(
              number, reflection.GetUInt32(message, field), &coded);
          break;
        case FieldDescriptor::TYPE_UINT64:
          WireFormatLite::WriteUInt64(
              number, reflection.GetUInt64(message, field), &coded);
          break;
        case FieldDescriptor::TYPE_SINT64:
          WireFormatLite::WriteSInt64(
              number, reflection.GetInt64(message, field), &coded);
          break;
        case FieldDescriptor::TYPE_FIXED64:
          WireFormatLite::WriteFixed64(
              number, reflection.GetUInt64(message, field), &coded);
          break;
        case FieldDescriptor::TYPE_BOOL:
          WireFormatLite::WriteBool(number, reflection.GetBool(message, field),
                                    &coded);
          break;
        case FieldDescriptor::TYPE_MESSAGE: {
          const Message& inner = reflection.GetMessage(message, field);
          std::vector<const FieldDescriptor*> inner_fields;
          inner.GetReflection()->ListFields(inner, &inner_fields);
          for (const FieldDescriptor* kept : inner_fields) {
            std::unique_ptr<Message> piece(inner.New());
            piece->CopyFrom(inner);
            for (const FieldDescriptor* other : inner_fields) {
              if (other != kept) {
                piece->GetReflection()->ClearField(piece.get(), other);
              }
            }
            bytes(number, Unusual(*piece, false));
          }
          break;
        }
        default:
          bytes(number, reflection.GetString(message, field));
          break;
      }
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
      switch (field->type()) {
        case FieldDescriptor::TYPE_UINT32:
          WireFormatLite::WriteUInt32(
              number, reflection.GetRepeatedUInt32(message, field, i), &coded);
          break;
        case FieldDescriptor::TYPE_UINT64:
          WireFormatLite::WriteUInt64(
              number, reflection.GetRepeatedUInt64(message, field, i), &coded);
          break;
        case FieldDescriptor::TYPE_SINT64:
          WireFormatLite::WriteSInt64(
              number, reflection.GetRepeatedInt64(message, field, i), &coded);
          break;
        case FieldDescriptor::TYPE_FIXED64:
          WireFormatLite::WriteFixed64(
              number, reflection.GetRepeatedUInt64(message, field, i), &coded);
          break;
        case FieldDescriptor::TYPE_MESSAGE:
          bytes(
              number,
              Unusual(reflection.GetRepeatedMessage(message, field, i), false));
          break;
        default:
          bytes(number, reflection.GetRepeatedString(message, field, i));
          break;
      }
    }
  }
  coded.Trim();
  return out;
}

TEST(FieldsTest, UnusualButLawfulProtobufIsReadAsTheSameModule) {
  const wire::Module message = GoodMessage();
  const std::string unusual = Reseal(Unusual(message, true));
  ASSERT_NE(unusual, GoodFile());
  const absl::StatusOr<Module> expected = Decode(GoodFile());
  ASSERT_THAT(expected, IsOk());
  const absl::StatusOr<Module> read = Decode(unusual);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(FirstDifference(*read, *expected), absl::nullopt);
}

TEST(LimitsTest, EachIsKept) {
  const std::string file = GoodFile();
  DecodeLimits limits;
  limits.max_bytes = file.size();
  EXPECT_THAT(Decode(file, limits), IsOk());
  limits.max_bytes = file.size() - 1;
  EXPECT_THAT(Decode(file, limits), StatusIs(kTooMuch, HasSubstr("bytes")));

  const wire::Module message = GoodMessage();
  limits = {};
  limits.max_nodes = message.functions(0).forms_size();
  EXPECT_THAT(Decode(file, limits), IsOk());
  --limits.max_nodes;
  EXPECT_THAT(Decode(file, limits), StatusIs(kTooMuch, HasSubstr("nodes")));

  limits = {};
  limits.max_depth = 1;
  EXPECT_THAT(Decode(file, limits), IsOk());
  limits.max_depth = 0;
  EXPECT_THAT(Decode(file, limits), StatusIs(kTooMuch, HasSubstr("nested")));

  const SampleModule with_tensor =
      ModuleOf("",
               "tensor w : uint8[4] = hex\"01020304\"\n"
               "func f() -> ():\n return ()");
  const std::string tensor_file =
      Serialize(with_tensor.module, with_tensor.writer).value();
  limits = {};
  limits.max_tensor_bytes = 4;
  EXPECT_THAT(Decode(tensor_file, limits), IsOk());
  limits.max_tensor_bytes = 3;
  EXPECT_THAT(Decode(tensor_file, limits),
              StatusIs(kTooMuch, HasSubstr("tensors")));
}

// %r = prim::If(%b) of which each block holds the next, `depth` times.
std::string Nested(int depth) {
  const SampleModule sample = ModuleOf("", R"(
func f(%b : bool) -> ():
   = prim::If(%b)
    block0():
       = prim::If(%b)
        block0():
          -> ()
        block1():
          -> ()
      -> ()
    block1():
      -> ()
  return ()
)");
  wire::Module message;
  EXPECT_TRUE(
      message.ParseFromString(Serialize(sample.module, sample.writer).value()));
  // param, If, {param, If, {param return}, {param return}, return}, {param
  // return}, return
  wire::Function* f = message.mutable_functions(0);
  const uint32_t outer_param = f->forms(0);
  const uint32_t call = f->forms(1);
  const uint32_t param = f->forms(2);
  const uint32_t end = f->forms(5);
  f->clear_forms();
  f->clear_values();
  f->add_forms(outer_param);
  for (int i = 0; i < depth; ++i) {
    f->add_forms(call);
    f->add_values(1);
    f->add_forms(param);
  }
  for (int i = 0; i < depth; ++i) {
    f->add_forms(end);
    f->add_forms(param);
    f->add_forms(end);
  }
  f->add_forms(end);
  message.clear_debug();
  return Seal(message);
}

TEST(LimitsTest, BlocksMayBeAHundredThousandDeep) {
  const absl::StatusOr<Module> module = Decode(Nested(100000));
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->functions[0].graph.blocks.size(), 200001u);
  const absl::StatusOr<std::string> again = Serialize(*module, Runtime());
  ASSERT_THAT(again, IsOk());
  EXPECT_THAT(Decode(*again), IsOk());
  EXPECT_THAT(Decode(Nested(100001)),
              StatusIs(kTooMuch, HasSubstr("nested deeper than 100000")));
  EXPECT_THAT(Decode(Nested(1000000)),
              StatusIs(kTooMuch, HasSubstr("nested deeper than 100000")));
}

}  // namespace
}  // namespace opcompat
