#include "solver/launch/interleavings.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/judge/concrete_relations.hpp"
#include "solver/launch/launch_prefix.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

std::size_t index(int id) { return static_cast<std::size_t>(id); }

/// The content of a byte of memory.
struct Byte {
  std::optional<std::uint8_t> value;  ///< empty: undetermined
  EventId writer = -1;
};

class Turns {
 public:
  Turns(const EventStructure& structure, const BarrierSchedule& schedule, const AwaitedPolls& polls,
        const ChosenInputs& inputs, Turn turn)
      : structure_(structure),
        schedule_(schedule),
        polls_(polls),
        turn_(turn),
        moment_(structure.events.size(), 0),
        words_(inputs) {
    for (const Event& event : structure.events) {
      for (const Bits* part : {&event.condition, &event.address, &event.location, &event.value})
        include(*part);
    }
    for (const auto& endings : structure.endings)
      for (const Ending& ending : endings) include(ending.condition);
    values_.prepare();
    for (const auto& [unknown, value] : inputs) {
      values_.assign(unknown, value);
      assigned_.set(unknown, value);
    }
    for (std::size_t i = 0; i < schedule.size(); ++i)
      if (schedule[i] >= 0 && structure.events[i].kind == EventKind::barrier)
        awaited_[schedule[i]] += structure.events[i].condition.is_false() ? 0 : 1;
  }

  /// Returns whether every thread reached an end, possibly waiting for ever.
  bool run() {
    next_ = first_events();
    if (!take_turns()) return false;
    is_final_ = true;
    if (!take_turns()) return false;
    for (std::size_t thread = 0; thread < next_.size(); ++thread)
      if (!is_past_all(static_cast<int>(thread))) blocked_.push_back(static_cast<EventId>(next_[thread]));
    if (!blocked_.empty()) return false;
    return std::ranges::none_of(structure_.endings, [&](const auto& endings) {
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

  /// The steps at which threads wait for other threads that do not come there.
  const std::vector<EventId>& blocked() const { return blocked_; }

  Substitution values() const { return assigned_; }
  const std::vector<ReadsFrom>& sources() const { return sources_; }
  std::size_t moment(EventId id) const { return moment_[index(id)]; }

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

 private:
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
    return std::ranges::all_of(sources_, [&](const ReadsFrom& source) {
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

  /// Lets threads take turns as long as one can continue. Returns false if it is unknown how one continues.
  bool take_turns() {
    for (bool any = true; any;) {
      any = false;
      for (std::size_t thread = 0; thread < next_.size(); ++thread) {
        const auto advanced = take_turn(static_cast<int>(thread), next_[thread]);
        if (!advanced) return false;
        any = any || *advanced;
      }
    }
    return true;
  }

  bool is_of(std::size_t event, int thread) const {
    return event < structure_.events.size() && structure_.events[event].thread == thread;
  }

  bool is_past_all(int thread) const { return !is_of(next_[index(thread)], thread); }

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

  /// Executes one turn of a thread; both halves of a read-modify-write belong to one turn. Empty if it is
  /// unknown how the thread continues.
  std::optional<bool> take_turn(int thread, std::size_t& next) {
    bool any = false;
    for (; is_of(next, thread); ++next) {
      const auto id = static_cast<EventId>(next);
      const Event& event = structure_.events[next];
      const Bits* happens = values_.find(event.condition);
      if (!happens) return std::nullopt;
      if (happens->is_false()) continue;
      if (event.kind == EventKind::barrier) {
        if (!pass(id)) return any;
      } else if (!may_poll(id)) {
        return any;
      } else if (!perform(id)) {
        return std::nullopt;
      }
      any = true;
      const bool has_accessed = event.is_write() || (event.is_read() && event.rmw < 0);
      if (turn_ == Turn::access && has_accessed) {
        ++next;
        return true;
      }
    }
    return any;
  }

  /// Whether a waiting thread can continue because the other threads have arrived.
  bool pass(EventId id) {
    const int phase = schedule_[index(id)];
    if (moment_[index(id)] == 0) {
      moment_[index(id)] = ++now_;
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
    moment_[index(id)] = ++now_;
    if (!event.is_memory_access()) return true;
    const Bits *location = values_.find(event.location), *address = values_.find(event.address);
    if (!location || !address || !identical(*location, *address)) return false;
    const std::uint64_t first = location->to_u64();
    if (event.is_read()) return read(id, first);
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
      if (i == 0 || sources_.back().write != writer) sources_.push_back({id, writer, first + i, 0});
      ++sources_.back().count;
    }
    if (const Bits* settled = values_.find(event.value)) return identical(*settled, *found);
    const auto unknown = unknown_of(event);
    if (!unknown || !may_return(event, *found)) return false;
    values_.assign(*unknown, *found);
    assigned_.set(*unknown, *found);
    if (event.access.mbarrier == MbarrierAccess::operation) words_.emplace(*unknown, *found);
    return true;
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  std::vector<std::size_t> next_;  // by thread: its next event
  const AwaitedPolls& polls_;
  const Turn turn_;
  KnownValues values_;
  Substitution assigned_;
  std::unordered_map<std::uint64_t, Byte> memory_;
  std::map<int, std::size_t> awaited_;  // by phase
  std::vector<ReadsFrom> sources_;
  std::vector<std::size_t> moment_;  // by event: its position in the interleaving; 0: it has not happened
  std::size_t now_ = 0;
  std::map<VariableId, Bits> words_;  // inputs, and the values of mbarriers that were read
  std::vector<EventId> blocked_;
  bool is_final_ = false;  // only waits that never end are left
};

/// The relations of the execution, in which every order that a model chooses is the order of the turns.
class OrderedByTurns : public ConcreteRelations {
 public:
  OrderedByTurns(Execution& execution, const std::vector<std::size_t>& moments)
      : ConcreteRelations(execution), execution_(execution), moments_(moments) {}

  BitMatrix orientations(const std::string& name, const BitMatrix& related) {
    TimeLimit::check();
    const BitMatrix pairs = (related | related.inverse()) - BitMatrix::identity(universe());
    BitMatrix result = empty_relation();
    Pairs& chosen = execution_.choices[name];
    for (const auto& [a, b] : pairs.pairs()) {
      if (moments_[a] >= moments_[b]) continue;
      result.insert(a, b);
      chosen.emplace_back(static_cast<EventId>(a), static_cast<EventId>(b));
    }
    return result;
  }

 private:
  Execution& execution_;
  const std::vector<std::size_t>& moments_;
};

}  // namespace

namespace {

/// The number of events up to which an interleaving is shown as a whole: relations take at least quadratic
/// time.
constexpr std::size_t most_events = 5'000;

/// Keeps the first events of a large interleaving. Returns their moments.
std::vector<std::size_t> keep_first(const std::vector<std::size_t>& moments, Interleaving& interleaving) {
  constexpr std::size_t first_events = 1'500;
  std::vector<bool> cut;
  for (const std::size_t moment : moments) cut.push_back(moment > first_events);
  Witness& witness = interleaving.witness;
  Prefix prefix = before(witness.execution, cut, {});
  std::vector<std::size_t> kept(prefix.execution.events.size());
  for (std::size_t i = 0; i < moments.size(); ++i)
    if (prefix.numbers[i] >= 0) kept[index(prefix.numbers[i])] = moments[i];
  for (EventId& number : witness.numbers)
    if (number >= 0) number = prefix.numbers[index(number)];
  witness.execution = std::move(prefix.execution);
  interleaving.is_whole = interleaving.has_ended = interleaving.is_stuck = false;
  return kept;
}

/// The execution of the threads after their turns, with these events.
Interleaving interleaving_of(const Turns& turns, const EventStructure& structure,
                             const BarrierSchedule& schedule, const cat::Model& model) {
  Interleaving result;
  result.witness = happened(structure, turns.values());
  result.has_ended = turns.has_ended();
  result.is_stuck = turns.is_stuck();
  result.final_memory = turns.final_memory();
  Execution& execution = result.witness.execution;
  const auto& numbers = result.witness.numbers;
  for (const auto& [read, write, first, count] : turns.sources())
    execution.reads_from.push_back({numbers[index(read)], numbers[index(write)], first, count});
  std::vector<std::size_t> moments(execution.events.size());
  execution.barrier_phase.assign(execution.events.size(), -1);
  for (EventId id = 0; id < static_cast<EventId>(numbers.size()); ++id) {
    if (numbers[index(id)] < 0) continue;
    moments[index(numbers[index(id)])] = turns.moment(id);
    if (structure.events[index(id)].kind == EventKind::barrier)
      execution.barrier_phase[index(numbers[index(id)])] = schedule[index(id)];
  }
  if (execution.events.size() > most_events) moments = keep_first(moments, result);
  OrderedByTurns relations(execution, moments);
  cat::evaluate(model, relations);
  return result;
}

/// Whether the same events happen in another structure, with the same unknowns.
bool happens_in(const Turns& turns, const EventStructure& structure) {
  Substitution values = turns.values();
  for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id)
    if (values.apply(structure.events[index(id)].condition).is_true() != (turns.moment(id) != 0))
      return false;
  return true;
}

}  // namespace

std::optional<Interleaving> interleaving_in_turns(const EventStructure& structure,
                                                  const BarrierSchedule& schedule, const AwaitedPolls& polls,
                                                  const ChosenInputs& inputs, const cat::Model& model,
                                                  Turn turn) {
  Turns turns(structure, schedule, polls, inputs, turn);
  if (!turns.run()) return std::nullopt;
  return interleaving_of(turns, structure, schedule, model);
}

std::optional<std::pair<EventStructure, Interleaving>> interleaving_of_waits(const EventStructure& structure,
                                                                             const MbarrierWaits& waits,
                                                                             const ChosenInputs& inputs,
                                                                             const cat::Model& model,
                                                                             Turn turn) {
  std::set<EventId> endless;
  for (std::size_t before = 0;; before = endless.size()) {
    const auto decided = waits.decided(endless);
    const auto schedules = decided ? barrier_schedules(*decided) : std::nullopt;
    if (!schedules || schedules->size() != 1) return std::nullopt;
    const BarrierSchedule& schedule = schedules->front();
    const EventStructure scheduled = under_schedule(*decided, schedule);
    const AwaitedPolls polls = waits.awaited(endless);
    Turns turns(scheduled, schedule, polls, inputs, turn);
    if (turns.run()) {
      EventStructure actual = under_schedule(structure, schedule);
      if (!happens_in(turns, actual)) return std::nullopt;
      Interleaving interleaving = interleaving_of(turns, actual, schedule, model);
      return std::pair(std::move(actual), std::move(interleaving));
    }
    for (const EventId id : turns.blocked())
      if (const auto last = waits.last_poll(id)) endless.insert(*last);
    if (endless.size() == before) return std::nullopt;
  }
}

namespace {

/// The final values in the final condition; empty if not all threads end, or if a value is unknown.
struct End {
  std::vector<FinalContent> contents;
  bool is_wrong = false;
};

End end_of(const LaunchQuestion& question, const Interleaving& interleaving) {
  if (!interleaving.has_ended || !question.final_condition) return {};
  End end;
  bool is_known = true;
  const Bits holds = question.final_condition([&](int variable, std::size_t element) {
    Bits value = interleaving.final_memory[index(variable)][element];
    is_known = is_known && value.width() != 0 && value.is_constant();
    if (!is_known) return Bits(8 * question.structure->program->memory[index(variable)].element_size, 0);
    end.contents.push_back({variable, element, value});
    return value;
  });
  if (!is_known) return {};
  Substitution values = interleaving.witness.values;
  end.is_wrong = values.apply(holds).is_false();
  return end;
}

}  // namespace

std::vector<LaunchFinding> findings_of(const LaunchQuestion& question, const EventStructure& structure,
                                       const cat::Model& model, Interleaving interleaving) {
  const End end = end_of(question, interleaving);
  const bool is_stuck = interleaving.is_stuck, is_whole = interleaving.is_whole;
  ShownExecution shown(question, structure, model, std::move(interleaving.witness), end.contents);
  std::vector<LaunchFinding> findings;
  for (const LaunchProperty property : question.properties) {
    std::vector<Suspect> suspects;
    if (is_whole) suspects = visible_suspects(structure, property);
    if (const char* relation = relation_of(property, structure))
      for (Suspect& suspect : shown.pairs(relation, definition_of(property).of_pair))
        suspects.push_back(std::move(suspect));
    if (property == LaunchProperty::deadlock && is_stuck)
      suspects.push_back({Bits::boolean(true), {}, {}, {}, {}});
    if (property == LaunchProperty::assertion && end.is_wrong)
      suspects.push_back({Bits::boolean(true), {}, {}, {}, {}});
    std::erase_if(suspects, [&](const Suspect& suspect) { return is_ignored(question, property, suspect); });
    shown.note(property, suspects, findings);
  }
  return findings;
}

}  // namespace ptxmc
