#include "semantics/language/memory_access.hpp"

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

Scope scope_of(const Form& form) {
  if (form.has(".cta")) return Scope::cta;
  if (form.has(".cluster")) return Scope::cluster;
  if (form.has(".gpu") || form.has(".gl")) return Scope::gpu;
  return form.has(".sys") ? Scope::sys : Scope::none;
}

Sem sem_of(const Form& form, Sem otherwise) {
  if (form.has(".weak")) return Sem::weak;
  if (form.has(".relaxed")) return Sem::relaxed;
  if (form.has(".acquire")) return Sem::acquire;
  if (form.has(".release")) return Sem::release;
  if (form.has(".acq_rel")) return Sem::acq_rel;
  return form.has(".sc") ? Sem::sc : otherwise;
}

StateSpace space_of(const Form& form) {
  if (form.has(".global")) return StateSpace::global;
  if (form.has(".shared") || form.has(".shared::cta")) return StateSpace::shared_cta;
  if (form.has(".shared::cluster")) return StateSpace::shared_cluster;
  if (form.has(".local")) return StateSpace::local;
  if (form.has(".const")) return StateSpace::constant;
  const bool is_parameter = form.has(".param") || form.has(".param::entry") || form.has(".param::func");
  return is_parameter ? StateSpace::param : StateSpace::generic;
}

Access load_store_access(const Form& form) {
  Access access;
  access.space = space_of(form);
  access.is_volatile = form.has(".volatile");
  access.is_mmio = form.has(".mmio");
  access.sem = sem_of(form, access.is_volatile ? Sem::relaxed : Sem::weak);
  access.scope = access.is_volatile ? Scope::sys : scope_of(form);
  return access;
}

Access atomic_access(const Form& form) {
  Access access;
  access.space = space_of(form);
  access.sem = sem_of(form, Sem::relaxed);
  access.scope = scope_of(form);
  if (access.scope == Scope::none) access.scope = Scope::gpu;
  return access;
}

Bits is_in_window(StateSpace space, const Bits& address) {
  const Bits offset = address - Bits(64, window_of(space));
  return less_unsigned(offset, Bits(64, window_size));
}

Bits element_address(const Operands& x, std::size_t index, unsigned width) {
  return x.a + Bits(x.a.width(), index * (width / 8));
}

Access element_access(const Access& access, std::size_t index, std::size_t count, unsigned width) {
  Access result = access;
  if (index == 0 && count > 1) result.alignment = static_cast<std::uint8_t>(count * (width / 8));
  return result;
}

namespace {

/// § 8.2.4: the memory model defines scalars of at most 64 bits. A `.b128` is read and written as two
/// unordered elements.
constexpr unsigned widest_scalar = 64;

Bits read_scalar(const Access& access, const Bits& address, unsigned width, Effects& effects) {
  if (width <= widest_scalar) return effects.read(access, address, width);
  const Bits low = effects.read(element_access(access, 0, 2, widest_scalar), address, widest_scalar);
  const Bits high = effects.read(element_access(access, 1, 2, widest_scalar),
                                 address + Bits(64, widest_scalar / 8), widest_scalar);
  return concat(high, low);
}

void write_scalar(const Access& access, const Bits& address, const Bits& value, Effects& effects) {
  if (value.width() <= widest_scalar) return effects.write(access, address, value);
  effects.write(element_access(access, 0, 2, widest_scalar), address, value.extract(0, widest_scalar));
  effects.write(element_access(access, 1, 2, widest_scalar), address + Bits(64, widest_scalar / 8),
                value.extract(widest_scalar, widest_scalar));
}

}  // namespace

Results load(const Form& form, const Operands& x, const Access& access, Effects& effects) {
  const unsigned count = form.operands[0].elements;
  if (count == 0) return read_scalar(access, x.a, form.width(), effects);
  Results values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(effects.read(element_access(access, i, count, form.width()),
                                  element_address(x, i, form.width()), form.width()));
  return values;
}

void store(const Form& form, const Operands& x, const Access& access, Effects& effects) {
  if (x.elements.size() == 0) write_scalar(access, x.a, x.b, effects);
  for (std::size_t i = 0; i < x.elements.size(); ++i)
    effects.write(element_access(access, i, x.elements.size(), form.width()),
                  element_address(x, i, form.width()), x.elements[i]);
}

Bits address_in_cta(const Bits& address, const Bits& rank) {
  const Bits last(32, most_cta_ranks - 1);
  const Bits place = ite(less_unsigned(rank, last), rank, last).extract(0, 8);
  const Bits low = concat(place, address.extract(0, cta_rank_shift));
  return address.width() == 32 ? low : concat(address.extract(32, 32), low);
}

}  // namespace ptxmc
