#include "src/cli/difference_search.hpp"

#include <utility>
#include <vector>

#include "src/cli/in_order.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/supervision.hpp"

namespace ptxmc {

namespace {

using generator::CycleTest;
using generator::DecidedTest;

class Search {
 public:
  Search(const cat::Model& first, const cat::Model& second, const DifferenceLimits& limits,
         const CommonOptions& options)
      : first_(first), second_(second), limits_(limits), options_(options), budget_(budget_of(options)) {}

  FoundDifference run() {
    for (unsigned instructions = 1; instructions <= limits_.instructions; ++instructions)
      for (unsigned threads = 1; threads <= limits_.tests.threads; ++threads)
        if (!decide_all(threads, instructions)) return std::move(found_);
    found_.is_complete = true;
    return std::move(found_);
  }

 private:
  bool is_over() const {
    return interrupted() ||
           (options_.timeout_seconds > 0 && budget_.seconds_spent() > options_.timeout_seconds);
  }

  bool decide_all(unsigned threads, unsigned instructions) {
    constexpr std::size_t batch_size = 512;
    found_.instructions = instructions;
    const auto use = [&](const CycleTest& test) {
      batch_.push_back(test);
      return batch_.size() < batch_size || decide_batch();
    };
    return generator::for_each_test_of_size(limits_.tests, threads, instructions, use) && decide_batch();
  }

  /// Returns whether the search goes on.
  bool decide_batch() {
    DecideOptions how = decide_options(options_, budget_);
    how.all_states = false;
    const Engine engine = *find_engine(options_.engine);
    const auto work = [&](std::size_t i) {
      return is_over() ? std::optional<DecidedTest>()
                       : generator::decide_under_both(batch_[i], first_, second_, engine, how);
    };
    in_order(batch_.size(), job_count(options_), work,
             [&](std::size_t, std::optional<DecidedTest> decided) { note(std::move(decided)); });
    batch_.clear();
    return !found_.difference && !is_over();
  }

  void note(std::optional<DecidedTest> decided) {
    if (!decided || found_.difference) return;
    ++found_.tests;
    const bool is_decided_by_one = decided->is_decided_by_one();
    if (is_decided_by_one && !found_.decided_by_one) found_.decided_by_one = decided;
    if (decided->differs() || (is_decided_by_one && limits_.counts_undecided))
      found_.difference = std::move(decided);
  }

  const cat::Model& first_;
  const cat::Model& second_;
  const DifferenceLimits& limits_;
  const CommonOptions& options_;
  const Budget budget_;
  std::vector<CycleTest> batch_;
  FoundDifference found_;
};

}  // namespace

FoundDifference find_difference(const cat::Model& first, const cat::Model& second,
                                const DifferenceLimits& limits, const CommonOptions& options) {
  return Search(first, second, limits, options).run();
}

}  // namespace ptxmc
