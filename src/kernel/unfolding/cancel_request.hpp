#pragma once

#include "model/program/event.hpp"

namespace ptxmc::kernel {

/// A request to cancel a cluster of the grid that has not started: PTX ISA 8.7 § 9.7.13.17.
struct CancelRequest {
  EventId response = -1;  ///< the first write of the response, which happens if the request is made
  const Instruction* instruction = nullptr;
  CancelledCluster outcome;  ///< unknowns
};

}  // namespace ptxmc::kernel
