#include "solver/threads/broadcasts.hpp"

#include <algorithm>
#include <map>

#include "solver/limits/time_limit.hpp"
#include "solver/threads/overlaps.hpp"
#include "solver/threads/writing_thread.hpp"

namespace ptxmc {

namespace {

/// Looks for the write of each read at a constant location of shared memory.
class Broadcasts {
 public:
  explicit Broadcasts(OpenQuestions& questions) : questions_(questions) {
    for (const Event& event : questions.thread().structure.events) {
      const bool is_barrier = event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta;
      if (is_barrier &&
          (is_same_in_cta(questions.thread(), event.condition) || questions.never(~event.condition)))
        barriers_.push_back(&event);
    }
  }

  std::vector<Broadcast> find() {
    std::vector<Broadcast> result;
    for (const Event& event : questions_.thread().structure.events) {
      TimeLimit::check();
      if (!is_read(event)) continue;
      if (const Event* const write = write_of(event)) result.push_back({write, &event});
    }
    return result;
  }

 private:
  bool is_read(const Event& event) const {
    return event.is_read() && event.rmw == -1 && event.location.is_constant() && !event.value.is_constant() &&
           !event.condition.is_false() && event.access.proxy == Proxy::generic &&
           is_in_shared_memory(questions_.thread(), event);
  }

  /// The write that the read takes, which one thread of each CTA performs; null if another one is possible.
  const Event* write_of(const Event& read) {
    const Event* last = nullptr;
    for (const Event& write : questions_.thread().structure.events) {
      if (!write.is_write() || write.condition.is_false() || !may_overlap(write, read)) continue;
      if (!identical(write.location, read.location) || write.size != read.size || write.rmw >= 0 ||
          write.access.proxy != Proxy::generic || is_repeated(questions_.thread(), write.step))
        return nullptr;
      if (!questions_.never(write.condition & ~is_writer(write))) return nullptr;
      if (last != nullptr && !identical(is_writer(write), is_writer(*last))) return nullptr;
      if (write.step < read.step)
        last = &write;
      else if (!is_between(read, write, write.condition))
        return nullptr;
    }
    return last != nullptr && is_written_before(*last, read) ? last : nullptr;
  }

  /// The condition that the thread is the one of its CTA that may perform a write: the first one that may, as
  /// far as its position says.
  Bits is_writer(const Event& write) {
    const OpenThread& thread = questions_.thread();
    Bits& result = writers_[&write];
    if (result.width() != 0) return result;
    std::uint64_t number = 0;
    while (!thread.has_open_block && number + 1 < thread.threads_of_cta &&
           position_in_cta(thread, number).apply(write.condition).is_false())
      ++number;
    result = equal(thread.number, Bits(32, number));
    return result;
  }

  /// Whether a barrier is between two events, which a thread executes under this condition.
  bool is_between(const Event& first, const Event& second, const Bits& condition) {
    return std::ranges::any_of(barriers_, [&](const Event* barrier) {
      return first.step < barrier->step && barrier->step < second.step &&
             questions_.never(condition & ~barrier->condition);
    });
  }

  /// Whether the writing thread writes before a barrier that is between the write and the read, whatever
  /// thread of its CTA reads.
  bool is_written_before(const Event& write, const Event& read) {
    return std::ranges::any_of(barriers_, [&](const Event* barrier) {
      return write.step < barrier->step && barrier->step < read.step &&
             questions_.never(read.condition & ~barrier->condition) &&
             questions_.never(is_writer(write) & barrier->condition & ~write.condition);
    });
  }

  OpenQuestions& questions_;
  std::vector<const Event*> barriers_;    // that all threads of a CTA execute, or none
  std::map<const Event*, Bits> writers_;  // see is_writer
};

}  // namespace

std::vector<Broadcast> find_broadcasts(OpenQuestions& questions) { return Broadcasts(questions).find(); }

void assume_broadcasts(OpenQuestions& questions, const std::vector<Broadcast>& broadcasts) {
  for (const Broadcast& one : broadcasts) {
    const Event &write = *one.write, &read = *one.read;
    questions.assume(implies(write.condition & read.condition, equal(write.value, read.value)));
  }
  for (const Neighbours relation : {Neighbours::in_warp, Neighbours::across_warps, Neighbours::in_cta}) {
    ThreadPair* const pair = questions.pair(relation);
    if (pair == nullptr) continue;
    const auto assume_same = [&](const Event& own, const Event& of_other) {
      questions.assume(relation, implies(own.condition & pair->other(of_other.condition),
                                         equal(own.value, pair->other(of_other.value))));
    };
    for (const Broadcast& own : broadcasts) {
      assume_same(*own.write, *own.read);
      assume_same(*own.read, *own.write);
      for (const Broadcast& other : broadcasts)
        if (own.write == other.write) assume_same(*own.read, *other.read);
    }
  }
}

Bits says(OpenQuestions& questions, const Broadcast& broadcast, const Bits& of_writer) {
  const auto& [write, read] = broadcast;
  const Bits zero(write->value.width(), 0);
  const Bits writes_zero = equal(write->value, zero), reads_zero = equal(read->value, zero);
  if (questions.never(write->condition & ~writes_zero & ~of_writer)) return read->condition & ~reads_zero;
  if (questions.never(write->condition & writes_zero & ~of_writer)) return read->condition & reads_zero;
  return Bits::boolean(false);
}

}  // namespace ptxmc
