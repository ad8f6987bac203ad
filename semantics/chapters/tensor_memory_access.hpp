#pragma once

#include "semantics/language/effects.hpp"
#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

// Rules of the instructions on tensor memory that are no products: PTX ISA 8.7 § 9.7.16.6 to § 9.7.16.8,
// § 9.7.16.10, § 9.7.16.11.

constexpr unsigned cell_bits = 32;  ///< of a cell of tensor memory: PTX ISA 8.7 § 9.7.16.1

/// The address that is some lanes and columns behind another one, 32 bits. Neither part carries into the
/// other.
Bits tensor_address_behind(const Bits& address, unsigned lanes, unsigned columns);

/// Reads and writes cells of the tensor memory of the CTA with a rank, from an address on: 32 bits for each,
/// at most 128 bits in all. They have no size of their own.
Bits read_cells(const Bits& address, unsigned width, const Bits& rank, Effects&);
void write_cells(const Bits& address, const Bits& value, const Bits& rank, Effects&);

/// An instruction with `.cta_group::2` is undefined if the CTA has no peer: PTX ISA 8.7 § 9.7.16.4.1.
void use_cta_group(const Form&, Effects&);
/// The ranks of the CTAs that an instruction is for: the own CTA, or both of its pair, the even one first.
std::vector<Bits> ranks_of_cta_group(const Form&, Effects&);

Results allocate_tensor_columns(const Form&, const Operands&, Effects&);  ///< tcgen05.alloc
Results free_tensor_columns(const Form&, const Operands&, Effects&);      ///< tcgen05.dealloc
Results end_tensor_allocations(const Form&, const Operands&, Effects&);   ///< tcgen05.relinquish_alloc_permit
Results load_from_tensor_memory(const Form&, const Operands&, Effects&);  ///< tcgen05.ld
Results store_to_tensor_memory(const Form&, const Operands&, Effects&);   ///< tcgen05.st
Results wait_for_tensor_accesses(const Form&, const Operands&, Effects&);  ///< tcgen05.wait
Results copy_to_tensor_memory(const Form&, const Operands&, Effects&);     ///< tcgen05.cp
/// tcgen05.shift. It is not executed, only its address is checked: whether a row moves to the next lane or
/// comes from there is not said.
Results shift_tensor_memory(const Form&, const Operands&, Effects&);
Results fence_tensor_memory(const Form&, const Operands&, Effects&);       ///< tcgen05.fence
Results commit_tensor_operations(const Form&, const Operands&, Effects&);  ///< tcgen05.commit

}  // namespace ptxmc
