#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ptxmc {

/// A map from numbers (of terms, of variables) to values. Its size depends on the number of entries and not
/// on the size of the numbers. It uses open addressing; entries are never removed.
template <class Value>
class NumberMap {
 public:
  const Value* find(std::uint32_t key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(key)];
    return slot.used ? &slot.value : nullptr;
  }

  /// The value of the key, default-constructed if the key is new. The reference is valid until the next call.
  Value& operator[](std::uint32_t key) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place_of(key)];
    if (!slot.used) {
      slot.used = true;
      slot.key = key;
      ++count_;
    }
    return slot.value;
  }

  std::size_t size() const { return count_; }

 private:
  struct Slot {
    Value value{};
    std::uint32_t key = 0;
    bool used = false;
  };

  // The slot of the key, or the slot where it would be inserted.
  std::size_t place_of(std::uint32_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = (key * std::uint64_t{0x9e3779b97f4a7c15} >> 32) & mask;
    while (slots_[place].used && slots_[place].key != key) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.used) slots_[place_of(slot.key)] = std::move(slot);
  }

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  std::size_t count_ = 0;
};

}  // namespace ptxmc
