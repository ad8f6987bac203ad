#include "solver/encoding/certainly_settled.hpp"

#include "solver/encoding/float_tables.hpp"
#include "solver/meetings/certain_barriers.hpp"
#include "solver/meetings/settled_reads.hpp"

namespace ptxmc {

std::optional<EventStructure> with_reads_settled_by_certain_barriers(const EventStructure& structure,
                                                                     bool has_axioms_of_ptx) {
  if (!has_axioms_of_ptx) return std::nullopt;
  const CertainBarriers certain = with_certain_barriers(structure);
  if (!certain.has_any) return std::nullopt;
  return with_float_tables(with_settled_reads(certain.structure, certain.schedule));
}

}  // namespace ptxmc
