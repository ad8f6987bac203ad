#include "src/library/tests_by_size.hpp"

#include <algorithm>
#include <tuple>

namespace ptxmc {

using generator::CycleTest;
using generator::SizedTest;

TestsBySize::TestsBySize(const DifferenceLimits& limits, const SearchOptions& search)
    : limits_(limits), search_(search) {}

bool TestsBySize::is_over() const {
  const DecideOptions& whole = search_.decide;
  if (whole.interrupted != nullptr && *whole.interrupted) return true;
  return stopwatch_.has_passed(whole.timeout_seconds);
}

DecideOptions TestsBySize::options() const {
  DecideOptions how = search_.decide;
  how.all_states = false;
  how.timeout_seconds = stopwatch_.left_of(how.timeout_seconds);
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
