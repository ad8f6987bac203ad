#include "semantics/language/tensor_pipeline.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

enum class Operation { none, copy, copy_4x256b, shift, product };

Operation operation_of(const Form& form) {
  const auto is = [&](std::string_view opcode) { return form.spelling.starts_with(opcode); };
  if (is("tcgen05.cp.")) return form.has(".4x256b") ? Operation::copy_4x256b : Operation::copy;
  if (is("tcgen05.shift.")) return Operation::shift;
  return is("tcgen05.mma.") ? Operation::product : Operation::none;
}

}  // namespace

bool are_pipelined(const Form& first, const Form& second) {
  using enum Operation;
  static constexpr std::pair<Operation, Operation> pairs[] = {{product, product},     {copy, product},
                                                              {copy_4x256b, product}, {shift, product},
                                                              {shift, copy_4x256b},   {product, shift}};
  const std::pair pair{operation_of(first), operation_of(second)};
  return std::ranges::find(pairs, pair) != std::end(pairs) &&
         first.has(".cta_group::2") == second.has(".cta_group::2");
}

bool is_tracked(const Form& operation, const Form& commit) {
  return operation.has(".cta_group::2") == commit.has(".cta_group::2");
}

}  // namespace ptxmc
