#include "solver/address_space.hpp"

namespace ptxmc {

AddressSpace::AddressSpace(const Program& program) {
  for (const Variable& variable : program.memory)
    if (variable.proxy == Proxy::generic)
      ranges_.push_back({variable.address, variable.location, variable.size()});
}

Bits AddressSpace::contains(const Range& range, const Bits& address, unsigned size) const {
  if (size > range.size) return Bits::boolean(false);
  return less_equal_unsigned(address - Bits(64, range.address), Bits(64, range.size - size)) &
         equal(address & Bits(64, size - 1), Bits(64, 0));
}

AddressSpace::Place AddressSpace::find(const Bits& address, unsigned size) const {
  Place place{address, Bits::boolean(false)};
  for (const Range& range : ranges_) {
    const Bits inside = contains(range, address, size);
    place.valid = place.valid | inside;
    if (range.location != range.address)
      place.location = ite(inside, address + Bits(64, range.location - range.address), place.location);
  }
  return place;
}

}  // namespace ptxmc
