#include "solver/encoding/certainly_settled.hpp"

#include <algorithm>
#include <utility>

#include "solver/encoding/float_tables.hpp"
#include "solver/meetings/certain_barriers.hpp"
#include "solver/meetings/settled_reads.hpp"

namespace ptxmc {

namespace {

/// The number of arrivals in known phases.
std::ptrdiff_t arrivals(const CertainBarriers& certain) {
  return std::ranges::count_if(certain.schedule, [](int phase) { return phase >= 0; });
}

}  // namespace

std::optional<EventStructure> with_reads_settled_by_certain_barriers(const EventStructure& structure,
                                                                     bool has_axioms_of_ptx) {
  if (!has_axioms_of_ptx) return std::nullopt;
  CertainBarriers certain = with_certain_barriers(structure);
  if (!certain.has_any) return std::nullopt;
  for (;;) {  // a settled read may decide that threads arrive at further barriers
    EventStructure settled = with_float_tables(with_settled_reads(certain.structure, certain.schedule));
    CertainBarriers more = with_certain_barriers(settled);
    if (arrivals(more) <= arrivals(certain)) return settled;
    certain = std::move(more);
  }
}

}  // namespace ptxmc
