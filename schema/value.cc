#include "schema/value.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "base/concat.h"
#include "base/escape.h"
#include "base/xxh3.h"

namespace opcompat {

struct Value::Text : Payload {
  explicit Text(absl::string_view s) : Payload(PayloadKind::kText), text(s) {
    hash = absl::HashOf(text);
  }

  const std::string text;
};

// The elements stand behind it in memory.
struct Value::Elements : Payload {
  // Room for `count` elements, which the caller must make.
  static Elements* Allocate(size_t count) {
    void* const memory =
        ::operator new(sizeof(Elements) + count * sizeof(Value));
    return new (memory) Elements(count);
  }
  explicit Elements(size_t count)
      : Payload(PayloadKind::kElements), size(count) {}

  static_assert(alignof(Value) <= alignof(Payload), "");
  Value* data() { return reinterpret_cast<Value*>(this + 1); }
  const Value* data() const { return reinterpret_cast<const Value*>(this + 1); }
  absl::Span<const Value> span() const { return {data(), size}; }

  // To be called once the elements are there.
  void Summarize();

  const size_t size;
};

struct Value::Data : Payload {
  explicit Data(TensorData data)
      : Payload(PayloadKind::kTensor), tensor(std::move(data)) {}

  const TensorData tensor;
};

void Value::Release(Payload* payload) {
  if (payload->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  switch (payload->kind) {
    case PayloadKind::kText:
      delete static_cast<Text*>(payload);
      return;
    case PayloadKind::kElements: {
      auto* const elements = static_cast<Elements*>(payload);
      std::destroy_n(elements->data(), elements->size);
      elements->~Elements();
      ::operator delete(elements);
      return;
    }
    case PayloadKind::kTensor:
      delete static_cast<Data*>(payload);
      return;
  }
}

namespace {

constexpr uint64_t kCanonicalNan = 0x7ff8000000000000;

// Where the count of parts saturates.
constexpr int64_t kManyParts = int64_t{1} << 40;

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max() / 2;

// Tensors from this size on are told apart in hash tables by their own hash,
// which is not worked out again. Below, by one that nobody can foresee, so that
// a file cannot have a million small tensors in one bucket. (Of large ones a
// file has not room for so many; the reader counts those too.)
constexpr size_t kLargeTensor = 1024;

// Bytes that two tensors share, as in one mapped file, are not compared.
bool SameBytes(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() && (a.data() == b.data() || a == b);
}

// Length of the valid UTF-8 sequence at the front of `s`, or 0.
size_t Utf8SequenceLength(absl::string_view s) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(s[i]); };
  size_t length;
  uint32_t code;
  if (byte(0) >= 0xf0 && byte(0) <= 0xf4) {
    length = 4;
    code = byte(0) & 0x07;
  } else if (byte(0) >= 0xe0 && byte(0) < 0xf0) {
    length = 3;
    code = byte(0) & 0x0f;
  } else if (byte(0) >= 0xc2 && byte(0) < 0xe0) {
    length = 2;
    code = byte(0) & 0x1f;
  } else {
    return 0;
  }
  if (s.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  if (length == 3 && (code < 0x800 || (code >= 0xd800 && code <= 0xdfff))) {
    return 0;
  }
  if (length == 4 && (code < 0x10000 || code > 0x10ffff)) return 0;
  return length;
}

}  // namespace

std::string FloatToString(double d) {
  if (std::isnan(d)) {
    uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    if (bits == kCanonicalNan) return "nan";
    return Concat("nan(0x", Hex16{bits}, ")");
  }
  if (std::isinf(d)) return d > 0 ? "inf" : "-inf";
  // The shortest digits, as d.ddde[+-]xx; laid out below.
  char buffer[40];
  const std::to_chars_result end = std::to_chars(
      buffer, buffer + sizeof buffer, d, std::chars_format::scientific);
  std::string text(buffer, end.ptr);
  const size_t e = text.find('e');
  const int exponent = std::atoi(text.c_str() + e + 1);
  // Where the point stands is a matter of size alone: 0.0001 and
  // 1234567890123456.0 in full, 1e-05 and 1e+16 with an exponent.
  if (exponent < -4 || exponent >= 16) return text;
  const bool negative = text[0] == '-';
  std::string digits;
  for (size_t i = negative; i < e; ++i) {
    if (text[i] != '.') digits += text[i];
  }
  if (exponent < 0) {
    digits.insert(0, static_cast<size_t>(-exponent), '0');
    digits.insert(1, ".");
  } else {
    const size_t whole = static_cast<size_t>(exponent) + 1;
    if (digits.size() < whole + 1)
      digits.append(whole + 1 - digits.size(), '0');
    digits.insert(whole, ".");
  }
  text = negative ? "-" + digits : digits;
  return text;
}

std::string QuoteString(absl::string_view s) {
  std::string out = "\"";
  for (size_t i = 0; i < s.size();) {
    const char c = s[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else if (size_t length = Utf8SequenceLength(s.substr(i)); length > 0) {
      ConcatTo(&out, s.substr(i, length));
      i += length;
      continue;
    } else {
      ConcatTo(&out, "\\x", HexDigits(s.substr(i, 1)));
    }
    ++i;
  }
  out += '"';
  return out;
}

Value Value::String(absl::string_view s) {
  return Value(ValueKind::kString, new Text(s));
}

Value Value::Word(absl::string_view word) {
  Value value = String(word);
  value.kind_ = ValueKind::kWord;
  return value;
}

void Value::Elements::Summarize() {
  hash = size;
  for (const Value& element : span()) {
    hash = absl::HashOf(hash, element);
    depth = std::max(depth, element.depth() + 1);
    num_parts = std::min(num_parts + element.num_parts(), kManyParts);
    holds_tensor |= element.holds_tensor();
  }
}

Value Value::List(std::vector<Value> elements) {
  auto* const payload = Elements::Allocate(elements.size());
  std::uninitialized_move(elements.begin(), elements.end(), payload->data());
  payload->Summarize();
  return Value(ValueKind::kList, payload);
}

Value Value::Ints(absl::Span<const int64_t> ints) {
  auto* const payload = Elements::Allocate(ints.size());
  for (size_t i = 0; i < ints.size(); ++i) {
    new (payload->data() + i) Value(Int(ints[i]));
  }
  payload->Summarize();
  return Value(ValueKind::kList, payload);
}

Value Value::Tuple(std::vector<Value> elements) {
  Value value = List(std::move(elements));
  value.kind_ = ValueKind::kTuple;
  return value;
}

Value Value::Dict(std::vector<Value> items) {
  Value value = List(std::move(items));
  value.kind_ = ValueKind::kDict;
  return value;
}

Value Value::Tensor(TensorData data) {
  if (!data.hash.has_value()) {
    data.hash = XXH3_64bits(data.bytes.data(), data.bytes.size());
  }
  const size_t hash =
      data.bytes.size() < kLargeTensor
          ? absl::HashOf(data.dtype, data.shape, data.bytes)
          : absl::HashOf(data.dtype, data.shape, data.bytes.size(), *data.hash);
  auto* const payload = new Data(std::move(data));
  payload->hash = hash;
  payload->holds_tensor = true;
  return Value(ValueKind::kTensor, payload);
}

const std::string& Value::string_value() const {
  return static_cast<const Text*>(payload_)->text;
}
absl::Span<const Value> Value::elements() const {
  return static_cast<const Elements*>(payload_)->span();
}
const TensorData& Value::tensor() const {
  return static_cast<const Data*>(payload_)->tensor;
}

int Value::depth() const { return payload_ == nullptr ? 1 : payload_->depth; }

int64_t Value::num_parts() const {
  return payload_ == nullptr ? 1 : payload_->num_parts;
}

// Precondition: of one kind.
bool Value::SamePayload(const Value& other) const {
  if (payload_ == nullptr || other.payload_ == nullptr) return false;
  if (payload_->hash != other.payload_->hash) return false;
  switch (payload_->kind) {
    case PayloadKind::kText:
      return string_value() == other.string_value();
    case PayloadKind::kElements:
      return elements() == other.elements();
    case PayloadKind::kTensor:
      break;
  }
  const TensorData& a = tensor();
  const TensorData& b = other.tensor();
  return a.dtype == b.dtype && a.shape == b.shape &&
         SameBytes(a.bytes, b.bytes);
}

size_t Value::PayloadHash() const {
  return payload_ == nullptr ? 0 : payload_->hash;
}

void Value::AppendTo(std::string* out, size_t limit) const {
  switch (kind_) {
    case ValueKind::kNone:
      ConcatTo(out, "None");
      return;
    case ValueKind::kBool:
      ConcatTo(out, bool_value() ? "True" : "False");
      return;
    case ValueKind::kInt:
      ConcatTo(out, int_value());
      return;
    case ValueKind::kFloat:
      ConcatTo(out, FloatToString(float_value()));
      return;
    case ValueKind::kComplex: {
      const std::string imaginary = FloatToString(imag());
      ConcatTo(out, FloatToString(real()), imaginary[0] == '-' ? "" : "+",
               imaginary, "j");
      return;
    }
    case ValueKind::kString:
      // A character more than the limit: what is cut off there is not shown.
      ConcatTo(
          out,
          QuoteString(absl::string_view(string_value()).substr(0, limit + 4)));
      return;
    case ValueKind::kWord:
      ConcatTo(out, string_value());
      return;
    case ValueKind::kList:
    case ValueKind::kTuple: {
      const bool is_list = kind_ == ValueKind::kList;
      ConcatTo(out, is_list ? "[" : "(");
      for (size_t i = 0; i < elements().size() && out->size() <= limit; ++i) {
        ConcatTo(out, i == 0 ? "" : ", ");
        elements()[i].AppendTo(out, limit);
      }
      ConcatTo(out, is_list ? "]" : elements().size() == 1 ? ",)" : ")");
      return;
    }
    case ValueKind::kDict:
      ConcatTo(out, "{");
      for (size_t i = 0; i + 1 < elements().size() && out->size() <= limit;
           i += 2) {
        ConcatTo(out, i == 0 ? "" : ", ");
        elements()[i].AppendTo(out, limit);
        ConcatTo(out, ": ");
        elements()[i + 1].AppendTo(out, limit);
      }
      ConcatTo(out, "}");
      return;
    case ValueKind::kTensor:
      ConcatTo(out, "tensor(", tensor().dtype, ", [",
               absl::StrJoin(tensor().shape, ", "), "], ");
      if (limit == kNoLimit) {
        ConcatTo(out, "hex\"", HexDigits(tensor().bytes), "\")");
      } else {
        ConcatTo(out, tensor().bytes.size(), " bytes)");
      }
      return;
  }
}

std::string Value::ToString() const {
  std::string text;
  AppendTo(&text, kNoLimit);
  return text;
}

std::string Value::ToShortString(size_t max_bytes) const {
  std::string text;
  AppendTo(&text, max_bytes);
  if (text.size() <= max_bytes) return text;
  size_t cut = max_bytes;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80) --cut;
  text.resize(cut);
  text += "...";
  return text;
}

}  // namespace opcompat
