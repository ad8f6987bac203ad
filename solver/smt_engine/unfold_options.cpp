#include "solver/smt_engine/unfold_options.hpp"

#include <stdexcept>

#include "model/cat/embedded_models.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/encoding/final_state.hpp"

namespace ptxmc {

UnfoldOptions unfold_options(const Program& program, const std::vector<FinalTerm>& shown,
                             const cat::Model& model, const DecideOptions& options) {
  UnfoldOptions result;
  result.bound = options.bound;
  result.max_events = options.max_events;
  result.unchanged_is_idle = cat::is_embedded_ptx(model) || cat::is_embedded_cpp(model);
  result.observed.resize(program.threads.size());
  for (const FinalTerm& term : shown)
    if (term.kind == FinalTerm::Kind::thread_register)
      result.observed[term.thread].push_back(term.register_id);
  return result;
}

Bits final_value(const FinalTerm& term, const EventStructure& structure, FinalMemory& memory) {
  const Program& program = *structure.program;
  switch (term.kind) {
    case FinalTerm::Kind::constant:
      return Bits(64, static_cast<u128>(term.constant));
    case FinalTerm::Kind::thread_register:
      return final_number(program, term, structure.final_registers[term.thread][term.register_id]);
    case FinalTerm::Kind::memory: {
      const Variable& variable = program.memory[term.variable];
      const Bits value = memory.element(variable, term.element);
      if (value.width() == 0) throw Unsupported("the final value of unknown memory: " + variable.name, {});
      return final_number(program, term, value);
    }
  }
  throw std::logic_error("a final term without meaning");
}

}  // namespace ptxmc
