#include "src/cli/reduced_pair.hpp"

#include <algorithm>
#include <fstream>

#include "semantics/language/text_file.hpp"

namespace ptxmc {
namespace {

/// Whether the difference is an outcome, or else its kind: "may wait for ever".
std::string kind_of_difference(const Refinement& refinement) {
  if (!refinement.extra.empty()) return "outcome";
  return refinement.reason.substr(0, refinement.reason.find(':'));
}

/// The program with its outcomes alone.
ComparedProgram outcomes_alone(const ComparedSide& side, const DecideOptions& decide, Engine engine) {
  ComparedProgram result = compared_program(side, decide, engine);
  result.waits_for_ever = result.fails = [] { return Fact{Verdict::forbidden, {}}; };
  result.races = nullptr;
  result.is_undefined_by_races = false;
  return result;
}

class Comparisons {
 public:
  Comparisons(const ComparedSides& given, const std::string& observe_flag, const DecideOptions& decide,
              Engine engine, const RefinementOptions& options, const Budget& budget)
      : given_(given),
        observe_flag_(observe_flag),
        decide_(decide),
        engine_(engine),
        options_(options),
        budget_(budget),
        sc_(cat::load("sc")) {
    ComparedSide source = given.source, target = given.target;
    for (ComparedSide* side : {&source, &target}) {
      side->names.clear();
      side->places.clear();
    }
    left_out_ = observe(source, target, observe_flag_);
    refines_under_sc_ = refines_under_sc(source, target);
  }

  /// Reads both texts and finds what is observed. Whether nothing is left out but what was.
  bool read(const PairTexts& texts, ComparedSides& pair) const {
    pair.source = side_of_text(texts.source, "source", given_.source.model);
    pair.target = side_of_text(texts.target, "target", given_.target.model);
    const auto left_out = observe(pair.source, pair.target, observe_flag_);
    return std::ranges::all_of(left_out, [&](const std::string& text) {
      return std::ranges::find(left_out_, text) != left_out_.end();
    });
  }

  /// Whether the given tests differ in orders alone.
  bool is_of_order() const { return refines_under_sc_; }

  bool still_differs(const PairTexts& texts) const {
    if (budget_.seconds_left() > 0 && budget_.seconds_left() <= least_seconds) return false;
    ComparedSides pair;
    if (!read(texts, pair)) return false;
    // Without orders the tests are the same, so that the difference is one of orders.
    if (refines_under_sc_ && !refines_under_sc(pair.source, pair.target)) return false;
    const Refinement found = decide_refinement(compared_program(pair.source, decide_, engine_),
                                               compared_program(pair.target, decide_, engine_), options_);
    return found.differs == Verdict::allowed &&
           kind_of_difference(found) == kind_of_difference(given_.report.refinement);
  }

 private:
  static constexpr double least_seconds = 0.5;

  bool refines_under_sc(ComparedSide source, ComparedSide target) const {
    source.model = target.model = sc_;
    return decide_refinement(outcomes_alone(source, decide_, engine_),
                             outcomes_alone(target, decide_, engine_), options_)
               .differs == Verdict::forbidden;
  }

  const ComparedSides& given_;
  const std::string& observe_flag_;
  const DecideOptions& decide_;
  const Engine engine_;
  const RefinementOptions& options_;
  const Budget& budget_;
  const cat::Model sc_;
  std::vector<std::string> left_out_;
  bool refines_under_sc_ = false;
};

}  // namespace

std::shared_ptr<ReducedPair> reduced_pair(const ComparedSides& given, const std::string& observe_flag,
                                          const DecideOptions& decide, Engine engine,
                                          const RefinementOptions& options, const Budget& budget) {
  if (!given.source.test || !given.target.test) return nullptr;
  if (given.report.refinement.differs != Verdict::allowed) return nullptr;
  const Comparisons comparisons(given, observe_flag, decide, engine, options, budget);
  const auto result = std::make_shared<ReducedPair>();
  result->reduction = reduce_pair(
      {text_of_input(given.source.file, "a litmus test"), text_of_input(given.target.file, "a litmus test")},
      [&](const PairTexts& texts) { return comparisons.still_differs(texts); }, comparisons.is_of_order());
  ComparedSides& pair = result->compared;
  comparisons.read(result->reduction.pair, pair);
  pair.report.source = "reduced.source.litmus";
  pair.report.target = "reduced.target.litmus";
  compare_sides(pair, decide, engine, options);
  return result;
}

void write_pair(const PairTexts& texts, const std::filesystem::path& folder, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  write_text_file(folder / (name + ".source.litmus"), texts.source);
  write_text_file(folder / (name + ".target.litmus"), texts.target);
}

}  // namespace ptxmc
