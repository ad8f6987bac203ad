#include "src/generator/all_cycles.hpp"

#include <algorithm>

#include "src/generator/cycle_events.hpp"
#include "src/generator/cycle_names.hpp"

namespace ptxmc::generator {

namespace {

using Kind = Edge::Kind;

/// Whether the edge is inside a thread and needs an access of its own at both ends.
bool is_inside_thread(const Edge& edge) {
  return !edge.is_external && !is_communication(edge) && edge.kind != Kind::read_modify_write;
}

bool may_follow(const Edge& first, const Edge& second) {
  return first.to == second.from && !(is_inside_thread(first) && is_inside_thread(second));
}

/// The cycles of a number of edges, each as the smallest of its rotations by the numbers of its edges.
class Necklaces {
 public:
  Necklaces(const CycleLimits& limits, unsigned edges, const std::function<bool(const Cycle&)>& use)
      : limits_(limits), edges_(edges), use_(use) {}

  bool extend() {
    if (numbers_.size() == edges_) return use_if_complete();
    for (std::size_t n = numbers_.empty() ? 0 : numbers_.front(); n < limits_.edges.size(); ++n) {
      const Edge& edge = limits_.edges[n];
      if (!numbers_.empty() && !may_follow(limits_.edges[numbers_.back()], edge)) continue;
      if (threads_ + edge.is_external > limits_.threads) continue;
      const unsigned more = instructions_of(edge);
      if (instructions_ + more > limits_.instructions) continue;
      numbers_.push_back(n);
      threads_ += edge.is_external;
      instructions_ += more;
      const bool goes_on = extend();
      instructions_ -= more;
      threads_ -= edge.is_external;
      numbers_.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

 private:
  bool use_if_complete() {
    if (!may_follow(limits_.edges[numbers_.back()], limits_.edges[numbers_.front()]) || !is_smallest())
      return true;
    Cycle cycle;
    for (const std::size_t n : numbers_) cycle.push_back({{}, limits_.edges[n]});
    if (!mistake_of(cycle).empty() || !is_observable(cycle)) return true;
    return use_(in_usual_order(cycle));
  }

  bool is_smallest() const {
    std::vector<std::size_t> rotated = numbers_;
    for (std::size_t i = 1; i < rotated.size(); ++i) {
      std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
      if (rotated < numbers_) return false;
    }
    return true;
  }

  const CycleLimits& limits_;
  const unsigned edges_;
  const std::function<bool(const Cycle&)>& use_;
  std::vector<std::size_t> numbers_;  // of edges
  unsigned threads_ = 0;              // edges between threads
  unsigned instructions_ = 0;
};

/// The numbers of steps by which the cycle can be rotated without a change of what `part` gives of its steps.
template <class Part>
std::vector<std::size_t> symmetries_of(const Cycle& cycle, const Part& part) {
  std::vector<std::size_t> result;
  for (std::size_t turn = 1; turn < cycle.size(); ++turn) {
    bool is_same = true;
    for (std::size_t i = 0; i < cycle.size() && is_same; ++i)
      is_same = part(cycle[i]) == part(cycle[(i + turn) % cycle.size()]);
    if (is_same) result.push_back(turn);
  }
  return result;
}

/// The placement of the threads of a cycle that is rotated by so many steps.
ThreadPlaces rotated_places(const Cycle& cycle, const ThreadPlaces& places, std::size_t turn) {
  const auto first = std::ranges::count_if(cycle.begin(), cycle.begin() + static_cast<std::ptrdiff_t>(turn),
                                           [](const Step& step) { return step.edge.is_external; });
  ThreadPlaces result = places;
  std::rotate(result.begin(), result.begin() + first % static_cast<std::ptrdiff_t>(result.size()),
              result.end());
  return in_order_of_appearance(std::move(result));
}

/// The tests of one cycle.
class Spellings {
 public:
  Spellings(const Cycle& cycle, const CycleLimits& limits, const std::function<bool(const CycleTest&)>& use)
      : cycle_(cycle),
        limits_(limits),
        use_(use),
        symmetries_(symmetries_of(cycle, [](const Step& step) { return step.edge; })) {
    for (std::size_t i = 0; i < cycle.size(); ++i) choices_.push_back(choices_at(i));
    numbers_.resize(cycle.size());
  }

  bool choose(std::size_t i = 0) {
    if (i == cycle_.size()) return place();
    if (const std::size_t earlier = (i + cycle_.size() - 1) % cycle_.size();
        i > 0 && cycle_[earlier].edge.kind == Kind::read_modify_write) {
      numbers_[i] = numbers_[earlier];
      cycle_[i].access = cycle_[earlier].access;
      return choose(i + 1);
    }
    for (const std::size_t n : choices_[i]) {
      numbers_[i] = n;
      cycle_[i].access = limits_.accesses[n];
      if (!choose(i + 1)) return false;
    }
    return true;
  }

 private:
  /// The spellings that the access of a step can have.
  std::vector<std::size_t> choices_at(std::size_t i) const {
    std::vector<std::size_t> result;
    const std::size_t n = cycle_.size();
    for (std::size_t number = 0; number < limits_.accesses.size(); ++number) {
      Cycle spelt = cycle_;
      spelt[i].access = limits_.accesses[number];
      if (cycle_[i].edge.kind == Kind::read_modify_write) spelt[(i + 1) % n].access = spelt[i].access;
      if (cycle_[(i + n - 1) % n].edge.kind == Kind::read_modify_write)
        spelt[(i + n - 1) % n].access = spelt[i].access;
      if (mistake_of(spelt).empty()) result.push_back(number);
    }
    return result;
  }

  std::vector<std::size_t> rotated(std::size_t turn) const {
    std::vector<std::size_t> result = numbers_;
    std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(turn), result.end());
    return result;
  }

  bool place() {
    if (!mistake_of(cycle_).empty()) return true;
    for (const std::size_t turn : symmetries_)
      if (rotated(turn) < numbers_) return true;  // the rotated test is one of the set, too
    return std::ranges::all_of(placements_of(cycle_, limits_.scopes), [&](const ThreadPlaces& places) {
      return use_({cycle_, places});
    });
  }

  Cycle cycle_;
  const CycleLimits& limits_;
  const std::function<bool(const CycleTest&)>& use_;
  const std::vector<std::size_t> symmetries_;
  std::vector<std::vector<std::size_t>> choices_;  // by step
  std::vector<std::size_t> numbers_;               // by step: of its spelling
};

}  // namespace

std::vector<ThreadPlaces> placements_of(const Cycle& cycle, const std::vector<std::string>& scopes) {
  std::vector<ThreadPlaces> result;
  const unsigned threads = threads_of(cycle);
  for (const std::string& scope : scopes) {
    const auto more =
        scope == "all" ? all_places(threads) : std::vector<ThreadPlaces>(1, places_apart(scope, threads));
    result.insert(result.end(), more.begin(), more.end());
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  const auto symmetries = symmetries_of(cycle, [](const Step& step) { return step; });
  std::erase_if(result, [&](const ThreadPlaces& places) {
    return std::ranges::any_of(
        symmetries, [&](std::size_t turn) { return rotated_places(cycle, places, turn) < places; });
  });
  return result;
}

bool for_each_cycle(const CycleLimits& limits, unsigned edges, const std::function<bool(const Cycle&)>& use) {
  return Necklaces(limits, edges, use).extend();
}

bool for_each_test_of(const Cycle& cycle, const CycleLimits& limits,
                      const std::function<bool(const CycleTest&)>& use) {
  return Spellings(cycle, limits, use).choose();
}

void for_each_test(const CycleLimits& limits, const std::function<bool(const CycleTest&)>& use) {
  for (unsigned edges = limits.smallest; edges <= limits.largest; ++edges)
    if (!for_each_cycle(limits, edges,
                        [&](const Cycle& cycle) { return for_each_test_of(cycle, limits, use); }))
      return;
}

}  // namespace ptxmc::generator
