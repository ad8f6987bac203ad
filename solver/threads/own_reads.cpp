#include "solver/threads/own_reads.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "solver/limits/time_limit.hpp"
#include "solver/threads/overlaps.hpp"

namespace ptxmc {

namespace {

/// The unknowns that decide which events happen, and where.
std::set<VariableId> deciding_unknowns(const OpenThread& thread) {
  std::set<VariableId> result;
  const auto add = [&](const Bits& term) {
    if (term.width() != 0 && !term.is_constant())
      for (const VariableId unknown : variables_of(term)) result.insert(unknown);
  };
  for (const Event& event : thread.structure.events) {
    add(event.condition);
    if (event.is_memory_access()) add(event.location);
  }
  for (const Ending& ending : thread.structure.endings.front()) add(ending.condition);
  for (const OpenExchange& exchange : thread.exchanges) add(exchange.condition);
  return result;
}

class OwnReads {
 public:
  explicit OwnReads(OpenQuestions& questions)
      : questions_(questions), deciding_(deciding_unknowns(questions.thread())) {}

  void assume() {
    for (const Event& read : questions_.thread().structure.events) {
      TimeLimit::check();
      if (!decides(read)) continue;
      if (const Event* const write = last_own_write(read); write != nullptr && is_own(*write, read))
        questions_.assume(implies(write->condition & read.condition, equal(read.value, write->value)));
    }
  }

 private:
  bool decides(const Event& read) const {
    return read.is_read() && read.access.proxy == Proxy::generic && !read.value.is_constant() &&
           read.value.term()->op == Operator::variable && deciding_.contains(read.value.term()->variable);
  }

  /// The last write of the thread that may touch the bytes of a read, if it touches just these.
  const Event* last_own_write(const Event& read) const {
    const Event* last = nullptr;
    for (const Event& event : questions_.thread().structure.events)
      if (event.is_write() && event.step < read.step && !event.condition.is_false() &&
          may_overlap(event, read) && (last == nullptr || event.step >= last->step))
        last = &event;
    const OpenThread& thread = questions_.thread();
    if (last == nullptr || may_skip_write(thread, last->step, read.step, read)) return nullptr;
    // Other threads may be one iteration ahead of those that are unfolded.
    if (is_in_lockstep(thread, last->step) || is_in_lockstep(thread, read.step)) return nullptr;
    const bool is_same = last->size == read.size && last->access.proxy == Proxy::generic &&
                         identical(last->location, read.location);
    return is_same ? last : nullptr;
  }

  /// Whether no other thread writes the bytes between the barriers around a write and a read of one thread.
  bool is_own(const Event& write, const Event& read) {
    for (const Neighbours relation : {Neighbours::in_cta, Neighbours::across_ctas}) {
      ThreadPair* const pair = questions_.pair(relation);
      if (pair == nullptr) continue;
      const BarriersBetween barriers(questions_.thread(), relation);
      Bits some = Bits::boolean(false);
      for (const Event& other : questions_.thread().structure.events) {
        if (!other.is_write() || other.condition.is_false() || !may_overlap(other, read)) continue;
        const bool is_shared =
            is_in_shared_memory(questions_.thread(), other) || is_in_shared_memory(questions_.thread(), read);
        if (relation == Neighbours::across_ctas && is_shared) continue;
        const bool is_ordered =
            other.access.proxy == Proxy::generic &&
            (barriers.is_certain(other.step, write.step) || barriers.is_certain(read.step, other.step));
        if (!is_ordered) some = some | (pair->other(other.condition) & overlap_of(read, other, *pair));
      }
      if (!questions_.never(relation, write.condition & read.condition & some)) return false;
    }
    return true;
  }

  OpenQuestions& questions_;
  const std::set<VariableId> deciding_;
};

}  // namespace

void assume_own_reads(OpenQuestions& questions) { OwnReads(questions).assume(); }

}  // namespace ptxmc
