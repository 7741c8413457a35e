// Long columns of varints, written without a branch for each element. What is
// short goes through byte_writer.h.
#ifndef OPCOMPAT_SERIALIZER_COLUMN_WRITER_H_
#define OPCOMPAT_SERIALIZER_COLUMN_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "ir/huge_pages.h"

namespace opcompat {
namespace encoding {

// A growing buffer that is written through a pointer, so that a loop asks for
// room once for many elements. Not copyable; not for several threads.
class ColumnWriter {
 public:
  // Returns where the next byte goes; `room` bytes are free from there on.
  char* Reserve(size_t room) {
    if (static_cast<size_t>(end_ - next_) < room) Grow(room);
    return next_;
  }
  // Everything before `next` has been written.
  // Precondition: it lies within what Reserve gave.
  void Advance(char* next) { next_ = next; }

  size_t size() const { return static_cast<size_t>(next_ - memory_.get()); }
  absl::string_view bytes() const {
    return absl::string_view(memory_.get(), size());
  }

 private:
  void Grow(size_t room) {
    const size_t used = size();
    const size_t capacity = 2 * used + room + 64;
    // Not cleared: nobody reads it before it is written.
    std::unique_ptr<char[]> memory(new char[capacity]);
    AdviseHugePages(memory.get(), capacity);
    if (used > 0) std::memcpy(memory.get(), memory_.get(), used);
    memory_ = std::move(memory);
    next_ = memory_.get() + used;
    end_ = memory_.get() + capacity;
  }

  std::unique_ptr<char[]> memory_;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

// Numbers below this are written by PutSmallVarint.
inline constexpr uint32_t kSmallVarintLimit = uint32_t{1} << 28;
// How much of the buffer it may write over.
inline constexpr size_t kSmallVarintRoom = 4;

// Writes `v` as a varint at `to`, if it is below kSmallVarintLimit, and
// nonsense within kSmallVarintRoom otherwise. Returns its size. No branch:
// nobody can foresee how long the next one is.
inline size_t PutSmallVarint(uint32_t v, char* to) {
  // Groups of 14, then of 7 bits.
  uint32_t spread = (v & 0x3fff) | (v & 0x0fffc000) << 2;
  spread = (spread & 0x007f007f) | (spread & 0x3f803f80) << 1;
  const uint32_t more =
      static_cast<uint32_t>(v > 0x7f) + static_cast<uint32_t>(v > 0x3fff) +
      static_cast<uint32_t>(v > 0x1fffff);  // bytes after the first
  spread |= 0x00808080u & ((uint32_t{1} << (8 * more)) - 1);
  // Little endian on every machine; compilers make it one store.
  to[0] = static_cast<char>(spread);
  to[1] = static_cast<char>(spread >> 8);
  to[2] = static_cast<char>(spread >> 16);
  to[3] = static_cast<char>(spread >> 24);
  return 1 + more;
}

}  // namespace encoding
}  // namespace opcompat

#endif  // OPCOMPAT_SERIALIZER_COLUMN_WRITER_H_
