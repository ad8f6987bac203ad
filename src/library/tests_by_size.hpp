#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/generator/model_difference.hpp"
#include "src/library/in_order.hpp"

namespace ptxmc {

/// The tests among which a difference is sought.
struct DifferenceLimits {
  generator::CycleLimits tests = {};
  unsigned instructions = 6;                     ///< of a test, at most
  bool counts_undecided = false;                 ///< a test that only one model decides is a difference too
  std::vector<generator::SizedTest> given = {};  ///< if there are any: in place of those of cycles
};

/// How the tests of a search are decided.
struct SearchOptions {
  Engine engine = Engine::automatic;
  unsigned jobs = 1;     ///< tests that are decided at the same time
  DecideOptions decide;  ///< its time limit is that of the whole search
};

/// Makes a test. Throws InputError.
using MakeTest = std::function<generator::SizedTest()>;

/// Tests in the order of their numbers of instructions, then of threads, which several threads decide until
/// the time is over.
class TestsBySize {
 public:
  /// Both must outlive it. The time is counted from now on.
  TestsBySize(const DifferenceLimits&, const SearchOptions&);

  bool is_over() const;
  unsigned instructions() const { return instructions_; }  ///< of the tests that were decided last
  std::uint64_t used() const { return used_; }
  /// For a test that is decided now: those of the search, with the rest of its time.
  DecideOptions options() const;

  /// Calls `decide` with tests in several threads, and `use` in the order of the tests with what it returns.
  /// Ends early if the time is over, or if `use` returns false; tests after this one may have been decided,
  /// and are not used. Returns whether all tests were used.
  template <class Decide, class Use>
  bool for_each(std::size_t batch_size, const Decide& decide, const Use& use) {
    bool goes_on = true;
    const auto decide_batch = [&](const std::vector<MakeTest>& batch) {
      using Decided = decltype(decide(generator::SizedTest()));
      const auto work = [&](std::size_t i) {
        return is_over() ? std::optional<Decided>() : std::optional<Decided>(decide(batch[i]()));
      };
      in_order(batch.size(), search_.jobs, work, [&](std::size_t, std::optional<Decided> decided) {
        if (!decided || !goes_on) return;
        ++used_;
        goes_on = use(std::move(*decided));
      });
      return goes_on && !is_over();
    };
    try {
      return for_each_batch(batch_size, decide_batch) && goes_on;
    } catch (const OutOfTime&) {
      return false;
    }
  }

 private:
  using UseBatch = std::function<bool(const std::vector<MakeTest>&)>;

  /// Calls `use` with tests of one size at a time. Returns false if `use` did.
  bool for_each_batch(std::size_t batch_size, const UseBatch& use);
  bool for_each_batch_of_cycles(std::size_t batch_size, unsigned threads, const UseBatch& use) const;

  const DifferenceLimits& limits_;
  const SearchOptions& search_;
  const Stopwatch stopwatch_;
  unsigned instructions_ = 0;
  std::uint64_t used_ = 0;
};

}  // namespace ptxmc
