#include "src/ptx/function_signature.hpp"

#include <algorithm>

namespace ptxmc::syntax {

namespace {

bool same_parameter(const Declaration& a, const Declaration& b) {
  const Declarator& x = a.declarators[0];
  const Declarator& y = b.declarators[0];
  return a.space == b.space && a.type == b.type && a.elements == b.elements && a.alignment == b.alignment &&
         x.dimensions == y.dimensions;
}

bool same_parameters(const std::vector<Declaration>& a, const std::vector<Declaration>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_parameter);
}

}  // namespace

const Function& function_of(const Module& module, const Symbol& symbol) {
  return std::get<Function>(module.statements[symbol.function].is);
}

bool same_signature(const Function& a, const Function& b) {
  return same_parameters(a.returns, b.returns) && same_parameters(a.parameters, b.parameters);
}

}  // namespace ptxmc::syntax
