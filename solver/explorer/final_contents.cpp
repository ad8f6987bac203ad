#include "solver/explorer/final_contents.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

const Bits& known_value(const PartialExecution& execution, const Bits& term) {
  const Bits* value = execution.values().find(term);
  if (value == nullptr) throw Unsupported("values that the launch leaves open in the explorer", {});
  return *value;
}

std::vector<Bits> final_contents(const PartialExecution& execution, const Variable& variable,
                                 std::size_t element, const BitMatrix* coherence) {
  const std::uint64_t first = variable.location + element * variable.element_size;
  std::vector<Bits> result{Bits()};
  for (std::size_t atom = 0; atom < execution.atoms().size(); ++atom) {
    const Atom& place = execution.atoms()[atom];
    if (place.first + place.count <= first || first + variable.element_size <= place.first) continue;
    const BitSet& writers = execution.writers(atom);
    std::vector<Bits> last;  // each value once; most writes have the same high bytes
    for (std::size_t write = 0; write < writers.size(); ++write) {
      if (!writers.contains(write)) continue;
      bool is_followed = false;
      if (coherence)
        coherence->for_each_successor(
            write, [&](std::size_t later) { is_followed = is_followed || writers.contains(later); });
      if (is_followed) continue;
      const Event& event = execution.events()[write];
      const auto offset = static_cast<unsigned>(place.first - event.location.to_u64());
      const Bits bytes = known_value(execution, event.value).extract(8 * offset, 8 * place.count);
      const auto is_same = [&](const Bits& other) { return identical(other, bytes); };
      if (std::none_of(last.begin(), last.end(), is_same)) last.push_back(bytes);
    }
    std::vector<Bits> extended;
    for (const Bits& bytes : last)
      for (const Bits& low : result) extended.push_back(low.width() == 0 ? bytes : concat(bytes, low));
    result = std::move(extended);
  }
  // No access: the initial value.
  if (result.size() == 1 && result.front().width() == 0) result.front() = variable.initial[element];
  return result;
}

}  // namespace ptxmc
