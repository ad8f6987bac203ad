#pragma once

#include <optional>

#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

/// The parts of a call: `(returns), callee, (arguments), targets`.
struct CallParts {
  const syntax::Arguments* returns = nullptr;
  const syntax::Operand* callee = nullptr;
  const syntax::Arguments* arguments = nullptr;
};
CallParts parts_of(const syntax::Instruction& call);

/// The register of a function with this name; none when nothing but a call names it.
std::optional<RegisterId> find_register(const LoadedFunction&, const syntax::Name&);
/// The same where there must be one: throws Unsupported.
RegisterId register_named(const LoadedFunction&, const syntax::Name&, const syntax::Module&);

/// What `vprintf` returns: how many arguments a format takes.
std::size_t count_conversions(std::string_view format);

}  // namespace ptxmc::kernel
