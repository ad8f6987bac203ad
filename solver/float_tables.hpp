#pragma once

#include "model/event.hpp"

namespace ptxmc {

/// The events with tables in place of floating-point arithmetic on reads that can return few values
/// (value_sets.hpp): what concrete numbers give is computed here, and not by Z3's theory. So it is in every
/// model that forbids values out of thin air, as those of PTX do (PTX ISA 8.7 § 8.10.4).
EventStructure with_float_tables(EventStructure);

/// Some value is floating-point arithmetic on what is not known: the solver may take very long over it.
bool has_floating_point(const EventStructure&);

}  // namespace ptxmc
