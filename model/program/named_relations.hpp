#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

using Pairs = std::vector<std::pair<EventId, EventId>>;

/// The relations of a model in one execution, by name. The pairs of one are listed when they are asked for,
/// and each time anew: in an execution of a thousand events some relations have a million pairs, and few are
/// shown.
class NamedRelations {
 public:
  /// Adds a relation, or replaces the one of this name.
  void set(const std::string& name, Pairs);
  /// The same, of a relation that is listed by a function.
  void set(const std::string& name, std::function<Pairs()> list);
  void erase(const std::string& name) { lists_.erase(name); }

  bool empty() const { return lists_.empty(); }
  bool contains(const std::string& name) const { return lists_.contains(name); }
  /// In alphabetical order.
  std::vector<std::string> names() const;
  /// Throws std::out_of_range if there is no relation of this name.
  Pairs at(const std::string& name) const { return lists_.at(name)(); }
  /// No pairs if there is no relation of this name.
  Pairs pairs(const std::string& name) const { return contains(name) ? at(name) : Pairs(); }

  /// The relations whose pairs are those that a function makes of the pairs of these.
  NamedRelations changed_by(const std::function<Pairs(const Pairs&)>& change) const;

 private:
  std::map<std::string, std::function<Pairs()>> lists_;
};

}  // namespace ptxmc
