#include "model/program/named_relations.hpp"

#include <memory>

namespace ptxmc {

void NamedRelations::set(const std::string& name, Pairs pairs) {
  set(name, [shared = std::make_shared<const Pairs>(std::move(pairs))] { return *shared; });
}

void NamedRelations::set(const std::string& name, std::function<Pairs()> list) {
  lists_.insert_or_assign(name, std::move(list));
}

std::vector<std::string> NamedRelations::names() const {
  std::vector<std::string> result;
  for (const auto& [name, list] : lists_) result.push_back(name);
  return result;
}

NamedRelations NamedRelations::changed_by(const std::function<Pairs(const Pairs&)>& change) const {
  NamedRelations result;
  for (const auto& [name, list] : lists_) result.set(name, [list = list, change] { return change(list()); });
  return result;
}

}  // namespace ptxmc
