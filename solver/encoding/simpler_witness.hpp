#pragma once

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"

namespace ptxmc {

/// An execution that ends in the same state and is easier to look at: with fewer reads that are put together
/// from several writes, then with fewer threads that others read from, then with fewer reads from other
/// threads. Values, events and the order of writes stay; only sources of reads change, one read after the
/// other as long as that helps and the model accepts it. Not the simplest of all executions, and after a
/// limit on tries the one found by then. For an execution whose threads have ended, with the relations of the
/// model (check_witness).
Execution simpler_witness(const cat::Model&, Execution);

}  // namespace ptxmc
