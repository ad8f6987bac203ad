#pragma once

#include <vector>

#include "model/program.hpp"

namespace ptxmc {

/// Where the addresses of a program lead.
class AddressSpace {
 public:
  explicit AddressSpace(const Program&);

  struct Place {
    Bits location;  ///< physical, 64 bits; any value where the address is not valid
    Bits valid;     ///< width 1: the access lies in one variable and is aligned to its size
    StateSpace space = StateSpace::generic;  ///< generic when several are possible
  };
  /// An access of `size` bytes at a virtual address, which may be open.
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
