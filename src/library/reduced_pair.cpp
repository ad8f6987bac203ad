#include "src/library/reduced_pair.hpp"

#include <algorithm>

namespace ptxmc {
namespace {

/// Whether the difference is an outcome, or else its kind: "may wait for ever".
std::string kind_of_difference(const Refinement& refinement) {
  if (!refinement.extra.empty()) return "outcome";
  return refinement.reason.substr(0, refinement.reason.find(':'));
}

class Comparisons {
 public:
  Comparisons(const ComparedSides& given, const ReductionOptions& options)
      : given_(given), options_(options), sc_(cat::load("sc")) {
    ComparedSide source = given.source, target = given.target;
    for (ComparedSide* side : {&source, &target}) {
      side->names.clear();
      side->places.clear();
    }
    left_out_ = observe(source, target, options_.observe);
    refines_under_sc_ = refines_under_sc(source, target);
  }

  /// Reads both texts and finds what is observed. Whether nothing is left out but what was.
  bool read(const PairTexts& texts, ComparedSides& pair) const {
    pair.source = side_of_text(texts.source, "source", given_.source.model);
    pair.target = side_of_text(texts.target, "target", given_.target.model);
    const auto left_out = observe(pair.source, pair.target, options_.observe);
    return std::ranges::all_of(left_out, [&](const std::string& text) {
      return std::ranges::find(left_out_, text) != left_out_.end();
    });
  }

  /// Whether the given tests differ in orders alone.
  bool is_of_order() const { return refines_under_sc_; }

  bool still_differs(const PairTexts& texts) const {
    if (options_.is_over()) return false;
    ComparedSides pair;
    if (!read(texts, pair)) return false;
    // Without orders the tests are the same, so that the difference is one of orders.
    if (refines_under_sc_ && !refines_under_sc(pair.source, pair.target)) return false;
    const Refinement found = decide_refinement(asked(pair.source), asked(pair.target), options_.refinement);
    return found.differs == Verdict::allowed &&
           kind_of_difference(found) == kind_of_difference(given_.report.refinement);
  }

 private:
  ComparedProgram asked(const ComparedSide& side) const {
    return compared_program(side, options_.decide, options_.engine);
  }

  /// The program with its outcomes alone.
  ComparedProgram outcomes_alone(const ComparedSide& side) const {
    ComparedProgram result = asked(side);
    result.waits_for_ever = result.fails = [] { return Fact{Verdict::forbidden, {}}; };
    result.races = nullptr;
    result.is_undefined_by_races = false;
    return result;
  }

  bool refines_under_sc(ComparedSide source, ComparedSide target) const {
    source.model = target.model = sc_;
    return decide_refinement(outcomes_alone(source), outcomes_alone(target), options_.refinement).differs ==
           Verdict::forbidden;
  }

  const ComparedSides& given_;
  const ReductionOptions& options_;
  const cat::Model sc_;
  std::vector<std::string> left_out_;
  bool refines_under_sc_ = false;
};

}  // namespace

std::shared_ptr<ReducedPair> reduced_pair(const ComparedSides& given, const PairTexts& texts,
                                          const ReductionOptions& options) {
  const Comparisons comparisons(given, options);
  const auto result = std::make_shared<ReducedPair>();
  result->reduction = reduce_pair(
      texts, [&](const PairTexts& smaller) { return comparisons.still_differs(smaller); },
      comparisons.is_of_order());
  ComparedSides& pair = result->compared;
  comparisons.read(result->reduction.pair, pair);
  pair.report.source = "reduced.source.litmus";
  pair.report.target = "reduced.target.litmus";
  compare_sides(pair, options.decide, options.engine, options.refinement);
  return result;
}

}  // namespace ptxmc
