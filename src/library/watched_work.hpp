#pragma once

#include <atomic>
#include <functional>

#include "solver/smt_engine/answers.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// Runs the work of a decision under the limits of the options, and gives it the options for the engines. If
/// the options have a callback for progress, the work runs in a thread of its own while this one calls it.
/// Throws what the work throws, or ThrownByCallback.
void run_watched(const v1::Options&, const std::function<void(const DecideOptions&)>& work);

}  // namespace ptxmc
