#pragma once

#include <memory>

#include "src/library/public.hpp"
#include "src/report/picture.hpp"

namespace ptxmc {

/// The events and relations of an execution, and what its picture needs. `owner` keeps the program that the
/// execution points into.
v1::Execution shown_execution(DrawnExecution, std::shared_ptr<const void> owner);

}  // namespace ptxmc
