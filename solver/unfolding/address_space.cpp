#include "solver/unfolding/address_space.hpp"

namespace ptxmc {

AddressSpace::AddressSpace(const Program& program) {
  for (const Variable& variable : program.memory)
    if (variable.proxy == Proxy::generic)
      ranges_.push_back({variable.address, variable.location, variable.size(), variable.space});
}

Bits AddressSpace::contains(const Range& range, const Bits& address, unsigned size) const {
  if (size > range.size) return Bits::boolean(false);
  return less_equal_unsigned(address - Bits(64, range.address), Bits(64, range.size - size)) &
         equal(address & Bits(64, size - 1), Bits(64, 0));
}

AddressSpace::Place AddressSpace::find(const Bits& address, unsigned size) const {
  Place place{address, Bits::boolean(false)};
  for (const Range& range : ranges_) {
    if (address.is_constant() && address.to_u64() - range.address >= range.size) continue;
    const Bits inside = contains(range, address, size);
    if (inside.is_false()) continue;
    const bool is_first = place.valid.is_false();
    place.space = is_first || place.space == range.space ? range.space : StateSpace::generic;
    place.valid = place.valid | inside;
    if (range.location != range.address)
      place.location = ite(inside, address + Bits(64, range.location - range.address), place.location);
  }
  return place;
}

}  // namespace ptxmc
