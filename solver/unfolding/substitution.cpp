#include "solver/unfolding/substitution.hpp"

#include <memory>

#include "model/program/copied_bytes.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

std::shared_ptr<const CopiedBytes> substituted(const CopiedBytes& copied, Substitution& known) {
  auto result = std::make_shared<CopiedBytes>(copied);
  for (auto& of_write : result->copies)
    for (CopiedBytes::Copy& copy : of_write) copy.when = known.apply(copy.when);
  return result;
}

}  // namespace

void substitute(EventStructure& structure, Substitution& known) {
  const auto apply = [&](Bits& bits) {
    if (bits.width() != 0) bits = known.apply(bits);
  };
  for (Event& event : structure.events) {
    TimeLimit::check();
    for (Bits* part : {&event.condition, &event.address, &event.location, &event.value, &event.barrier.id,
                       &event.barrier.predicate, &event.goes_on})
      apply(*part);
    if (event.barrier.count) apply(*event.barrier.count);
    for (Completion& completion : event.completes) apply(completion.condition);
  }
  for (auto& endings : structure.endings)
    for (Ending& ending : endings) {
      apply(ending.condition);
      if (ending.use)
        ending.use = with_values(*ending.use, [&](const Bits& value) { return known.apply(value); });
    }
  for (auto& registers : structure.final_registers)
    for (Bits& value : registers) apply(value);
  for (Violation& violation : structure.violations) apply(violation.condition);
  if (structure.copied != nullptr && structure.copied->has_conditions)
    structure.copied = substituted(*structure.copied, known);
}

}  // namespace ptxmc
