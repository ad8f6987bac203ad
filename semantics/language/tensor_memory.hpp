#pragma once

#include "semantics/values/bits.hpp"

namespace ptxmc {

// Tensor memory: PTX ISA 8.7 § 9.7.16.1. Each CTA has 128 lanes of 512 columns, with cells of 32 bits.

constexpr unsigned tensor_lanes = 128, tensor_columns = 512, tensor_cell_bytes = 4;
constexpr unsigned tensor_memory_size = tensor_lanes * tensor_columns * tensor_cell_bytes;  ///< bytes
/// The unit of allocation, in columns: PTX ISA 8.7 § 9.7.16.1.2.
constexpr unsigned tensor_allocation_unit = 32;

/// The address of a cell in the state space `tensor`, from its address in a register: the lane is in bits 31
/// to 16, the column in bits 15 to 0 (§ 9.7.16.1.1). Cells of a lane lie one behind the other. Lanes and
/// columns that do not exist give an address outside of tensor memory. As in shared memory, the rank of the
/// CTA is in the upper bits: address_in_cta.
inline Bits tensor_cell_address(const Bits& lane_and_column) {
  const Bits lane = lane_and_column.extract(16, 16).zero_extend(32);
  const Bits column = lane_and_column.extract(0, 16).zero_extend(32);
  const Bits outside(32, 2 * tensor_memory_size);
  const Bits exists =
      less_unsigned(lane, Bits(32, tensor_lanes)) & less_unsigned(column, Bits(32, tensor_columns));
  const Bits cell = lane * Bits(32, tensor_columns) + column;
  return ite(exists, cell * Bits(32, tensor_cell_bytes), outside).zero_extend(64);
}

}  // namespace ptxmc
