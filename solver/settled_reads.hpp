#pragma once

#include "model/event.hpp"

namespace ptxmc {

/// Puts values in place of unknowns in all that events are.
void substitute(EventStructure&, Substitution&);

/// The events with the values of reads that only their own thread can have written: what it wrote last, or
/// the initial content. So it is in every model of PTX: accesses of one thread to the same bytes are morally
/// strong (PTX ISA 8.7 § 8.7), and sequentially consistent per location (§ 8.10.5).
EventStructure with_settled_reads(EventStructure);

}  // namespace ptxmc
