#include "solver/explorer/race_free.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "solver/encoding/final_state.hpp"

namespace ptxmc {

namespace {

bool is_plain_access(const Event& event) {
  return event.is_memory_access() && event.strand == 0 && event.rmw == -1 &&
         event.access.proxy == Proxy::generic && !event.access.is_reduction && !event.access.is_mmio &&
         event.access.scope != Scope::cluster && event.location.is_constant() &&
         event.address.is_constant() && identical(event.location, event.address);
}

/// Whether a barrier waits for all threads of the CTA, independently of reads.
bool is_plain_barrier(const Event& event, std::size_t threads_in_cta) {
  const auto& count = event.barrier.count;
  const bool is_for_all = !count || identical(*count, Bits(count->width(), threads_in_cta));
  return event.kind == EventKind::barrier && event.barrier.kind == Barrier::Kind::sync &&
         event.barrier.group == Barrier::Group::cta && is_for_all && !event.barrier.is_relaxed &&
         event.barrier.id.is_constant() && event.condition.is_true() && event.goes_on.width() == 0;
}

/// Whether the program satisfies the requirements of `run_without_races`, except freedom from races.
bool is_plain(const EventStructure& structure) {
  const auto& threads = structure.program->threads;
  std::vector<std::size_t> arrivals(threads.size(), 0);
  std::unordered_map<int, const Event*> barrier_of;  // by CTA
  std::unordered_map<int, std::size_t> threads_in;   // by CTA
  for (const Thread& thread : threads) ++threads_in[thread.placement.cta];
  for (const Event& event : structure.events) {
    if (event.kind == EventKind::initial_write && event.value.is_constant()) continue;
    if (is_plain_access(event)) continue;
    if (event.thread < 0 || !is_plain_barrier(event, threads_in[threads[index(event.thread)].placement.cta]))
      return false;
    const Event* first =
        barrier_of.try_emplace(threads[index(event.thread)].placement.cta, &event).first->second;
    if (!identical(first->barrier.id, event.barrier.id) || !first->barrier.agrees_but_for_id(event.barrier) ||
        first->barrier.count.has_value() != event.barrier.count.has_value())
      return false;
    ++arrivals[index(event.thread)];
  }
  std::unordered_map<int, std::size_t> arrivals_of;  // by CTA
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (arrivals_of.try_emplace(threads[i].placement.cta, arrivals[i]).first->second != arrivals[i])
      return false;
  return std::all_of(structure.endings.begin(), structure.endings.end(), [](const auto& endings) {
    return std::all_of(endings.begin(), endings.end(), [](const Ending& ending) {
      return ending.kind == Ending::Kind::completed || ending.condition.is_false();
    });
  });
}

/// The time of an access: its CTA and phase. Within a CTA, phases order accesses.
struct Moment {
  int thread = Event::no_thread;
  int cta = -1;
  std::size_t phase = 0;

  bool is_before(const Moment& other) const {
    return thread == Event::no_thread || thread == other.thread || (cta == other.cta && phase < other.phase);
  }
};

/// The content of an address and the accesses to it.
struct AccessedCell {
  unsigned size = 0;
  Bits value;
  Moment written;
  std::vector<Moment> read;  // reads since the last write
};

class Run {
 public:
  explicit Run(const EventStructure& structure) : structure_(structure) {
    for (const Event& event : structure.events)
      for (const Bits* part : {&event.condition, &event.value})
        if (part->width() != 0) values_.include(*part);
    for (const auto& registers : structure.final_registers)
      for (const Bits& value : registers) values_.include(value);
    values_.prepare();
  }

  std::optional<OnlyExecution> only_execution() {
    std::vector<std::size_t> next;  // by thread: its first event that is not executed yet
    std::size_t first = 0;
    for (; first < structure_.events.size() && structure_.events[first].thread == Event::no_thread; ++first)
      if (!perform(structure_.events[first], {})) return std::nullopt;
    for (std::size_t i = 0; i < structure_.program->threads.size(); ++i) {
      next.push_back(first);
      while (first < structure_.events.size() && structure_.events[first].thread == static_cast<int>(i))
        ++first;
    }
    bool is_done = false;
    for (std::size_t phase = 0; !is_done; ++phase) {
      is_done = true;
      for (std::size_t i = 0; i < next.size(); ++i) {
        if (!run_phase(static_cast<int>(i), phase, next[i])) return std::nullopt;
        is_done = is_done && !is_of(next[i], static_cast<int>(i));
      }
    }
    std::vector<std::vector<Bits>> memory = final_memory();
    return OnlyExecution{std::move(values_), std::move(memory)};
  }

 private:
  bool is_of(std::size_t event, int thread) const {
    return event < structure_.events.size() && structure_.events[event].thread == thread;
  }

  /// Runs a thread up to its next barrier. Returns false if there is a race.
  bool run_phase(int thread, std::size_t phase, std::size_t& next) {
    const Moment now{thread, structure_.program->threads[index(thread)].placement.cta, phase};
    for (; is_of(next, thread); ++next) {
      const Event& event = structure_.events[next];
      if (event.kind == EventKind::barrier) {
        ++next;
        return true;
      }
      if (!perform(event, now)) return false;
    }
    return true;
  }

  bool perform(const Event& event, const Moment& now) {
    const Bits* happens = values_.find(event.condition);
    if (!happens) return false;
    if (happens->is_false()) return true;
    const auto [found, is_new] = places_.try_emplace(event.location.to_u64());
    AccessedCell& place = found->second;
    if (is_new) place.size = event.size;
    if (place.size != event.size || !place.written.is_before(now)) return false;
    if (event.is_read()) {
      if (place.value.width() == 0) return false;
      if (place.read.empty() || place.read.back().thread != now.thread ||
          place.read.back().phase != now.phase)
        place.read.push_back(now);
      values_.assign(event.value.term()->variable, place.value);
      return true;
    }
    const Bits* value = values_.find(event.value);
    const bool is_race = std::any_of(place.read.begin(), place.read.end(),
                                     [&](const Moment& read) { return !read.is_before(now); });
    if (!value || is_race) return false;
    place.value = *value;
    place.written = now;
    place.read.clear();
    return true;
  }

  std::vector<std::vector<Bits>> final_memory() const {
    std::vector<std::vector<Bits>> result;
    for (const Variable& variable : structure_.program->memory) {
      auto& elements = result.emplace_back(variable.initial);
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto place = places_.find(variable.location + i * variable.element_size);
        if (place != places_.end()) elements[i] = place->second.value;
      }
    }
    return result;
  }

  const EventStructure& structure_;
  KnownValues values_;
  std::unordered_map<std::uint64_t, AccessedCell> places_;
};

/// Whether no access begins inside another one.
bool are_apart_or_equal(const EventStructure& structure) {
  std::vector<std::pair<std::uint64_t, unsigned>> places;
  for (const Event& event : structure.events)
    if (event.is_memory_access()) places.emplace_back(event.location.to_u64(), event.size);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].first - places[i - 1].first < places[i - 1].second) return false;
  return true;
}

}  // namespace

std::optional<OnlyExecution> run_without_races(const EventStructure& structure) {
  if (!is_plain(structure) || !are_apart_or_equal(structure)) return std::nullopt;
  return Run(structure).only_execution();
}

std::optional<Answer> answer_without_races(const EventStructure& structure, const Question& question,
                                           const DecideOptions& options) {
  const auto only = run_without_races(structure);
  if (!only) return std::nullopt;
  Answer answer;
  answer.shown = shown_terms(question);
  FinalState state;
  for (const FinalTerm& term : answer.shown) {
    const bool is_register = term.kind == FinalTerm::Kind::thread_register;
    const Bits value =
        is_register ? *only->values.find(structure.final_registers[index(term.thread)][term.register_id])
                    : only->final_memory[index(term.variable)][index(term.element)];
    state.values.push_back(shown_number(*structure.program, term, value));
  }
  const bool is_state = StateProposition(question.filter, answer.shown).holds(state.values);
  state.matches = StateProposition(question.condition, answer.shown).holds(state.values);
  const bool wanted = question.quantifier != Quantifier::forall;
  answer.verdict = is_state && state.matches == wanted ? Verdict::allowed : Verdict::forbidden;
  answer.holds = (answer.verdict == Verdict::allowed) == (question.quantifier == Quantifier::exists);
  answer.states_complete = options.all_states;
  answer.blocked = 0;
  if (options.count_executions) state.executions = answer.executions = is_state ? 1 : 0;
  if (is_state && (options.all_states || state.matches == wanted)) answer.states.push_back(std::move(state));
  return answer;
}

}  // namespace ptxmc
