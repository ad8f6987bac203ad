#include "src/compiler/program_shapes.hpp"

#include <algorithm>
#include <numeric>

namespace ptxmc {
namespace {

using Threads = std::vector<std::vector<ShapeAccess>>;
using Code = std::vector<ShapeAccess>;
using Key = std::vector<unsigned>;

bool writes(const ShapeAccess& access) { return access.kind != OperationKind::load; }

/// All codes of a thread with this number of accesses; values and expected values are open.
std::vector<Code> codes_of_length(const ShapeLimits& limits, std::size_t length) {
  std::vector<Code> codes(1);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Code> longer;
    for (const Code& code : codes)
      for (const OperationKind kind : limits.kinds)
        for (unsigned location = 0; location < limits.locations; ++location) {
          longer.push_back(code);
          longer.back().push_back({kind, location});
        }
    codes = std::move(longer);
  }
  return codes;
}

/// Each location is written and shared, all below the last one are used, and the threads are connected.
bool communicates(const Threads& threads, unsigned locations) {
  std::vector<unsigned> users(locations, 0);
  std::vector<bool> written(locations, false);
  for (std::size_t t = 0; t < threads.size(); ++t)
    for (const ShapeAccess& access : threads[t]) {
      users[access.location] |= 1U << t;
      if (writes(access)) written[access.location] = true;
    }
  for (unsigned location = 0; location < locations; ++location) {
    if (users[location] == 0) {
      if (location + 1 < locations && users[location + 1] != 0) return false;
      continue;
    }
    if (!written[location] || (users[location] & (users[location] - 1)) == 0) return false;
  }
  unsigned reached = 1;
  for (std::size_t i = 0; i < threads.size(); ++i)
    for (const unsigned group : users)
      if ((group & reached) != 0) reached |= group;
  return reached + 1 == 1U << threads.size();
}

/// Numbers the writes of each location in their order.
void number_values(Threads& threads, unsigned locations) {
  std::vector<unsigned> last(locations, 0);
  for (Code& code : threads)
    for (ShapeAccess& access : code)
      if (writes(access)) access.value = ++last[access.location];
}

std::vector<unsigned> identity(std::size_t count) {
  std::vector<unsigned> result(count);
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

/// The shape with its threads in another order and its locations renamed, as numbers. Expected values are
/// named by the place of the access that stores them.
Key key_of(const Threads& threads, const std::vector<unsigned>& order,
           const std::vector<unsigned>& locations) {
  std::vector<std::vector<unsigned>> names(locations.size());  // of values
  for (auto& of_location : names) of_location.push_back(0);
  const auto name = [&](const ShapeAccess& access) -> std::vector<unsigned>& {
    return names[access.location];
  };
  for (const Code& code : threads)
    for (const ShapeAccess& access : code)
      if (writes(access)) name(access).resize(std::max<std::size_t>(name(access).size(), access.value + 1));
  std::vector<unsigned> next(locations.size(), 0);
  for (const unsigned t : order)
    for (const ShapeAccess& access : threads[t])
      if (writes(access)) name(access)[access.value] = ++next[access.location];
  Key key;
  for (const unsigned t : order) {
    key.push_back(static_cast<unsigned>(threads[t].size()));
    for (const ShapeAccess& access : threads[t]) {
      key.push_back(static_cast<unsigned>(access.kind));
      key.push_back(locations[access.location]);
      key.push_back(name(access)[access.expected]);
    }
  }
  return key;
}

/// Sets the symmetries of a shape, unless another order of its threads or other names come first.
bool is_first_of_its_kind(ProgramShape& shape, unsigned locations) {
  const Key own = key_of(shape.threads, identity(shape.threads.size()), identity(locations));
  for (auto order = identity(shape.threads.size());;) {
    bool is_symmetry = false;
    for (auto names = identity(locations);;) {
      const Key other = key_of(shape.threads, order, names);
      if (other < own) return false;
      is_symmetry = is_symmetry || other == own;
      if (!std::next_permutation(names.begin(), names.end())) break;
    }
    if (is_symmetry) shape.symmetries.push_back(order);
    if (!std::next_permutation(order.begin(), order.end())) return true;
  }
}

/// Adds the shape with every choice of expected values.
void add_with_expected(Threads threads, const ShapeLimits& limits, std::vector<ProgramShape>& result) {
  number_values(threads, limits.locations);
  std::vector<unsigned> last(limits.locations, 0);
  std::vector<ShapeAccess*> swaps;
  for (Code& code : threads)
    for (ShapeAccess& access : code) {
      last[access.location] = std::max(last[access.location], access.value);
      if (access.kind == OperationKind::cas) swaps.push_back(&access);
    }
  while (true) {
    if (std::ranges::none_of(swaps, [](const ShapeAccess* swap) { return swap->expected == swap->value; })) {
      ProgramShape shape{threads, {}};
      if (is_first_of_its_kind(shape, limits.locations)) result.push_back(std::move(shape));
    }
    std::size_t i = 0;
    while (i < swaps.size() && ++swaps[i]->expected > last[swaps[i]->location]) swaps[i++]->expected = 0;
    if (i == swaps.size()) return;
  }
}

}  // namespace

std::vector<ProgramShape> shapes_of_size(const ShapeLimits& limits, unsigned accesses,
                                         const std::function<bool()>& is_stopped) {
  std::vector<Code> codes;  // of all lengths, shorter ones first
  for (unsigned length = 1; length <= limits.operations; ++length)
    for (Code& code : codes_of_length(limits, length)) codes.push_back(std::move(code));
  std::vector<ProgramShape> result;
  for (unsigned count = 2; count <= limits.threads; ++count) {
    // Threads in the order of their codes: chosen[0] <= chosen[1] <= …
    std::vector<std::size_t> chosen(count, 0);
    std::size_t changed = 0;  // all from here on are as small as those before allow
    for (std::size_t step = 0;; ++step) {
      if (step % 1024 == 0 && is_stopped()) return result;
      std::size_t size = 0;
      for (const std::size_t i : chosen) size += codes[i].size();
      if (size == accesses) {
        Threads threads;
        for (const std::size_t i : chosen) threads.push_back(codes[i]);
        if (communicates(threads, limits.locations)) add_with_expected(std::move(threads), limits, result);
      }
      std::size_t i = size > accesses ? changed : count;  // further ones from `changed` on are no shorter
      while (i > 0 && chosen[i - 1] + 1 == codes.size()) --i;
      if (i == 0) break;
      std::fill(chosen.begin() + static_cast<std::ptrdiff_t>(i) - 1, chosen.end(), chosen[i - 1] + 1);
      changed = i - 1;
    }
  }
  return result;
}

}  // namespace ptxmc
