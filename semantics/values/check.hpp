#pragma once

#include <string_view>

namespace ptxmc {

/// Throws std::logic_error with the message.
[[noreturn]] void fail_check(std::string_view message);

/// An assertion that stays on in release: only a mistake in this program can violate the condition. Throws
/// std::logic_error with the message when the condition is false.
inline void check(bool condition, std::string_view message) {
  if (!condition) [[unlikely]]
    fail_check(message);
}

}  // namespace ptxmc
