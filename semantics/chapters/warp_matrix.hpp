#pragma once

#include <functional>
#include <span>

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

/// An exchange among all threads of the warp, which an instruction on matrices requires (PTX ISA 8.7 §
/// 9.7.14). It is undefined if a thread is missing; otherwise `after` computes the results from the registers
/// of all lanes.
Results await_warp(const Form&, const Operands&, std::span<const Bits> registers, Effects&,
                   std::function<Results(const ExchangedValues&)> after);

/// The same among all threads of a group.
Results await_group(const Form&, const Operands&, ThreadGroup, std::span<const Bits> registers, Effects&,
                    std::function<Results(const ExchangedValues&)> after);

/// The rank of the thread itself in the exchange: in its warp, the lane.
unsigned own_lane(const ExchangedValues&);

// Rules of instructions that move matrices between shared memory and the registers of a warp.

/// `ldmatrix`: PTX ISA 8.7 § 9.7.14.5.15.
Results load_matrices(const Form&, const Operands&, Effects&);
/// `stmatrix`: PTX ISA 8.7 § 9.7.14.5.16.
Results store_matrices(const Form&, const Operands&, Effects&);
/// `movmatrix`: PTX ISA 8.7 § 9.7.14.5.17.
Results transpose_matrix(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
