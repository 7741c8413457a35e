#include "base/hash_map.h"

#include <cstdlib>
#include <utility>

namespace opcompat {

void HashIndex::Put(Slot slot) {
  const size_t mask = slots_.size() - 1;
  size_t i = slot.hash & mask;
  while (slots_[i].position != kFree) i = (i + 1) & mask;
  slots_[i] = slot;
}

void HashIndex::Resize(size_t num_slots) {
  const std::vector<Slot> old = std::move(slots_);
  slots_ = std::vector<Slot>(num_slots, Slot{0, kFree});
  for (const Slot& slot : old) {
    if (slot.position != kFree) Put(slot);
  }
}

void HashIndex::Reserve(size_t size) {
  size_t num_slots = slots_.empty() ? 8 : slots_.size();
  while (num_slots / 2 < size) num_slots *= 2;
  if (num_slots != slots_.size()) Resize(num_slots);
}

void HashIndex::Add(uint32_t hash, size_t size) {
  if (size >= kFree) std::abort();  // 2^32 elements have no positions
  Reserve(size + 1);
  Put({hash, static_cast<uint32_t>(size)});
}

}  // namespace opcompat
