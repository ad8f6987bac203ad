#include "solver/meetings/strand_completions.hpp"

#include <map>
#include <tuple>
#include <utility>

namespace ptxmc {

namespace {

/// A release of an asynchronous operation at an mbarrier.
bool is_signal(const Event& event) {
  return event.strand != 0 && event.kind == EventKind::write &&
         event.access.mbarrier == MbarrierAccess::operation && event.access.sem == Sem::release;
}

}  // namespace

class StrandCompletions::Builder {
 public:
  Builder(const EventStructure& structure, StrandCompletions& result)
      : structure_(structure), result_(result) {
    result.covering_.resize(structure.events.size());
    result.made_.resize(structure.events.size());
    for (EventId id = 0; id < count(); ++id)
      if (at(id).strand != 0) strands_[{at(id).thread, at(id).strand}].push_back(id);
    if (strands_.empty()) return;
    for (EventId id = 0; id < count(); ++id) {
      if (!at(id).condition.is_true()) continue;
      if (is_signal(at(id))) add_signal(id);
      if (waits_for_groups(at(id))) add_wait(id);
    }
  }

 private:
  EventId count() const { return static_cast<EventId>(structure_.events.size()); }
  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  void cover(std::size_t completion, EventId id) {
    result_.covering_[static_cast<std::size_t>(id)].push_back(completion);
  }

  void cover_strand(std::size_t completion, int thread, const Completion& completed) {
    completed.for_each_strand(thread, [&](int its_thread, unsigned strand) {
      for (const EventId id : strands_[{its_thread, strand}])
        if (!completed.only_reads || at(id).is_read()) cover(completion, id);
    });
  }

  /// A signal covers what precedes it in its strand, itself, and the operations that it follows.
  void add_signal(EventId signal) {
    const Event& event = at(signal);
    const std::size_t completion = result_.count_++;
    result_.made_[static_cast<std::size_t>(signal)].push_back(completion);
    for (const EventId id : strands_[{event.thread, event.strand}])
      if (id <= signal) cover(completion, id);
    for (const Completion& completed : event.completes)
      if (completed.condition.is_true()) cover_strand(completion, event.thread, completed);
  }

  void add_wait(EventId wait) {
    const Event& event = at(wait);
    for (const Completion& completed : event.completes) {
      if (!completed.condition.is_true()) continue;
      // Threads that wait for one operation of all of them observe the same completion.
      const auto [thread, strand] = completed.together == nullptr
                                        ? std::pair(event.thread, completed.strand)
                                        : std::pair<int, unsigned>(*completed.together->begin());
      const auto [number, is_new] =
          waited_.try_emplace({thread, strand, completed.only_reads}, result_.count_);
      if (is_new) {
        ++result_.count_;
        cover_strand(number->second, event.thread, completed);
      }
      result_.made_[static_cast<std::size_t>(wait)].push_back(number->second);
    }
  }

  const EventStructure& structure_;
  StrandCompletions& result_;
  std::map<std::pair<int, unsigned>, std::vector<EventId>> strands_;  // by thread and strand: its events
  /// By thread, strand, and whether only its reads are complete: the completion by waits for groups.
  std::map<std::tuple<int, unsigned, bool>, std::size_t> waited_;
};

StrandCompletions::StrandCompletions(const EventStructure& structure) { Builder(structure, *this); }

bool waits_for_groups(const Event& event) {
  return event.kind == EventKind::wait && event.access.sem == Sem::weak;
}

}  // namespace ptxmc
