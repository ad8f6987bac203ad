#include "solver/launch/few_threads.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "model/cat/cat_polarity.hpp"
#include "model/cat/embedded_models.hpp"
#include "solver/algebra/conjuncts.hpp"
#include "solver/launch/structure_part.hpp"

namespace ptxmc {

namespace {

using Threads = std::set<int>;
using Element = std::pair<int, std::size_t>;  // variable, element

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
      if (event.thread == Event::no_thread || !event.is_memory_access() || event.condition.is_false())
        continue;
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
    Threads result;
    std::vector<int> to_do(threads.begin(), threads.end());
    while (!to_do.empty()) {
      const int thread = to_do.back();
      to_do.pop_back();
      if (!result.insert(thread).second) continue;
      const Threads& needed = needed_[index(thread)];
      to_do.insert(to_do.end(), needed.begin(), needed.end());
    }
    return result;
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

  /// The pairs of threads with accesses that may conflict.
  std::set<std::pair<int, int>> pairs() const {
    std::set<std::pair<int, int>> result;
    for (const Event& event : structure_.events) {
      if (event.thread == Event::no_thread || !event.is_memory_access() || event.condition.is_false())
        continue;
      for_each_writer(event, [&](int writer) {
        if (writer != event.thread) result.insert(std::minmax(writer, event.thread));
      });
    }
    return result;
  }

 private:
  using ByPlace = std::multimap<std::uint64_t, const Event*>;

  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

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
      elements_.emplace(value.term()->variable, Element(variable, element));
      return value;
    });
  }

  const Bits& holds() const { return holds_; }

  /// The elements that a condition speaks of, with the unknowns for them.
  std::vector<std::pair<VariableId, Element>> elements_of(const Bits& condition) const {
    std::vector<std::pair<VariableId, Element>> result;
    for (const VariableId variable : variables_of(condition))
      if (const auto known = elements_.find(variable); known != elements_.end()) result.push_back(*known);
    return result;
  }

  /// A part of the condition as LaunchQuestion::final_condition.
  std::function<Bits(const ElementValue&)> part(const Bits& condition) const {
    if (condition.is_true()) return {};
    return [condition, elements = elements_of(condition)](const ElementValue& value) {
      Substitution values;
      for (const auto& [variable, element] : elements)
        values.set(variable, value(element.first, element.second));
      return values.apply(condition);
    };
  }

 private:
  Bits holds_ = Bits::boolean(true);
  std::map<VariableId, Element> elements_;
};

/// Adds the claims of groups to groups with more threads.
std::vector<Group> without_subsets(std::vector<Group> groups) {
  std::ranges::stable_sort(groups, std::greater(), [](const Group& group) { return group.threads.size(); });
  std::vector<Group> result;
  for (Group& group : groups) {
    const auto larger = std::ranges::find_if(
        result, [&](const Group& other) { return std::ranges::includes(other.threads, group.threads); });
    if (larger == result.end())
      result.push_back(std::move(group));
    else
      larger->claim = larger->claim & group.claim;
  }
  return result;
}

/// The part with all events of these threads. The other threads end as if they did nothing.
SettledCandidates part_with(const Threads& threads, const SettledCandidates& candidates) {
  std::vector<bool> kept;
  for (const Event& event : candidates.structure.events) kept.push_back(threads.contains(event.thread));
  auto [part, numbers] = part_of(candidates.structure, std::move(kept));
  for (std::size_t thread = 0; thread < part.endings.size(); ++thread)
    if (!threads.contains(static_cast<int>(thread)))
      part.endings[thread] = {{Ending::Kind::completed, Bits::boolean(true), 0, {}}};
  for (const Violation& violation : candidates.structure.violations)
    if (threads.contains(violation.thread)) part.violations.push_back(violation);
  return {std::move(part), phases_of_part(candidates.phases, numbers), candidates.assumption};
}

/// The properties that can be seen in a few threads.
std::vector<LaunchProperty> visible_in_few_threads(const std::vector<LaunchProperty>& properties) {
  std::vector<LaunchProperty> result = properties;
  std::erase_if(result, [](LaunchProperty property) {
    return property != LaunchProperty::assertion && property != LaunchProperty::race &&
           property != LaunchProperty::uninitialized && property != LaunchProperty::out_of_bounds;
  });
  return result;
}

std::vector<Group> groups_of(const LaunchQuestion& question, const SettledCandidates& candidates,
                             const FinalCondition& final_condition) {
  const Conflicts conflicts(candidates);
  std::vector<Group> groups;
  for (int thread = 0; thread < static_cast<int>(candidates.structure.endings.size()); ++thread)
    groups.push_back({conflicts.with_sources({thread})});
  for (const auto& [a, b] : conflicts.pairs()) groups.push_back({conflicts.with_sources({a, b})});
  for (const Term* claim : conjuncts(final_condition.holds())) {
    Threads threads;
    for (const auto& [unknown, place] : final_condition.elements_of(Bits(claim))) {
      const auto& [variable, element] = place;
      const Variable& memory = question.structure->program->memory[static_cast<std::size_t>(variable)];
      threads.merge(conflicts.writers(memory.location + element * memory.element_size, memory.element_size));
    }
    groups.push_back({conflicts.with_sources(threads), Bits(claim)});
  }
  return without_subsets(std::move(groups));
}

std::size_t square(std::size_t number) { return number * number; }

}  // namespace

std::vector<FewThreads> questions_about_few_threads(const LaunchQuestion& question,
                                                    const SettledCandidates& candidates,
                                                    const cat::Model& model, TermGraph& graph) {
  const EventStructure& structure = candidates.structure;
  const auto properties = visible_in_few_threads(question.properties);
  const FinalCondition final_condition(question, *structure.program, graph);
  if (properties.empty() || final_condition.holds().is_false() || !is_supported(structure) ||
      !cat::has_axioms_of_ptx(model) || !has_monotone_axioms(model))
    return {};
  std::vector<FewThreads> result;
  std::size_t cost = 0;  // relations are at least quadratic
  for (const Group& group : groups_of(question, candidates, final_condition)) {
    FewThreads& few = result.emplace_back(FewThreads{part_with(group.threads, candidates), question});
    few.asked.properties = properties;
    few.asked.final_condition = final_condition.part(group.claim);
    cost += square(few.candidates.structure.events.size());
    if (cost >= square(structure.events.size())) return {};
  }
  return result;
}

}  // namespace ptxmc
