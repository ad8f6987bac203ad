#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/cat_model.hpp"
#include "model/cat_syntax.hpp"

/// What names mean while a model is being checked.
namespace ptxmc::cat {

/// Where names are looked up: the innermost entry of a chain; -1: none.
using Scope = int;

/// `0` or `{}`, of the kind that is asked for; in `let rec`, also a name whose kind is not known yet.
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

/// All scopes of a model: chains of names that share their outer parts.
class Scopes {
 public:
  /// The scope with one more name.
  Scope enter(std::string name, Meaning meaning, Scope outer) {
    entries_.push_back({std::move(name), std::move(meaning), outer});
    return static_cast<Scope>(entries_.size() - 1);
  }

  /// The innermost meaning of a name; null when there is none.
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
