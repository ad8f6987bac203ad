#pragma once

#include <string>

namespace ptxmc {

/// How deep input of any kind may nest: parentheses, braces, operators before an operand. Readers and
/// whatever walks over what they have read recurse once a level, so this bounds the stack that input can
/// take.
inline constexpr unsigned deepest_nesting = 256;

/// What a reader says at the first level too many.
inline std::string nesting_error() {
  return "nested deeper than " + std::to_string(deepest_nesting) + " levels";
}

/// A level of nesting, as long as it lives.
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
