#pragma once

#include <string_view>

#include "semantics/diagnostic.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// A call may mean this function: it passes and takes back as many values as the function declares, of the
/// same sizes (PTX ISA 8.7 § 7.1).
bool fits(const syntax::Module&, const syntax::Function&, const syntax::LoweredCall&);

/// The functions that exist without a body.
enum class RuntimeFunction : std::uint8_t { vprintf, malloc, free, assertion_failure };

/// Which of them a call means. Throws Unsupported: none, or with fewer arguments than it takes.
RuntimeFunction runtime_function(const syntax::Function&, const syntax::LoweredCall&, SourcePosition);

/// What `vprintf` returns: how many arguments a format takes.
std::size_t count_conversions(std::string_view format);

}  // namespace ptxmc::kernel
