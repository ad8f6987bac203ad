#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The values of one operand: the results of an instruction, the elements of a vector. A few are held without
/// a heap, since rules run millions of times a second.
class Values {
 public:
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
    many_ = other.many_;
    for (few_ = 0; few_ < other.few_; ++few_) items_[few_] = other.items_[few_];
    return *this;
  }

  void push_back(const Bits& value) {
    if (many_.empty() && few_ < most_held) {
      items_[few_++] = value;
      return;
    }
    if (many_.empty()) many_.assign(begin(), end());
    many_.push_back(value);
  }

  std::size_t size() const { return many_.empty() ? few_ : many_.size(); }
  const Bits& operator[](std::size_t i) const { return begin()[i]; }
  const Bits* begin() const { return many_.empty() ? items_ : many_.data(); }
  const Bits* end() const { return begin() + size(); }

 private:
  static constexpr std::size_t most_held = 8;

  union {  // not initialised
    Bits items_[most_held];
  };
  std::vector<Bits> many_;  // all values, if there are more
  std::uint8_t few_ = 0;
  bool is_pending_ = false;
};

/// The values that an instruction writes to its destinations, in order.
using Results = Values;

}  // namespace ptxmc
