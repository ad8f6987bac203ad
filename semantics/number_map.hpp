#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ptxmc {

/// A map from numbers (of terms, of variables) to values whose cost is that of the entries it holds,
/// however large the numbers are. Open addressing; entries are never removed.
template <class Value>
class NumberMap {
 public:
  const Value* find(std::uint32_t key) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place_of(key)];
    return slot.used ? &slot.value : nullptr;
  }

  /// The value of the key, made by default when there is none; valid until the next call.
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

  // Where the key is, or where it belongs.
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
