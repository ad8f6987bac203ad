#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// The name without the namespaces `std` and `cuda`, and with `memory_order::acquire` written as
/// `memory_order_acquire`.
std::string without_namespace(std::string_view name);

/// Whether a type can begin with the name (without namespaces).
bool begins_type(std::string_view name);

/// The scalar type of a name: `int`, `uint32_t`, `atomic_int`. None: not the whole name of a type.
std::optional<c_syntax::CType> scalar_type(std::string_view name);

/// Changes nothing about the meaning: `const`, `static`, `__restrict__`, …
bool is_idle_qualifier(std::string_view name);

/// The order that a name stands for: `memory_order_acquire`, `__ATOMIC_ACQUIRE`. `consume` is acquire.
std::optional<Sem> memory_order(std::string_view name);

/// The scope that a name stands for, of CUDA (`thread_scope_device`) or OpenCL (`memory_scope_device`).
std::optional<c_syntax::AtomicScope> memory_scope(std::string_view name);

/// The type as litmus files write it: "s32".
std::string type_text(const c_syntax::CType&);

}  // namespace ptxmc
