#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace ptxmc {

/// The choices behind a random test. Equal seeds give equal choices.
class RandomChoices {
 public:
  explicit RandomChoices(std::uint64_t seed) : random_(seed) {}

  /// A number from 0 to `limit` - 1.
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  /// True once in so many times.
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  const char* any(std::initializer_list<const char*> choices) {
    return *(choices.begin() + static_cast<std::ptrdiff_t>(below(static_cast<unsigned>(choices.size()))));
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace ptxmc
