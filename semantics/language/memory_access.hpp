#pragma once

#include "semantics/language/form.hpp"

namespace ptxmc {

/// How a load or store accesses memory: weak without a qualifier; `.volatile` is relaxed at system scope (PTX
/// ISA 8.7 § 8.4.2).
Access load_store_access(const Form&);

/// How `atom` and `red` access memory: relaxed and at gpu scope without qualifiers (§ 9.7.13.5).
Access atomic_access(const Form&);

/// The update of an integer form: how the written value depends on the value read (§ 9.7.13.5).
Update atomic_update(const Form&, const Operands&, const Bits& read);

/// The same for one number of a floating-point form.
Update float_update(const Form&, StateSpace, const Bits& address, const Bits& operand, const Bits& read);
/// The update `.add` of a number, which rounds to the nearest even one. Numbers of f32 are flushed if they
/// are subnormal in global memory, and not in shared memory (§ 9.7.13.5, § 9.7.9.25.4.2).
Update float_addition(FloatFormat, StateSpace, const Bits& address, const Bits& operand, const Bits& read);

/// The update of an integer reduction with the operation of the form, `.add` … `.xor`: § 9.7.13.6.
Update integer_reduction(const Form&, bool is_signed, const Bits& operand, const Bits& read);

/// The scope of a form, `.cta` … `.sys`; `none` without such a modifier.
Scope scope_of(const Form&);
/// The order of a form, `.relaxed` … `.sc`; `otherwise` without such a modifier.
Sem sem_of(const Form&, Sem otherwise);
StateSpace space_of(const Form&);

/// Reads or writes every element of a vector as a separate access: one for a scalar, two for a `.b128` (§
/// 8.2.4).
Results load(const Form&, const Operands&, const Access&, Effects&);
void store(const Form&, const Operands&, const Access&, Effects&);

/// The address of an element of a vector whose elements have `width` bits.
Bits element_address(const Operands&, std::size_t index, unsigned width);

/// The access to one of the `count` elements of such a vector.
Access element_access(const Access&, std::size_t index, std::size_t count, unsigned width);

/// Whether a generic address lies in the window of a state space, width 1.
Bits is_in_window(StateSpace, const Bits& address);

/// § 9.7.9.23: the address with the same offset in the shared memory of the CTA with this rank (32 bits). An
/// impossible rank gives an address that belongs to no CTA. Addresses have 32 or 64 bits.
Bits address_in_cta(const Bits& address, const Bits& rank);

}  // namespace ptxmc
