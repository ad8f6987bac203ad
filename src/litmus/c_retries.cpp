#include "src/litmus/c_retries.hpp"

#include <algorithm>
#include <set>

namespace ptxmc {

namespace {

using c_syntax::Expression;
using c_syntax::Statement;
using Kind = Expression::Kind;

/// Only names, numbers and operators without effects.
bool is_pure(const Expression& expression) {
  const bool is_value = expression.kind == Kind::name || expression.kind == Kind::number ||
                        expression.kind == Kind::binary || expression.kind == Kind::conditional ||
                        (expression.kind == Kind::unary &&
                         (expression.text == "-" || expression.text == "~" || expression.text == "!"));
  return is_value && std::ranges::all_of(expression.operands, is_pure);
}

bool mentions(const Expression& expression, const std::set<std::string>& names) {
  return (expression.kind == Kind::name && names.contains(expression.text)) ||
         std::ranges::any_of(expression.operands,
                             [&](const Expression& operand) { return mentions(operand, names); });
}

/// The assignments `r = value` and declarations `int r = value` of a body; false if it has other statements.
struct Assignments {
  std::set<std::string> names;
  std::vector<const Expression*> values;

  bool add(const Statement& statement) {
    if (statement.kind == Statement::Kind::block)
      return std::ranges::all_of(statement.statements, [&](const Statement& part) { return add(part); });
    if (statement.kind == Statement::Kind::declaration) {
      for (const c_syntax::Declarator& declarator : statement.declarators) {
        if (!declarator.initial) return false;
        names.insert(declarator.name.text);
        values.push_back(&*declarator.initial);
      }
      return true;
    }
    if (statement.kind != Statement::Kind::expression) return false;
    const Expression& assignment = statement.expressions.front();
    const bool is_plain = assignment.kind == Kind::assignment && assignment.text == "=" &&
                          assignment.operands[0].kind == Kind::name;
    if (!is_plain) return false;
    names.insert(assignment.operands[0].text);
    values.push_back(&assignment.operands[1]);
    return true;
  }
};

/// The variable that gets the value read: `r` in `compare_exchange_weak(r, …)` and in `&r`.
const Expression& expected_of(const Expression& call) {
  const Expression& argument = call.operands[1];
  return argument.kind == Kind::unary && argument.text == "&" ? argument.operands.front() : argument;
}

}  // namespace

const Expression* weak_operation_of_retries(const Statement& loop) {
  if (loop.kind == Statement::Kind::for_ || loop.expressions.empty()) return nullptr;
  const Expression& condition = loop.expressions.front();
  if (condition.kind != Kind::unary || condition.text != "!") return nullptr;
  const Expression& call = condition.operands.front();
  const bool is_call = call.kind == Kind::call || call.kind == Kind::member_call;
  if (!is_call || call.text.find("compare_exchange_weak") == std::string::npos || call.operands.size() < 3)
    return nullptr;
  // An iteration assigns the same values again: they depend on nothing that it changes but the expected
  // value, which is the same behind a failure without a reason, unless the body sets it.
  Assignments body;
  if (!body.add(loop.statements.front())) return nullptr;
  const bool is_repeatable = std::ranges::all_of(
      body.values, [&](const Expression* value) { return is_pure(*value) && !mentions(*value, body.names); });
  const bool sets_expected = body.names.contains(expected_of(call).text);
  const bool is_constant =
      std::ranges::all_of(body.values, [](const Expression* value) { return value->kind == Kind::number; });
  return is_repeatable && (!sets_expected || is_constant) ? &call : nullptr;
}

}  // namespace ptxmc
