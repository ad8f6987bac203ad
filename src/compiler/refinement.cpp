#include "src/compiler/refinement.hpp"

#include <algorithm>
#include <set>

#include "src/compiler/observables.hpp"

namespace ptxmc {
namespace {

/// The largest bound that is tried for loops of the source.
constexpr unsigned most_bound = 64;

std::vector<unsigned> common_widths(const ObservedOutcomes& source, const ObservedOutcomes& target) {
  std::vector<unsigned> result;
  for (std::size_t i = 0; i < std::min(source.widths.size(), target.widths.size()); ++i)
    result.push_back(std::min(source.widths[i], target.widths[i]));
  return result;
}

std::set<Outcome> canonical(const ObservedOutcomes& outcomes, const std::vector<unsigned>& widths) {
  std::set<Outcome> result;
  for (Outcome outcome : outcomes.values) {
    for (std::size_t i = 0; i < outcome.size(); ++i) outcome[i] = canonical_value(outcome[i], widths[i]);
    result.insert(std::move(outcome));
  }
  return result;
}

Outcome canonical(Outcome outcome, const std::vector<unsigned>& widths) {
  for (std::size_t i = 0; i < outcome.size(); ++i) outcome[i] = canonical_value(outcome[i], widths[i]);
  return outcome;
}

/// Whether each value is the same number as a signed and as an unsigned one of the width.
bool has_one_spelling(const Outcome& outcome, const std::vector<unsigned>& widths) {
  for (std::size_t i = 0; i < outcome.size(); ++i)
    if (widths[i] < 64 && (outcome[i] < 0 || outcome[i] >= std::int64_t{1} << (widths[i] - 1))) return false;
  return true;
}

/// The outcomes of the target that are not among those found of the source.
std::vector<std::size_t> not_found(const ObservedOutcomes& source, const ObservedOutcomes& target) {
  const std::vector<unsigned> widths = common_widths(source, target);
  const std::set<Outcome> known = canonical(source, widths);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < target.values.size(); ++i)
    if (!known.contains(canonical(target.values[i], widths))) result.push_back(i);
  return result;
}

void count_lost(Refinement& result) {
  if (!result.source.is_complete || !result.target.is_complete) return;
  const std::vector<unsigned> widths = common_widths(result.source, result.target);
  const std::set<Outcome> kept = canonical(result.target, widths);
  for (const Outcome& outcome : result.source.values)
    if (!kept.contains(canonical(outcome, widths))) result.lost.push_back(outcome);
  result.missing = result.lost.size();
}

void make_unknown(Refinement& result, const std::string& reason) {
  if (result.differs == Verdict::allowed) return;
  if (result.differs == Verdict::forbidden) result.reason = reason;
  result.differs = Verdict::unknown;
}

/// Asks the source for more as long as the bound of its loops hides outcomes that the target has.
void find_source_outcomes(const ComparedProgram& source, unsigned bound, Refinement& result) {
  result.source = source.outcomes(bound);
  while (!result.source.is_void && !result.source.is_complete && bound < most_bound &&
         result.source.reason.starts_with("loop bound") && !not_found(result.source, result.target).empty()) {
    bound = std::max(1U, bound) * 2;
    result.source = source.outcomes(bound);
  }
}

void compare_outcomes(const ComparedProgram& source, Refinement& result) {
  std::string unsure;
  const std::vector<unsigned> widths = common_widths(result.source, result.target);
  for (const std::size_t i : not_found(result.source, result.target)) {
    const Outcome& outcome = result.target.values[i];
    const Verdict allowed = result.source.is_complete           ? Verdict::forbidden
                            : has_one_spelling(outcome, widths) ? source.allows(outcome)
                                                                : Verdict::unknown;
    if (allowed == Verdict::forbidden) result.extra.push_back(i);
    if (allowed == Verdict::unknown) unsure = "the source: " + result.source.reason;
  }
  result.differs = result.extra.empty() ? Verdict::forbidden : Verdict::allowed;
  if (!unsure.empty()) make_unknown(result, unsure);
  if (!result.target.is_complete) make_unknown(result, result.target.reason);
  count_lost(result);
}

/// What the target may do and the source may not.
void compare_fact(const std::function<Fact()>& of_source, const std::function<Fact()>& of_target,
                  const std::string& difference, Refinement& result) {
  const Fact target = of_target();
  if (target.holds == Verdict::forbidden) return;
  const Fact source = of_source();
  if (source.holds == Verdict::allowed) return;
  if (target.holds == Verdict::unknown || source.holds == Verdict::unknown)
    return make_unknown(result,
                        target.holds == Verdict::unknown ? target.text : "the source: " + source.text);
  if (result.differs != Verdict::allowed) result.reason = difference + ": " + target.text;
  if (result.differs == Verdict::allowed) result.notes.push_back(difference + ": " + target.text);
  result.differs = Verdict::allowed;
}

/// Whether the source is undefined; then every target refines it.
bool is_undefined(const ComparedProgram& source, const RefinementOptions& options, std::string& unsure,
                  Refinement& result) {
  if (!source.is_undefined_by_races) return false;
  const Fact race = source.races();
  if (race.holds == Verdict::unknown) unsure = "race of the source: " + race.text;
  if (race.holds != Verdict::allowed) return false;
  if (options.ignores_races) {
    result.notes.push_back("the source has a race: " + race.text);
    return false;
  }
  result.is_vacuous = true;
  result.differs = Verdict::forbidden;
  result.reason = "the source has a race: " + race.text;
  return true;
}

}  // namespace

Refinement decide_refinement(const ComparedProgram& source, const ComparedProgram& target,
                             const RefinementOptions& options) {
  Refinement result;
  std::string unsure;
  if (is_undefined(source, options, unsure, result)) return result;
  result.target = target.outcomes(options.bound);
  find_source_outcomes(source, options.bound, result);
  for (const auto& [side, name] : {std::pair(&result.source, "the source: "), std::pair(&result.target, "")})
    if (side->is_void) {
      result.reason = name + side->reason;
      return result;
    }
  for (const auto& [side, name] : {std::pair(&result.source, "source"), std::pair(&result.target, "target")})
    if (!side->note.empty()) result.notes.push_back("the " + std::string(name) + ": " + side->note);
  compare_outcomes(source, result);
  compare_fact(source.fails, target.fails, "may fail", result);
  compare_fact(source.waits_for_ever, target.waits_for_ever, "may wait for ever", result);
  if (!unsure.empty() && !options.ignores_races && result.differs == Verdict::allowed) {
    result.differs = Verdict::unknown;  // the difference does not matter if the source has a race
    result.reason = unsure;
  }
  if (!source.is_undefined_by_races && source.races && target.races) {
    const Fact race = target.races();
    if (race.holds == Verdict::allowed && source.races().holds == Verdict::forbidden)
      result.notes.push_back("the target has a race that the source lacks: " + race.text);
  }
  return result;
}

}  // namespace ptxmc
