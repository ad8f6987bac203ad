#pragma once

#include <vector>

#include "model/program/program.hpp"

namespace ptxmc {

/// Maps the virtual addresses of a program to locations.
class AddressSpace {
 public:
  explicit AddressSpace(const Program&);

  struct Place {
    Bits location;  ///< physical, 64 bits; any value if the address is not valid
    Bits valid;     ///< width 1: the access is inside one variable and aligned to its size
    StateSpace space = StateSpace::generic;  ///< generic if several are possible
  };
  /// The place of an access of `size` bytes at a virtual address, which may be a term.
  Place find(const Bits& address, unsigned size) const;

 private:
  struct Range {
    std::uint64_t address, location, size;
    StateSpace space;
  };
  Bits contains(const Range&, const Bits& address, unsigned size) const;

  std::vector<Range> ranges_;
};

}  // namespace ptxmc
