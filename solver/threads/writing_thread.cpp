#include "solver/threads/writing_thread.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ptxmc {

namespace {

bool is_open(const Bits& coordinate) { return !coordinate.is_constant(); }

/// The values of `tid` at this position.
Substitution at_position(const OpenThread& thread, const std::array<Bits, 3>& tid) {
  Substitution result;
  for (std::size_t i = 0; i < tid.size(); ++i)
    if (is_open(thread.tid[i])) result.set(thread.tid[i].term()->variable, tid[i]);
  return result;
}

/// Whether all unknowns are those of the launch, of the position of the CTA, numbers of its iterations, and,
/// if wanted, of the thread in it.
bool follows_from_position(const OpenThread& thread, const Bits& value, bool in_cta) {
  if (value.is_constant()) return true;
  return std::ranges::all_of(variables_of(value), [&](VariableId unknown) {
    const auto is_it = [&](const Bits& coordinate) {
      return is_open(coordinate) && coordinate.term()->variable == unknown;
    };
    return thread.shared.contains(unknown) || thread.common_iterations.contains(unknown) ||
           (in_cta && std::ranges::any_of(thread.tid, is_it)) || std::ranges::any_of(thread.ctaid, is_it);
  });
}

std::array<Bits, 3> unit(std::size_t dimension, std::uint64_t value) {
  std::array<Bits, 3> result = {Bits(32, 0), Bits(32, 0), Bits(32, 0)};
  result[dimension] = Bits(32, value);
  return result;
}

/// How far the locations of neighbours in a dimension are apart; a guess if this is not a constant.
std::uint64_t distance(const OpenThread& thread, const Event& write, std::size_t dimension) {
  const Bits here = at_position(thread, unit(dimension, 0)).apply(write.location),
             next = at_position(thread, unit(dimension, 1)).apply(write.location);
  const Bits difference = next - here;
  return difference.is_constant() ? difference.to_u64() : write.size;
}

/// The position of a thread that writes at this location, if locations are sums of multiples of the
/// coordinates.
std::array<Bits, 3> position_at(const OpenThread& thread, const Event& write, const Bits& location) {
  std::vector<std::pair<std::uint64_t, std::size_t>> dimensions;  // distance and number
  for (std::size_t i = 0; i < 3; ++i)
    if (is_open(thread.tid[i])) dimensions.emplace_back(distance(thread, write, i), i);
  std::ranges::sort(dimensions, std::greater{});
  std::array<Bits, 3> result = unit(0, 0);
  Bits rest = location - at_position(thread, result).apply(write.location);
  for (const auto& [distance, dimension] : dimensions) {
    if (distance == 0) continue;
    const Bits coordinate = divide_unsigned(rest, Bits(64, distance));
    rest = rest - coordinate * Bits(64, distance);
    result[dimension] = coordinate.extract(0, 32);
  }
  return result;
}

}  // namespace

bool is_same_in_cta(const OpenThread& thread, const Bits& value) {
  return follows_from_position(thread, value, false);
}

/// Whatever the position is, it is only used if its thread writes the bytes.
Bits is_written_by_some_thread(const OpenThread& thread, const Event& write, const Bits& is_performed,
                               const Event& read) {
  if (write.size < read.size || !follows_from_position(thread, write.location, true) ||
      !follows_from_position(thread, is_performed, true))
    return Bits::boolean(false);
  const Bits location = read.location & Bits(64, ~std::uint64_t{write.size - 1});
  Substitution of_writer = at_position(thread, position_at(thread, write, location));
  return of_writer.apply(thread.is_thread) & of_writer.apply(is_performed) &
         equal(of_writer.apply(write.location), location);
}

}  // namespace ptxmc
