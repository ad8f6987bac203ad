#include "model/cat/cat_analysis.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "model/cat/cat_graph.hpp"
#include "model/cat/cat_names.hpp"
#include "model/cat/cat_scope.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "semantics/language/spelling.hpp"
#include "semantics/values/check.hpp"

namespace ptxmc::cat {

namespace {

using syntax::Binding;
using syntax::Expression;
using syntax::Statement;
using Form = Expression::Form;

struct UnknownName : InputError {
  using InputError::InputError;
};

/// Limits, so that no text exhausts the stack or the memory.
constexpr unsigned deepest = 1000;
constexpr int most_applications = 100'000;
constexpr std::size_t most_definitions = 10'000;

class Analysis {
 public:
  explicit Analysis(Model model) : model_(std::move(model)) {}

  Model run(std::span<const Statement> statements) {
    Scope scope = -1;
    for (const Statement& statement : statements) scope = read(statement, scope, true);
    for (const char* name : {"rf", "co", "fr"})
      if (!model_.find(name)) define(name, std::get<NodeId>(look_up(name, {}, scope)), {});
    if (state_.uses_total_coherence && state_.uses_partial_coherence)
      throw error({}, "found both 'co' and 'total_coherence', expected one coherence order");
    model_.axioms = std::move(state_.axioms);
    state_.graph.move_into(model_);
    return std::move(model_);
  }

 private:
  /// The state that a trial must restore.
  struct State {
    Graph graph;
    std::vector<Test> axioms;
    std::set<std::string> choices;
    std::map<std::pair<std::string_view, NodeId>, Meaning> derived;  // by name and the current coherence
    std::string used_before_co;  // a derived name that uses the predefined coherence
    bool uses_total_coherence = false;
    bool uses_partial_coherence = false;
  };

  // --- Statements ---------------------------------------------------------------------------------------

  Scope read(const Statement& statement, Scope scope, bool is_model) {
    switch (statement.form) {
      case Statement::Form::let:
        return let(statement, scope, is_model);
      case Statement::Form::with_from:
        return choose(statement, scope, is_model);
      case Statement::Form::test:
        test(statement, scope);
        break;
      case Statement::Form::show:
        for (const Binding& shown : statement.bindings)
          model_.shown.push_back(
              {shown.name, of_any_kind(value(shown.value, scope), shown.value), shown.place});
        break;
      case Statement::Form::unshow:
        for (const Binding& hidden : statement.bindings) {
          look_up(hidden.name, hidden.place, scope);
          model_.unshown.push_back(hidden.name);
        }
        break;
      case Statement::Form::enumerate:
        tags_.insert(statement.tags.begin(), statement.tags.end());
        break;
      case Statement::Form::include:
        fail_check("cat: an include that was not replaced");
    }
    return scope;
  }

  Scope let(const Statement& statement, Scope scope, bool is_model) {
    const Scope inner = bind(statement.bindings, statement.is_recursive, scope);
    if (!is_model) return inner;
    for (const Binding& binding : statement.bindings) {
      const Meaning& meaning = *scopes_.find(binding.name, inner);
      if (binding.name == "co" && !is_predefined_coherence(meaning)) check_coherence(binding.place);
      if (std::holds_alternative<NodeId>(meaning) || std::holds_alternative<AnyKind>(meaning))
        define(binding.name, of_any_kind(meaning, binding.value), binding.place);
      else if (is_part_of_executions(binding.name))
        throw error(binding.place, fmt::format("'{}' is defined as {}, expected a relation", binding.name,
                                               description(meaning)));
    }
    return inner;
  }

  static bool is_part_of_executions(const std::string& name) {
    return name == "rf" || name == "co" || name == "fr";
  }

  void define(const std::string& name, NodeId node, const Place& place) {
    if (is_part_of_executions(name) && state_.graph[node].kind != Kind::relation)
      throw error(place, fmt::format("'{}' is defined as a set, expected a relation", name));
    if (model_.definitions.size() == most_definitions)
      throw error(place, fmt::format("more than {} definitions", most_definitions));
    model_.definitions.push_back({name, node, place});
  }

  bool is_predefined_coherence(const Meaning& meaning) const {
    const auto* node = std::get_if<NodeId>(&meaning);
    return node && (state_.graph[*node].op == Operator::total_coherence ||
                    state_.graph[*node].op == Operator::partial_coherence);
  }

  /// Values that used the predefined coherence would not use the model's own definition.
  void check_coherence(const Place& place) {
    if (!state_.used_before_co.empty())
      throw error(place,
                  fmt::format("'co' is defined after the use of '{0}', expected before: '{0}' is made of it",
                              state_.used_before_co));
  }

  /// `with name from orientations(r)` and `with name from linearisations(S, r)`.
  Scope choose(const Statement& statement, Scope scope, bool is_model) {
    const Binding& binding = statement.bindings.front();
    const Expression& from = binding.value;
    const bool orients = from.form == Form::application && from.text == "orientations";
    const bool linearises = from.form == Form::application && from.text == "linearisations";
    if ((!orients && !linearises) || scopes_.find(from.text, scope))
      throw Unsupported(
          fmt::format("'with … from' anything but orientations(r) or linearisations(S, r) in the model {}",
                      file(from.place)),
          from.place.where);
    check_arity(from, orients ? 1 : 2);
    if (!state_.choices.insert(binding.name).second)
      throw error(binding.place, fmt::format("'{}' is chosen twice", binding.name));
    if (binding.name == "co" && is_model) check_coherence(binding.place);
    const NodeId chosen = orients ? orient(value_as(Kind::relation, from.operands[0], scope), binding)
                                  : linearise(value_as(Kind::set, from.operands[0], scope),
                                              value_as(Kind::relation, from.operands[1], scope), binding);
    if (is_model) define(binding.name, chosen, binding.place);
    return scopes_.enter(binding.name, chosen, scope);
  }

  NodeId orient(NodeId pairs, const Binding& binding) {
    return state_.graph.make(Operator::orientations, Kind::relation, {pairs}, binding.place, binding.name);
  }

  /// An acyclic orientation of all pairs of the set that is consistent with the order.
  NodeId linearise(NodeId set, NodeId order, const Binding& binding) {
    const auto relation = [&](Operator op, NodeId a, NodeId b) {
      return state_.graph.make(op, Kind::relation, {a, b}, binding.place);
    };
    const auto assert_that = [&](Test::Form form, NodeId tested, const char* says) {
      state_.axioms.push_back({form, false, tested, binding.name + says, binding.place});
    };
    const NodeId pairs = relation(Operator::product, set, set);
    const NodeId chosen = orient(pairs, binding);
    const NodeId ordered = relation(Operator::intersect, order, pairs);
    assert_that(Test::Form::acyclic, chosen, " is a linear order");
    assert_that(Test::Form::empty, relation(Operator::subtract, ordered, chosen),
                " extends what it linearises");
    return chosen;
  }

  void test(const Statement& statement, Scope scope) {
    const Meaning meaning = value(statement.expression, scope);
    const NodeId node = statement.test == Test::Form::empty
                            ? of_any_kind(meaning, statement.expression)
                            : as(Kind::relation, meaning, statement.expression);
    auto& tests = statement.is_flag ? model_.flags : state_.axioms;
    tests.push_back({statement.test, statement.negated, node, statement.text, statement.place});
  }

  // --- Definitions --------------------------------------------------------------------------------------

  /// The scope with the names of one `let`.
  Scope bind(const std::vector<Binding>& bindings, bool is_recursive, Scope scope) {
    std::set<std::string> names;
    for (const Binding& binding : bindings) {
      if (!names.insert(binding.name).second)
        throw error(binding.place, fmt::format("'{}' is defined twice by one let", binding.name));
      if (binding.parameters && is_recursive)
        throw Unsupported(
            fmt::format("the recursive function '{}' in the model {}", binding.name, file(binding.place)),
            binding.place.where);
    }
    if (is_recursive) return bind_recursive(bindings, scope);
    Scope inner = scope;
    for (const Binding& binding : bindings) {
      if (binding.parameters)
        if (const auto found = find_unknown_name(binding, scopes_, scope))
          throw unknown(found->expression->text, found->expression->place, found->scope);
      inner = scopes_.enter(
          binding.name, binding.parameters ? Function{&binding, scope} : value(binding.value, scope), inner);
    }
    return inner;
  }

  Scope bind_recursive(const std::vector<Binding>& bindings, Scope scope) {
    const std::vector<Kind> kinds = recursive_kinds(bindings, scope);
    const RecursionId recursion = state_.graph.open_recursion(kinds);
    Scope inside = scope;
    std::vector<std::string> names;
    for (const Binding& binding : bindings) {
      inside = scopes_.enter(binding.name, RecursiveName{recursion, static_cast<int>(names.size())}, inside);
      names.push_back(binding.name);
    }
    std::vector<NodeId> bodies;
    for (std::size_t i = 0; i < bindings.size(); ++i)
      bodies.push_back(value_as(kinds[i], bindings[i].value, inside));
    const auto fixpoints =
        state_.graph.close_recursion(recursion, std::move(bodies), names, bindings.front().place);
    if (const NodeId negative = state_.graph.negative_variable(recursion); negative >= 0) {
      const Node& variable = state_.graph[negative];
      throw error(
          variable.place,
          fmt::format("found '{}' negated (by ~ or on the right of \\) in its own let rec, expected a "
                      "monotone definition",
                      variable.name));
    }
    Scope after = scope;
    for (std::size_t i = 0; i < bindings.size(); ++i) after = scopes_.enter(names[i], fixpoints[i], after);
    return after;
  }

  /// The kinds of recursive names, found by a trial in which names of unknown kind are empty.
  std::vector<Kind> recursive_kinds(const std::vector<Binding>& bindings, Scope scope) {
    const State before = state_;
    std::vector<std::optional<Kind>> kinds(bindings.size());
    for (bool changed = true; changed;) {
      changed = false;
      Scope inside = scope;
      for (std::size_t i = 0; i < bindings.size(); ++i)
        inside =
            scopes_.enter(bindings[i].name,
                          kinds[i] ? Meaning(empty(*kinds[i], bindings[i].place)) : AnyKind{true}, inside);
      for (std::size_t i = 0; i < bindings.size(); ++i) {
        if (kinds[i]) continue;
        const Meaning body = value(bindings[i].value, inside);
        if (const auto* node = std::get_if<NodeId>(&body)) {
          kinds[i] = state_.graph[*node].kind;
          changed = true;
        }
      }
    }
    state_ = before;
    std::vector<Kind> result;
    for (const auto& kind : kinds) result.push_back(kind.value_or(Kind::relation));
    return result;
  }

  // --- Names --------------------------------------------------------------------------------------------

  Meaning look_up(const std::string& name, const Place& place, Scope scope) {
    if (const Meaning* found = scopes_.find(name, scope)) {
      const auto* recursive = std::get_if<RecursiveName>(found);
      if (!recursive) return *found;
      return state_.graph.variable(recursive->recursion, recursive->index, name, place);
    }
    if (name == "co" || name == "total_coherence") return coherence(name == "co" && model_.is_ptx, place);
    if (find_base_set(name)) return state_.graph.make(Operator::base, Kind::set, {}, place, name);
    if (find_base_relation(name)) return state_.graph.make(Operator::base, Kind::relation, {}, place, name);
    if (const auto built_in = find_built_in(name)) return *built_in;
    if (const DerivedName* derived = find_derived_name(name)) return derive(*derived, scope);
    if (name == "orientations" || name == "linearisations")
      throw error(
          place, fmt::format("found '{0}' in an expression, expected it only in 'with … from {0}(…)'", name));
    throw unknown(name, place, scope);
  }

  UnknownName unknown(const std::string& name, const Place& place, Scope scope) const {
    return UnknownName(
        file(place), place.where,
        fmt::format("unknown name '{}'{}", name, did_you_mean(name, names_in(scopes_, scope))));
  }

  Meaning coherence(bool is_partial, const Place& place) {
    uses_predefined_co_ = true;
    (is_partial ? state_.uses_partial_coherence : state_.uses_total_coherence) = true;
    const auto op = is_partial ? Operator::partial_coherence : Operator::total_coherence;
    return state_.graph.make(op, Kind::relation, {}, place);
  }

  /// A derived name uses the coherence that is current where the name is used; apart from it only predefined
  /// names.
  Meaning derive(const DerivedName& derived, Scope scope) {
    Scope inner = -1;
    NodeId co = -1;
    if (const Meaning* meaning = scopes_.find("co", scope)) {
      const auto* node = std::get_if<NodeId>(meaning);
      co = node ? *node : empty(Kind::relation, {});
      inner = scopes_.enter("co", co, inner);
    }
    const auto known = state_.derived.find({derived.name, co});
    if (known != state_.derived.end()) return known->second;
    const bool outside = std::exchange(uses_predefined_co_, false);
    for (const Statement& statement : derived_statements(derived)) inner = read(statement, inner, false);
    if (uses_predefined_co_) state_.used_before_co = derived.name;
    uses_predefined_co_ |= outside;
    const Meaning meaning = *scopes_.find(derived.name, inner);
    state_.derived.insert({{derived.name, co}, meaning});
    return meaning;
  }

  const std::vector<Statement>& derived_statements(const DerivedName& derived) {
    auto& read = derived_syntax_[derived.name];
    if (read.empty()) {
      const SourceText source(fmt::format("the definition of {}", derived.name),
                              std::string(derived.definition));
      model_.files.push_back(source.file());
      read = syntax::read(source, static_cast<std::uint32_t>(model_.files.size() - 1)).statements;
    }
    return read;
  }

  // --- Expressions --------------------------------------------------------------------------------------

  Meaning value(const Expression& expression, Scope scope) {
    if (depth_ == deepest)
      throw error(expression.place, fmt::format("nested deeper than {} levels, through functions", deepest));
    ++depth_;
    Meaning result = value_below(expression, scope);
    --depth_;
    if (const auto* node = std::get_if<NodeId>(&result); node && state_.graph.depth(*node) > deepest)
      throw error(expression.place, fmt::format("nested deeper than {} levels, through names", deepest));
    return result;
  }

  Meaning value_below(const Expression& expression, Scope scope) {
    const Place& place = expression.place;
    switch (expression.form) {
      case Form::name:
        return look_up(expression.text, place, scope);
      case Form::universe:
        return state_.graph.make(Operator::universe, Kind::set, {}, place);
      case Form::empty:
        return AnyKind{};
      case Form::tag:
        if (tags_.contains(expression.text)) return Tag{expression.text};
        throw error(place, fmt::format("unknown tag '{}', expected one of an enum", expression.text));
      case Form::unite:
        return of_either_kind(Operator::unite, expression, scope);
      case Form::intersect:
        return of_either_kind(Operator::intersect, expression, scope);
      case Form::subtract:
        return of_either_kind(Operator::subtract, expression, scope);
      case Form::complement:
        return of_either_kind(Operator::complement, expression, scope);
      case Form::sequence:
        return chain(Operator::compose, Kind::relation, expression, scope);
      case Form::product:
        return chain(Operator::product, Kind::set, expression, scope);
      case Form::inverse:
        return chain(Operator::inverse, Kind::relation, expression, scope);
      case Form::optional:
        return chain(Operator::optional, Kind::relation, expression, scope);
      case Form::closure:
        return chain(Operator::closure, Kind::relation, expression, scope);
      case Form::identity:
        return chain(Operator::identity, Kind::set, expression, scope);
      case Form::star: {
        const NodeId closure = chain(Operator::closure, Kind::relation, expression, scope);
        return state_.graph.make(Operator::optional, Kind::relation, {closure}, place);
      }
      case Form::application:
        return apply(expression, scope);
      case Form::let_in:
        return value(expression.operands[0], bind(expression.bindings, expression.is_recursive, scope));
      case Form::attempt:
        return attempt(expression, scope);
      case Form::match:
        return match(expression, scope);
    }
    fail_check("cat: an expression of no form");
  }

  NodeId empty(Kind kind, const Place& place) { return state_.graph.make(Operator::empty, kind, {}, place); }

  /// The operands have the kind of the first operand whose kind is known.
  Meaning of_either_kind(Operator op, const Expression& expression, Scope scope) {
    std::vector<Meaning> meanings;
    std::optional<Kind> kind;
    bool is_unknown = false;
    for (const Expression& operand : expression.operands) {
      meanings.push_back(value(operand, scope));
      const auto* any = std::get_if<AnyKind>(&meanings.back());
      if (any) is_unknown |= any->is_unknown;
      if (!any && !kind) kind = state_.graph[of_any_kind(meanings.back(), operand)].kind;
    }
    if (!kind && is_unknown) return AnyKind{true};
    if (!kind && op != Operator::complement) return AnyKind{};
    std::vector<NodeId> operands;
    for (std::size_t i = 0; i < meanings.size(); ++i)
      operands.push_back(as(kind.value_or(Kind::relation), meanings[i], expression.operands[i]));
    return fold(op, kind.value_or(Kind::relation), operands, expression.place);
  }

  /// A relation made of operands of one kind.
  NodeId chain(Operator op, Kind kind, const Expression& expression, Scope scope) {
    std::vector<NodeId> operands;
    for (const Expression& operand : expression.operands) operands.push_back(value_as(kind, operand, scope));
    if (op == Operator::product && operands.size() > 2)
      throw error(expression.operands[2].place, "found the third factor of a product, expected two");
    return fold(op, Kind::relation, operands, expression.place);
  }

  NodeId fold(Operator op, Kind kind, const std::vector<NodeId>& operands, const Place& place) {
    if (operands.size() == 1) return state_.graph.make(op, kind, operands, place);
    NodeId result = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i)
      result = state_.graph.make(op, kind, {result, operands[i]}, place);
    return result;
  }

  Meaning apply(const Expression& expression, Scope scope) {
    if (++applications_ > most_applications)
      throw error(expression.place, fmt::format("more than {} applications of functions", most_applications));
    const Meaning callee = look_up(expression.text, expression.place, scope);
    if (const auto* built_in = std::get_if<BuiltIn>(&callee)) {
      check_arity(expression, 1);
      const NodeId operand = value_as(Kind::relation, expression.operands[0], scope);
      return state_.graph.make(built_in->op, built_in->result, {operand}, expression.place);
    }
    const auto* function = std::get_if<Function>(&callee);
    if (!function)
      throw error(expression.place,
                  fmt::format("found an argument of '{0}', but '{0}' is {1}, expected a function",
                              expression.text, description(callee)));
    const auto& parameters = *function->definition->parameters;
    check_arity(expression, parameters.size());
    Scope inner = function->scope;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      inner = scopes_.enter(parameters[i], value(expression.operands[i], scope), inner);
    return value(function->definition->value, inner);
  }

  void check_arity(const Expression& application, std::size_t expected) const {
    const std::size_t found = application.operands.size();
    if (found != expected)
      throw error(application.place, fmt::format("found {} argument{} of '{}', expected {}", found,
                                                 found == 1 ? "" : "s", application.text, expected));
  }

  /// `try a with b`: b where a name of a is unknown.
  Meaning attempt(const Expression& expression, Scope scope) {
    const State before = state_;
    const unsigned depth = depth_;
    try {
      return value(expression.operands[0], scope);
    } catch (const UnknownName&) {
      state_ = before;
      depth_ = depth;
    }
    return value(expression.operands[1], scope);
  }

  Meaning match(const Expression& expression, Scope scope) {
    const Meaning subject = value(expression.operands[0], scope);
    const auto* tag = std::get_if<Tag>(&subject);
    if (!tag)
      throw Unsupported(
          fmt::format("'match' on {} in the model {}", description(subject), file(expression.place)),
          expression.operands[0].place.where);
    for (const syntax::MatchCase& branch : expression.cases) {
      if (branch.tag && !tags_.contains(*branch.tag))
        throw error(expression.place, fmt::format("unknown tag '{}', expected one of an enum", *branch.tag));
      if (!branch.tag || *branch.tag == tag->name) return value(branch.value, scope);
    }
    throw error(expression.place, fmt::format("'match' has no case for the tag '{}'", tag->name));
  }

  // --- Kinds --------------------------------------------------------------------------------------------

  NodeId value_as(Kind kind, const Expression& expression, Scope scope) {
    return as(kind, value(expression, scope), expression);
  }

  NodeId as(Kind kind, const Meaning& meaning, const Expression& expression) {
    if (std::holds_alternative<AnyKind>(meaning)) return empty(kind, expression.place);
    const auto* node = std::get_if<NodeId>(&meaning);
    if (node && state_.graph[*node].kind == kind) return *node;
    throw wrong_kind(meaning, expression, kind == Kind::set ? "a set" : "a relation");
  }

  NodeId of_any_kind(const Meaning& meaning, const Expression& expression) {
    if (std::holds_alternative<AnyKind>(meaning)) return empty(Kind::relation, expression.place);
    if (const auto* node = std::get_if<NodeId>(&meaning)) return *node;
    throw wrong_kind(meaning, expression, "a set or a relation");
  }

  InputError wrong_kind(const Meaning& meaning, const Expression& expression, const char* expected) const {
    const std::string what = description(meaning);
    const std::string found =
        expression.form == Form::name ? fmt::format("'{}', {}", expression.text, what) : what;
    return error(expression.place, fmt::format("found {}, expected {}", found, expected));
  }

  std::string description(const Meaning& meaning) const {
    if (const auto* node = std::get_if<NodeId>(&meaning))
      return state_.graph[*node].kind == Kind::set ? "a set" : "a relation";
    if (std::holds_alternative<Tag>(meaning)) return "a tag";
    if (std::holds_alternative<AnyKind>(meaning)) return "the empty set";
    return "a function";
  }

  // --- Diagnostics --------------------------------------------------------------------------------------

  const std::string& file(const Place& place) const { return model_.files.at(place.file); }
  InputError error(const Place& place, const std::string& message) const {
    return InputError(file(place), place.where, message);
  }

  Model model_;
  State state_;
  Scopes scopes_;
  std::set<std::string> tags_;
  std::map<std::string_view, std::vector<Statement>> derived_syntax_;
  bool uses_predefined_co_ = false;
  unsigned depth_ = 0;
  int applications_ = 0;
};

}  // namespace

Model analyse(Model model, std::span<const Statement> statements) {
  return Analysis(std::move(model)).run(statements);
}

}  // namespace ptxmc::cat
