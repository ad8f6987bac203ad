#pragma once

#include <string_view>

namespace ptxmc {

/// Throws std::logic_error with the message.
[[noreturn]] void fail_check(std::string_view message);

/// An assertion that stays on in release: a condition that only a mistake of ours can violate.
/// Throws std::logic_error with the message when it does not hold.
inline void check(bool condition, std::string_view message) {
  if (!condition) [[unlikely]]
    fail_check(message);
}

}  // namespace ptxmc
