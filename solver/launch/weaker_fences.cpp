#include "solver/launch/weaker_fences.hpp"

#include "model/cat/embedded_models.hpp"

namespace ptxmc {

std::optional<EventStructure> with_weaker_fences(const EventStructure& structure, const cat::Model& model) {
  constexpr std::size_t few = 8;
  std::size_t count = 0;
  for (const Event& event : structure.events) {
    if (event.kind != EventKind::fence || event.condition.is_false()) continue;
    if (event.fence.restriction != Fence::Restriction::none) return std::nullopt;
    if (!event.fence.is_proxy_fence && event.fence.sem == Sem::sc) ++count;
  }
  if (count <= few || !cat::is_embedded_ptx(model)) return std::nullopt;
  EventStructure result = structure;
  for (Event& event : result.events)
    if (event.kind == EventKind::fence && !event.fence.is_proxy_fence && event.fence.sem == Sem::sc)
      event.fence.sem = Sem::acq_rel;
  return result;
}

}  // namespace ptxmc
