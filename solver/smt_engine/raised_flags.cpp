#include "solver/smt_engine/raised_flags.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "model/relations/base_relations.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {
namespace {

FlagFinding find_flag(ExecutionSearch& search, const std::string& name, const Bits& is_raised) {
  const Bits wanted[] = {search.encoding().all_completed(), is_raised};
  const Bits cut_off[] = {search.encoding().bound_reached()};
  FlagFinding finding;
  finding.name = name;
  const Existence raised = search.exists(wanted, cut_off);
  finding.raised = raised.verdict;
  finding.reason = raised.reason;
  if (raised.verdict == Verdict::allowed) finding.witness = search.found().execution;
  return finding;
}

/// The wanted flags, each with the finding that `find` gives for it.
template <class Find>
std::vector<FlagFinding> for_each_flag(const cat::Model& model, const ExecutionSearch::Flags& is_wanted,
                                       const Find& find) {
  std::vector<FlagFinding> findings;
  for (std::size_t i = 0; i < model.flags.size(); ++i)
    if (is_wanted(model.flags[i].name)) findings.push_back(find(model.flags[i].name, i));
  return findings;
}

}  // namespace

std::vector<FlagFinding> find_flags(const CandidateExecutions& candidates, const cat::Model& model,
                                    const DecideOptions& options, TermGraph& graph,
                                    const std::vector<std::string>& names) {
  const auto is_wanted = [&](const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    ExecutionSearch search(settle(candidates, model, graph), model, is_wanted, options, graph);
    search.require_executions();
    const auto beyond = search.encoding().beyond_model();
    const auto& outcome = search.encoding().outcome();
    return for_each_flag(*outcome.model, is_wanted, [&](const std::string& name, std::size_t i) {
      if (beyond && name != *beyond) return FlagFinding{name, Verdict::unknown, *beyond, {}, "smt"};
      return find_flag(search, name, outcome.flags[i]);
    });
  } catch (const OutOfTime& out) {
    return for_each_flag(model, is_wanted, [&](const std::string& name, std::size_t) {
      return FlagFinding{name, Verdict::unknown, out.what(), {}, "smt"};
    });
  }
}

std::vector<FlagFinding> find_flags(const Program& program, const cat::Model& model,
                                    const DecideOptions& options, const std::vector<std::string>& names) {
  TermGraph graph;
  const EventStructure structure = unfold(program, graph, unfold_options(program, {}, model, options));
  return find_flags(CandidateExecutions{&structure}, model, options, graph, names);
}

std::optional<std::string> why_void(const std::vector<FlagFinding>& mixed_size_races) {
  for (const FlagFinding& finding : mixed_size_races) {
    if (finding.raised == Verdict::allowed) return mixed_size_race_reason;
    if (finding.raised == Verdict::unknown) return finding.reason;
  }
  return std::nullopt;
}

namespace {

bool may_access(const Event& event) {
  return (event.kind == EventKind::read || event.kind == EventKind::write) && !event.condition.is_false();
}

/// Whether accesses of two threads to known locations overlap partially: they share bytes, and differ in
/// location or size.
bool known_ones_overlap_partially(const std::vector<Event>& events) {
  std::map<std::pair<std::uint64_t, unsigned>, std::set<int>> threads;  // by location and size
  for (const Event& event : events)
    if (may_access(event) && event.location.is_constant())
      threads[{event.location.to_u64(), event.size}].insert(event.thread);
  for (auto first = threads.begin(); first != threads.end(); ++first) {
    const auto [location, size] = first->first;
    for (auto second = std::next(first); second != threads.end(); ++second) {
      if (second->first.first >= location + size) break;
      const std::set<int>&own = first->second, &others = second->second;
      if (own.size() > 1 || others.size() > 1 || own != others) return true;
    }
  }
  return false;
}

/// Whether the location of an access is certainly a multiple of its size. Two such accesses of one size are
/// to the same bytes or to different ones.
bool is_aligned(const Event& event) {
  const Bits rest = event.location & Bits(event.location.width(), event.size - 1);
  return std::has_single_bit(event.size) && rest.is_constant() && rest.value() == 0;
}

}  // namespace

bool may_overlap_partially(const EventStructure& structure) {
  return may_overlap_partially(structure.events);
}

bool may_overlap_partially(const std::vector<Event>& events) {
  if (known_ones_overlap_partially(events)) return true;
  std::vector<std::pair<const Event*, bool>> accesses;  // with `is_aligned`
  for (const Event& event : events)
    if (may_access(event)) accesses.emplace_back(&event, is_aligned(event));
  for (const auto& [a, a_is_aligned] : accesses) {
    if (a->location.is_constant()) continue;
    for (const auto& [b, b_is_aligned] : accesses) {
      const bool are_apart_or_equal = a_is_aligned && b_is_aligned && a->size == b->size;
      if (a->thread != b->thread && !are_apart_or_equal && !overlap_partially(*a, *b).is_false()) return true;
    }
  }
  return false;
}

}  // namespace ptxmc
