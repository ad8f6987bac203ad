#include "model/judge/unordered_accesses.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "model/judge/interleaved_execution.hpp"
#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "model/relations/bit_matrix.hpp"

// Vector clocks (C. Fidge 1988, F. Mattern 1989) along an interleaving. With Synchronization::possible the
// clocks contain causality order: each step of base causality order that may exist is followed. Where the
// model asks for more than is checked here (kinds of fences, memory that a fence covers), more is ordered
// here, and fewer races are found.

namespace ptxmc {

namespace {

/// A set of events that is closed under program order and the order of strands. Copies share what they
/// contain until one of them changes: behind a barrier most threads have the same past.
class Clock {
 public:
  Clock() = default;
  Clock(std::size_t threads, std::size_t strands)
      : events_(std::make_shared<Events>(
            Events{std::vector<unsigned>(threads), BitSet(strands), BitSet(strands)})) {}

  /// The events of a thread with lower steps belong to it.
  unsigned steps(std::size_t thread) const { return events_->steps[thread]; }
  bool has_reads(std::size_t strand) const { return events_->reads.contains(strand); }
  /// All events of the strand belong to it.
  bool has(std::size_t strand) const { return events_->strands.contains(strand); }

  void set_steps(std::size_t thread, unsigned steps) {
    if (events_->steps[thread] != steps) own().steps[thread] = steps;
  }
  void insert_reads(std::size_t strand) { own().reads.insert(strand); }
  void insert(std::size_t strand) {
    insert_reads(strand);
    own().strands.insert(strand);
  }
  void include(const Clock& other) {
    if (events_ == other.events_ || events_->contains(*other.events_)) return;
    if (other.events_->contains(*events_))
      events_ = other.events_;
    else
      own().include(*other.events_);
  }

 private:
  struct Events {
    std::vector<unsigned> steps;
    BitSet reads, strands;

    bool contains(const Events& other) const {
      return std::ranges::equal(steps, other.steps, std::ranges::greater_equal{}) &&
             (other.reads - reads).is_empty() && (other.strands - strands).is_empty();
    }
    void include(const Events& other) {
      for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = std::max(steps[i], other.steps[i]);
      reads = std::move(reads) | other.reads;
      strands = std::move(strands) | other.strands;
    }
  };

  Events& own() {
    if (events_.use_count() > 1) events_ = std::make_shared<Events>(*events_);
    return *events_;
  }

  std::shared_ptr<Events> events_;
};

/// What precedes a moment of a thread or of a strand.
struct Past {
  Clock causal;    ///< in base causality order
  Clock fenced;    ///< before a proxy fence that precedes the moment
  Clock observed;  ///< also what was read: observation order extends causality order for these writes alone
  Clock executed;  ///< before it in every course of the execution: the order of tensor memory
  Clock issued;    ///< strands before which others that are performed in order with them cannot come

  void include(const Past& other) {
    causal.include(other.causal);
    executed.include(other.executed);
    issued.include(other.issued);
    fenced.include(other.fenced);
    observed.include(other.observed);
  }
};

using Shared = std::shared_ptr<const Past>;

class Clocks {
 public:
  Clocks(const Execution& execution, std::span<const std::size_t> moments, Synchronization mode, Races wanted)
      : execution_(execution), mode_(mode), wanted_(wanted), places_(places_in_time(execution, moments)) {}

  std::vector<std::pair<EventId, EventId>> races() {
    if (prepare()) run();
    return std::move(found_.races);
  }

  std::vector<EventId> accesses_after_end() {
    std::vector<EventId> result;
    if (!prepare()) return result;
    run();
    static const BaseRelation& may_outlive = *find_base_relation("may_outlive_cta");
    std::set<const Instruction*> found;
    for (EventId id = 0; id < static_cast<EventId>(execution_.events.size()); ++id) {
      if (!at(id).may_outlive_cta || found.contains(at(id).instruction)) continue;
      const bool may_be_late = may_outlive.holds(*execution_.program, execution_.events, id, id).is_true();
      if (!may_be_late || is_followed_by_cta(id)) continue;
      found.insert(at(id).instruction);
      result.push_back(id);
    }
    return result;
  }

 private:
  void run() {
    const std::vector<EventId> order = in_time(places_);
    for (std::size_t i = 0; i < order.size();) {
      std::size_t end = i + 1;
      while (end < order.size() && places_[index(order[end])] == places_[index(order[i])]) ++end;
      if (end - i > 1)
        meet(std::span(order).subspan(i, end - i));
      else
        happen(order[i]);
      i = end;
    }
  }

  /// What is known about a thread or a strand.
  struct Agent {
    Past past;
    Past released;         ///< what its strong writes release: what preceded a fence or a releasing write
    Past read;             ///< what releases that it has read may publish, if an acquiring operation follows
    Past plainly;          ///< the same without reads of mbarriers: for fences
    Past at_tensor_fence;  ///< of a thread: its past at the last tcgen05.fence::after_thread_sync
    EventId last_read = -1;  ///< its last source: for the success of a wait in the same instruction
    unsigned last_step = 0;
    /// Of a thread: its strands, by step of the start.
    std::vector<std::pair<unsigned, std::size_t>> starts = {};
    std::size_t started = 0;
    bool accesses_cells = false;  ///< a strand: cells of tensor memory
  };

  /// The races so far, and the pairs of instructions that race.
  struct Found {
    std::vector<std::pair<EventId, EventId>> races;
    std::set<std::pair<const Instruction*, const Instruction*>> instructions;
  };

  const Event& at(EventId id) const { return execution_.events[index(id)]; }

  bool prepare() {
    constexpr std::size_t most = 200'000'000;           // numbers in clocks, if each event had one
    constexpr std::size_t most_of_agents = 10'000'000;  // … if each thread and strand had one
    threads_ = execution_.program->threads.size();
    if (threads_ * execution_.events.size() > most) return false;
    std::map<std::pair<int, unsigned>, unsigned> starts;
    for (const Event& event : execution_.events)
      if (event.strand != 0) starts.emplace(std::pair(event.thread, event.strand), event.step);
    if ((threads_ + starts.size()) * (threads_ + starts.size() / 16) > most_of_agents) return false;
    for (const auto& [name, step] : starts) strand_.emplace(name, strand_.size());
    const Clock clock(threads_, strand_.size());
    nothing_ = {clock, clock, clock, clock, clock};
    sc_fences_ = nothing_;
    agents_.resize(threads_ + strand_.size(), {nothing_, nothing_, nothing_, nothing_, nothing_});
    for (const Event& event : execution_.events)
      if (event.strand != 0 && is_tensor_cell(event)) agent_of(event).accesses_cells = true;
    for (const auto& [name, step] : starts)
      agents_[index(name.first)].starts.emplace_back(step, threads_ + strand_.at(name));
    for (Agent& agent : agents_) std::ranges::sort(agent.starts);
    published_.resize(execution_.events.size());
    sources_.resize(execution_.events.size());
    for (const ReadsFrom& source : execution_.reads_from)
      sources_[index(source.read)].push_back(source.write);
    return true;
  }

  Agent& agent_of(const Event& event) {
    if (event.strand == 0) return agents_[index(event.thread)];
    return agents_[threads_ + strand_.at({event.thread, event.strand})];
  }

  /// The strands that start before the event have the past of their thread at their start, and strands that
  /// access cells of tensor memory that at the last tcgen05.fence before it.
  void start_strands(const Event& event) {
    Agent& thread = agents_[index(event.thread)];
    for (; thread.started < thread.starts.size(); ++thread.started) {
      const auto& [step, strand] = thread.starts[thread.started];
      if (step > event.step) break;
      agents_[strand].past = agents_[strand].accesses_cells ? thread.at_tensor_fence : thread.past;
    }
  }

  void happen(EventId id) {
    const Event& event = at(id);
    if (event.thread == Event::no_thread) return remember(id, event);
    start_strands(event);
    Agent& agent = agent_of(event);
    complete(event, agent.past);
    if (event.kind == EventKind::barrier) arrive(id, agent);
    if (event.kind == EventKind::fence) fence(event, agent);
    if (event.kind == EventKind::wait) succeed(event, agent);
    if (event.tensor_fence != TensorFence::none) fence_tensor_memory(event, agent);
    if (event.is_read()) read(id, agent);
    if (event.is_memory_access()) check(id, agent.past);
    advance(event, agent);
    if (event.is_write()) write(id, agent);
    if (event.is_memory_access()) remember(id, event);
  }

  /// The event precedes what follows.
  void advance(const Event& event, Agent& agent) {
    if (event.strand != 0) return;
    for (Clock* clock : {&agent.past.causal, &agent.past.observed, &agent.past.executed})
      clock->set_steps(index(event.thread), event.step + 1);
  }

  void complete(const Event& event, Past& past) {
    for (const Completion& completion : event.completes) {
      if (completion.condition.is_false()) continue;
      completion.for_each_strand(event.thread, [&](int thread, unsigned number) {
        const auto strand = strand_.find({thread, number});
        if (strand == strand_.end()) return;
        for (Clock* clock : {&past.causal, &past.observed, &past.executed}) {
          if (completion.only_reads)
            clock->insert_reads(strand->second);
          else
            clock->insert(strand->second);
        }
      });
    }
  }

  // --- Synchronization ---

  void arrive(EventId id, Agent& agent) {
    const int phase = execution_.barrier_phase[index(id)];
    advance(at(id), agent);
    if (phase < 0 || at(id).barrier.gathers_warp()) return;
    Past& arrived = phases_.try_emplace(phase, nothing_).first->second;
    const bool is_relaxed = mode_ == Synchronization::scoped && at(id).barrier.is_relaxed;
    arrived.include(is_relaxed ? agent.released : agent.past);
    if (waits_at_barrier(at(id))) agent.past.include(arrived);
  }

  /// Barriers that wait in one phase.
  void meet(std::span<const EventId> barriers) {
    for (const EventId id : barriers) start_strands(at(id));
    for (int round = 0; round < 2; ++round)
      for (const EventId id : barriers) arrive(id, agent_of(at(id)));
  }

  void fence(const Event& event, Agent& agent) {
    agent.past.include(agent.plainly);
    if (event.fence.is_proxy_fence) {
      agent.past.fenced.include(agent.past.causal);
    } else if (event.fence.sem == Sem::sc) {
      agent.past.include(sc_fences_);
      sc_fences_.include(agent.past);
    }
    agent.released.include(agent.past);
  }

  /// tcgen05.fence. It only orders accesses to tensor memory, also behind relaxed operations.
  void fence_tensor_memory(const Event& event, Agent& agent) {
    agent.past.include(agent.plainly);
    agent.past.include(agent.read);
    for (const unsigned number : event.started)
      if (const auto strand = strand_.find({event.thread, number}); strand != strand_.end())
        agent.past.issued.insert(strand->second);
    agent.released.include(agent.past);
    if (event.tensor_fence == TensorFence::after) agent.at_tensor_fence = agent.past;
  }

  void succeed(const Event& event, Agent& agent) {
    if (agent.last_read < 0 || agent.last_step != event.step) return;
    if (!are_in_scope(at(agent.last_read), event)) return;
    (acquires(event) ? agent.past : agent.plainly).include(*published_[index(agent.last_read)]);
  }

  static bool acquires(const Event& event) {
    return event.access.sem == Sem::acquire || event.access.sem == Sem::acq_rel;
  }
  static bool releases(const Event& event) {
    return event.access.sem == Sem::release || event.access.sem == Sem::acq_rel;
  }
  static bool is_of_mbarrier(const Event& event) { return event.access.mbarrier != MbarrierAccess::none; }

  bool are_in_scope(const Event& a, const Event& b) const {
    return mode_ == Synchronization::possible ||
           (scope_includes(*execution_.program, a, b) && scope_includes(*execution_.program, b, a));
  }

  void read(EventId id, Agent& agent) {
    const Event& event = at(id);
    if (is_weak(event)) return;
    for (const EventId source : sources_[index(id)]) {
      const Shared& published = published_[index(source)];
      if (!published) continue;
      agent.past.executed.include(published->executed);
      agent.last_read = source;
      agent.last_step = event.step;
      const bool is_in_scope = are_in_scope(at(source), event);
      if (is_of_mbarrier(event) || is_in_scope) agent.past.observed.include(published->observed);
      if (!is_in_scope) continue;
      agent.read.include(*published);
      if (!is_of_mbarrier(event)) agent.plainly.include(*published);
    }
    if (acquires(event)) agent.past.include(agent.read);
  }

  void write(EventId id, Agent& agent) {
    const Event& event = at(id);
    if (is_weak(event)) return;
    Past published = nothing_;
    if (event.strand != 0)
      signal(event, agent, published);
    else {
      if (releases(event)) agent.released.include(agent.past);
      published = agent.released;
      published.observed.include(agent.past.observed);
      published.executed.include(agent.past.executed);
    }
    if (event.rmw >= 0)
      for (const EventId source : sources_[index(event.rmw)])
        if (const Shared& before = published_[index(source)]) published.include(*before);
    published_[index(id)] = std::make_shared<const Past>(std::move(published));
  }

  /// What a strong write of a strand publishes. A signal to an mbarrier publishes the strand and what it
  /// waits for, and not what precedes its start (PTX ISA 8.7 § 8.9.1.1).
  void signal(const Event& event, const Agent& agent, Past& published) const {
    if (!is_of_mbarrier(event)) published = agent.past;
    published.executed = agent.past.executed;
    complete(event, strand_.at({event.thread, event.strand}), published);
  }
  void complete(const Event& event, std::size_t strand, Past& past) const {
    const auto insert = [&](std::size_t own) {
      for (Clock* clock : {&past.causal, &past.observed, &past.executed}) clock->insert(own);
    };
    insert(strand);
    for (const Completion& completion : event.completes)
      completion.for_each_strand(event.thread, [&](int thread, unsigned number) {
        if (const auto other = strand_.find({thread, number}); other != strand_.end()) insert(other->second);
      });
  }

  // --- Ends of CTAs ---

  /// Whether an event of the CTA in whose memory the access is follows it.
  bool is_followed_by_cta(EventId id) {
    static const BaseRelation& to_cta = *find_base_relation("to_cta");
    if (first_events_.empty()) {
      first_events_.assign(threads_, -1);
      for (EventId event = static_cast<EventId>(execution_.events.size()); event-- > 0;)
        if (at(event).thread != Event::no_thread && at(event).strand == 0)
          first_events_[index(at(event).thread)] = event;
    }
    for (std::size_t thread = 0; thread < threads_; ++thread)
      if (first_events_[thread] >= 0 && is_in(at(id), agents_[thread].past.executed) &&
          to_cta.holds(*execution_.program, execution_.events, id, first_events_[thread]).is_true())
        return true;
    return false;
  }

  // --- Races ---

  bool is_in(const Event& event, const Clock& clock) const {
    if (event.strand == 0) return event.step < clock.steps(index(event.thread));
    const std::size_t strand = strand_.at({event.thread, event.strand});
    return event.is_read() ? clock.has_reads(strand) : clock.has(strand);
  }

  /// Whether an earlier access precedes an access with this past in causality order.
  bool precedes(const Event& earlier, const Event& access, const Past& past) const {
    if (!is_weak(earlier) && earlier.is_write() && is_in(earlier, past.observed)) return true;
    const bool are_of_tensor_memory =
        earlier.access.space == StateSpace::tensor && access.access.space == StateSpace::tensor;
    if (are_of_tensor_memory && is_in(earlier, past.executed)) return true;
    if (are_pipeline_pair(earlier, access) && is_in(earlier, past.issued)) return true;
    const bool is_other_proxy =
        access.access.proxy == Proxy::async || access.access.proxy == Proxy::tensormap;
    const bool needs_fence = earlier.access.proxy == Proxy::generic && is_other_proxy && access.strand != 0;
    return is_in(earlier, needs_fence ? past.fenced : past.causal);
  }

  bool may_be_atomic(const Event& a, const Event& b) const {
    if (is_of_mbarrier(a) && is_of_mbarrier(b)) return true;
    return !is_weak(a) && !is_weak(b) && are_in_scope(a, b);
  }

  void check(EventId id, const Past& past) {
    const Event& event = at(id);
    for (unsigned i = 0; i < event.size; ++i) {
      const auto found = accesses_.find(event.location.to_u64() + i);
      if (found == accesses_.end()) continue;
      for (const EventId earlier : found->second) {
        const Event& other = at(earlier);
        if ((other.is_write() || event.is_write()) && !are_of_one_agent(other, event) &&
            !may_be_atomic(other, event) && !precedes(other, event, past))
          note(earlier, id);
      }
    }
  }

  void note(EventId earlier, EventId later) {
    const bool is_new = found_.instructions.emplace(at(earlier).instruction, at(later).instruction).second;
    if (is_new || wanted_ == Races::all) found_.races.emplace_back(earlier, later);
  }

  /// The accesses of a byte since its last write, and this write: the races of earlier ones have been noted.
  void remember(EventId id, const Event& event) {
    if (event.kind == EventKind::initial_write) return;
    for (unsigned i = 0; i < event.size; ++i) {
      std::vector<EventId>& accesses = accesses_[event.location.to_u64() + i];
      if (event.is_write())
        accesses.clear();
      else
        std::erase_if(accesses, [&](EventId other) {
          return !at(other).is_write() && are_of_one_agent(at(other), event);
        });
      accesses.push_back(id);
    }
  }

  const Execution& execution_;
  const Synchronization mode_;
  const Races wanted_;
  const std::vector<std::size_t> places_;
  std::size_t threads_ = 0;
  std::map<std::pair<int, unsigned>, std::size_t> strand_;  // its number
  Past nothing_, sc_fences_;
  std::vector<Agent> agents_;                  // threads, then strands
  std::map<int, Past> phases_;                 // of barriers: what precedes the arrivals so far
  std::vector<Shared> published_;              // by write that is strong
  std::vector<std::vector<EventId>> sources_;  // by read
  std::unordered_map<std::uint64_t, std::vector<EventId>> accesses_;  // by byte
  Found found_;
  std::vector<EventId> first_events_;  // of the threads
};

}  // namespace

std::vector<std::pair<EventId, EventId>> unordered_accesses(const Execution& execution,
                                                            std::span<const std::size_t> moments,
                                                            Synchronization mode, Races wanted) {
  return Clocks(execution, moments, mode, wanted).races();
}

std::vector<EventId> accesses_after_end(const Execution& execution, std::span<const std::size_t> moments) {
  return Clocks(execution, moments, Synchronization::possible, Races::one_of_instructions)
      .accesses_after_end();
}

}  // namespace ptxmc
