#pragma once

#include <string>

#include "model/program/execution.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {

/// What the author of a program can do about the data race of two events of an execution: which fence, wait,
/// order or scope is missing, in which thread and between which lines. The execution has the relations of the
/// model that found the race.
///
/// - The accesses are in base causality order, but of different proxies: the proxy fence (PTX ISA 8.7
/// § 8.9.5), or of those of a tensor map (§ 9.7.13.4).
/// - Two threads start operations that write the same bytes.
/// - One belongs to an asynchronous operation that may not be complete: the wait for it (§ 9.7.9.25).
/// - The other may come too late for the operation that overwrites its bytes: an arrival before the start.
/// - A read sees a write of the other thread, but does not synchronize with it: the scope that is too narrow,
///   or the release or acquire that is missing (§ 8.8).
/// - Both threads read the location and write what they compute from it: an atomic operation.
/// - Another thread of the CTA releases or acquires: the barrier that is missing between.
/// - Otherwise what orders accesses in general.
std::string cure_of_race(const Execution&, EventId, EventId, const PlaceText&);

}  // namespace ptxmc
