#include "solver/threads/last_additions.hpp"

#include <algorithm>

#include "solver/unfolding/substitution.hpp"

namespace ptxmc {

namespace {

/// The number of threads of a CTA that may satisfy a condition, whatever its other unknowns are.
std::uint64_t threads_with(const OpenThread& thread, const Bits& condition) {
  std::uint64_t count = 0;
  for (std::uint64_t number = 0; number < thread.threads_of_cta; ++number)
    if (!position_in_cta(thread, number).apply(condition).is_false()) ++count;
  return count;
}

/// One place in global memory that may be a counter, by the write of its only addition.
class LastAddition {
 public:
  LastAddition(OpenQuestions& questions, const Event& write, const std::vector<Broadcast>& broadcasts)
      : questions_(questions),
        write_(write),
        read_(questions.thread().structure.events[static_cast<std::size_t>(write.rmw)]),
        broadcasts_(broadcasts) {}

  bool is_found() {
    return is_atomic() && find_amount() && find_others() && adds_amount() &&
           std::ranges::all_of(resets_, [&](const Event* reset) { return is_last(*reset); });
  }
  FullCounter counter() const { return {&read_, &read_, is_full_, resets_}; }
  /// Of the places of which assume_counters has assumed nothing.
  Counter values() const {
    return {{{&read_, amount_, true, nullptr}}, initial_, Bits(64, amount_.to_u64() * all_)};
  }

 private:
  const OpenThread& thread() const { return questions_.thread(); }
  Bits number(std::uint64_t value) const { return {read_.value.width(), value}; }

  /// Whether all threads see the operation as one, and each executes it once.
  bool is_atomic() const {
    return write_.access.proxy == Proxy::generic && write_.access.sem != Sem::weak &&
           write_.access.scope >= scope_of_all(thread()) && !is_repeated(thread(), write_.step) &&
           identical(write_.condition, read_.condition);
  }

  /// Finds what is added, and the value that the last addition reads.
  bool find_amount() {
    const auto initial = thread().initial_values.find({write_.location.to_u64(), write_.size});
    if (initial == thread().initial_values.end() || read_.value.is_constant() ||
        read_.value.term()->op != Operator::variable || read_.value.width() > 64)
      return false;
    initial_ = initial->second;
    Substitution zero;
    zero.set(read_.value.term()->variable, number(0));
    amount_ = zero.apply(write_.value);
    all_ = thread().ctas * threads_with(thread(), read_.condition);
    if (!amount_.is_constant() || amount_.to_s64() <= 0 || all_ == 0) return false;
    const std::uint64_t largest = (std::uint64_t{1} << (read_.value.width() - 1)) - 1;
    if (all_ > largest / amount_.to_u64()) return false;
    is_full_ = equal(read_.value, initial_ + before_last());
    return true;
  }
  /// The sum of all additions but the last one.
  Bits before_last() const { return number(amount_.to_u64() * (all_ - 1)); }

  /// Finds all other writes to the place.
  bool find_others() {
    for (const Event& event : thread().structure.events) {
      if (!event.is_write() || event.condition.is_false() || &event == &write_ ||
          !event.may_touch(write_.location.to_u64(), write_.size))
        continue;
      if (!identical(event.location, write_.location) || event.size != write_.size ||
          event.access.proxy != Proxy::generic || is_repeated(thread(), event.step))
        return false;
      resets_.push_back(&event);
    }
    return true;
  }

  /// Whether the amount is added to each value before the last one.
  bool adds_amount() {
    if (identical(write_.value, read_.value + amount_)) return true;
    const Bits is_earlier = less_unsigned(read_.value - initial_, before_last());
    return questions_.never(read_.condition & is_earlier & ~equal(write_.value, read_.value + amount_));
  }

  /// Whether a thread resets the counter only after it has found that all have added.
  bool is_last(const Event& reset) {
    const Bits adds_last = read_.condition & is_full_;
    Bits is_known = write_.step < reset.step ? adds_last : Bits::boolean(false);
    for (const Broadcast& broadcast : broadcasts_)
      if (write_.step < broadcast.write->step && broadcast.read->step < reset.step)
        is_known = is_known | says(questions_, broadcast, adds_last);
    return questions_.never(reset.condition & ~is_known);
  }

  OpenQuestions& questions_;
  const Event& write_;
  const Event& read_;
  const std::vector<Broadcast>& broadcasts_;
  Bits initial_, amount_;
  std::uint64_t all_ = 0;  // at most so many threads add
  Bits is_full_;
  std::vector<const Event*> resets_;
};

bool has_counter(const std::vector<Counter>& counters, const FullCounter& one) {
  return std::ranges::any_of(counters, [&](const Counter& counter) {
    return counter.additions.size() == 1 && counter.additions.front().read == one.read;
  });
}

}  // namespace

std::vector<FullCounter> find_last_additions(OpenQuestions& questions, const std::vector<Counter>& counters,
                                             const std::vector<Broadcast>& broadcasts) {
  const OpenThread& thread = questions.thread();
  std::vector<FullCounter> result;
  if (thread.has_open_block || thread.has_open_grid) return result;  // the last value is not a constant
  for (const Event& event : thread.structure.events) {
    if (!event.is_write() || event.rmw < 0 || event.condition.is_false() || !event.location.is_constant())
      continue;
    LastAddition addition(questions, event, broadcasts);
    if (!addition.is_found()) continue;
    result.push_back(addition.counter());
    if (!has_counter(counters, result.back())) assume_values(questions, addition.values());
  }
  return result;
}

void assume_one_last_cta(OpenQuestions& questions, const std::vector<FullCounter>& last_additions,
                         const std::vector<Broadcast>& broadcasts) {
  ThreadPair* const pair = questions.pair(Neighbours::across_ctas);
  if (pair == nullptr) return;
  for (const FullCounter& counter : last_additions)
    for (const Broadcast& broadcast : broadcasts) {
      const Bits says_so = says(questions, broadcast, counter.read->condition & counter.is_full);
      if (!says_so.is_false()) questions.assume(Neighbours::across_ctas, ~(says_so & pair->other(says_so)));
    }
}

}  // namespace ptxmc
