// Threads that wait for ever: at a barrier, or in a loop.
#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/mbarrier_state.hpp"
#include "semantics/language/mbarrier_text.hpp"
#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

namespace {

bool are_same(const std::vector<Frame>& a, const std::vector<Frame>& b) {
  return std::ranges::equal(a, b, [](const Frame& x, const Frame& y) {
    return x.function == y.function && x.next == y.next && x.stack == y.stack &&
           std::ranges::equal(x.registers, y.registers,
                              [](const Bits& p, const Bits& q) { return identical(p, q); });
  });
}

}  // namespace

/// Whether memory has not changed for so long that it is worth comparing the states of threads, and no
/// asynchronous operation can change it.
bool Machine::is_quiet() const {
  constexpr std::uint64_t long_time = std::uint64_t{1} << 20;  // instructions
  return schedule_.steps - schedule_.last_change > long_time && asynchronous_.started.empty();
}

/// The thread has executed an instruction. What it does next depends only on its registers and on memory
/// (clocks are registers here). Returns whether it is found now that the thread repeats its states.
bool Machine::compare_states(Thread& thread) {
  Repetition& repetition = thread.repetition;
  if (repetition.is_found && repetition.since == schedule_.last_change) return false;
  if (repetition.since != schedule_.last_change || repetition.kept.empty()) {
    repetition = {.since = schedule_.last_change, .kept = thread.frames};
  } else if (are_same(repetition.kept, thread.frames)) {
    repetition.is_found = true;
  } else if (++repetition.steps == repetition.most) {
    repetition = {.since = schedule_.last_change, .kept = thread.frames, .most = 2 * repetition.most};
  }
  return repetition.is_found;
}

/// Whether every thread that could go on repeats its states, so that none ever changes memory.
bool Machine::all_repeat() const {
  return std::ranges::all_of(running_.threads, [&](const Thread* thread) {
    return thread->state != Thread::State::running ||
           (thread->repetition.is_found && thread->repetition.since == schedule_.last_change);
  });
}

/// What the phase waits for that the thread has tested in the loop that it repeats; empty if it tests none.
std::string Machine::unfinished_phase(const Thread& thread) const {
  const auto& test = thread.failed_test;
  if (!test || test->step <= schedule_.last_change || !test->word.is_constant()) return {};
  const std::string name = source_name(test->memory->name);
  return fmt::format("; it reads {}, whose phase {} waits for {}",
                     test->offset == 0 ? name : fmt::format("{}+{}", name, test->offset),
                     mbarrier_state(test->word).phase.to_u64(), pending_text(test->word));
}

void Machine::report_deadlock() {
  const auto has_not_ended = [](const Thread* t) {
    return t->state == Thread::State::waiting || t->state == Thread::State::running;
  };
  const auto count = std::ranges::count_if(running_.threads, has_not_ended);
  thread_ = *std::ranges::find_if(running_.threads, has_not_ended);
  const Instruction& at = frame().function->lowered.code[frame().next - 1];
  const std::string what = thread_->state == Thread::State::waiting
                               ? fmt::format("waits for ever at {}", at.form->spelling)
                               : "repeats a loop for ever";
  const std::string others = count == 1   ? ""
                             : count == 2 ? ", as another thread does"
                                          : fmt::format(", as {} more threads do", count - 1);
  const bool is_in_loop = thread_->state == Thread::State::running;
  note("deadlock", what + others + (is_in_loop ? unfinished_phase(*thread_) : ""));
}

}  // namespace ptxmc::kernel
