#include "src/litmus/c_retries.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace ptxmc {

namespace {

using c_syntax::Declarator;
using c_syntax::Expression;
using c_syntax::Statement;
using Kind = Expression::Kind;
using IsMemory = std::function<bool(const std::string&)>;

/// An iteration in which the operation fails: `before`, the operation, `behind`.
struct Iteration {
  std::vector<const Statement*> before, behind;
  std::vector<const Expression*> guards;  ///< further conditions, `g` of `while (g && !x->compare_…)`
  const Expression* weak = nullptr;
};

std::vector<const Statement*> parts_of(const Statement& body) {
  if (body.kind != Statement::Kind::block) return {&body};
  std::vector<const Statement*> result;
  for (const Statement& part : body.statements) result.push_back(&part);
  return result;
}

bool is_weak_operation(const Expression& call) {
  const bool is_call = call.kind == Kind::call || call.kind == Kind::member_call;
  return is_call && call.text.find("compare_exchange_weak") != std::string::npos && call.operands.size() >= 3;
}

/// The operation of `!x->compare_exchange_weak(…)`; null for other conditions.
const Expression* negated_operation(const Expression& condition) {
  const bool is_negated =
      condition.kind == Kind::unary && condition.text == "!" && is_weak_operation(condition.operands.front());
  return is_negated ? &condition.operands.front() : nullptr;
}

bool mentions_continue(const Statement& statement) {
  return statement.kind == Statement::Kind::continue_ ||
         std::ranges::any_of(statement.statements, mentions_continue);
}

bool leaves_loop(const Statement& statement) {
  const Statement& last = *parts_of(statement).back();
  return last.kind == Statement::Kind::break_ || last.kind == Statement::Kind::return_;
}

/// `while (true) { …; if (x->compare_exchange_weak(…)) break; … }`, or `if (!x->…) continue;`.
std::optional<Iteration> iteration_of_endless(const Statement& body) {
  Iteration result;
  for (const Statement* part : parts_of(body)) {
    if (result.weak != nullptr) {
      result.behind.push_back(part);
      continue;
    }
    const bool is_if = part->kind == Statement::Kind::if_;
    const Statement* then = is_if ? &part->statements.front() : nullptr;
    if (is_if && is_weak_operation(part->expressions.front())) {
      if (part->statements.size() > 1 || parts_of(*then).empty() || !leaves_loop(*then)) return std::nullopt;
      if (mentions_continue(*then)) return std::nullopt;
      result.weak = &part->expressions.front();
    } else if (is_if && negated_operation(part->expressions.front()) != nullptr) {
      const auto failed = parts_of(*then);
      const bool is_continue = failed.size() == 1 && failed[0]->kind == Statement::Kind::continue_;
      if (part->statements.size() > 1 || !is_continue) return std::nullopt;
      result.weak = negated_operation(part->expressions.front());
      return result;
    } else {
      result.before.push_back(part);
    }
  }
  if (result.weak == nullptr) return std::nullopt;
  return result;
}

std::optional<Iteration> iteration_of(const Statement& loop) {
  const Statement& body = loop.statements.front();
  const bool is_for = loop.kind == Statement::Kind::for_;
  if (is_for && !loop.expressions.empty()) return std::nullopt;
  if (loop.expressions.empty()) return iteration_of_endless(body);
  const Expression* condition = &loop.expressions.front();
  const bool is_while = loop.kind == Statement::Kind::while_;
  if (is_while && condition->kind == Kind::number && condition->number != 0)
    return iteration_of_endless(body);
  Iteration result;
  if (condition->kind == Kind::binary && condition->text == "&&") {
    result.guards.push_back(&condition->operands[0]);
    condition = &condition->operands[1];
  }
  result.weak = negated_operation(*condition);
  if (result.weak == nullptr) return std::nullopt;
  (is_while ? result.behind : result.before) = parts_of(body);
  return result;
}

/// Statements that only read memory, and the variables that they set.
class Reading {
 public:
  explicit Reading(const IsMemory& is_memory) : is_memory_(is_memory) {}

  bool only_reads(const Expression& expression) const {
    static constexpr std::array<std::string_view, 8> reads = {
        "load", "atomic_load", "atomic_load_explicit", "__atomic_load_n",
        "wait", "__nanosleep", "notify_one",           "notify_all"};
    const bool is_call = expression.kind == Kind::call || expression.kind == Kind::member_call;
    if (is_call && std::ranges::find(reads, expression.text) == reads.end()) return false;
    const bool changes =
        expression.kind == Kind::assignment || expression.kind == Kind::postfix ||
        (expression.kind == Kind::unary && (expression.text == "++" || expression.text == "--"));
    return !changes && std::ranges::all_of(expression.operands,
                                           [&](const Expression& operand) { return only_reads(operand); });
  }

  /// The variables that some statement sets; nothing if a statement does more than read and set variables.
  std::optional<std::set<std::string>> set_by(const std::vector<const Statement*>& statements) {
    std::set<std::string> names;
    const auto is_simple = [&](const Statement* statement) { return collect(*statement, names); };
    if (!std::ranges::all_of(statements, is_simple)) return std::nullopt;
    return names;
  }

  /// Whether no statement uses a value of these variables that an earlier iteration has set.
  bool sets_before_use(const std::vector<const Statement*>& statements, const std::set<std::string>& names) {
    std::set<std::string> set;
    return std::ranges::all_of(
        statements, [&](const Statement* statement) { return uses_only(*statement, names, set, true); });
  }

  static bool mentions(const Expression& expression, const std::set<std::string>& names) {
    return (expression.kind == Kind::name && names.contains(expression.text)) ||
           std::ranges::any_of(expression.operands,
                               [&](const Expression& operand) { return mentions(operand, names); });
  }

  /// The assignment `r = value` of a variable; null for other expressions.
  const Expression* assignment_of(const Statement& statement) const {
    if (statement.kind != Statement::Kind::expression) return nullptr;
    const Expression& written = statement.expressions.front();
    const bool is_plain = written.kind == Kind::assignment && written.text == "=" &&
                          written.operands[0].kind == Kind::name && !is_memory_(written.operands[0].text);
    return is_plain ? &written : nullptr;
  }

 private:
  bool collect(const Statement& statement, std::set<std::string>& names) {
    switch (statement.kind) {
      case Statement::Kind::block:
      case Statement::Kind::declaration:
      case Statement::Kind::expression:
      case Statement::Kind::if_:
      case Statement::Kind::while_:
      case Statement::Kind::do_:
        break;
      default:
        return false;
    }
    for (const Declarator& declarator : statement.declarators) {
      if (declarator.type.is_reference || declarator.type.is_atomic_reference) return false;
      if (declarator.initial && !only_reads(*declarator.initial)) return false;
      names.insert(declarator.name.text);
    }
    if (const Expression* assignment = assignment_of(statement)) {
      names.insert(assignment->operands[0].text);
      return only_reads(assignment->operands[1]);
    }
    return std::ranges::all_of(statement.expressions,
                               [&](const Expression& each) { return only_reads(each); }) &&
           std::ranges::all_of(statement.statements,
                               [&](const Statement& part) { return collect(part, names); });
  }

  /// `set`: those of the names that are certainly set so far.
  bool uses_only(const Statement& statement, const std::set<std::string>& names, std::set<std::string>& set,
                 bool is_certain) {
    const auto is_known = [&](const Expression& expression) {
      std::set<std::string> open;
      std::ranges::set_difference(names, set, std::inserter(open, open.end()));
      return !mentions(expression, open);
    };
    for (const Declarator& declarator : statement.declarators) {
      if (!declarator.initial) continue;
      if (!is_known(*declarator.initial)) return false;
      if (is_certain) set.insert(declarator.name.text);
    }
    if (const Expression* assignment = assignment_of(statement)) {
      if (!is_known(assignment->operands[1])) return false;
      if (is_certain) set.insert(assignment->operands[0].text);
      return true;
    }
    const bool is_always = is_certain && statement.kind == Statement::Kind::block;
    return std::ranges::all_of(statement.expressions, is_known) &&
           std::ranges::all_of(statement.statements,
                               [&](const Statement& part) { return uses_only(part, names, set, is_always); });
  }

  const IsMemory& is_memory_;
};

}  // namespace

std::optional<CRetries> retries_of(const Statement& loop, const IsMemory& is_memory) {
  const auto iteration = iteration_of(loop);
  if (!iteration) return std::nullopt;
  Reading reading(is_memory);
  const auto only_reads = [&](const Expression* each) { return reading.only_reads(*each); };
  const auto& operands = iteration->weak->operands;
  const bool has_simple_operands =
      std::ranges::all_of(operands, [&](const Expression& operand) { return reading.only_reads(operand); });
  if (!has_simple_operands || !std::ranges::all_of(iteration->guards, only_reads)) return std::nullopt;
  const auto before = reading.set_by(iteration->before);
  const auto behind = reading.set_by(iteration->behind);
  if (!before || !behind || !reading.sets_before_use(iteration->before, *before)) return std::nullopt;
  // What is set behind the operation is either set again before it is used, or the same in every iteration.
  CRetries result{iteration->weak, {}};
  for (const Statement* statement : iteration->behind) {
    const Expression* assignment = reading.assignment_of(*statement);
    if (assignment == nullptr) continue;
    const std::string& name = assignment->operands[0].text;
    if (before->contains(name)) continue;
    const Expression& value = assignment->operands[1];
    if (value.kind != Kind::number || !result.begins_with.emplace(name, value.number).second)
      return std::nullopt;
  }
  const auto is_settled = [&](const std::string& name) {
    return before->contains(name) || result.begins_with.contains(name);
  };
  return std::ranges::all_of(*behind, is_settled) ? std::optional(result) : std::nullopt;
}

}  // namespace ptxmc
