// Constants: what a default, a neutral value or a literal operand is.
//
// A Value has no type of its own. The argument in which it stands gives it one
// (typing.h turns a literal into the form that a type wants: at `float` the
// literal `1` becomes 1.0, at `ScalarType` the word `long` becomes 4). Two
// Values are equal iff they are bit for bit the same: -0.0 is not 0.0, a NaN
// equals the same NaN, int 1 is neither true nor 1.0.
#ifndef OPCOMPAT_SCHEMA_VALUE_H_
#define OPCOMPAT_SCHEMA_VALUE_H_

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"

namespace opcompat {

// The numbers are used on the wire: add at the end only.
enum class ValueKind : uint8_t {
  kNone = 0,
  kBool = 1,
  kInt = 2,
  kFloat = 3,
  kComplex = 4,
  kString = 5,
  // An enum word that the table in enum_words.h does not have. Opaque: equal
  // to the same word only.
  kWord = 6,
  kList = 7,
  kTuple = 8,
  // `elements()` are key, value, key, value, in the order written.
  kDict = 9,
  kTensor = 10,
};

// A tensor constant. `dtype` is a ScalarType word (`float32`); `bytes` are the
// elements in row-major order, little endian. `owner` keeps `bytes` alive
// (null: the bytes live elsewhere, for as long as the holder has promised).
struct TensorData {
  std::string dtype;
  std::vector<int64_t> shape;
  absl::string_view bytes;
  std::shared_ptr<const void> owner;
  // XXH3-64 of `bytes`, where the maker knows it already; Value::Tensor works
  // it out otherwise. So gigabytes are hashed once, and those of a mapped file
  // need not be touched at all.
  absl::optional<uint64_t> hash = absl::nullopt;
};

// Immutable; copying shares payloads; safe to share between threads.
class Value {
 public:
  // None.
  Value() = default;
  Value(const Value& other) noexcept
      : kind_(other.kind_),
        low_(other.low_),
        high_(other.high_),
        payload_(other.payload_) {
    if (payload_ != nullptr) {
      payload_->references.fetch_add(1, std::memory_order_relaxed);
    }
  }
  Value(Value&& other) noexcept
      : kind_(other.kind_),
        low_(other.low_),
        high_(other.high_),
        payload_(std::exchange(other.payload_, nullptr)) {}
  Value& operator=(Value other) noexcept {
    kind_ = other.kind_;
    low_ = other.low_;
    high_ = other.high_;
    std::swap(payload_, other.payload_);
    return *this;
  }
  ~Value() {
    if (payload_ != nullptr) Release(payload_);
  }

  static Value None() { return Value(); }
  static Value Bool(bool b) { return Value(ValueKind::kBool, b ? 1 : 0, 0); }
  static Value Int(int64_t i) {
    return Value(ValueKind::kInt, static_cast<uint64_t>(i), 0);
  }
  static Value Float(double d) { return Value(ValueKind::kFloat, Bits(d), 0); }
  static Value FloatBits(uint64_t bits) {
    return Value(ValueKind::kFloat, bits, 0);
  }
  static Value Complex(double real, double imag) {
    return Value(ValueKind::kComplex, Bits(real), Bits(imag));
  }
  static Value String(absl::string_view s);
  static Value Word(absl::string_view word);
  static Value List(std::vector<Value> elements);
  static Value Ints(absl::Span<const int64_t> ints);  // a kList of kInt
  static Value Tuple(std::vector<Value> elements);
  // `items` are key, value, key, value, ...
  static Value Dict(std::vector<Value> items);
  // Precondition: `data.hash`, if given, is right. (A wrong one makes tensors
  // with these bytes unequal to others with the same bytes; nothing worse.)
  static Value Tensor(TensorData data);

  ValueKind kind() const { return kind_; }
  bool is_none() const { return kind_ == ValueKind::kNone; }

  // Precondition of each: kind() is the one that it names.
  bool bool_value() const { return low_ != 0; }
  int64_t int_value() const { return static_cast<int64_t>(low_); }
  double float_value() const { return FromBits(low_); }
  uint64_t float_bits() const { return low_; }
  double real() const { return FromBits(low_); }
  double imag() const { return FromBits(high_); }
  const std::string& string_value() const;   // kString, kWord
  absl::Span<const Value> elements() const;  // kList, kTuple, kDict
  const TensorData& tensor() const;          // its `hash` is always there

  // Levels of nesting: 1 for an int. Makers of values bound it
  // (kMaxValueDepth).
  int depth() const;
  // How many values `this` is made of, itself included, shared ones counted
  // each time; saturates. Makers of values bound it (kMaxValueParts).
  int64_t num_parts() const;
  // Whether it is a tensor or has one among its parts.
  bool holds_tensor() const {
    return payload_ != nullptr && payload_->holds_tensor;
  }

  // The literal of the module text that reads back as this value
  // (`1.0`, `nan(0x7ff8000000000001)`, `[1, 2]`, `"a\n"`, `tensor(...)`).
  std::string ToString() const;

  // As ToString, cut to about `max_bytes` for a message, and tensors without
  // their bytes. Costs no more than what it prints.
  std::string ToShortString(size_t max_bytes = 80) const;

  friend bool operator==(const Value& a, const Value& b) {
    return a.kind_ == b.kind_ && a.low_ == b.low_ && a.high_ == b.high_ &&
           (a.payload_ == b.payload_ || a.SamePayload(b));
  }
  friend bool operator!=(const Value& a, const Value& b) { return !(a == b); }

  template <typename H>
  friend H AbslHashValue(H h, const Value& value) {
    return H::combine(std::move(h), static_cast<int>(value.kind_), value.low_,
                      value.high_, value.PayloadHash());
  }

 private:
  // What does not fit into two words, in one piece of memory; shared by copies.
  enum class PayloadKind : uint8_t { kText, kElements, kTensor };
  struct Payload {
    explicit Payload(PayloadKind k) : kind(k) {}

    std::atomic<uint64_t> references{1};
    uint64_t hash = 0;  // of all of it
    int64_t num_parts = 1;
    int32_t depth = 1;
    PayloadKind kind;
    bool holds_tensor = false;
  };
  struct Text;
  struct Elements;
  struct Data;

  Value(ValueKind kind, uint64_t low, uint64_t high)
      : kind_(kind), low_(low), high_(high) {}
  // Takes over one reference.
  Value(ValueKind kind, Payload* payload) : kind_(kind), payload_(payload) {}
  static void Release(Payload* payload);

  static uint64_t Bits(double d) {
    uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    return bits;
  }
  static double FromBits(uint64_t bits) {
    double d;
    std::memcpy(&d, &bits, sizeof d);
    return d;
  }
  // Appends the literal; with a limit, stops once `out` is longer, and prints
  // no tensor's bytes.
  void AppendTo(std::string* out, size_t limit) const;
  bool SamePayload(const Value& other) const;
  size_t PayloadHash() const;

  ValueKind kind_ = ValueKind::kNone;
  uint64_t low_ = 0;
  uint64_t high_ = 0;
  Payload* payload_ = nullptr;
};

// Parsers and decoders refuse values nested deeper or made of more parts, so
// that code over values may recurse.
inline constexpr int kMaxValueDepth = 64;
inline constexpr int64_t kMaxValueParts = 1 << 22;

// Whether `value` is within both bounds.
inline bool IsWithinValueLimits(const Value& value) {
  return value.depth() <= kMaxValueDepth && value.num_parts() <= kMaxValueParts;
}

// The shortest decimal text that reads back as the same bits, always with
// `.`, `e`, `inf` or `nan`: "1.0", "-0.0", "1e-05", "nan(0x...)".
std::string FloatToString(double d);

// `s` in double quotes with \" \\ \n \t \r \xHH; valid UTF-8 stays as it is.
std::string QuoteString(absl::string_view s);

}  // namespace opcompat

#endif  // OPCOMPAT_SCHEMA_VALUE_H_
