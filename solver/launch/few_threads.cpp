#include "solver/launch/few_threads.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "model/cat/cat_polarity.hpp"
#include "model/cat/embedded_models.hpp"
#include "solver/algebra/conjuncts.hpp"
#include "solver/launch/part_description.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/launch/structure_part.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

using Threads = std::set<int>;
using ElementPlace = std::pair<int, std::size_t>;  // variable, element

/// An element of memory, and an unknown for its content when all threads have ended.
struct ElementContent {
  Bits unknown;
  ElementPlace element;
};

/// Some threads, and what is claimed of final memory when they have ended.
struct Group {
  Threads threads;
  Bits claim = Bits::boolean(true);
};

/// Whether more events and larger relations satisfy no axiom that fewer violate.
bool has_monotone_axioms(const cat::Model& model) {
  const auto never_changes = [](const std::string&) { return true; };
  return std::ranges::all_of(cat::monotone_axioms(model, never_changes), std::identity());
}

/// Whether the events of other threads matter only by what threads read, and by the phases of barriers.
bool is_supported(const EventStructure& structure) {
  return std::ranges::all_of(structure.events, [](const Event& event) {
    return event.strand == 0 && event.kind != EventKind::wait && !event.may_outlive_cta &&
           event.access.mbarrier == MbarrierAccess::none && event.completes.empty();
  });
}

/// Which threads may read from each other, and which accesses of them may overlap.
class Conflicts {
 public:
  explicit Conflicts(const SettledCandidates& candidates) : structure_(candidates.structure) {
    for (const Event& event : structure_.events) {
      if (!is_access_of_thread(event)) continue;
      if (event.is_write()) add(event, writes_, open_writes_);
      longest_ = std::max<std::uint64_t>(longest_, event.size);
    }
    needed_.resize(structure_.endings.size());
    for (const Event& event : structure_.events)
      if (event.is_read() && !event.condition.is_false())
        for_each_writer(event, [&](int writer) { needed_[index(event.thread)].insert(writer); });
    add_awaited(candidates.phases.reads_behind);
  }

  /// These threads, and those that they may read from or whose reads decide whether they pass a barrier,
  /// directly or not. (The latter often order what happens before and behind the barrier.)
  Threads with_sources(const Threads& threads) const {
    std::vector<bool> is_known(needed_.size());
    std::vector<int> found;
    const auto add = [&](const Threads& some) {
      for (const int thread : some) {
        if (is_known[index(thread)]) continue;
        is_known[index(thread)] = true;
        found.push_back(thread);
      }
    };
    add(threads);
    for (std::size_t i = 0; i < found.size() && found.size() < needed_.size(); ++i)
      add(needed_[index(found[i])]);
    std::ranges::sort(found);
    return {found.begin(), found.end()};
  }

  /// The threads that may write to these bytes.
  Threads writers(std::uint64_t first, unsigned size) const {
    Event place;
    place.location = Bits(64, first);
    place.size = size;
    Threads result;
    for_each_writer(place, [&](int thread) { result.insert(thread); });
    return result;
  }

  /// Calls `visit` with the threads of accesses that may conflict, as long as it returns true.
  template <class Visit>
  void for_each_pair(const Visit& visit) const {
    for (const Event& event : structure_.events) {
      if (!is_access_of_thread(event)) continue;
      bool goes_on = true;
      for_each_writer(event, [&](int writer) { goes_on = goes_on && visit(event.thread, writer); });
      if (!goes_on) return;
    }
  }

 private:
  using ByPlace = std::multimap<std::uint64_t, const Event*>;

  static bool is_access_of_thread(const Event& event) {
    return event.thread != Event::no_thread && event.is_memory_access() && !event.condition.is_false();
  }

  static void add(const Event& event, ByPlace& by_place, std::vector<const Event*>& open) {
    if (event.location.is_constant())
      by_place.emplace(event.location.to_u64(), &event);
    else
      open.push_back(&event);
  }

  void add_awaited(const ReadsBehind& reads_behind) {
    for (const Event& event : structure_.events)
      if (event.kind == EventKind::barrier && event.goes_on.width() != 0)
        for (const EventId read : reads_behind(event.goes_on))
          needed_[index(event.thread)].insert(structure_.events[index(read)].thread);
  }

  template <class Visit>
  void for_each_writer(const Event& access, const Visit& visit) const {
    if (!access.location.is_constant()) {
      for (const auto& [place, write] : writes_)
        if (access.may_touch(place, write->size)) visit(write->thread);
      for (const Event* write : open_writes_) visit(write->thread);
      return;
    }
    const std::uint64_t first = access.location.to_u64();
    for (auto it = writes_.lower_bound(first - std::min(first, longest_));
         it != writes_.end() && it->first < first + access.size; ++it)
      if (it->second->may_touch(first, access.size)) visit(it->second->thread);
    for (const Event* write : open_writes_)
      if (write->may_touch(first, access.size)) visit(write->thread);
  }

  const EventStructure& structure_;
  ByPlace writes_;  // with known locations
  std::vector<const Event*> open_writes_;
  std::uint64_t longest_ = 1;
  std::vector<Threads> needed_;  // by thread: with_sources, directly
};

/// The final condition over unknowns for the elements of memory.
class FinalCondition {
 public:
  FinalCondition(const LaunchQuestion& question, const Program& program, TermGraph& graph) {
    if (!question.final_condition) return;
    holds_ = question.final_condition([&](int variable, std::size_t element) {
      const Bits value = graph.variable(8 * program.memory[static_cast<std::size_t>(variable)].element_size,
                                        "final content");
      elements_.emplace(value.term()->variable, ElementContent{value, {variable, element}});
      return value;
    });
  }

  const Bits& holds() const { return holds_; }

  /// The elements that a condition speaks of.
  std::vector<ElementContent> elements_of(const Bits& condition) const {
    std::vector<ElementContent> result;
    for (const VariableId variable : variables_of(condition))
      if (const auto known = elements_.find(variable); known != elements_.end())
        result.push_back(known->second);
    return result;
  }

  /// A part of the condition as LaunchQuestion::final_condition.
  std::function<Bits(const ElementValue&)> part(const Bits& condition) const {
    if (condition.is_true()) return {};
    return [condition, elements = elements_of(condition)](const ElementValue& value) {
      Substitution values;
      for (const auto& [unknown, element] : elements)
        values.set(unknown.term()->variable, value(element.first, element.second));
      return values.apply(condition);
    };
  }

 private:
  Bits holds_ = Bits::boolean(true);
  std::map<VariableId, ElementContent> elements_;
};

std::size_t square(std::size_t number) { return number * number; }

/// Groups of threads, as long as it takes less to ask about each of them than about all threads at once.
class Collection {
 public:
  explicit Collection(const EventStructure& structure) : events_of_(structure.endings.size(), 0) {
    for (const Event& event : structure.events)
      if (event.thread != Event::no_thread) ++events_of_[index(event.thread)];
    cost_of_all_ = square(std::accumulate(events_of_.begin(), events_of_.end(), std::size_t{0}));
  }

  /// Returns false if the groups are not worthwhile.
  bool add(Threads threads, const Bits& claim = Bits::boolean(true)) {
    TimeLimit::check();
    const auto [known, is_new] = claims_.try_emplace(std::move(threads), Bits::boolean(true));
    known->second = known->second & claim;
    constexpr std::size_t subsets = 4;  // most of them are left out later
    if (is_new) cost_ += cost_of(known->first);
    return cost_ < subsets * cost_of_all_;
  }

  /// The groups that are no part of others, which get the claims of those that are. Empty if they are not
  /// worthwhile.
  std::vector<Group> largest() const {
    std::vector<Group> groups;
    for (const auto& [threads, claim] : claims_) groups.push_back({threads, claim});
    std::ranges::stable_sort(groups, std::greater(), [](const Group& group) { return group.threads.size(); });
    std::vector<Group> result;
    std::vector<std::vector<std::size_t>> with_thread(events_of_.size());  // groups of the result
    std::size_t cost = 0;
    for (Group& group : groups) {
      if (group.threads.empty()) continue;
      const auto& others = with_thread[index(*group.threads.begin())];
      const auto larger = std::ranges::find_if(others, [&](std::size_t other) {
        return std::ranges::includes(result[other].threads, group.threads);
      });
      if (larger != others.end()) {
        result[*larger].claim = result[*larger].claim & group.claim;
        continue;
      }
      cost += cost_of(group.threads);
      for (const int thread : group.threads) with_thread[index(thread)].push_back(result.size());
      result.push_back(std::move(group));
    }
    return cost < cost_of_all_ ? result : std::vector<Group>();
  }

 private:
  /// Relations are at least quadratic.
  std::size_t cost_of(const Threads& threads) const {
    std::size_t events = 0;
    for (const int thread : threads) events += events_of_[index(thread)];
    return square(events);
  }

  std::vector<std::size_t> events_of_;  // by thread
  std::size_t cost_of_all_ = 0, cost_ = 0;
  std::map<Threads, Bits> claims_;
};

/// The part with all events of these threads. The other threads end as if they did nothing.
SettledCandidates part_with(const Threads& threads, const SettledCandidates& candidates) {
  std::vector<bool> kept;
  for (const Event& event : candidates.structure.events) kept.push_back(threads.contains(event.thread));
  auto [part, numbers] = part_of(candidates.structure, std::move(kept));
  const Ending nothing{Ending::Kind::completed, Bits::boolean(true), 0, {}};
  part.endings.assign(candidates.structure.endings.size(), {nothing});
  for (const int thread : threads) part.endings[index(thread)] = candidates.structure.endings[index(thread)];
  for (const Violation& violation : candidates.structure.violations)
    if (threads.contains(violation.thread)) part.violations.push_back(violation);
  BarrierPhases phases = phases_of_part(candidates.phases, part, numbers);
  return {std::move(part), std::move(phases), candidates.assumption};
}

/// The properties that can be seen in a few threads. Threads of a warp that diverge need not be in a common
/// part, and neither do threads that misuse a phase of a barrier.
std::vector<LaunchProperty> visible_in_few_threads(const LaunchQuestion& question,
                                                   const SettledCandidates& candidates) {
  std::vector<LaunchProperty> result = question.properties;
  const bool are_phases_used_well =
      !may_misuse_phases(candidates.structure) && !has_mbarriers(candidates.structure);
  std::erase_if(result, [&](LaunchProperty property) {
    return property == LaunchProperty::divergence ||
           (property == LaunchProperty::undefined && !are_phases_used_well);
  });
  return result;
}

/// The pieces of memory that a claim speaks of.
std::vector<MemoryClaim::Piece> pieces_of(const Bits& claim, const FinalCondition& final_condition,
                                          const Program& program) {
  std::vector<MemoryClaim::Piece> result;
  for (const auto& [unknown, element] : final_condition.elements_of(claim)) {
    const Variable& memory = program.memory[index(element.first)];
    result.push_back({unknown, memory.location + element.second * memory.element_size, memory.element_size});
  }
  return result;
}

/// Adds the groups of the claims of the final condition. A claim about memory that no thread writes belongs
/// to any group.
bool add_claims(const FinalCondition& final_condition, const Program& program, const Conflicts& conflicts,
                Collection& result) {
  return std::ranges::all_of(conjuncts(final_condition.holds()), [&](const Term* claim) {
    Threads threads;
    for (const auto& [unknown, location, size] : pieces_of(Bits(claim), final_condition, program))
      threads.merge(conflicts.writers(location, size));
    if (threads.empty()) threads.insert(0);
    return result.add(conflicts.with_sources(threads), Bits(claim));
  });
}

std::vector<Group> groups_of(const SettledCandidates& candidates, const FinalCondition& final_condition) {
  const Conflicts conflicts(candidates);
  Collection result(candidates.structure);
  std::vector<Threads> alone;
  for (int thread = 0; thread < static_cast<int>(candidates.structure.endings.size()); ++thread) {
    alone.push_back(conflicts.with_sources({thread}));
    const bool is_everything = alone.back().size() == candidates.structure.endings.size();
    if (is_everything || !result.add(alone.back())) return {};
  }
  bool is_worthwhile = true;
  conflicts.for_each_pair([&](int a, int b) {
    if (alone[index(a)].contains(b) || alone[index(b)].contains(a)) return true;
    Threads both = alone[index(a)];
    both.insert(alone[index(b)].begin(), alone[index(b)].end());
    return is_worthwhile = result.add(std::move(both));
  });
  if (!is_worthwhile || !add_claims(final_condition, *candidates.structure.program, conflicts, result))
    return {};
  return result.largest();
}

}  // namespace

struct PartsOfLaunch::Groups {
  FinalCondition final_condition;
  std::vector<Group> groups;
};

PartsOfLaunch::PartsOfLaunch(const LaunchQuestion& question, const SettledCandidates& candidates,
                             const cat::Model& model, TermGraph& graph)
    : question_(question),
      candidates_(candidates),
      properties_(visible_in_few_threads(question, candidates)) {
  const EventStructure& structure = candidates.structure;
  auto groups = std::make_unique<Groups>(Groups{FinalCondition(question, *structure.program, graph), {}});
  const FinalCondition& final_condition = groups->final_condition;
  if (!properties_.empty() && !final_condition.holds().is_false() && is_supported(structure) &&
      cat::has_axioms_of_ptx(model) && has_monotone_axioms(model))
    groups->groups = groups_of(candidates, final_condition);
  groups_ = std::move(groups);
}

PartsOfLaunch::~PartsOfLaunch() = default;

std::size_t PartsOfLaunch::size() const { return groups_->groups.size(); }

FewThreads PartsOfLaunch::operator[](std::size_t number) const {
  const auto& [threads, claim] = groups_->groups[number];
  const FinalCondition& final_condition = groups_->final_condition;
  FewThreads result{part_with(threads, candidates_), question_, {}};
  result.asked.properties = properties_;
  result.asked.final_condition = final_condition.part(claim);
  const std::vector<int> numbers(threads.begin(), threads.end());
  result.description = describe_part(
      result.candidates, numbers, {claim, pieces_of(claim, final_condition, *candidates_.structure.program)});
  return result;
}

}  // namespace ptxmc
