#pragma once

#include <string_view>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// Whether a call agrees with a function: arguments and results have the number and sizes that the function
/// declares (PTX ISA 8.7 § 7.1).
bool fits(const syntax::Module&, const syntax::Function&, const syntax::LoweredCall&);

/// The functions without a body in the module that have a meaning: those of the runtime; and all others, if
/// the launch says that they return anything.
enum class RuntimeFunction : std::uint8_t { vprintf, malloc, free, assertion_failure, returns_anything };

/// The function without a body that an assert() of the source calls when it fails.
constexpr std::string_view assertion_function = "__assertfail";

/// The function that is called. Throws Unsupported if a launch does not give it a meaning, or if the call has
/// too few arguments.
RuntimeFunction runtime_function(const Launch&, const syntax::Function&, const syntax::LoweredCall&,
                                 SourcePosition);

/// The number of bytes that a call receives in a result.
std::size_t bytes_of(const syntax::PassedValue&);

/// The number of arguments of a `vprintf` format, which is also the result of `vprintf`.
std::size_t count_conversions(std::string_view format);

}  // namespace ptxmc::kernel
