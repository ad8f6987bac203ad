#pragma once

#include <functional>
#include <vector>

#include "model/program/event.hpp"
#include "model/program/proposition.hpp"
#include "solver/encoding/symbolic_algebra.hpp"

namespace ptxmc {

/// What an answer tells of a final state: the values of terms, or only whether propositions hold.
struct ObservedState {
  std::vector<FinalTerm> terms = {};
  std::vector<const Proposition*> propositions = {};  ///< not null; they must outlive it
};

/// What is told of the final states of a question: the values that it shows (`all_states`), or only whether
/// its condition and its filter hold. The question must outlive the result.
ObservedState observed_state(const Question&, bool all_states);

/// Groups of at least two threads that can be exchanged without changing the program or what is observed.
/// They have the same code and initial registers, none of their registers is among the terms, and each
/// proposition says the same when two of them are exchanged in it (up to the order of operands). Any two of
/// them are in one CTA, or each is alone in its CTA; the same holds for clusters and GPUs. The caller may
/// accept further pairs whose placements make no difference.
std::vector<std::vector<std::size_t>> interchangeable_threads(
    const Program&, const ObservedState&,
    const std::function<bool(std::size_t, std::size_t)>& have_equal_places = {});

/// A condition (width 1) that breaks symmetry: of the executions that differ only by a permutation of
/// interchangeable threads, at least one satisfies it. Where each thread of a group completes, it performs
/// the same write on one location, and a choice of the model orients each pair of these writes. Every
/// tournament has a path through all its members (L. Rédei, 1934); the condition requires that this path
/// follows the order of the threads.
Bits in_canonical_order(const EventStructure&, const SymbolicAlgebra&, const ObservedState&);

}  // namespace ptxmc
