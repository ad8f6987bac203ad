#include "src/report/condition_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ptxmc {

namespace {

using Kind = Proposition::Kind;

const char* comparison_text(Proposition::Comparison comparison) {
  switch (comparison) {
    case Proposition::Comparison::equal:
      return "=";
    case Proposition::Comparison::not_equal:
      return "!=";
    case Proposition::Comparison::less:
      return "<";
    case Proposition::Comparison::less_equal:
      return "<=";
    case Proposition::Comparison::greater:
      return ">";
    case Proposition::Comparison::greater_equal:
      return ">=";
  }
  throw std::logic_error("a comparison of no known kind");
}

/// An operand of `/\` or `\/`, in parentheses if they are needed.
std::string operand_text(const Proposition& operand, Kind around, const Program& program, Naming naming) {
  const std::string text = condition_text(operand, program, naming);
  const bool binds_weaker = around == Kind::conjunction && operand.kind == Kind::disjunction;
  return binds_weaker && operand.operands.size() > 1 ? "(" + text + ")" : text;
}

std::string joined(const Proposition& proposition, const Program& program, Naming naming) {
  const bool is_and = proposition.kind == Kind::conjunction;
  if (proposition.operands.empty()) return is_and ? "true" : "false";
  std::string text;
  for (const Proposition& operand : proposition.operands) {
    if (!text.empty()) text += is_and ? " /\\ " : " \\/ ";
    text += operand_text(operand, proposition.kind, program, naming);
  }
  return text;
}

}  // namespace

std::string condition_text(const Proposition& proposition, const Program& program, Naming naming) {
  switch (proposition.kind) {
    case Kind::truth:
      return "true";
    case Kind::compare:
      return name_of(proposition.left, program, naming) + comparison_text(proposition.comparison) +
             name_of(proposition.right, program, naming);
    case Kind::negation:
      return "not (" + condition_text(proposition.operands.at(0), program, naming) + ")";
    case Kind::conjunction:
    case Kind::disjunction:
      return joined(proposition, program, naming);
  }
  throw std::logic_error("a proposition of no known kind");
}

std::string quantifier_text(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::exists:
      return "exists";
    case Quantifier::not_exists:
      return "~exists";
    case Quantifier::forall:
      return "forall";
  }
  throw std::logic_error("a quantifier of no known kind");
}

std::string question_text(const Question& question, const Program& program) {
  return fmt::format("{} ({})", quantifier_text(question.quantifier),
                     condition_text(question.condition, program));
}

}  // namespace ptxmc
