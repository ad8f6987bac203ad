#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/event.hpp"
#include "model/proposition.hpp"
#include "solver/symbolic_algebra.hpp"

namespace ptxmc {

/// Groups of at least two threads that can change places without changing the program or the values of the
/// terms: the same code and initial registers, no register of theirs among the terms, and of any two threads
/// both are in one CTA, or each is alone in its CTA, and likewise for clusters and GPUs. Or somebody who
/// knows more of the program says of two threads that their places make no difference.
std::vector<std::vector<std::size_t>> interchangeable_threads(
    const Program&, std::span<const FinalTerm>,
    const std::function<bool(std::size_t, std::size_t)>& have_equal_places = {});

/// Width 1: of the executions that differ only by who of interchangeable threads is who, one at least
/// satisfies it. Of a write that each thread of a group performs on the same place, a choice of the model
/// orients each pair; every tournament has a path through all of its members (L. Rédei, 1934), and here it
/// follows the order of the threads.
Bits in_canonical_order(const EventStructure&, const SymbolicAlgebra&, std::span<const FinalTerm>);

}  // namespace ptxmc
