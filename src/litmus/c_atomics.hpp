#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semantics/language/source_text.hpp"
#include "src/litmus/c_syntax.hpp"
#include "src/litmus/input_errors.hpp"

namespace ptxmc {

/// What a call of a function of atomics, or of a fence or barrier, does.
struct AtomicCall {
  enum class Kind {
    load,
    store,
    update,
    compare_exchange,
    wait,
    notify,
    init,
    fence,
    no_fence,
    barrier,
    arrive,
    arrive_and_wait,
    arrive_and_drop
  };
  Kind kind = Kind::load;
  std::string operation;  ///< update: "add"
  bool is_weak = false;   ///< compare_exchange: may fail for no reason
  /// compare_exchange of CUDA (`atomicCAS`) and of the same shape: takes the expected value, returns the old
  /// one.
  bool returns_old = false;
  const c_syntax::Expression* object = nullptr;
  bool object_is_pointer = true;  ///< otherwise the object itself
  std::vector<const c_syntax::Expression*> values;
  Sem order = Sem::sc, failure = Sem::sc;
  std::optional<c_syntax::AtomicScope> scope;  ///< written in the call
};

/// The meaning of a call of `atomic_…`, `cuda::atomic_…`, a member function of cuda::atomic, `atomicAdd`,
/// `__atomic_…`, `__threadfence` or `__syncthreads`. None: another function. Throws InputError for a wrong
/// number of arguments or an order that the operation cannot have, and Unsupported.
std::optional<AtomicCall> atomic_call(const c_syntax::Expression&, const SourceText&);

}  // namespace ptxmc
