#include "src/library/line_differences.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/cat/cat_rewriting.hpp"
#include "model/judge/judge.hpp"
#include "model/relations/base_sets.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {

namespace {

using generator::DecidedTest;
using generator::SizedTest;

/// What a test says of the model without one line.
struct WithoutLine {
  std::size_t line = 0;
  std::optional<DecidedTest> difference;
  std::string undecided;
};

class LineSearch {
 public:
  LineSearch(const cat::Model& model, const DifferenceLimits& limits, const SearchOptions& options)
      : model_(model), engine_(options.engine), tests_(limits, options) {
    for (cat::Mutant& mutant : cat::without_each_line(model)) {
      const bool is_of_flags = cat::have_same_axioms(model, mutant.model);
      found_.lines.push_back({std::move(mutant), is_of_flags, {}, {}});
      open_.emplace_back(!is_of_flags);
    }
  }

  LineDifferences run() {
    constexpr std::size_t batch_size = 128;
    const bool has_used_all = tests_.for_each(
        batch_size, [&](const SizedTest& test) { return decide(test); },
        [&](std::vector<WithoutLine> answers) {
          for (WithoutLine& answer : answers) note(std::move(answer));
          return std::ranges::any_of(open_, [](const std::atomic<bool>& is_open) { return is_open.load(); });
        });
    found_.is_complete = has_used_all || !tests_.is_over();
    found_.tests = tests_.used();
    found_.instructions = tests_.instructions();
    return std::move(found_);
  }

 private:
  void note(WithoutLine answer) {
    LineDifference& line = found_.lines[answer.line];
    if (line.difference) return;
    if (line.undecided.empty()) line.undecided = std::move(answer.undecided);
    line.difference = std::move(answer.difference);
    if (line.difference) open_[answer.line] = false;
  }

  /// For which lines the axioms for these events change; known from which base sets have events.
  const std::vector<bool>& relevant_lines(const EventStructure& structure) {
    std::vector<bool> signature;
    for (const BaseSet& set : base_sets())
      signature.push_back(std::ranges::any_of(structure.events, set.contains));
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = relevant_.find(signature); known != relevant_.end()) return known->second;
    }
    const cat::Model whole = cat::specialized(model_, structure.events);
    std::vector<bool> relevant;
    for (const LineDifference& line : found_.lines)
      relevant.push_back(
          !line.is_of_flags &&
          !cat::have_same_axioms(whole, cat::specialized(line.without.model, structure.events)));
    const std::lock_guard lock(mutex_);
    return relevant_.emplace(std::move(signature), std::move(relevant)).first->second;
  }

  std::vector<WithoutLine> decide(const SizedTest& test) {
    std::vector<WithoutLine> result;
    const Answer whole = answer_of(test, model_);
    if (whole.verdict == Verdict::unknown) return result;
    const LitmusTest& asked = *test.test;
    TermGraph graph;
    const EventStructure structure =
        unfold(asked.program, graph, unfold_options(asked.program, {}, model_, limited()));
    const std::vector<bool>& relevant = relevant_lines(structure);
    for (std::size_t line = 0; line < open_.size(); ++line) {
      if (!relevant[line] || !open_[line]) continue;
      const cat::Model& without = found_.lines[line].without.model;
      // What the model allows by this execution, the model without the line allows as well.
      if (whole.witness && judge_axioms(without, *whole.witness).accepted()) continue;
      DecidedTest decided{test, whole, answer_of(test, without)};
      if (decided.second.verdict == Verdict::unknown)
        result.push_back({line, std::nullopt, decided.second.reason});
      else if (decided.differs())
        result.push_back({line, std::move(decided), ""});
    }
    return result;
  }

  DecideOptions limited() const {
    constexpr double seconds_of_a_test = 10;
    DecideOptions how = tests_.options();
    how.timeout_seconds =
        how.timeout_seconds > 0 ? std::min(how.timeout_seconds, seconds_of_a_test) : seconds_of_a_test;
    return how;
  }

  /// Without its line, a model may be one that the engines cannot decide: a coherence order with a cycle has
  /// no last write.
  Answer answer_of(const SizedTest& test, const cat::Model& model) const {
    Answer unknown;
    try {
      return decide_with(engine_, test.test->program, test.test->question, model, limited());
    } catch (const OutOfTime& out) {
      unknown.reason = out.what();
    } catch (const std::bad_alloc&) {
      unknown.reason = "out of memory";
    } catch (const Unsupported& unsupported) {
      unknown.reason = unsupported.what();
    } catch (const std::logic_error& refused) {
      unknown.reason = refused.what();
    }
    return unknown;
  }

  const cat::Model& model_;
  const Engine engine_;
  TestsBySize tests_;
  LineDifferences found_;
  std::deque<std::atomic<bool>> open_;  // by line: a difference is still sought
  std::mutex mutex_;
  std::map<std::vector<bool>, std::vector<bool>> relevant_;  // by the base sets that have events
};

}  // namespace

LineDifferences find_line_differences(const cat::Model& model, const DifferenceLimits& limits,
                                      const SearchOptions& options) {
  return LineSearch(model, limits, options).run();
}

}  // namespace ptxmc
