#pragma once

#include <string>

namespace ptxmc {

/// The maximum nesting of any input: parentheses, braces, operators before an operand. Readers, and functions
/// over the trees that they build, recurse once for each level, so this bounds their use of the stack.
inline constexpr unsigned deepest_nesting = 256;

/// The error message for a level beyond the maximum.
inline std::string nesting_error() {
  return "nested deeper than " + std::to_string(deepest_nesting) + " levels";
}

/// A level of nesting, which is open while this object exists.
class NestingLevel {
 public:
  /// `levels` counts the open levels of the reader. If the maximum is open already, calls `fail(message)`,
  /// which throws.
  template <class Fail>
  NestingLevel(unsigned& levels, const Fail& fail) : levels_(levels) {
    if (levels == deepest_nesting) fail(nesting_error());
    ++levels;
  }
  ~NestingLevel() { --levels_; }
  NestingLevel(const NestingLevel&) = delete;
  NestingLevel& operator=(const NestingLevel&) = delete;

 private:
  unsigned& levels_;
};

}  // namespace ptxmc
