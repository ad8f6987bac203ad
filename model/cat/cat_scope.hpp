#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/cat/cat_syntax.hpp"
#include "model/cat/checked_model.hpp"

/// The meaning of names while a model is checked.
namespace ptxmc::cat {

/// A scope is the index of its innermost entry in a chain; -1 for the empty scope.
using Scope = int;

/// `0` or `{}`, which is a set or a relation as the context requires; in `let rec`, also a name whose kind is
/// not known yet.
struct AnyKind {
  bool is_unknown = false;
};
struct Tag {
  std::string name;
};
struct Function {
  const syntax::Binding* definition;
  Scope scope;
};
/// `domain`, `range`, `from_reads`.
struct BuiltIn {
  Operator op;
  Kind result;
};
/// A name of a `let rec`, inside it.
struct RecursiveName {
  RecursionId recursion;
  int index;
};
using Meaning = std::variant<NodeId, AnyKind, Tag, Function, BuiltIn, RecursiveName>;

/// All scopes of a model, as chains of names. Chains share their outer parts.
class Scopes {
 public:
  /// The scope `outer`, extended by one name.
  Scope enter(std::string name, Meaning meaning, Scope outer) {
    entries_.push_back({std::move(name), std::move(meaning), outer});
    return static_cast<Scope>(entries_.size() - 1);
  }

  /// The innermost meaning of a name, or null.
  const Meaning* find(std::string_view name, Scope scope) const {
    for (; scope >= 0; scope = at(scope).outer)
      if (at(scope).name == name) return &at(scope).meaning;
    return nullptr;
  }

  std::vector<std::string> names(Scope scope) const {
    std::vector<std::string> result;
    for (; scope >= 0; scope = at(scope).outer) result.push_back(at(scope).name);
    return result;
  }

 private:
  struct Entry {
    std::string name;
    Meaning meaning;
    Scope outer;
  };

  const Entry& at(Scope scope) const { return entries_[static_cast<std::size_t>(scope)]; }

  std::deque<Entry> entries_;
};

}  // namespace ptxmc::cat
