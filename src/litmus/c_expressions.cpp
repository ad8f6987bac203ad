#include "src/litmus/c_expressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "src/litmus/c_accesses.hpp"
#include "src/litmus/c_words.hpp"
#include "src/litmus/spelling.hpp"

namespace ptxmc {

namespace {

using c_syntax::CType;
using c_syntax::Expression;
using Kind = Expression::Kind;

/// [conv.prom]
CType promoted(const CType& type) {
  if (type.is_pointer || type.width >= 32) return type;
  return CType();
}

/// [expr.arith.conv]
CType common_type(const CType& a, const CType& b) {
  if (a.is_pointer || b.is_pointer) return a.is_pointer ? a : b;
  const CType left = promoted(a), right = promoted(b);
  CType result;
  result.width = std::max(left.width, right.width);
  result.is_signed =
      (left.width < result.width || left.is_signed) && (right.width < result.width || right.is_signed);
  return result;
}

/// Whether the evaluation may touch memory or change a variable.
bool has_effects(const Expression& expression) {
  const bool own = expression.kind == Kind::assignment || expression.kind == Kind::postfix ||
                   expression.kind == Kind::call || expression.kind == Kind::member_call ||
                   expression.kind == Kind::index ||
                   (expression.kind == Kind::unary && expression.text != "-" && expression.text != "!" &&
                    expression.text != "~" && expression.text != "+");
  return own || std::ranges::any_of(expression.operands, has_effects);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> comparisons = {
    {{"==", "eq"}, {"!=", "ne"}, {"<", "lt"}, {"<=", "le"}, {">", "gt"}, {">=", "ge"}}};

std::string_view comparison_name(std::string_view op) {
  const auto found = std::ranges::find(comparisons, op, [](const auto& row) { return row.first; });
  return found == comparisons.end() ? std::string_view() : found->second;
}

bool is_comparison(const Expression& expression) {
  return expression.kind == Kind::binary && !comparison_name(expression.text).empty();
}

bool is_logical(const Expression& expression) {
  return expression.kind == Kind::binary && (expression.text == "&&" || expression.text == "||");
}

}  // namespace

void CExpressions::fail(const Expression& at, const std::string& expected) const {
  throw source_.expected(at.first, expected);
}

void CExpressions::set_source(const Expression& expression) {
  code_.set_source(
      source_.position(expression.first),
      collapse_blanks(source_.text().substr(expression.first, expression.last - expression.first)));
}

/// C++ leaves open which operand comes first; the model has a total order in a thread.
void CExpressions::refuse_unsequenced(const Expression& right, std::size_t before,
                                      std::size_t between) const {
  if (between > before && code_.accesses() > between)
    throw Unsupported("two accesses to memory in one expression whose order C++ leaves open",
                      source_.position(right.first));
}

/// Behind the last element of a variable there is an address, but no object: [expr.add]. `last` is 1 for an
/// object and 0 for an address. What is not known is not refused.
void CExpressions::require_inside(const Expression& at, const Operand& pointer, const Operand& sum,
                                  std::uint64_t last) const {
  const auto* from = std::get_if<Operand::Immediate>(&pointer.is);
  const auto* to = std::get_if<Operand::Immediate>(&sum.is);
  if (from == nullptr || to == nullptr) return;
  const std::uint64_t given = from->value.to_u64(), reached = to->value.to_u64();
  for (const Variable& variable : memory_) {
    if (given < variable.address || given >= variable.address + variable.size()) continue;
    if (reached >= variable.address && reached + last <= variable.address + variable.size()) return;
    fail(at, fmt::format("an element of {}, which has {}", variable.name, variable.initial.size()));
  }
}

/// A division by 0 and a shift by more bits than there are have no defined value: [expr.mul], [expr.shift].
void CExpressions::require_defined(const Expression& at, std::string_view op, const CValue& right,
                                   unsigned width) const {
  if (!right.is_constant()) return;
  if ((op == "/" || op == "%") && right.constant() == 0) fail(at, "a divisor that is not 0");
  if ((op == "<<" || op == ">>") && right.constant() >= width)
    fail(at, fmt::format("a shift by 0 to {} bits", width - 1));
}

// ---- objects ----

CObject CExpressions::object(const Expression& expression) {
  if (expression.kind == Kind::name) {
    const CMeaning* meaning = lookup_(expression.text);
    if (meaning == nullptr) fail(expression, "a variable of the function");
    if (meaning->local || meaning->type.is_reference)
      return {meaning->local, meaning->address, meaning->type};
    fail(expression, "an object such as *" + expression.text + " or a local variable");
  }
  if (expression.kind == Kind::construction) {
    CObject result = object(expression.operands.front());
    const CType own = result.type;
    result.type = expression.type;
    if (result.local || own.width != expression.type.width)
      fail(expression.operands.front(), "an object in memory of the same size");
    return result;
  }
  const bool is_dereference = expression.kind == Kind::unary && expression.text == "*";
  if (!is_dereference && expression.kind != Kind::index) fail(expression, "an object such as *x");
  CValue pointer = value(expression.operands.front());
  if (!pointer.type.is_pointer) fail(expression.operands.front(), "a pointer");
  if (expression.kind == Kind::index) {
    const CValue element = pointer_sum(expression, "+", pointer, value(expression.operands[1]));
    require_inside(expression.operands[1], pointer.operand, element.operand, 1);
    pointer = element;
  }
  CObject result{std::nullopt, pointer.operand, pointer.type};
  result.type.is_pointer = false;
  return result;
}

CObject CExpressions::integer(const Expression& expression) {
  CObject result = object(expression);
  if (result.type.is_barrier) fail(expression, "an integer, or an operation on the barrier");
  return result;
}

CValue CExpressions::read(const CObject& object, Sem order, std::optional<Scope> scope) {
  if (object.local) return code_.value_of(*object.local, value_type(object.type));
  return code_.access_with_result("load" + suffix(object.type, order, scope),
                                  {memory_operand(object.address)}, value_type(object.type));
}

CValue CExpressions::read(const CObject& object) {
  return read(object, object.type.is_atomic ? Sem::sc : Sem::weak, std::nullopt);
}

void CExpressions::write(const CObject& object, const CValue& value, Sem order, std::optional<Scope> scope) {
  const CValue stored = code_.converted(value, value_type(object.type));
  if (object.local) return code_.assign(*object.local, stored);
  code_.access("store" + suffix(object.type, order, scope), {memory_operand(object.address), stored.operand});
}

void CExpressions::write(const CObject& object, const CValue& value) {
  write(object, value, object.type.is_atomic ? Sem::sc : Sem::weak, std::nullopt);
}

// ---- values ----

CValue CExpressions::value(const Expression& expression) {
  auto result = value_or_none(expression);
  if (!result) fail(expression, "an expression with a value");
  return *result;
}

std::optional<CValue> CExpressions::value_or_none(const Expression& expression) {
  switch (expression.kind) {
    case Kind::number:
      return constant_value(expression.number, expression.type);
    case Kind::name:
      return name(expression);
    case Kind::unary:
      return unary(expression);
    case Kind::postfix:
      return step(expression, true);
    case Kind::binary:
      return binary(expression);
    case Kind::conditional:
      return conditional(expression);
    case Kind::assignment:
      return assignment(expression);
    case Kind::index: {
      const CObject element = integer(expression);
      set_source(expression);
      return read(element);
    }
    case Kind::cast:
      return cast(expression);
    case Kind::construction:
      fail(expression, "an operation on the reference, such as .load()");
    case Kind::call:
    case Kind::member_call:
      return call(expression);
  }
  return std::nullopt;
}

CValue CExpressions::name(const Expression& expression) {
  const CMeaning* meaning = lookup_(expression.text);
  if (meaning == nullptr) fail(expression, "a variable of the function");
  if (meaning->local) return code_.value_of(*meaning->local, value_type(meaning->type));
  if (!meaning->type.is_reference) return {meaning->address, meaning->type};
  const CObject referred = integer(expression);
  set_source(expression);
  return read(referred);
}

CValue CExpressions::cast(const Expression& expression) {
  CValue result = value(expression.operands.front());
  if (expression.type.is_void) return result;
  if (expression.type.is_pointer != result.type.is_pointer)
    fail(expression, "a conversion between pointers or between numbers");
  if (!result.type.is_pointer) return code_.converted(result, value_type(expression.type));
  if (expression.type.width != result.type.width)
    throw Unsupported("an access to a part of a variable of a C++ litmus test",
                      source_.position(expression.first));
  result.type = expression.type;
  return result;
}

CValue CExpressions::unary(const Expression& expression) {
  const std::string& op = expression.text;
  const Expression& operand = expression.operands.front();
  if (op == "*") {
    const CObject target = integer(expression);
    set_source(expression);
    return read(target);
  }
  if (op == "&") {
    const CObject target = object(operand);
    if (target.local) fail(operand, "an object in memory: a local variable has no address");
    CValue result{target.address, target.type};
    result.type.is_pointer = true;
    result.type.is_reference = false;
    return result;
  }
  if (op == "++" || op == "--") return step(expression, false);
  if (op == "!") return code_.truth(condition(expression));
  const CValue given = value(operand);
  if (given.type.is_pointer) fail(operand, "a number");
  const CType type = promoted(given.type);
  if (op == "+") return {given.operand, type};
  const CValue zero = constant_value(op == "-" ? 0 : ~std::uint64_t{0}, type);
  return arithmetic(expression, op == "-" ? "-" : "^", zero, given);
}

CValue CExpressions::binary(const Expression& expression) {
  if (is_logical(expression)) return logical(expression);
  if (is_comparison(expression)) return code_.truth(comparison(expression));
  const std::size_t before = code_.accesses();
  const CValue left = value(expression.operands[0]);
  const std::size_t between = code_.accesses();
  const CValue right = value(expression.operands[1]);
  refuse_unsequenced(expression.operands[1], before, between);
  return arithmetic(expression, expression.text, left, right);
}

CValue CExpressions::arithmetic(const Expression& expression, std::string_view op, CValue left,
                                CValue right) {
  if (left.type.is_pointer || right.type.is_pointer) return pointer_sum(expression, op, left, right);
  const bool is_shift = op == "<<" || op == ">>";
  const CType type = is_shift ? promoted(left.type) : common_type(left.type, right.type);
  require_defined(expression.operands.back(), op, right, type.width);
  if (is_shift) return shift(op, left, right);
  left = code_.converted(left, type);
  right = code_.converted(right, type);
  std::string spelling;
  if (op == "&" || op == "|" || op == "^")
    spelling = op == "&" ? "and.b64" : op == "|" ? "or.b64" : "xor.b64";
  else
    spelling = fmt::format("{}.{}",
                           op == "+"   ? "add"
                           : op == "-" ? "sub"
                           : op == "*" ? "mul.lo"
                           : op == "/" ? "div"
                                       : "rem",
                           type_text(type));
  return code_.compute(spelling, {left.operand, right.operand}, type);
}

CValue CExpressions::shift(std::string_view op, const CValue& left, const CValue& right) {
  const CType type = promoted(left.type);
  if (op == ">>") return code_.compute("shr." + type_text(type), {left.operand, right.operand}, type);
  CType wide = type;
  wide.width = 64;
  wide.is_signed = !type.is_signed || type.width == 64;  // of another type, so that the conversion happens
  const CValue shifted = code_.compute("shl.b64", {left.operand, right.operand}, wide);
  return code_.converted(shifted, type);
}

CValue CExpressions::pointer_sum(const Expression& expression, std::string_view op, const CValue& left,
                                 const CValue& right) {
  if (!left.type.is_pointer || right.type.is_pointer || (op != "+" && op != "-"))
    fail(expression, "a pointer plus or minus a number");
  const CValue bytes =
      code_.compute("mul.lo.s64", {right.operand, immediate(left.type.width / 8)}, right.type);
  const CValue sum =
      code_.compute(op == "+" ? "add.s64" : "sub.s64", {left.operand, bytes.operand}, left.type);
  require_inside(expression.operands.back(), left.operand, sum.operand, 0);
  return sum;
}

// ---- conditions ----

Operand CExpressions::comparison(const Expression& expression) {
  const std::size_t before = code_.accesses();
  CValue left = value(expression.operands[0]);
  const std::size_t between = code_.accesses();
  CValue right = value(expression.operands[1]);
  refuse_unsequenced(expression.operands[1], before, between);
  const CType type = common_type(left.type, right.type);
  left = code_.converted(left, type);
  right = code_.converted(right, type);
  return code_.test(fmt::format("setp.{}.{}", comparison_name(expression.text), type_text(type)),
                    {left.operand, right.operand});
}

Operand CExpressions::condition(const Expression& expression) {
  if (is_comparison(expression)) return comparison(expression);
  const bool is_negation = expression.kind == Kind::unary && expression.text == "!";
  const CValue given = value(is_negation ? expression.operands.front() : expression);
  return code_.test(is_negation ? "setp.eq.s64" : "setp.ne.s64", {given.operand, immediate(0)});
}

/// `&&` and `||` evaluate the right operand only if the left one does not decide.
CValue CExpressions::logical(const Expression& expression) {
  const bool is_and = expression.text == "&&";
  const Operand left = condition(expression.operands[0]);
  if (const auto* known = std::get_if<Operand::Immediate>(&left.is)) {
    if (known->value.is_true() != is_and) return constant_value(is_and ? 0 : 1, CType());
    return code_.truth(condition(expression.operands[1]));
  }
  const CValue first = code_.truth(left);
  if (!has_effects(expression.operands[1])) {
    const CValue second = code_.truth(condition(expression.operands[1]));
    return code_.compute(is_and ? "and.b64" : "or.b64", {first.operand, second.operand}, CType());
  }
  const RegisterId result = code_.add_register("%logical");
  code_.assign(result, first);
  const CCode::Jump over = code_.jump_if(left, !is_and);
  const CCode::Knowledge skipped = code_.knowledge();
  code_.assign(result, code_.truth(condition(expression.operands[1])));
  code_.set_target(over, code_.here());
  code_.join(skipped);
  return code_.value_of(result, CType());
}

CValue CExpressions::conditional(const Expression& expression) {
  const Operand chosen = condition(expression.operands[0]);
  if (const auto* known = std::get_if<Operand::Immediate>(&chosen.is))
    return value(expression.operands[known->value.is_true() ? 1 : 2]);
  if (has_effects(expression.operands[1]) || has_effects(expression.operands[2]))
    throw Unsupported("an access to memory in an operand of '?:'", source_.position(expression.first));
  const CValue yes = value(expression.operands[1]), no = value(expression.operands[2]);
  const CType type = common_type(yes.type, no.type);
  return code_.compute("selp.b64",
                       {code_.converted(yes, type).operand, code_.converted(no, type).operand, chosen}, type);
}

// ---- changes ----

/// The right side is sequenced before the left one: [expr.ass].
CValue CExpressions::assignment(const Expression& expression) {
  CValue given = value(expression.operands[1]);
  const CObject target = integer(expression.operands[0]);
  set_source(expression);
  if (expression.text != "=")
    return updated(expression, target,
                   std::string_view(expression.text).substr(0, expression.text.size() - 1), given, false);
  if (given.type.is_pointer != target.type.is_pointer)
    fail(expression.operands[1], "a value of the same kind");
  write(target, given);
  return code_.converted(given, value_type(target.type));
}

CValue CExpressions::step(const Expression& expression, bool returns_old) {
  const CObject target = integer(expression.operands.front());
  set_source(expression);
  return updated(expression, target, expression.text.substr(0, 1), constant_value(1, CType()), returns_old);
}

CValue CExpressions::updated(const Expression& expression, const CObject& target, std::string_view op,
                             const CValue& given, bool returns_old) {
  const CType type = value_type(target.type);
  if (!target.type.is_atomic || target.local) {
    CValue old = read(target);
    if (returns_old && target.local && !old.is_constant())  // a copy, since the variable changes
      old = code_.compute("add.s64", {old.operand, immediate(0)}, type);
    const CValue made = code_.converted(arithmetic(expression, op, old, given), type);
    write(target, made);
    return returns_old ? old : made;
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> updates = {
      {{"+", "add"}, {"-", "sub"}, {"&", "and"}, {"|", "or"}, {"^", "xor"}}};
  const auto found = std::ranges::find(updates, op, [](const auto& row) { return row.first; });
  if (found == updates.end()) fail(expression, "one of += -= &= |= ^= for an atomic object");
  const CValue operand = code_.converted(given, type);
  const std::string strength = strength_text(Sem::sc, target.type.scope.value_or(Scope::sys));
  const CValue old =
      code_.access_with_result(fmt::format("rmw{}.{}.{}", strength, found->second, type_text(type)),
                               {memory_operand(target.address), operand.operand}, type);
  if (returns_old) return old;
  return code_.converted(arithmetic(expression, op, old, operand), type);
}

// ---- atomic operations ----

}  // namespace ptxmc
