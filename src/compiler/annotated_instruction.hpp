#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "src/compiler/strength.hpp"

namespace ptxmc {

/// The order and the scope of an instruction, taken out of its spelling.
struct Annotation {
  enum class Kind { load, store, atomic, reduction, fence };
  Kind kind = Kind::load;
  Strength strength;
  std::string opcode;  ///< "ld"
  std::string rest;    ///< the modifiers behind: ".global.u32"
};

/// The annotation of an instruction; empty if it has none that may be changed: it is no access and no fence,
/// or a volatile, mmio or asynchronous access, or a fence of another kind. An atomic operation without an
/// order is relaxed at the scope of the GPU, and `membar` is a `fence.sc` (PTX ISA 8.7 § 9.7.13).
std::optional<Annotation> annotation_of(const Instruction&);

/// Whether the instruction accesses memory that only its thread writes: `ld.param`, `st.local`, `ld.const`.
bool is_private_access(const Instruction&);

/// The opcode with its modifiers in a text, behind a guard that may stand at `begin`: its first character and
/// the one behind it.
std::pair<std::size_t, std::size_t> opcode_range(std::string_view text, std::size_t begin);

/// The orders that instructions of this kind can have, weaker ones first.
std::vector<Ordering> orderings_of(Annotation::Kind);

/// The instruction with another order and scope; empty if PTX has none. Only for the texts of the litmus
/// dialect and of PTX, in which the opcode stands behind the guard.
std::optional<Instruction> with_strength(const Instruction&, const Annotation&, Strength);

/// A fence with this spelling at a place of the source; empty if PTX has none.
std::optional<Instruction> fence_spelled(const std::string& spelling, SourcePosition where);

/// The name of a fence with this strength: `fence.acq_rel.gpu`.
std::string fence_spelling(Strength);

}  // namespace ptxmc
