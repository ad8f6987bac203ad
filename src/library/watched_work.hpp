#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "solver/smt_engine/answers.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// The work of a decision, with the options for the engines.
using WatchedWork = std::function<void(const DecideOptions&)>;
/// Says that work exceeded its time or memory, and after how many seconds.
using GiveUp = std::function<void(const std::string& reason, double seconds)>;

/// Runs work under the limits of the options; calls `give_up` if it exceeds them. If the options have a
/// callback for progress, the work runs in a thread of its own while this one calls it. Throws what the work
/// throws, or ThrownByCallback.
void run_watched(const v1::Options&, const WatchedWork&, const GiveUp&);

/// The same options with a little more time. For work that ends in time by itself, with what it has found,
/// and is given up only if it does not.
v1::Options with_grace(const v1::Options&);

}  // namespace ptxmc
