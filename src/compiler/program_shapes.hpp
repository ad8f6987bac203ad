#pragma once

#include <functional>
#include <vector>

#include "src/compiler/mapping.hpp"

namespace ptxmc {

/// An access of a small source program, without its order. Each write of a location stores another number, so
/// that a value that is read tells its source.
struct ShapeAccess {
  OperationKind kind = OperationKind::load;
  unsigned location = 0;
  unsigned value = 0;     ///< that it stores: 1, 2, … by location
  unsigned expected = 0;  ///< cas: 0 or what another access stores

  friend bool operator==(const ShapeAccess&, const ShapeAccess&) = default;
};

/// The accesses of the threads of small source programs; orders, and fences between the accesses, are open.
struct ProgramShape {
  std::vector<std::vector<ShapeAccess>> threads;
  /// The orders of the threads that leave the shape as it is, up to names of locations and values. The first
  /// is the identity.
  std::vector<std::vector<unsigned>> symmetries;
};

/// How large programs may be.
struct ShapeLimits {
  unsigned threads = 3;
  unsigned operations = 2;  ///< accesses of a thread
  unsigned locations = 2;
  std::vector<OperationKind> kinds;  ///< of accesses
};

/// The shapes with this number of accesses in all, one for each set of shapes that differ in the names of
/// threads, locations and values. Left out are those whose programs show nothing that smaller ones do not: a
/// location that only one thread accesses or none writes, or threads without a location in common.
/// `is_stopped` is asked now and then.
std::vector<ProgramShape> shapes_of_size(const ShapeLimits&, unsigned accesses,
                                         const std::function<bool()>& is_stopped);

}  // namespace ptxmc
