#include "solver/threads/overlaps.hpp"

#include <algorithm>
#include <bit>

namespace ptxmc {

namespace {

/// The bytes that an access may touch; size 0: any.
struct Region {
  std::uint64_t first = 0, size = 0;
};

Region region_of(const Event& event) {
  if (event.location.is_constant()) return {event.location.to_u64(), event.size};
  return {event.region_first, event.region_size};
}

/// Whether two aligned accesses overlap, width 1. Both are inside of one region, so the upper bits of their
/// locations are the same if the region does not cross a multiple of a power of two.
Bits overlap(const Bits& a, unsigned size_of_a, const Bits& b, unsigned size_of_b, const Region& both) {
  const auto low = static_cast<unsigned>(std::bit_width(std::max(size_of_a, size_of_b)) - 1);
  const std::uint64_t last = both.first + both.size - 1;
  const auto high = std::max(static_cast<unsigned>(std::bit_width(both.first ^ last)), low + 1);
  return equal(a.extract(low, high - low), b.extract(low, high - low));
}

}  // namespace

bool may_overlap(const Event& first, const Event& second) {
  const Region a = region_of(first), b = region_of(second);
  return a.size == 0 || b.size == 0 || (a.first < b.first + b.size && b.first < a.first + a.size);
}

bool is_in_shared_memory(const OpenThread& thread, const Event& event) {
  const Region region = region_of(event);
  return region.size != 0 && std::ranges::all_of(thread.memory, [&](const OpenMemory& memory) {
           const bool is_apart =
               region.first >= memory.first + memory.size || memory.first >= region.first + region.size;
           return memory.is_shared || is_apart;
         });
}

bool may_skip_write(const OpenThread& thread, unsigned first, unsigned second, const Event& of_bytes) {
  return std::ranges::any_of(thread.skipped, [&](const SkippedIterations& skipped) {
    if (skipped.step <= first || second < skipped.step) return false;
    return std::ranges::any_of(thread.structure.events, [&](const Event& event) {
      return event.is_write() && !event.condition.is_false() && skipped.first <= event.step &&
             event.step < skipped.end && may_overlap(event, of_bytes);
    });
  });
}

Bits overlap_of(const Event& own, const Event& of_other, ThreadPair& pair) {
  const Region a = region_of(own), b = region_of(of_other);
  Region both = {0, ~std::uint64_t{0}};
  if (a.size != 0 && b.size != 0) {
    both.first = std::min(a.first, b.first);
    both.size = std::max(a.first + a.size, b.first + b.size) - both.first;
  }
  return overlap(own.location, own.size, pair.other(of_other.location), of_other.size, both);
}

}  // namespace ptxmc
