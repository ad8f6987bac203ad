#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/program/event.hpp"
#include "model/program/proposition.hpp"
#include "solver/encoding/symbolic_algebra.hpp"

namespace ptxmc {

/// Groups of at least two threads that can be exchanged without changing the program or the values of the
/// terms. They have the same code and initial registers, and none of their registers is among the terms. Any
/// two of them are in one CTA, or each is alone in its CTA; the same holds for clusters and GPUs. The caller
/// may accept further pairs whose placements make no difference.
std::vector<std::vector<std::size_t>> interchangeable_threads(
    const Program&, std::span<const FinalTerm>,
    const std::function<bool(std::size_t, std::size_t)>& have_equal_places = {});

/// A condition (width 1) that breaks symmetry: of the executions that differ only by a permutation of
/// interchangeable threads, at least one satisfies it. If each thread of a group performs the same write on
/// one location, a choice of the model orients each pair of these writes. Every tournament has a path through
/// all its members (L. Rédei, 1934); the condition requires that this path follows the order of the threads.
Bits in_canonical_order(const EventStructure&, const SymbolicAlgebra&, std::span<const FinalTerm>);

}  // namespace ptxmc
