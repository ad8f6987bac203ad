#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "semantics/bits.hpp"

namespace ptxmc::kernel {

/// A number of a condition: an integer, exactly, or a floating-point number.
using Number = std::variant<s128, double>;

/// What a name stands for: a scalar parameter, or an element of a buffer. None: there is no such thing.
using NumberOf =
    std::function<std::optional<Number>(const std::string& name, std::optional<std::uint64_t> index)>;

/// Whether a condition over numbers holds: `counter[0] == 2 && (n > 0 || x[1] != 1.5)`, with the operators,
/// precedence and truth of C. Throws InputError, with `file`, for what is no condition.
bool condition_holds(const std::string& condition, const NumberOf&, const std::string& file);

}  // namespace ptxmc::kernel
