#include "semantics/language/mbarrier_state.hpp"

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

constexpr unsigned count_width = MbarrierState::count_width;
constexpr unsigned transactions_width = MbarrierState::transactions_width;

Bits to_count(const Bits& operand) { return operand.extract(0, count_width); }
Bits to_transactions(const Bits& operand) { return operand.extract(0, transactions_width); }

Bits pending_after(const MbarrierState& state, const MbarrierStep& step) {
  return state.pending + to_count(step.increments) - to_count(step.arrivals);
}

Bits transactions_after(const MbarrierState& state, const MbarrierStep& step) {
  return state.transactions + to_transactions(step.expects) - to_transactions(step.completes);
}

}  // namespace

MbarrierState mbarrier_state(const Bits& word) {
  MbarrierState state;
  state.pending = word.extract(0, count_width);
  state.expected = word.extract(count_width, count_width);
  state.transactions = word.extract(2 * count_width, transactions_width);
  state.phase = word.extract(2 * count_width + transactions_width, MbarrierState::phase_width);
  return state;
}

Bits word_of(const MbarrierState& state) {
  return concat(concat(state.phase, state.transactions), concat(state.expected, state.pending));
}

MbarrierState initial_mbarrier_state(const Bits& count) {
  return {.pending = to_count(count),
          .expected = to_count(count),
          .transactions = Bits(transactions_width, 0),
          .phase = Bits(MbarrierState::phase_width, 0)};
}

Bits completes_phase(const MbarrierState& state, const MbarrierStep& step) {
  if (!step.may_complete) return Bits::boolean(false);
  return is_zero(pending_after(state, step)) & is_zero(transactions_after(state, step));
}

MbarrierState after(const MbarrierState& state, const MbarrierStep& step) {
  const Bits completes = completes_phase(state, step);
  MbarrierState next = state;
  next.expected = state.expected - to_count(step.drops);
  next.pending = ite(completes, next.expected, pending_after(state, step));
  next.transactions = transactions_after(state, step);
  next.phase = state.phase + completes.zero_extend(MbarrierState::phase_width);
  return next;
}

Bits has_valid_transactions(const MbarrierState& state, const MbarrierStep& step) {
  constexpr unsigned wide = 64;
  const Bits exact = state.transactions.sign_extend(wide) + step.expects.zero_extend(wide) -
                     step.completes.zero_extend(wide);
  const Bits from_least = exact + Bits(wide, largest_mbarrier_count);
  return less_equal_unsigned(from_least, Bits(wide, 2 * largest_mbarrier_count));
}

}  // namespace ptxmc
