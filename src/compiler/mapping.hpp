#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/compiler/annotated_instruction.hpp"
#include "src/compiler/strength.hpp"

namespace ptxmc {

/// The operations of C++ that a mapping compiles: atomic loads, stores, read-modify-writes and
/// compare-and-swaps, and fences.
enum class OperationKind : std::uint8_t { load, store, rmw, cas, fence };

/// An instruction of PTX for an operation, without operands: "ld.acquire.gpu".
struct MappedInstruction {
  std::string text;
  bool is_access = false;                ///< otherwise a fence
  std::optional<Annotation> annotation;  ///< see annotation_of

  friend bool operator==(const MappedInstruction& a, const MappedInstruction& b) { return a.text == b.text; }
};

/// What an operation becomes: fences, and for all kinds but `fence` one access.
using MappedCode = std::vector<MappedInstruction>;

/// Whether the second code orders at least what the first does: it has, in the same order, an instruction at
/// least as strong for each of the first.
bool is_weaker_or_equal(const MappedCode&, const MappedCode&);

/// `load seq_cst S => fence.sc.S; ld.acquire.S` for one order and scope.
struct MappingRule {
  OperationKind kind = OperationKind::load;
  Ordering order = Ordering::relaxed;  ///< seq_cst is `sc`
  Scope scope = Scope::gpu;
  MappedCode code;
};

/// A compiler's mapping of the atomic operations of scoped C++ to PTX.
struct Mapping {
  std::string file;
  std::vector<MappingRule> rules;  ///< a rule whose scope is a variable stands here for each scope

  /// Null: there is none.
  const MappingRule* rule(OperationKind, Ordering, Scope) const;
  bool compiles(OperationKind kind) const;
};

/// Reads the rules of a mapping, one a line (docs/compilers.md). Throws InputError: a mistake of the grammar,
/// an unknown or impossible order, an instruction that PTX does not have, two rules for one operation, or a
/// kind of operation of which an order has no rule.
Mapping parse_mapping(std::string_view text, const std::string& file);

/// Reads a mapping file, or the published mapping of this name that is part of the program.
Mapping read_mapping(const std::string& file_or_name);

/// The orders that the operations of a kind can have, weaker ones first.
std::vector<Ordering> orders_of(OperationKind);

/// "load"; "seq_cst", "relaxed"; "device".
std::string_view name_of(OperationKind);
std::string_view cpp_name_of(Ordering);
std::string_view cpp_name_of(Scope);
/// The scope with this name; empty if there is none.
std::optional<Scope> scope_called(std::string_view cpp_name);

/// The instruction in the columns of a litmus test, for an operation on a location. The result of a load and
/// of a read-modify-write is in the register `result`.
struct MappedOperands {
  OperationKind kind = OperationKind::load;
  std::string result, location;
  std::uint64_t value = 0;     ///< that is stored
  std::uint64_t expected = 0;  ///< cas
};
std::string column_text(const MappedInstruction&, const MappedOperands&);

}  // namespace ptxmc
