#include "solver/meetings/mbarrier_simulation.hpp"

#include <algorithm>

#include "model/program/barriers.hpp"
#include "semantics/language/mbarrier_state.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

using Past = MbarrierPast;
using SharedPast = std::shared_ptr<const Past>;

/// Both; a null pointer is an empty past.
SharedPast joined(const SharedPast& a, const SharedPast& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  Past result = *a;
  result.include(*b);
  return std::make_shared<const Past>(std::move(result));
}

constexpr unsigned phase_count = 1u << MbarrierState::phase_width;

/// The content of the object after an update that reads `word`; empty if it depends on anything else.
std::optional<Bits> updated(const Event& read, const Event& write, const Bits& word) {
  Substitution known;
  known.set(read.value.term()->variable, word);
  const Bits result = known.apply(write.value);
  return result.is_constant() ? std::optional(result) : std::nullopt;
}

/// Finds the counts of an update from its effect on an object with large counts.
std::optional<MbarrierUpdate> counts_of(const Event& read, const Event& write) {
  constexpr std::uint64_t large = 1u << (MbarrierState::count_width - 1);
  MbarrierState before;
  before.pending = before.expected = Bits(MbarrierState::count_width, large);
  before.transactions = Bits(MbarrierState::transactions_width, 0);
  before.phase = Bits(MbarrierState::phase_width, 0);
  const auto word = updated(read, write, word_of(before));
  if (!word) return std::nullopt;
  const MbarrierState after = mbarrier_state(*word);
  const std::uint64_t pending = after.pending.to_u64(), expected = after.expected.to_u64();
  if (after.phase.to_u64() != 0 || pending == 0 || expected > large) return std::nullopt;
  MbarrierUpdate result;
  (pending > large ? result.increments : result.arrivals) =
      pending > large ? pending - large : large - pending;
  result.drops = large - expected;
  const auto transactions = static_cast<std::int64_t>(after.transactions.sign_extend(64).to_u64());
  (transactions >= 0 ? result.expects : result.completes) =
      static_cast<std::uint64_t>(transactions >= 0 ? transactions : -transactions);
  const bool has_effect = result.increments + result.arrivals + result.expects + result.completes > 0;
  return has_effect ? std::optional(result) : std::nullopt;
}

class Simulator {
 public:
  Simulator(const EventStructure& structure, const BarrierSchedule& schedule, const MbarrierWaits& waits,
            const std::set<EventId>& endless)
      : structure_(structure),
        schedule_(schedule),
        waits_(waits),
        endless_(endless),
        threads_(structure.endings.size()) {
    for (const MbarrierWaits::Poll& poll : waits.polls()) polls_.emplace(poll.read, &poll);
  }

  std::optional<MbarrierSimulation> run() {
    if (!find_steps()) return std::nullopt;
    for (bool changed = true; changed;) {
      changed = false;
      TimeLimit::check();
      for (Thread& thread : threads_)
        while (!thread.is_past_all() && go_on(thread)) changed = true;
      if (is_unsupported_) return std::nullopt;
    }
    for (const Thread& thread : threads_)
      if (!thread.is_past_all()) note_blocked(thread.steps[thread.next]);
    if (is_unsupported_) return std::nullopt;
    return std::move(result_);
  }

 private:
  struct Thread {
    std::vector<EventId> steps;  ///< at which it meets other threads
    std::size_t next = 0;
    bool has_arrived = false;  ///< at the barrier at which it waits
    SharedPast past;

    bool is_past_all() const { return next == steps.size(); }
  };
  /// A phase of a barrier.
  struct Phase {
    std::size_t missing = 0;  ///< arrivals
    SharedPast arrived;       ///< the past of its arrivals
  };
  /// An mbarrier object.
  struct Object {
    Bits word;
    SharedPast updated, complete;  ///< the past of all updates, and of those of complete phases
  };

  const Event& at(EventId id) const { return structure_.events[index(id)]; }

  /// Finds the steps of each thread at which threads meet. The write stands for both halves of an update.
  bool find_steps() {
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      const Event& event = at(id);
      const bool is_barrier = event.kind == EventKind::barrier && schedule_[index(id)] >= 0;
      const bool is_access = event.is_memory_access() && event.access.mbarrier != MbarrierAccess::none;
      if ((!is_barrier && !is_access) || event.condition.is_false()) continue;
      if (!event.condition.is_true() || (is_access && !event.location.is_constant())) return false;
      if (is_barrier && arrives_at_barrier(event)) ++phases_[schedule_[index(id)]].missing;
      if (is_access && event.is_read() && event.rmw >= 0) continue;
      if (event.kind == EventKind::initial_write) {
        if (!init(id)) return false;
      } else {
        threads_[index(event.thread)].steps.push_back(id);
      }
    }
    return true;
  }

  /// Performs the next step of a thread. Returns whether it could.
  bool go_on(Thread& thread) {
    const EventId id = thread.steps[thread.next];
    const bool goes_on = at(id).kind == EventKind::barrier ? meet(id, thread) : access(id);
    if (goes_on) ++thread.next;
    return goes_on;
  }

  bool meet(EventId id, Thread& thread) {
    Phase& phase = phases_[schedule_[index(id)]];
    const bool orders = !at(id).barrier.gathers_warp();
    if (!thread.has_arrived && arrives_at_barrier(at(id))) {
      --phase.missing;
      if (orders) phase.arrived = joined(phase.arrived, thread.past);
    }
    thread.has_arrived = waits_at_barrier(at(id)) && phase.missing > 0;
    if (orders && waits_at_barrier(at(id)) && phase.missing == 0)
      thread.past = joined(thread.past, phase.arrived);
    return !thread.has_arrived;
  }

  bool fail() {
    is_unsupported_ = true;
    return false;
  }

  bool access(EventId id) {
    const Event& event = at(id);
    if (event.access.mbarrier == MbarrierAccess::init) return init(id) || fail();
    const auto object = object_at_.find(event.location.to_u64());
    if (object == object_at_.end() || result_.objects[object->second].inval) return fail();
    if (event.access.mbarrier == MbarrierAccess::inval) {
      result_.objects[object->second].inval = id;
      return true;
    }
    return event.is_read() ? poll(id, object->second) : update(id, object->second);
  }

  bool init(EventId id) {
    const Event& event = at(id);
    const std::uint64_t location = event.location.to_u64();
    if (!event.value.is_constant() || event.value.width() != 64) return false;
    object_at_[location] = result_.objects.size();
    MbarrierObject& object = result_.objects.emplace_back();
    object.location = location;
    object.init = id;
    objects_.push_back({event.value, {}, {}});
    begin_phase(object_at_.at(location));
    return true;
  }

  void begin_phase(std::size_t object) {
    const MbarrierState state = mbarrier_state(objects_[object].word);
    MbarrierPhase& phase = result_.objects[object].phases.emplace_back();
    phase.pending = state.pending.to_u64();
    phase.expected = state.expected.to_u64();
  }

  bool update(EventId id, std::size_t number) {
    const Event &write = at(id), &read = at(write.rmw);
    MbarrierObject& found = result_.objects[number];
    Object& object = objects_[number];
    const auto counts = counts_of(read, write);
    const auto word = updated(read, write, object.word);
    if (!counts || !word) return fail();
    result_.phase_of[write.rmw] = found.last_phase();
    MbarrierUpdate& own = found.phases.back().updates.emplace_back(*counts);
    own.read = write.rmw;
    own.write = id;
    object.word = *word;
    const SharedPast& past = threads_[index(read.thread)].past;
    result_.past[write.rmw] = past;
    object.updated = joined(object.updated, past);
    if (mbarrier_state(*word).phase.to_u64() != found.last_phase() % phase_count) {
      object.complete = object.updated;
      begin_phase(number);
    }
    return true;
  }

  bool poll(EventId id, std::size_t number) {
    const unsigned phase = result_.objects[number].last_phase();
    result_.phase_of[id] = phase;
    const auto poll = polls_.find(id);
    if (poll == polls_.end()) return fail();
    if (endless_.contains(poll->second->last)) {
      result_.endless.emplace(id, number);
      return true;
    }
    const auto is_over = succeeds(*poll->second, structure_, waits_, result_.phase_of, phase);
    if (!is_over) return fail();
    if (*is_over) {
      result_.passed.emplace(id, MbarrierSimulation::PassedPoll{number, phase});
      pass(at(id), number, phase);
    }
    return *is_over;
  }

  /// A poll returns True in this phase of an object.
  void pass(const Event& poll, std::size_t number, unsigned phase) {
    Past own;
    own.polls.resize(index(poll.thread) + 1, 0);
    own.polls.back() = poll.step + 1;
    own.phases.resize(number + 1, 0);
    own.phases.back() = phase;
    SharedPast& past = threads_[index(poll.thread)].past;
    for (const SharedPast& before : {past, objects_[number].complete})
      if (before) own.include(*before);
    past = std::make_shared<const Past>(std::move(own));
  }

  /// A thread that waits at a barrier waits for a thread that waits at an mbarrier.
  void note_blocked(EventId id) {
    if (at(id).kind != EventKind::barrier) result_.blocked.push_back(polls_.at(id)->last);
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  const MbarrierWaits& waits_;
  const std::set<EventId>& endless_;
  std::map<EventId, const MbarrierWaits::Poll*> polls_;
  std::vector<Thread> threads_;
  std::map<int, Phase> phases_;  // by number in the schedule
  std::map<std::uint64_t, std::size_t> object_at_;
  std::vector<Object> objects_;  // as in the result
  bool is_unsupported_ = false;
  MbarrierSimulation result_;
};

/// Makes each number the larger one of both lists.
void raise(std::vector<unsigned>& numbers, const std::vector<unsigned>& others) {
  numbers.resize(std::max(numbers.size(), others.size()), 0);
  for (std::size_t i = 0; i < others.size(); ++i) numbers[i] = std::max(numbers[i], others[i]);
}

}  // namespace

void MbarrierPast::include(const MbarrierPast& other) {
  raise(polls, other.polls);
  raise(phases, other.phases);
}

Bits word_in_phase(const Bits& word, unsigned phase) {
  MbarrierState state = mbarrier_state(word);
  state.phase = Bits(MbarrierState::phase_width, phase % phase_count);
  return word_of(state);
}

namespace {

/// The value of a term in which each word is in the phase that `phase_of` gives for its read.
template <class Phase>
std::optional<Bits> with_words(const Bits& term, const EventStructure& structure, const MbarrierWaits& waits,
                               const Phase& phase_of) {
  Substitution known;
  if (term.is_constant()) return term;
  for (const VariableId variable : variables_of(term)) {
    const auto read = waits.reads().find(variable);
    const std::optional<unsigned> phase = read == waits.reads().end() ? std::nullopt : phase_of(read->second);
    if (!phase) return std::nullopt;
    known.set(variable, word_in_phase(structure.events[index(read->second)].value, *phase));
  }
  const Bits result = known.apply(term);
  return result.is_constant() ? std::optional(result) : std::nullopt;
}

std::optional<unsigned> find(const PhaseOfRead& phase_of, EventId read) {
  const auto phase = phase_of.find(read);
  return phase == phase_of.end() ? std::nullopt : std::optional(phase->second);
}

}  // namespace

std::optional<Bits> in_phases(const Bits& term, const EventStructure& structure, const MbarrierWaits& waits,
                              const PhaseOfRead& phase_of) {
  return with_words(term, structure, waits, [&](EventId read) { return find(phase_of, read); });
}

std::optional<bool> succeeds(const MbarrierWaits::Poll& poll, const EventStructure& structure,
                             const MbarrierWaits& waits, const PhaseOfRead& phase_of, unsigned phase) {
  const auto result = with_words(poll.succeeds, structure, waits, [&](EventId read) {
    return read == poll.read ? std::optional(phase) : find(phase_of, read);
  });
  return result ? std::optional(result->is_true()) : std::nullopt;
}

std::optional<MbarrierSimulation> simulate_mbarriers(const EventStructure& structure,
                                                     const BarrierSchedule& schedule,
                                                     const MbarrierWaits& waits,
                                                     const std::set<EventId>& endless) {
  return Simulator(structure, schedule, waits, endless).run();
}

}  // namespace ptxmc
