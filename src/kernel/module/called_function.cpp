#include "src/kernel/module/called_function.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc::kernel {

namespace {

using syntax::PassedValue;

/// Whether an argument has the size of a parameter. Numbers, `_` and arrays without a size agree with every
/// parameter that the front end accepts.
bool is_of_size(const PassedValue& actual, const syntax::Symbol& formal) {
  const bool is_open = formal.is_array && formal.size == 0;
  return actual.size == 0 || is_open || actual.size == std::max<std::uint64_t>(formal.size, 1);
}

bool fit(const syntax::Module& module, const std::vector<syntax::Declaration>& formals,
         const std::vector<PassedValue>& actuals) {
  const auto symbol = [&](std::size_t i) -> const syntax::Symbol& {
    return module.symbols[formals[i].declarators[0].name.symbol];
  };
  const bool may_lack_last =
      !formals.empty() && symbol(formals.size() - 1).is_array && symbol(formals.size() - 1).size == 0;
  if (actuals.size() > formals.size() || actuals.size() + (may_lack_last ? 1 : 0) < formals.size())
    return false;
  for (std::size_t i = 0; i < actuals.size(); ++i)
    if (!is_of_size(actuals[i], symbol(i))) return false;
  return true;
}

}  // namespace

bool fits(const syntax::Module& module, const syntax::Function& function, const syntax::LoweredCall& call) {
  return fit(module, function.returns, call.returns) && fit(module, function.parameters, call.arguments);
}

RuntimeFunction runtime_function(const Launch& launch, const syntax::Function& function,
                                 const syntax::LoweredCall& call, SourcePosition where) {
  struct Known {
    std::string_view name;
    RuntimeFunction is;
    std::size_t arguments;
  };
  static constexpr Known known[] = {{"vprintf", RuntimeFunction::vprintf, 2},
                                    {"malloc", RuntimeFunction::malloc, 1},
                                    {"free", RuntimeFunction::free, 1},
                                    {assertion_function, RuntimeFunction::assertion_failure, 3}};
  const auto found = std::ranges::find(known, function.name.text, &Known::name);
  if (found == std::end(known) && launch.externs_return_anything) return RuntimeFunction::returns_anything;
  if (found == std::end(known))
    throw Unsupported(fmt::format("a call of '{}', which has no body (with extern = \"any\" it returns any "
                                  "value and has no other effect)",
                                  function.name.text),
                      where);
  if (call.arguments.size() < found->arguments)
    throw Unsupported(fmt::format("a call of '{}' with {} arguments", found->name, call.arguments.size()),
                      where);
  return found->is;
}

std::size_t bytes_of(const PassedValue& result) {
  constexpr std::size_t largest_scalar = 16;
  return std::max<std::size_t>(result.size,
                               largest_scalar * std::max<std::size_t>(result.registers.size(), 1));
}

std::size_t count_conversions(std::string_view format) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < format.size(); ++i)
    if (format[i] == '%') ++(i + 1 < format.size() && format[i + 1] == '%' ? i : count);
  return count;
}

}  // namespace ptxmc::kernel
