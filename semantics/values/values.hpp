#pragma once

#include <cstdint>
#include <initializer_list>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// A few values, held without a heap: the results of an instruction, the elements of a vector.
class Values {
 public:
  static constexpr std::size_t capacity = 8;

  Values() {}
  Values(const Bits& value) { push_back(value); }
  Values(const Values& other) { *this = other; }
  Values(std::initializer_list<Bits> values) {
    for (const Bits& value : values) push_back(value);
  }

  /// No values yet: the thread waits, and gets them when it continues.
  static Values pending() {
    Values result;
    result.is_pending_ = true;
    return result;
  }
  bool is_pending() const { return is_pending_; }

  Values& operator=(const Values& other) {
    is_pending_ = other.is_pending_;
    for (size_ = 0; size_ < other.size_; ++size_) items_[size_] = other.items_[size_];
    return *this;
  }

  /// Throws std::logic_error beyond the capacity.
  void push_back(const Bits& value) {
    check(size_ < capacity, "an instruction with more than 8 values in one operand");
    items_[size_++] = value;
  }

  std::size_t size() const { return size_; }
  const Bits& operator[](std::size_t i) const { return items_[i]; }
  const Bits* begin() const { return items_; }
  const Bits* end() const { return items_ + size_; }

 private:
  union {  // not initialised, since rules run millions of times a second
    Bits items_[capacity];
  };
  std::uint8_t size_ = 0;
  bool is_pending_ = false;
};

/// The values that an instruction writes to its destinations, in order.
using Results = Values;

}  // namespace ptxmc
