#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "src/compiler/strength.hpp"

namespace ptxmc {

/// The order and the scope of an operation of a C++ litmus test.
struct CppOperation {
  Strength strength;
  std::vector<Ordering> orderings;  ///< that operations of this kind can have, weaker ones first
  bool is_fence = false;
};

/// The operation of an instruction of a C++ test; empty for plain and volatile accesses, and for instructions
/// that access no memory and are no fence.
std::optional<CppOperation> cpp_operation(const Instruction&);

/// The name of a strength: `seq_cst.device`.
std::string cpp_strength_name(Strength);

/// The text of an operation, `atomic_store(x, 1)`, with another order or scope:
/// `atomic_store_explicit(x, 1, memory_order_release)`. Empty if the text has no place for them: `*x = 1`,
/// `atomicAdd(x, 1)`, of which only the scope can be another one.
std::optional<std::string> with_cpp_strength(std::string_view text, Strength given, Strength wanted);

/// `atomic_thread_fence(memory_order_release, memory_scope_device)`
std::string cpp_fence(Strength);

}  // namespace ptxmc
