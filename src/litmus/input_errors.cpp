#include "src/litmus/input_errors.hpp"

#include <algorithm>
#include <tuple>

namespace ptxmc {

void Mistakes::throw_all() {
  const auto place = [](const InputError& error) { return std::tuple(error.where.line, error.where.column); };
  std::ranges::stable_sort(errors_, {}, place);
  if (!errors_.empty()) throw InputErrors(std::move(errors_));
  if (unsupported_) throw *unsupported_;
}

}  // namespace ptxmc
