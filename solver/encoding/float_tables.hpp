#pragma once

#include "model/program/event.hpp"

namespace ptxmc {

/// Replaces floating-point arithmetic on reads that can return only a few values (value_sets.hpp) by tables
/// of results, which are computed here and not by Z3's theory. This is exact in every model that forbids
/// values out of thin air, as those of PTX do (PTX ISA 8.7 § 8.10.4).
EventStructure with_float_tables(EventStructure);

/// Whether some value is floating-point arithmetic on unknowns, for which the solver may need very long.
bool has_floating_point(const EventStructure&);

}  // namespace ptxmc
