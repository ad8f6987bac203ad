// Calls of atomic operations, fences and barriers in the expressions of a function.
#include <fmt/format.h>

#include "src/litmus/c_accesses.hpp"
#include "src/litmus/c_expressions.hpp"
#include "src/litmus/c_instructions.hpp"
#include "src/litmus/c_words.hpp"

namespace ptxmc {

using c_syntax::CType;
using c_syntax::Expression;
using Kind = Expression::Kind;

CObject CExpressions::atomic_object(const AtomicCall& call) {
  if (!call.object_is_pointer) {
    const CObject result = object(*call.object);
    if (result.local || !(result.type.is_atomic || result.type.is_barrier))
      fail(*call.object, "an atomic object");
    return result;
  }
  const CValue pointer = value(*call.object);
  if (!pointer.type.is_pointer) fail(*call.object, "a pointer to an atomic object");
  CObject result{std::nullopt, pointer.operand, pointer.type};
  result.type.is_pointer = false;
  return result;
}

std::optional<CValue> CExpressions::call(const Expression& expression) {
  const bool is_move = expression.text == "move" && expression.operands.size() == 1;  // std::move(token)
  if (is_move) return value(expression.operands.front());
  const auto call = atomic_call(expression, source_);
  if (!call)
    throw Unsupported("the function '" + expression.text + "' in a C++ litmus test",
                      source_.position(expression.first));
  return perform(expression, *call);
}

std::optional<CValue> CExpressions::perform(const Expression& expression, const AtomicCall& call) {
  using Operation = AtomicCall::Kind;
  switch (call.kind) {
    case Operation::fence:
      set_source(expression);
      fence(call);
      return std::nullopt;
    case Operation::no_fence:
      return std::nullopt;
    case Operation::barrier:
      set_source(expression);
      code_.effect("bar.sync", {immediate(0)});
      return std::nullopt;
    default:
      break;
  }
  const CObject target = atomic_object(call);
  if (target.type.is_barrier) return use_barrier(expression, call, target);
  const CType type = value_type(target.type);
  if (call.kind == Operation::compare_exchange) return compare_exchange(expression, call, target);
  std::optional<CValue> given;
  if (!call.values.empty()) given = code_.converted(value(*call.values.front()), type);
  set_source(expression);
  switch (call.kind) {
    case Operation::load:
      return read(target, call.order, call.scope);
    case Operation::store:
      write(target, *given, call.order, call.scope);
      return std::nullopt;
    case Operation::init:
      write(target, *given, Sem::weak, std::nullopt);
      return std::nullopt;
    case Operation::wait:
      wait_for_change(*given, [&] { return read(target, call.order, call.scope); });
      return std::nullopt;
    case Operation::update: {
      const Scope scope = call.scope.value_or(target.type.scope.value_or(Scope::sys));
      return code_.access_with_result(
          fmt::format("rmw{}.{}.{}", strength_text(call.order, scope), call.operation, type_text(type)),
          {memory_operand(target.address), given->operand}, type);
    }
    case Operation::notify:
      return std::nullopt;
    default:
      fail(*call.object, "a barrier");
  }
}

/// Waits until what is read is another value.
void CExpressions::wait_for_change(const CValue& from, const std::function<CValue()>& read_again) {
  code_.forget();
  const Target head = code_.here();
  const CValue now = read_again();
  const Operand is_same = code_.test("setp.eq.s64", {now.operand, from.operand});
  code_.set_target(code_.jump_if(is_same, true), head);
}

/// [thread.barrier.class]: the completion of a phase, which its last arrival begins, happens after every
/// arrival of the phase, and before every return from a wait for it. Here all arrivals release and are in the
/// release sequences of those before them, and a wait acquires from the last one.
std::optional<CValue> CExpressions::use_barrier(const Expression& expression, const AtomicCall& call,
                                                const CObject& barrier) {
  using Operation = AtomicCall::Kind;
  const bool is_arrival = call.kind == Operation::arrive || call.kind == Operation::arrive_and_wait ||
                          call.kind == Operation::arrive_and_drop;
  if (!is_arrival && call.kind != Operation::wait) fail(*call.object, "an atomic object");
  const CType type = value_type(barrier.type);
  const Scope scope = barrier.type.scope.value_or(Scope::sys);
  const auto phase_of = [&](const CValue& word) {
    return code_.compute("shr.u64", {word.operand, immediate(barrier_phase)}, type);
  };
  std::optional<CValue> token;
  if (!is_arrival) token = value(*call.values.front());
  set_source(expression);
  if (is_arrival) {
    const char* opcode = call.kind == Operation::arrive_and_drop ? "barrier_drop" : "barrier_arrive";
    token =
        phase_of(code_.access_with_result(fmt::format("{}{}.u64", opcode, strength_text(Sem::release, scope)),
                                          {memory_operand(barrier.address)}, type));
  }
  if (call.kind == Operation::arrive) return token;
  if (call.kind == Operation::arrive_and_drop) return std::nullopt;
  wait_for_change(*token, [&] {
    const std::string spelling = "barrier_wait" + strength_text(Sem::acquire, scope) + ".u64";
    return phase_of(code_.access_with_result(spelling, {memory_operand(barrier.address)}, type));
  });
  return std::nullopt;
}

void CExpressions::fence(const AtomicCall& call) {
  const Scope scope = call.scope.value_or(Scope::sys);
  if (scope == Scope::none) return;  // orders only the thread itself
  code_.effect("fence" + strength_text(call.order, scope), {});
}

/// The expected value is a local variable, which gets the value that was read.
CValue CExpressions::compare_exchange(const Expression& expression, const AtomicCall& call,
                                      const CObject& target) {
  const CType type = value_type(target.type);
  const Expression* written = call.values[0];
  std::optional<CObject> local;
  if (!call.returns_old) {
    const bool is_address = written->kind == Kind::unary && written->text == "&";
    if (call.object_is_pointer && !is_address)
      throw Unsupported("an expected value that is no local variable", source_.position(written->first));
    local = object(is_address ? written->operands.front() : *written);
    if (!local->local) throw Unsupported("an expected value in memory", source_.position(written->first));
  }
  const CValue expected = code_.converted(local ? read(*local) : value(*written), type);
  const CValue desired = code_.converted(value(*call.values[1]), type);
  set_source(expression);
  const bool may_fail = call.is_weak && &expression != strong_;
  const Swap swap =
      may_fail ? weak_swap(call, target, expected, desired) : strong_swap(call, target, expected, desired);
  if (!local) return swap.old;
  write(*local, swap.old);
  return swap.succeeds;
}

CExpressions::Swap CExpressions::strong_swap(const AtomicCall& call, const CObject& target,
                                             const CValue& expected, const CValue& desired) {
  const Scope scope = call.scope.value_or(target.type.scope.value_or(Scope::sys));
  const char* failure = scope == Scope::none || call.failure == Sem::relaxed ? "relaxed"
                        : call.failure == Sem::acquire                       ? "acquire"
                                                                             : "sc";
  const CValue old = code_.access_with_result(
      fmt::format("cas_fails_{}{}", failure, suffix(expected.type, call.order, scope)),
      {memory_operand(target.address), expected.operand, desired.operand}, expected.type);
  return {old, code_.truth(code_.test("setp.eq.s64", {old.operand, expected.operand}))};
}

/// A failure for no reason is a way of its own, so that what follows it does not depend on the value read.
CExpressions::Swap CExpressions::weak_swap(const AtomicCall& call, const CObject& target,
                                           const CValue& expected, const CValue& desired) {
  const RegisterId old = code_.add_register("%old"), succeeds = code_.add_register("%succeeds");
  const CCode::Jump to_attempt = code_.jump_if(code_.weak_failure(), false);
  code_.assign(old, code_.access_with_result("weak_cas_reads" + suffix(target.type, call.failure, call.scope),
                                             {memory_operand(target.address)}, expected.type));
  code_.assign(succeeds, constant_value(0, CType()));
  const CCode::Jump over = code_.jump();
  const CCode::Knowledge failed = code_.knowledge();
  code_.set_target(to_attempt, code_.here());
  const Swap attempt = strong_swap(call, target, expected, desired);
  code_.assign(old, attempt.old);
  code_.assign(succeeds, attempt.succeeds);
  code_.set_target(over, code_.here());
  code_.join(failed);
  return {code_.value_of(old, expected.type), code_.value_of(succeeds, CType())};
}

}  // namespace ptxmc
