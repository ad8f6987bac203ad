#include "src/cli/tests_by_size.hpp"

#include <algorithm>
#include <tuple>

#include "src/cli/interruption.hpp"

namespace ptxmc {

using generator::CycleTest;
using generator::SizedTest;

TestsBySize::TestsBySize(const DifferenceLimits& limits, const CommonOptions& common)
    : limits_(limits), common_(common), budget_(budget_of(common)) {}

bool TestsBySize::is_over() const {
  return interrupted() || (common_.timeout_seconds > 0 && budget_.seconds_spent() > common_.timeout_seconds);
}

DecideOptions TestsBySize::options() const {
  DecideOptions how = decide_options(common_, budget_);
  how.all_states = false;
  return how;
}

bool TestsBySize::for_each_batch_of_cycles(std::size_t batch_size, unsigned threads,
                                           const UseBatch& use) const {
  std::vector<MakeTest> batch;
  const auto use_batch = [&] {
    const bool goes_on = use(batch);
    batch.clear();
    return goes_on;
  };
  const auto add = [&](const CycleTest& test) {
    batch.push_back([test] { return generator::sized_test_of(test); });
    return batch.size() < batch_size || use_batch();
  };
  return generator::for_each_test_of_size(limits_.tests, threads, instructions_, add) && use_batch();
}

bool TestsBySize::for_each_batch(std::size_t batch_size, const UseBatch& use) {
  if (limits_.given.empty()) {
    for (instructions_ = 1; instructions_ <= limits_.instructions; ++instructions_)
      for (unsigned threads = 1; threads <= limits_.tests.threads; ++threads)
        if (!for_each_batch_of_cycles(batch_size, threads, use)) return false;
    instructions_ = limits_.instructions;
    return true;
  }
  std::vector<SizedTest> tests = limits_.given;
  std::ranges::stable_sort(tests, {},
                           [](const SizedTest& test) { return std::tuple(test.instructions, test.threads); });
  std::vector<MakeTest> all;
  for (const SizedTest& test : tests) all.push_back([test] { return test; });
  instructions_ = tests.back().instructions;
  return use(all);
}

}  // namespace ptxmc
