#include "solver/encoding/simpler_witness.hpp"

#include <algorithm>
#include <compare>
#include <set>

#include "model/judge/judge.hpp"

namespace ptxmc {

namespace {

constexpr std::size_t most_events = 400;
constexpr unsigned most_tries = 200;

struct Effort {
  std::size_t composed = 0;  ///< reads that have several sources
  std::size_t threads = 0;   ///< that others read from
  std::size_t crossing = 0;  ///< reads from other threads

  friend auto operator<=>(const Effort&, const Effort&) = default;
};

Effort effort_of(const std::vector<Event>& events, const std::vector<ReadsFrom>& reads_from) {
  std::set<std::pair<EventId, EventId>> sources;
  for (const ReadsFrom& rf : reads_from) sources.emplace(rf.read, rf.write);
  Effort effort;
  std::set<int> threads;
  std::set<EventId> composed;
  EventId previous = -1;
  for (const auto& [read, write] : sources) {
    if (read == previous) composed.insert(read);
    previous = read;
    const int from = events[static_cast<std::size_t>(write)].thread;
    if (from == Event::no_thread || from == events[static_cast<std::size_t>(read)].thread) continue;
    threads.insert(from);
    ++effort.crossing;
  }
  effort.composed = composed.size();
  effort.threads = threads.size();
  return effort;
}

/// The write has all bytes of the read, and in them its value.
bool gives_value(const Event& write, const Event& read) {
  if (!write.is_write() || write.value.width() == 0 || read.access.is_indeterminate) return false;
  const std::uint64_t from = write.location.to_u64(), at = read.location.to_u64();
  if (at < from || at + read.size > from + write.size) return false;
  return identical(write.value.extract(static_cast<unsigned>(8 * (at - from)), 8 * read.size), read.value);
}

std::vector<ReadsFrom> with_source(std::vector<ReadsFrom> reads_from, EventId read, EventId write) {
  for (ReadsFrom& rf : reads_from)
    if (rf.read == read) rf.write = write;
  return reads_from;
}

/// No write is followed that was not before: final values stay possible.
bool orders_no_more_writes(const Execution& execution, const Execution& than) {
  if (!execution.relations.contains("co")) return true;
  if (!than.relations.contains("co")) return false;
  const Pairs before = than.relations.at("co"), coherence = execution.relations.at("co");
  const std::set<std::pair<EventId, EventId>> known(before.begin(), before.end());
  return std::ranges::all_of(coherence, [&](const auto& pair) { return known.contains(pair); });
}

/// Whether a read decides if a thread waits at a barrier. Then an exchange of sources may make a thread wait
/// for an arrival that comes only after the wait, which the axioms of the model do not forbid.
bool waiting_depends_on_reads(const Execution& execution) {
  return std::ranges::any_of(execution.events, [](const Event& event) {
    return event.kind == EventKind::barrier &&
           !(event.control_dependencies.empty() && event.address_dependencies.empty() &&
             event.data_dependencies.empty());
  });
}

class Search {
 public:
  Search(const cat::Model& model, Execution execution)
      : model_(model), best_(std::move(execution)), effort_(effort_of(best_.events, best_.reads_from)) {}

  Execution run() {
    for (bool is_better = true; is_better;) {
      is_better = false;
      for (EventId read = 0; read < static_cast<EventId>(best_.events.size()); ++read)
        is_better |= best_.events[static_cast<std::size_t>(read)].is_read() && improve(read);
    }
    return std::move(best_);
  }

 private:
  /// Gives the read the source that helps most, of those with which the model accepts the execution.
  bool improve(EventId read) {
    std::vector<std::pair<Effort, EventId>> ways;
    for (EventId write = 0; write < static_cast<EventId>(best_.events.size()); ++write) {
      if (!gives_value(best_.events[static_cast<std::size_t>(write)],
                       best_.events[static_cast<std::size_t>(read)]))
        continue;
      const Effort effort = effort_of(best_.events, with_source(best_.reads_from, read, write));
      if (effort < effort_) ways.emplace_back(effort, write);
    }
    std::ranges::sort(ways);
    return std::ranges::any_of(ways, [&](const auto& way) { return take(read, way.second, way.first); });
  }

  bool take(EventId read, EventId write, const Effort& effort) {
    if (++tries_ > most_tries) return false;
    Execution changed = best_;
    changed.reads_from = with_source(best_.reads_from, read, write);
    Judgement judgement = judge(model_, changed);
    if (!judgement.accepted()) return false;
    changed.relations = std::move(judgement.relations);
    if (!orders_no_more_writes(changed, best_)) return false;
    best_ = std::move(changed);
    effort_ = effort;
    return true;
  }

  const cat::Model& model_;
  Execution best_;
  Effort effort_;
  unsigned tries_ = 0;
};

}  // namespace

Execution simpler_witness(const cat::Model& model, Execution execution) {
  if (execution.events.size() > most_events || waiting_depends_on_reads(execution)) return execution;
  return Search(model, std::move(execution)).run();
}

}  // namespace ptxmc
