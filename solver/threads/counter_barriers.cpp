#include "solver/threads/counter_barriers.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "solver/algebra/conjuncts.hpp"
#include "solver/threads/counter_additions.hpp"
#include "solver/threads/open_questions.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// The additions to counters that change them: an atomic addition of 0 only polls. Places with additions
/// that are not atomic are left out.
std::map<std::uint64_t, Additions> changes_by_place(const OpenThread& thread) {
  std::map<std::uint64_t, Additions> result = additions_by_place(thread);
  for (auto& [location, additions] : result)
    if (are_atomic(additions))
      std::erase_if(additions,
                    [](const Addition& one) { return one.amount.is_constant() && one.amount.to_u64() == 0; });
  std::erase_if(result, [](const auto& place) { return place.second.empty() || !are_atomic(place.second); });
  return result;
}

/// The number of waits for a counter that an event accesses.
std::size_t waits_at(const Event& access, const std::vector<FullCounter>& waits) {
  return static_cast<std::size_t>(std::ranges::count_if(
      waits, [&](const FullCounter& wait) { return identical(wait.read->location, access.location); }));
}

/// Whether a thread waits between each two additions to a counter, if it waits for it at all.
bool are_additions_separated(const OpenThread& thread, const std::vector<FullCounter>& waits) {
  return std::ranges::all_of(changes_by_place(thread), [&](const auto& place) {
    const std::size_t count = waits_at(*place.second.front().read, waits);
    return count == 0 || count + 1 >= place.second.size();
  });
}

/// The threads that perform an addition.
struct Adders {
  std::vector<std::uint64_t> numbers;             ///< increasing, counted through all CTAs
  std::map<std::uint64_t, std::uint64_t> counts;  ///< by amount: how many threads add it
};

/// Empty if it is not known of each thread whether it adds, and what, or if there are too many threads.
std::optional<Adders> adders_of(const OpenThread& thread, const Addition& addition) {
  constexpr std::uint64_t most = 1U << 18;
  if (thread.ctas * thread.threads_of_cta > most) return std::nullopt;
  Adders result;
  for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number) {
    if (position_in_cta(thread, number).apply(addition.read->condition).is_false()) continue;
    for (std::uint64_t cta = 0; cta < thread.ctas; ++cta) {
      Substitution position = position_in_launch(thread, cta, number);
      const Bits adds = position.apply(addition.read->condition), amount = position.apply(addition.amount);
      if (!adds.is_constant() || !amount.is_constant()) return std::nullopt;
      if (adds.is_false()) continue;
      result.numbers.push_back(cta * thread.threads_of_cta + number);
      ++result.counts[amount.to_u64()];
    }
  }
  std::ranges::sort(result.numbers);
  return result;
}

bool are_in_all_ctas(const OpenThread& thread, const Adders& adders) {
  std::vector<bool> has_adder(thread.ctas, false);
  for (const std::uint64_t number : adders.numbers) has_adder[number / thread.threads_of_cta] = true;
  return std::ranges::find(has_adder, false) == has_adder.end();
}

/// Some of the additions of a barrier.
struct SomeAdditions {
  std::vector<Bits> numbers;  ///< by amount: of how many threads; of the width of the counter
  Bits sum;
  Bits is_possible, are_all;  ///< width 1
};

/// One loop that polls a counter after additions to it.
class CounterWait {
 public:
  CounterWait(const OpenThread& thread, const Ending& spinning, const DecideOptions& options,
              TermGraph& graph)
      : thread_(thread), spinning_(spinning), options_(options), graph_(graph) {}

  /// Whether the loop polls a counter at which threads meet. `ended` are the waits before.
  bool is_at_barrier(const std::vector<FullCounter>& ended) {
    return find_poll() && find_additions() && barrier_ == waits_at(*poll_, ended) && find_reason() &&
           ends_only_when_full() && ends_when_full();
  }
  FullCounter counter() const { return {additions_[barrier_].read, poll_, Bits::boolean(true)}; }
  /// The condition (width 1) under which the last iteration is repeated.
  const Bits& reason() const { return reason_; }

 private:
  bool is_poll(const Event& event) const {
    return event.is_read() && !is_changed(event) && event.location.is_constant() &&
           event.access.sem != Sem::weak && event.access.scope >= scope_of_all(thread_) &&
           event.access.proxy == Proxy::generic && event.value.width() <= 64;
  }

  /// Whether an atomic operation may write another value than the one that it reads.
  bool is_changed(const Event& read) const {
    return read.rmw != -1 &&
           !identical(thread_.structure.events[static_cast<std::size_t>(read.rmw)].value, read.value);
  }

  bool find_poll() {
    const std::vector<VariableId> unknowns = variables_of(spinning_.condition);
    for (const Event& event : thread_.structure.events) {
      if (!event.is_read() || event.step < spinning_.first_step || event.value.is_constant() ||
          event.value.term()->op != Operator::variable ||
          !std::ranges::binary_search(unknowns, event.value.term()->variable))
        continue;
      if (poll_ != nullptr || !is_poll(event)) return false;
      poll_ = &event;
    }
    return poll_ != nullptr;
  }

  bool find_additions() {
    const std::uint64_t location = poll_->location.to_u64();
    const auto initial = thread_.initial_values.find({location, poll_->size});
    auto all = changes_by_place(thread_);
    const auto found = all.find(location);
    if (found == all.end() || initial == thread_.initial_values.end()) return false;
    additions_ = std::move(found->second);
    initial_ = initial->second;
    if (additions_.front().read->size != poll_->size) return false;
    std::ranges::sort(additions_, {}, [](const Addition& addition) { return addition.read->step; });
    const auto later = std::ranges::upper_bound(additions_, spinning_.first_step, {},
                                                [](const Addition& one) { return one.read->step; });
    if (later == additions_.begin()) return false;
    barrier_ = static_cast<std::size_t>(later - additions_.begin()) - 1;
    auto adders = adders_of(thread_, additions_[barrier_]);
    if (!adders || adders->counts.size() > most_amounts || !are_in_all_ctas(thread_, *adders)) return false;
    adders_ = *std::move(adders);
    return additions_.size() == 1 || are_barriers_in_turn();
  }

  /// Whether threads add the same for each barrier, and only those that have waited at the barrier before. So
  /// no thread is ahead by more than one barrier. The additions behind this wait are not known yet, but that
  /// no others than these threads perform them.
  bool are_barriers_in_turn() {
    OpenQuestions questions(thread_, options_, graph_);
    const Bits& adds = additions_[barrier_].read->condition;
    for (std::size_t i = 0; i < barrier_; ++i) {
      const auto before = adders_of(thread_, additions_[i]);
      if (!before || before->numbers != adders_.numbers || before->counts != adders_.counts) return false;
    }
    for (std::size_t i = barrier_ + 1; i < additions_.size(); ++i) {
      const Bits differs =
          ~adds | ~equal(additions_[i].amount, additions_[barrier_].amount) | ~poll_->condition;
      if (additions_[i].read->step <= poll_->step ||
          !questions.never(additions_[i].read->condition & differs))
        return false;
    }
    return questions.never(poll_->condition & ~adds);
  }

  /// Finds the operand of `&` under which the loop goes on.
  bool find_reason() {
    const auto path = conjuncts(poll_->condition);
    for (const Term* part : conjuncts(spinning_.condition)) {
      if (path.contains(part)) continue;
      if (reason_.width() != 0) return false;
      reason_ = Bits(part);
    }
    return reason_.width() != 0;
  }

  unsigned width() const { return poll_->value.width(); }
  Bits number(std::uint64_t value) const { return {width(), value}; }

  SomeAdditions some_additions() const {
    SomeAdditions result{{}, number(0), Bits::boolean(true), Bits::boolean(true)};
    for (const auto& [amount, count] : adders_.counts) {
      const unsigned needed = std::min<unsigned>(width(), static_cast<unsigned>(std::bit_width(count)));
      const Bits some = graph_.variable(needed, "additions").resize_unsigned(width());
      result.numbers.push_back(some);
      result.sum = result.sum + number(amount) * some;
      result.is_possible = result.is_possible & less_equal_unsigned(some, number(count));
      result.are_all = result.are_all & equal(some, number(count));
    }
    return result;
  }

  /// By amount: 1 if the thread itself adds it, else 0.
  std::vector<Bits> own_additions() const {
    std::vector<Bits> result;
    const Addition& own = additions_[barrier_];
    for (const auto& [amount, count] : adders_.counts)
      result.push_back((own.read->condition & equal(own.amount, number(amount))).resize_unsigned(width()));
    return result;
  }

  /// The value of the counter before all additions of a barrier: the initial one, if it is the first.
  Bits value_before(std::size_t barrier) const {
    Bits all = number(0);
    for (const auto& [amount, count] : adders_.counts) all = all + number(amount) * number(count);
    return initial_ + number(barrier) * all;
  }

  /// The condition that the thread has read a sum before its own addition, and polls a later one.
  Bits reads_in_order(const SomeAdditions& polled) const {
    const SomeAdditions before = some_additions();
    const std::vector<Bits> own = own_additions();
    const Event& addition = *additions_[barrier_].read;
    Bits in_order = before.is_possible & equal(addition.value, value_before(barrier_) + before.sum);
    for (std::size_t i = 0; i < own.size(); ++i)
      in_order = in_order & less_equal_unsigned(before.numbers[i] + own[i], polled.numbers[i]);
    return implies(addition.condition, in_order);
  }

  /// The condition that a poll returns the sum of some additions of the barrier.
  Bits polls(const SomeAdditions& some) const {
    return poll_->condition & some.is_possible & equal(poll_->value, value_before(barrier_) + some.sum) &
           reads_in_order(some);
  }

  bool never(const Bits& condition) const {
    return OpenQuestions(thread_, options_, graph_).never(condition);
  }

  bool ends_only_when_full() const {
    const SomeAdditions some = some_additions();
    return never(polls(some) & ~some.are_all & ~reason_);
  }

  /// The counter is full, or some threads have already added for the next barrier, but not this one.
  bool ends_when_full() const {
    const SomeAdditions all = some_additions();
    if (!never(polls(all) & all.are_all & reason_)) return false;
    if (barrier_ + 1 == additions_.size()) return true;
    const SomeAdditions next = some_additions();
    const std::vector<Bits> own = own_additions();
    Bits is_later = next.is_possible & equal(poll_->value, value_before(barrier_ + 1) + next.sum);
    std::size_t i = 0;
    for (const auto& [amount, count] : adders_.counts) {
      is_later = is_later & less_equal_unsigned(next.numbers[i] + own[i], number(count));
      ++i;
    }
    return never(poll_->condition & is_later & reads_in_order(all) & all.are_all & reason_);
  }

  static constexpr std::size_t most_amounts = 4;

  const OpenThread& thread_;
  const Ending& spinning_;
  const DecideOptions& options_;
  TermGraph& graph_;
  const Event* poll_ = nullptr;
  Additions additions_;      // to the counter, in program order
  std::size_t barrier_ = 0;  // the number of the last addition before the wait
  Bits initial_;
  Adders adders_;  // of the barrier
  Bits reason_;
};

/// The first loop that may wait for ever; null if there is none.
const Ending* first_wait(const OpenThread& thread) {
  const Ending* result = nullptr;
  for (const Ending& ending : thread.structure.endings.front())
    if (ending.kind == Ending::Kind::spinning && !ending.condition.is_false() &&
        (result == nullptr || ending.first_step < result->first_step))
      result = &ending;
  return result;
}

}  // namespace

std::vector<FullCounter> end_waits_at_counters(OpenThread& thread, const DecideOptions& options,
                                               TermGraph& graph) {
  std::vector<FullCounter> result;
  if (thread.has_open_block || thread.has_open_grid) return result;
  const EventStructure structure = thread.structure;
  const std::vector<OpenExchange> exchanges = thread.exchanges;
  bool is_ended = true;
  while (const Ending* const spinning = is_ended ? first_wait(thread) : nullptr) {
    CounterWait wait(thread, *spinning, options, graph);
    if (!wait.is_at_barrier(result)) break;
    result.push_back(wait.counter());
    Substitution ended;
    ended.replace(wait.reason(), Bits::boolean(false));
    ended.replace(~wait.reason(), Bits::boolean(true));
    substitute(thread.structure, ended);
    for (OpenExchange& exchange : thread.exchanges) exchange.condition = ended.apply(exchange.condition);
    is_ended = spinning->condition.is_false();
  }
  if (is_ended && are_additions_separated(thread, result)) return result;
  thread.structure = structure;
  thread.exchanges = exchanges;
  return {};
}

}  // namespace ptxmc
