#include "solver/launch/turns.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/program/barriers.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

/// The content of a byte of memory.
struct Byte {
  std::optional<std::uint8_t> value;  ///< empty: undetermined
  EventId writer = -1;
};

class Turns {
 public:
  Turns(const EventStructure& structure, const BarrierSchedule& schedule, const AwaitedPolls& polls,
        const ChosenInputs& inputs, Turn turn, const std::set<EventId>& held)
      : structure_(structure), schedule_(schedule), polls_(polls), turn_(turn), words_(inputs) {
    taken_.moment.assign(structure.events.size(), 0);
    for (const EventId id : held) held_.insert(start_of(id));
    for (const Event& event : structure.events) {
      for (const Bits* part : {&event.condition, &event.address, &event.location, &event.value})
        include(*part);
    }
    for (const auto& endings : structure.endings)
      for (const Ending& ending : endings) {
        include(ending.condition);
        if (ending.kind != Kind::spinning) continue;
        for (const VariableId variable : variables_of(ending.condition))
          spins_[variable].push_back(&ending.condition);
      }
    for (std::size_t i = 0; i < structure.events.size(); ++i) {
      const Event& event = structure.events[i];
      if (event.strand != 0) ends_of_strands_[{event.thread, event.strand}] = i;
      for (const Completion& completion : event.completes) include(completion.condition);
    }
    values_.prepare();
    for (const auto& [unknown, value] : inputs) {
      values_.assign(unknown, value);
      taken_.values.set(unknown, value);
    }
    for (std::size_t i = 0; i < schedule.size(); ++i)
      if (schedule[i] >= 0 && structure.events[i].kind == EventKind::barrier)
        awaited_[schedule[i]] += structure.events[i].condition.is_false() ? 0 : 1;
  }

  std::optional<TakenTurns> run() {
    next_ = first_events();
    do
      if (!take_turns()) return std::nullopt;
    while (!taken_.undefined_use && release_one());
    is_final_ = true;
    if (!take_turns()) return std::nullopt;
    if (taken_.undefined_use) return std::move(taken_);
    if (!are_past_all()) {
      taken_.undefined_use = last_before_undefined_end();
      if (taken_.undefined_use) return std::move(taken_);
      TakenTurns result;
      result.blocked = blocked();
      return result.blocked.empty() ? std::nullopt : std::optional(std::move(result));
    }
    if (reaches_bound()) return std::nullopt;
    taken_.has_ended = has_ended();
    taken_.is_stuck = is_stuck();
    taken_.final_memory = final_memory();
    return std::move(taken_);
  }

 private:
  bool reaches_bound() const {
    return std::ranges::any_of(structure_.endings, [&](const auto& endings) {
      return std::ranges::any_of(endings, [&](const Ending& ending) {
        return ending.kind == Ending::Kind::bound_reached && !values_.is_false(ending.condition);
      });
    });
  }

  bool has_ended() const { return all_end({Kind::completed}); }

  /// Whether some threads wait for ever, although each is scheduled again and again.
  bool is_stuck() const {
    return !has_ended() && all_end({Kind::completed, Kind::spinning, Kind::waiting}) && are_reads_fair() &&
           std::ranges::all_of(divergences(structure_), [&](const Divergence& divergence) {
             return divergence.elsewhere.is_false() || values_.is_false(divergence.elsewhere);
           });
  }

  /// The last event of a thread that ends with an undefined use.
  std::optional<EventId> last_before_undefined_end() const {
    for (std::size_t thread = 0; thread < next_.size(); ++thread) {
      const bool is_undefined = std::ranges::any_of(structure_.endings[thread], [&](const Ending& ending) {
        return ending.kind == Kind::undefined && values_.is_true(ending.condition);
      });
      for (std::size_t id = next_[thread]; is_undefined && is_of(id - 1, static_cast<int>(thread)); --id)
        if (taken_.moment[id - 1] != 0) return static_cast<EventId>(id - 1);
    }
    return std::nullopt;
  }

  std::vector<std::vector<Bits>> final_memory() const {
    std::vector<std::vector<Bits>> result;
    for (const Variable& variable : structure_.program->memory) {
      auto& elements = result.emplace_back(variable.initial);
      for (std::size_t i = 0; i < elements.size(); ++i)
        if (const std::uint64_t first = variable.location + i * variable.element_size;
            memory_.contains(first))
          elements[i] = content(first, variable.element_size).value_or(Bits());
    }
    return result;
  }

  void include(const Bits& term) {
    if (term.width() != 0) values_.include(term);
  }

  bool all_end(std::initializer_list<Kind> kinds) const {
    return std::ranges::all_of(structure_.endings, [&](const auto& endings) {
      return std::ranges::any_of(endings, [&](const Ending& ending) {
        return std::ranges::find(kinds, ending.kind) != kinds.end() && values_.is_true(ending.condition);
      });
    });
  }

  /// Whether the reads of iterations that are repeated for ever take the last writes.
  bool are_reads_fair() const {
    return std::ranges::all_of(taken_.sources, [&](const ReadsFrom& source) {
      const Event& read = structure_.events[index(source.read)];
      const auto& endings = structure_.endings[index(read.thread)];
      const bool is_repeated = std::ranges::any_of(endings, [&](const Ending& ending) {
        return ending.kind == Kind::spinning && read.step >= ending.first_step &&
               values_.is_true(ending.condition);
      });
      for (unsigned i = 0; i < source.count && is_repeated; ++i)
        if (memory_.at(source.first + i).writer != source.write) return false;
      return true;
    });
  }

  /// Lets threads take turns as long as one can continue, and no use is undefined. Returns false if it is
  /// unknown how one continues.
  bool take_turns() {
    for (bool any = !taken_.undefined_use; any;) {
      any = false;
      for (std::size_t thread = 0; thread < next_.size(); ++thread) {
        const auto advanced = take_turn(static_cast<int>(thread), next_[thread]);
        if (!advanced) return false;
        if (taken_.undefined_use) return true;
        any = any || *advanced != Advance::none;
        if (*advanced == Advance::some && turn_ == Turn::first) break;
      }
    }
    return true;
  }

  bool is_of(std::size_t event, int thread) const {
    return event < structure_.events.size() && structure_.events[event].thread == thread;
  }

  bool is_past_all(int thread) const { return !is_of(next_[index(thread)], thread); }

  bool are_past_all() const {
    for (int thread = 0; thread < static_cast<int>(next_.size()); ++thread)
      if (!is_past_all(thread)) return false;
    return true;
  }

  /// The events before which threads wait, without those before an operation of several threads that waits
  /// for the part of a blocked thread.
  std::vector<EventId> blocked() const {
    std::vector<EventId> result;
    for (int thread = 0; thread < static_cast<int>(next_.size()); ++thread)
      if (const std::size_t next = next_[index(thread)];
          !is_past_all(thread) && are_complete(structure_.events[next]))
        result.push_back(static_cast<EventId>(next));
    return result;
  }

  /// The first event of each thread, after the initial writes.
  std::vector<std::size_t> first_events() {
    std::vector<std::size_t> result;
    std::size_t event = 0;
    for (; is_of(event, Event::no_thread); ++event) perform(static_cast<EventId>(event));
    for (int thread = 0; thread < static_cast<int>(structure_.program->threads.size()); ++thread) {
      result.push_back(event);
      while (is_of(event, thread)) ++event;
    }
    return result;
  }

  /// What a thread has done in its turn.
  enum class Advance : std::uint8_t {
    none,
    some,
    invalidated,  ///< … and the turn ends with mbarrier.inval (Turn::first)
  };

  /// Executes one turn of a thread; both halves of a read-modify-write belong to one turn. Empty if it is
  /// unknown how the thread continues.
  std::optional<Advance> take_turn(int thread, std::size_t& next) {
    Advance done = Advance::none;
    for (; is_of(next, thread); ++next) {
      const auto id = static_cast<EventId>(next);
      const Event& event = structure_.events[next];
      const Bits* happens = values_.find(event.condition);
      if (!happens) return std::nullopt;
      if (happens->is_false()) continue;
      if (event.kind == EventKind::barrier) {
        if (!pass(id)) return done;
      } else if (uses_no_object(event)) {
        return execute_undefined_use(id) ? std::optional(Advance::some) : std::nullopt;
      } else if (held_.contains(id) || !may_poll(id) || !are_complete(event) || begins_wait(id)) {
        return done;
      } else if (!perform(id)) {
        return std::nullopt;
      }
      done = Advance::some;
      const bool has_accessed = event.is_write() || (event.is_read() && event.rmw < 0);
      const bool may_end_waits = event.is_write() && event.access.mbarrier == MbarrierAccess::operation;
      if (turn_ == Turn::first && event.is_write() && event.access.mbarrier == MbarrierAccess::inval) {
        ++next;
        return Advance::invalidated;
      }
      if ((turn_ == Turn::access && has_accessed) || (turn_ == Turn::first && may_end_waits)) {
        ++next;
        return done;
      }
    }
    return done;
  }

  /// Whether an operation on an mbarrier would read what no operation on an object has written.
  bool uses_no_object(const Event& event) const {
    const Bits* location = event.is_read() && event.access.mbarrier == MbarrierAccess::operation
                               ? values_.find(event.location)
                               : nullptr;
    for (unsigned i = 0; location != nullptr && i < event.size; ++i)
      if (const auto byte = memory_.find(location->to_u64() + i); byte != memory_.end()) {
        const MbarrierAccess last = structure_.events[index(byte->second.writer)].access.mbarrier;
        if (last == MbarrierAccess::none || last == MbarrierAccess::inval) return true;
      }
    return false;
  }

  /// Executes the rest of the instruction of an undefined use. Returns false if its values are unknown.
  bool execute_undefined_use(EventId use) {
    const Event& first = structure_.events[index(use)];
    for (std::size_t id = index(use); is_of(id, first.thread) && structure_.events[id].step == first.step;
         ++id) {
      const Bits* happens = values_.find(structure_.events[id].condition);
      if (!happens || (happens->is_true() && !perform(static_cast<EventId>(id)))) return false;
    }
    taken_.undefined_use = use;
    return true;
  }

  /// Whether the other threads have performed their parts of the operations that the event waits for.
  bool are_complete(const Event& event) const {
    return std::ranges::all_of(event.completes, [&](const Completion& completion) {
      if (completion.together == nullptr || values_.is_false(completion.condition)) return true;
      return std::ranges::all_of(*completion.together, [&](const auto& part) {
        const auto end = ends_of_strands_.find(part);
        return part.first == event.thread || end == ends_of_strands_.end() ||
               next_[index(part.first)] > end->second;
      });
    });
  }

  /// Whether a waiting thread can continue because the other threads have arrived.
  bool pass(EventId id) {
    const int phase = schedule_[index(id)];
    if (taken_.moment[index(id)] == 0) {
      taken_.moment[index(id)] = ++now_;
      if (phase >= 0) --awaited_[phase];
    }
    const Event& event = structure_.events[index(id)];
    if (phase >= 0 && event.barrier.group == Barrier::Group::prerequisite) return has_ended_before(event);
    return !waits_at_barrier(event) || phase < 0 || awaited_[phase] == 0;
  }

  /// Whether the threads of the prerequisite grid have ended.
  bool has_ended_before(const Event& wait) const {
    for (int thread = 0; thread < static_cast<int>(next_.size()); ++thread)
      if (thread != wait.thread && !is_past_all(thread) &&
          is_in_group(*structure_.program, wait.barrier.group, wait.thread, thread))
        return false;
    return true;
  }

  /// Whether the event is not a poll of an mbarrier that now returns False. A wait that never ends polls when
  /// no thread can do anything else.
  bool may_poll(EventId id) const {
    const Event& event = structure_.events[index(id)];
    if (polls_.endless.contains(id)) return is_final_;
    const auto poll = polls_.succeeds.find(id);
    if (poll == polls_.succeeds.end()) return true;
    const auto found = content(event.location.to_u64(), event.size);
    if (!found) return false;
    Substitution known;
    for (const VariableId variable : variables_of(poll->second)) {
      const auto word = words_.find(variable);
      known.set(variable, word == words_.end() ? *found : word->second);
    }
    return known.apply(poll->second).is_true();
  }

  /// The read of a read-modify-write for its write, since no thread stops between them.
  EventId start_of(EventId id) const {
    const Event& event = structure_.events[index(id)];
    return event.is_write() && event.rmw >= 0 ? event.rmw : id;
  }

  /// Lets the first thread before a held event continue. Returns false if there is none.
  bool release_one() {
    for (const std::size_t next : next_)
      if (held_.erase(static_cast<EventId>(next)) != 0) return true;
    return false;
  }

  /// Whether its thread waits in a loop for ever if the read takes the last write now.
  bool begins_wait(EventId id) {
    const Event& event = structure_.events[index(id)];
    const auto unknown = event.is_read() && !is_final_ ? unknown_of(event) : std::nullopt;
    const auto spins = unknown ? spins_.find(*unknown) : spins_.end();
    const Bits* location = spins == spins_.end() ? nullptr : values_.find(event.location);
    const auto found = location ? content(location->to_u64(), event.size) : std::nullopt;
    if (!found || values_.find(event.value)) return false;
    const std::size_t before = values_.mark();
    values_.assign(*unknown, *found);
    const bool result =
        std::ranges::any_of(spins->second, [&](const Bits* spin) { return values_.is_true(*spin); });
    values_.undo_to(before);
    return result;
  }

  /// The unknown that a read returns. Some bits of the word of an mbarrier may be known.
  static std::optional<VariableId> unknown_of(const Event& read) {
    if (read.value.is_constant()) return std::nullopt;
    if (read.value.term()->op == Operator::variable) return read.value.term()->variable;
    const auto variables = variables_of(read.value);
    const bool is_word = read.access.mbarrier == MbarrierAccess::operation && variables.size() == 1;
    return is_word ? std::optional(variables.front()) : std::nullopt;
  }

  /// Whether the read may return the value.
  static bool may_return(const Event& read, const Bits& value) {
    Substitution returned;
    if (const auto unknown = unknown_of(read)) returned.set(*unknown, value);
    return identical(returned.apply(read.value), value);
  }

  bool perform(EventId id) {
    const Event& event = structure_.events[index(id)];
    taken_.moment[index(id)] = ++now_;
    if (!event.is_memory_access()) return true;
    const Bits *location = values_.find(event.location), *address = values_.find(event.address);
    if (!location || !address || !identical(*location, *address)) return false;
    const std::uint64_t first = location->to_u64();
    if (event.is_read()) return read(id, first);
    if (event.kind == EventKind::initial_write || event.access.mbarrier == MbarrierAccess::inval)
      fill_with_zeros(event);
    const Bits* value = values_.find(event.value);
    if (!value && event.kind != EventKind::initial_write) return false;
    for (unsigned i = 0; i < event.size; ++i) {
      Byte& byte = memory_[first + i];
      byte.writer = id;
      byte.value.reset();
      if (value) byte.value = static_cast<std::uint8_t>(value->extract(8 * i, 8).to_u64());
    }
    return true;
  }

  /// Memory of unknown content holds any value.
  void fill_with_zeros(const Event& write) {
    if (values_.find(write.value) || write.value.term()->op != Operator::variable) return;
    const Bits zeros(write.value.width(), 0);
    values_.assign(write.value.term()->variable, zeros);
    taken_.values.set(write.value.term()->variable, zeros);
  }

  /// The value of some bytes of memory; empty if a byte has no value.
  std::optional<Bits> content(std::uint64_t first, unsigned size) const {
    u128 result = 0;
    for (unsigned i = 0; i < size; ++i) {
      const auto byte = memory_.find(first + i);
      if (byte == memory_.end() || !byte->second.value) return std::nullopt;
      result |= static_cast<u128>(*byte->second.value) << (8 * i);
    }
    return Bits(8 * size, result);
  }

  bool read(EventId id, std::uint64_t first) {
    const Event& event = structure_.events[index(id)];
    const auto found = content(first, event.size);
    if (!found) return false;
    for (unsigned i = 0; i < event.size; ++i) {
      const EventId writer = memory_.at(first + i).writer;
      if (i == 0 || taken_.sources.back().write != writer)
        taken_.sources.push_back({id, writer, first + i, 0});
      ++taken_.sources.back().count;
    }
    if (const Bits* settled = values_.find(event.value)) return identical(*settled, *found);
    const auto unknown = unknown_of(event);
    if (!unknown || !may_return(event, *found)) return false;
    values_.assign(*unknown, *found);
    taken_.values.set(*unknown, *found);
    if (event.access.mbarrier == MbarrierAccess::operation) words_.emplace(*unknown, *found);
    return true;
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  std::vector<std::size_t> next_;  // by thread: its next event
  const AwaitedPolls& polls_;
  const Turn turn_;
  std::set<EventId> held_;
  std::map<VariableId, std::vector<const Bits*>>
      spins_;  // by unknown: when a thread waits in a loop for ever
  KnownValues values_;
  std::unordered_map<std::uint64_t, Byte> memory_;
  std::map<int, std::size_t> awaited_;                               // by phase
  std::map<std::pair<int, unsigned>, std::size_t> ends_of_strands_;  // by thread and strand: the last event
  std::size_t now_ = 0;
  std::map<VariableId, Bits> words_;  // inputs, and the values of mbarriers that were read
  bool is_final_ = false;             // only waits that never end are left
  TakenTurns taken_;
};

}  // namespace

std::optional<TakenTurns> take_turns(const EventStructure& structure, const BarrierSchedule& schedule,
                                     const AwaitedPolls& polls, const ChosenInputs& inputs, Turn turn,
                                     const std::set<EventId>& held) {
  return Turns(structure, schedule, polls, inputs, turn, held).run();
}

}  // namespace ptxmc
