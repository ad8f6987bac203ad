#include "model/program/state_condition.hpp"

namespace ptxmc {

Proposition all_equal(const std::vector<FinalTerm>& terms, const std::vector<std::int64_t>& values) {
  Proposition result;
  result.kind = Proposition::Kind::conjunction;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    Proposition equal;
    equal.kind = Proposition::Kind::compare;
    equal.left = terms[i];
    equal.right.constant = values.at(i);
    result.operands.push_back(std::move(equal));
  }
  return result;
}

}  // namespace ptxmc
