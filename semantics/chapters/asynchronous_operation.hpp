#pragma once

#include "semantics/language/effects.hpp"
#include "semantics/language/form.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc {

// Parts of asynchronous operations that several chapters of the instruction set use: PTX ISA 8.7 § 8.9.1.1.

/// A place in memory of an asynchronous operation.
struct AsyncPlace {
  StateSpace space = StateSpace::generic;
  Bits address;  ///< 64 bits
};

/// Copies the first `count` of `size` bytes, and writes zeros to the rest. The accesses are weak. They have
/// no size of their own (Access::is_copy). `alignment` is that of both addresses in bytes.
void copy_bytes(const AsyncPlace& from, const AsyncPlace& to, std::uint64_t size, std::uint64_t count, Proxy,
                std::uint8_t alignment, Effects&);

/// Reads bits of an address that is a multiple of their number of bytes, at most 128, in words as the copies
/// above write them. An access by the async proxy that has no size of its own.
Bits read_words(StateSpace, const Bits& address, unsigned width, Effects&);

/// Performs the step of a use of an mbarrier object as one read-modify-write, whatever the scope
/// (§ 9.7.13.15.6). Sets the word of the use. Returns the object before it, 64 bits.
Bits update_mbarrier(const Access&, const Bits& address, MbarrierUse, Effects&);

/// Signals that `bytes` (32 bits) of an asynchronous operation are complete: the complete-tx operation on an
/// mbarrier, with .release at the scope of the cluster (§ 9.7.9.25.4.1, § 9.7.9.12).
void complete_transactions(const AsyncPlace& mbarrier, const Bits& bytes, Effects&);

/// Whether an address in the shared memory of the cluster, generic or not, is in the CTA with this rank (32
/// bits); width 1. Any value for an address that is not in shared memory.
Bits is_in_cta(const Bits& address, const Bits& rank, Effects&);

/// How `st.async.release` and `red.async.release` write global memory (§ 9.7.9.12, § 9.7.13.7): at system
/// scope without a scope.
Access release_access(const Form&);

/// An operand whose value must be known. Throws UnhandledEffect if it depends on reads or open inputs.
std::uint64_t known(const Bits&);

}  // namespace ptxmc
