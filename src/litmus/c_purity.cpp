#include "src/litmus/c_purity.hpp"

namespace ptxmc {

namespace {

using c_syntax::Expression;
using c_syntax::Statement;
using Kind = Expression::Kind;

class Search {
 public:
  explicit Search(const std::function<bool(const std::string&)>& is_memory) : is_memory_(is_memory) {}

  void look_at(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::block:
      case Statement::Kind::declaration:
      case Statement::Kind::expression:
      case Statement::Kind::if_:
        break;
      default:
        result_.only_computes = false;
    }
    for (const c_syntax::Declarator& declarator : statement.declarators) {
      const bool is_other_name = declarator.type.is_reference || declarator.type.is_atomic_reference;
      if (is_other_name) result_.only_computes = false;
      result_.changed.insert(declarator.name.text);
      if (declarator.initial) look_at(*declarator.initial);
    }
    for (const Expression& expression : statement.expressions) look_at(expression);
    for (const Statement& part : statement.statements) look_at(part);
  }

  CComputation result() && { return std::move(result_); }

 private:
  void look_at(const Expression& expression) {
    const bool changes =
        expression.kind == Kind::assignment || expression.kind == Kind::postfix ||
        (expression.kind == Kind::unary && (expression.text == "++" || expression.text == "--"));
    const bool is_access = expression.kind == Kind::call || expression.kind == Kind::member_call ||
                           expression.kind == Kind::index || expression.kind == Kind::construction ||
                           (expression.kind == Kind::unary && expression.text == "*") ||
                           (expression.kind == Kind::name && is_memory_(expression.text));
    if (is_access) result_.only_computes = false;
    if (changes && expression.operands.front().kind == Kind::name)
      result_.changed.insert(expression.operands.front().text);
    else if (changes)
      result_.only_computes = false;
    for (const Expression& operand : expression.operands) look_at(operand);
  }

  const std::function<bool(const std::string&)>& is_memory_;
  CComputation result_;
};

}  // namespace

CComputation computation_of(const Statement& statement,
                            const std::function<bool(const std::string&)>& is_memory) {
  Search search(is_memory);
  search.look_at(statement);
  return std::move(search).result();
}

}  // namespace ptxmc
