#include "src/litmus/strengthening.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "solver/smt_engine/final_state_search.hpp"
#include "src/litmus/strength_changes.hpp"

namespace ptxmc {
namespace {

using Clock = std::chrono::steady_clock;
using Change = const Strengthening*;
using Set = std::vector<Change>;

/// If there are more pairs than this, only one minimal set is searched.
constexpr std::size_t most_pairs = 1'000;

std::tuple<std::size_t, Target, bool> place_of(Change change) {
  return {change->thread, change->instruction, change->is_inserted};
}

/// Whether, of two changes at one position, the second is at least as strong as the first.
bool is_weaker(Change a, Change b) {
  const auto has = [](Change change, const char* word) {
    return change->after.find(word) != std::string::npos;
  };
  if (place_of(a) != place_of(b) || has(a, "fence.proxy") || has(b, "fence.proxy")) return a == b;
  return a->strength <= b->strength && !(has(a, ".acquire") && has(b, ".release"));
}

/// Whether the second set changes the same positions as the first, each at least as strongly.
bool is_weaker(const Set& a, const Set& b) {
  return a.size() == b.size() && std::ranges::all_of(a, [&](Change change) {
           return std::ranges::any_of(b, [&](Change other) { return is_weaker(change, other); });
         });
}

class Search {
 public:
  Search(const Program& program, const Question& question, const cat::Model& model, DecideOptions options)
      : program_(program),
        question_(question),
        model_(model),
        options_(std::move(options)),
        changes_(possible_strengthenings(program)) {
    options_.all_states = false;
    options_.count_executions = false;
  }

  Strengthenings run() {
    find_sets(1);
    if (found_.empty()) find_more();
    Strengthenings result;
    result.reason = reason_;
    for (const Set& set : found_) {
      auto& copy = result.sets.emplace_back();
      for (Change change : set) copy.push_back(*change);
    }
    return result;
  }

 private:
  bool is_out_of_time() {
    const double spent = std::chrono::duration<double>(Clock::now() - start_).count();
    if (options_.timeout_seconds > 0 && spent > options_.timeout_seconds) reason_ = "timeout";
    if (options_.interrupted && options_.interrupted->load()) reason_ = "interrupted";
    return !reason_.empty();
  }

  bool forbids(const Set& set) {
    if (is_out_of_time()) return false;
    try {
      return decide(with_changes(program_, set), question_, model_, options_).verdict == Verdict::forbidden;
    } catch (const Unsupported&) {
      return false;
    }
  }

  void try_set(const Set& set) {
    if (std::ranges::any_of(found_, [&](const Set& weaker) { return is_weaker(weaker, set); })) return;
    if (forbids(set)) found_.push_back(set);
  }

  /// Finds the sets of one or two changes, weaker ones first.
  void find_sets(std::size_t size) {
    std::vector<Set> sets;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (size == 1) sets.push_back({&changes_[i]});
      for (std::size_t j = i + 1; size == 2 && j < changes_.size(); ++j)
        if (place_of(&changes_[i]) != place_of(&changes_[j])) sets.push_back({&changes_[i], &changes_[j]});
    }
    const auto strength = [](const Set& set) {
      int sum = 0;
      for (Change change : set) sum += change->strength;
      return sum;
    };
    std::ranges::stable_sort(sets, {}, strength);
    for (const Set& set : sets) try_set(set);
  }

  /// The strongest change at each position, without proxy fences.
  Set strongest() const {
    Set set;
    for (const Strengthening& change : changes_) {
      if (!set.empty() && place_of(set.back()) == place_of(&change)) set.pop_back();
      set.push_back(&change);
    }
    return set;
  }

  void find_more() {
    const bool has_proxies = std::ranges::any_of(
        changes_, [](const Strengthening& change) { return change.after.starts_with("fence.proxy"); });
    const Set all = strongest();
    const bool is_enough = !all.empty() && forbids(all);
    if (!is_enough && !has_proxies) return;
    if (changes_.size() * changes_.size() <= 2 * most_pairs) find_sets(2);
    if (found_.empty() && is_enough) find_minimal(all);
  }

  /// Reduces a set that forbids the outcome to a minimal set of changes that are as weak as possible.
  void find_minimal(Set set) {
    for (std::size_t i = set.size(); i-- > 0;) {
      Set fewer = set;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (forbids(fewer)) set = fewer;
    }
    for (Change& change : set)
      for (const Strengthening& other : changes_) {
        if (place_of(&other) != place_of(change) || other.strength >= change->strength) continue;
        const Change kept = std::exchange(change, &other);
        if (forbids(set)) break;
        change = kept;
      }
    if (reason_.empty()) found_.push_back(set);
  }

  const Program& program_;
  const Question& question_;
  const cat::Model& model_;
  DecideOptions options_;
  const std::vector<Strengthening> changes_;
  const Clock::time_point start_ = Clock::now();
  std::vector<Set> found_;
  std::string reason_;
};

}  // namespace

Strengthenings find_strengthenings(const Program& program, const Question& question, const cat::Model& model,
                                   const DecideOptions& options) {
  return Search(program, question, model, options).run();
}

}  // namespace ptxmc
