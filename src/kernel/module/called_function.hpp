#pragma once

#include <string_view>

#include "semantics/language/diagnostic.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// Whether a call agrees with a function: arguments and results have the number and sizes that the function
/// declares (PTX ISA 8.7 § 7.1).
bool fits(const syntax::Module&, const syntax::Function&, const syntax::LoweredCall&);

/// The functions of the runtime, which have no body in the module.
enum class RuntimeFunction : std::uint8_t { vprintf, malloc, free, assertion_failure };

/// The runtime function that is called. Throws Unsupported if there is none of this name, or if the call has
/// too few arguments.
RuntimeFunction runtime_function(const syntax::Function&, const syntax::LoweredCall&, SourcePosition);

/// The number of arguments of a `vprintf` format, which is also the result of `vprintf`.
std::size_t count_conversions(std::string_view format);

}  // namespace ptxmc::kernel
