// Hash maps and sets of little code, with the interface of absl::flat_hash_map
// and absl::flat_hash_set as far as it is used, and with their hash function.
//
// Programs that read files have some forty of them, most of them small. What
// does not depend on the types of elements is compiled once (HashIndex): for
// each type there are a search and a vector of elements.
//
// Elements stay in the order in which they were added; there is no way to
// remove one. As with abseil's, adding moves elements: pointers and iterators
// do not survive it. At most 2^32 - 1 elements.
#ifndef OPCOMPAT_BASE_HASH_MAP_H_
#define OPCOMPAT_BASE_HASH_MAP_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

namespace opcompat {

// From hashes to the positions of elements. Open addressing: each position
// stands at the first free slot after the one that its hash asks for.
class HashIndex {
 public:
  struct Slot {
    uint32_t hash;
    uint32_t position;
  };
  static constexpr uint32_t kFree = ~uint32_t{0};

  // Returns the first position with this hash for which `is_it(position)`, else
  // kFree.
  template <typename IsIt>
  uint32_t Find(uint32_t hash, const IsIt& is_it) const {
    if (slots_.empty()) return kFree;
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot slot = slots_[i];
      if (slot.position == kFree ||
          (slot.hash == hash && is_it(slot.position))) {
        return slot.position;
      }
    }
  }

  // Adds the position `size`, the number of those that are there.
  void Add(uint32_t hash, size_t size);
  // Makes room for `size` positions.
  void Reserve(size_t size);
  void Clear() { slots_.clear(); }

 private:
  void Put(Slot slot);
  void Resize(size_t num_slots);

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
};

namespace hash_map_internal {

// The low half: of 64 bits that absl::Hash mixes, each is as good as the
// others.
template <typename Hash, typename Key>
uint32_t HashOf(const Key& key) {
  return static_cast<uint32_t>(Hash()(key));
}

// Strings are searched for by string_views.
template <typename T>
using KeyArgument =
    std::conditional_t<std::is_same_v<T, std::string>, absl::string_view, T>;

template <typename T>
using DefaultHash = absl::Hash<KeyArgument<T>>;

// What maps and sets have in common: elements that are found by their keys.
template <typename Element, typename Key, typename Hash>
class Table {
 public:
  using KeyArgument = hash_map_internal::KeyArgument<Key>;
  using value_type = Element;
  using const_iterator = typename std::vector<Element>::const_iterator;

  const_iterator begin() const { return elements_.begin(); }
  const_iterator end() const { return elements_.end(); }
  size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }

  const_iterator find(const KeyArgument& key) const {
    const uint32_t found = Position(HashOf(key), key);
    return found == HashIndex::kFree ? end() : begin() + found;
  }
  bool contains(const KeyArgument& key) const { return find(key) != end(); }
  size_t count(const KeyArgument& key) const { return contains(key) ? 1 : 0; }

  void reserve(size_t size) {
    index_.Reserve(size);
    elements_.reserve(size);
  }
  void clear() {
    index_.Clear();
    elements_.clear();
  }

 protected:
  // The position of the key, and whether it is new; then `add` has been called,
  // which must add an element with it behind the others.
  template <typename Add>
  std::pair<size_t, bool> AddIfNew(const KeyArgument& key, const Add& add) {
    const uint32_t hash = HashOf(key);
    const uint32_t found = Position(hash, key);
    if (found != HashIndex::kFree) return {found, false};
    index_.Add(hash, elements_.size());
    add();
    return {elements_.size() - 1, true};
  }

  std::vector<Element> elements_;

 private:
  static const Key& KeyOf(const Key& element) { return element; }
  template <typename T>
  static const Key& KeyOf(const std::pair<Key, T>& element) {
    return element.first;
  }
  static uint32_t HashOf(const KeyArgument& key) {
    return hash_map_internal::HashOf<Hash>(key);
  }
  uint32_t Position(uint32_t hash, const KeyArgument& key) const {
    return index_.Find(hash, [&](uint32_t position) {
      return KeyOf(elements_[position]) == key;
    });
  }

  HashIndex index_;
};

}  // namespace hash_map_internal

template <typename Key, typename T,
          typename Hash = hash_map_internal::DefaultHash<Key>>
class HashMap : public hash_map_internal::Table<std::pair<Key, T>, Key, Hash> {
  using Table = hash_map_internal::Table<std::pair<Key, T>, Key, Hash>;

 public:
  using typename Table::KeyArgument;
  using typename Table::value_type;
  using iterator = typename std::vector<value_type>::iterator;

  HashMap() = default;
  HashMap(std::initializer_list<value_type> elements) {
    for (const value_type& element : elements) insert(element);
  }

  using Table::begin;
  using Table::end;
  iterator begin() { return this->elements_.begin(); }
  iterator end() { return this->elements_.end(); }

  using Table::find;
  iterator find(const KeyArgument& key) {
    return begin() + (std::as_const(*this).find(key) - Table::begin());
  }
  T& at(const KeyArgument& key) { return find(key)->second; }
  const T& at(const KeyArgument& key) const { return find(key)->second; }

  // The same keys with the same values, in whatever order.
  friend bool operator==(const HashMap& a, const HashMap& b) {
    if (a.size() != b.size()) return false;
    for (const value_type& element : a) {
      const auto found = b.find(element.first);
      if (found == b.end() || !(found->second == element.second)) return false;
    }
    return true;
  }
  friend bool operator!=(const HashMap& a, const HashMap& b) {
    return !(a == b);
  }

  // Makes the value of `args` only if the key is new.
  template <typename... Args>
  std::pair<iterator, bool> try_emplace(const Key& key, Args&&... args) {
    return Emplace(key, std::forward<Args>(args)...);
  }
  template <typename... Args>
  std::pair<iterator, bool> try_emplace(Key&& key, Args&&... args) {
    return Emplace(std::move(key), std::forward<Args>(args)...);
  }
  template <typename K, typename V>
  std::pair<iterator, bool> emplace(K&& key, V&& value) {
    return try_emplace(std::forward<K>(key), std::forward<V>(value));
  }
  std::pair<iterator, bool> insert(const value_type& element) {
    return Emplace(element.first, element.second);
  }
  std::pair<iterator, bool> insert(value_type&& element) {
    return Emplace(std::move(element.first), std::move(element.second));
  }
  T& operator[](const Key& key) { return Emplace(key).first->second; }
  T& operator[](Key&& key) { return Emplace(std::move(key)).first->second; }

 private:
  template <typename K, typename... Args>
  std::pair<iterator, bool> Emplace(K&& key, Args&&... args) {
    const auto [position, is_new] = this->AddIfNew(key, [&] {
      this->elements_.emplace_back(
          std::piecewise_construct, std::forward_as_tuple(std::forward<K>(key)),
          std::forward_as_tuple(std::forward<Args>(args)...));
    });
    return {begin() + static_cast<std::ptrdiff_t>(position), is_new};
  }
};

template <typename T, typename Hash = hash_map_internal::DefaultHash<T>>
class HashSet : public hash_map_internal::Table<T, T, Hash> {
  using Table = hash_map_internal::Table<T, T, Hash>;

 public:
  using typename Table::const_iterator;

  HashSet() = default;
  HashSet(std::initializer_list<T> elements) {
    insert(elements.begin(), elements.end());
  }

  // The same elements, in whatever order.
  friend bool operator==(const HashSet& a, const HashSet& b) {
    if (a.size() != b.size()) return false;
    for (const T& element : a) {
      if (!b.contains(element)) return false;
    }
    return true;
  }
  friend bool operator!=(const HashSet& a, const HashSet& b) {
    return !(a == b);
  }

  std::pair<const_iterator, bool> insert(const T& element) {
    return Insert(element);
  }
  std::pair<const_iterator, bool> insert(T&& element) {
    return Insert(std::move(element));
  }
  template <typename Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) Insert(T(*first));
  }
  template <typename... Args>
  std::pair<const_iterator, bool> emplace(Args&&... args) {
    return Insert(T(std::forward<Args>(args)...));
  }

 private:
  template <typename U>
  std::pair<const_iterator, bool> Insert(U&& element) {
    const auto [position, is_new] = this->AddIfNew(
        element, [&] { this->elements_.push_back(std::forward<U>(element)); });
    return {this->begin() + static_cast<std::ptrdiff_t>(position), is_new};
  }
};

}  // namespace opcompat

#endif  // OPCOMPAT_BASE_HASH_MAP_H_
