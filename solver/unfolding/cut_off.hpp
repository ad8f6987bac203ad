#pragma once

#include <string>

#include "model/program/event.hpp"

namespace ptxmc {

/// Why a part of the events may be missing behind the endings `bound_reached`: the sentences that these have
/// as messages, and "loop bound N" for those without one.
std::string cut_off_reason(const EventStructure&, unsigned bound);

}  // namespace ptxmc
