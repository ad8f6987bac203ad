#pragma once

#include "semantics/form.hpp"

namespace ptxmc {

/// How a load or store accesses memory: unqualified is weak; `.volatile` is relaxed at system scope
/// (PTX ISA 8.7 § 8.4.2).
Access load_store_access(const Form&);

/// How `atom` and `red` access memory: relaxed and gpu scope where nothing is said (§ 9.7.13.5).
Access atomic_access(const Form&);

/// What the operation of an integer form writes over the value read (§ 9.7.13.5).
Update atomic_update(const Form&, const Operands&, const Bits& read);

/// `.cta` … `.sys`; `none` without one.
Scope scope_of(const Form&);
/// `.relaxed` … `.sc`; `otherwise` without one.
Sem sem_of(const Form&, Sem otherwise);
StateSpace space_of(const Form&);

/// Reads or writes as many scalars as the vector has elements (one without, two for a `.b128`), each an
/// access of its own (§ 8.2.4).
Results load(const Form&, const Operands&, const Access&, Effects&);
void store(const Form&, const Operands&, const Access&, Effects&);

/// The address of one of the elements of a vector that are `width` bits each.
Bits element_address(const Operands&, std::size_t index, unsigned width);

/// The access to one of `count` such elements.
Access element_access(const Access&, std::size_t index, std::size_t count, unsigned width);

/// Whether a generic address lies in the window of a state space, width 1.
Bits is_in_window(StateSpace, const Bits& address);

}  // namespace ptxmc
