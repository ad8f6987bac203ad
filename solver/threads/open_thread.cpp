#include "solver/threads/open_thread.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

/// Sets the unknown coordinates of the n-th position in a box, counted along x first.
void set_position(const std::array<Bits, 3>& index, const std::array<Bits, 3>& size, std::uint64_t n,
                  Substitution& values) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t extent = size[i].to_u64();
    if (!index[i].is_constant()) values.set(index[i].term()->variable, Bits(32, n % extent));
    n /= extent;
  }
}

}  // namespace

bool is_repeated(const OpenThread& thread, unsigned step) {
  return std::ranges::any_of(thread.skipped, [&](const SkippedIterations& skipped) {
    return skipped.first <= step && step < skipped.end;
  });
}

bool is_in_lockstep(const OpenThread& thread, unsigned step) {
  return std::ranges::any_of(thread.skipped, [&](const SkippedIterations& skipped) {
    return !skipped.pass_barriers.is_false() && skipped.first <= step && step < skipped.end;
  });
}

Scope scope_of_all(const OpenThread& thread) { return thread.ctas == 1 ? Scope::cta : Scope::gpu; }

Bits has_few_threads(const OpenThread& thread) {
  constexpr std::uint64_t few = 4;
  return thread.all_threads.is_constant() ? Bits::boolean(true)
                                          : less_equal_unsigned(thread.all_threads, Bits(64, few));
}

Substitution position_in_cta(const OpenThread& thread, std::uint64_t number) {
  Substitution result;
  set_position(thread.tid, thread.ntid, number, result);
  return result;
}

Substitution position_in_launch(const OpenThread& thread, std::uint64_t cta, std::uint64_t number) {
  Substitution result = position_in_cta(thread, number);
  set_position(thread.ctaid, thread.nctaid, cta, result);
  return result;
}

}  // namespace ptxmc
