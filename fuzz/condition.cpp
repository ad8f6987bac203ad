// Any bytes are a condition of a launch file or refused; of unknown numbers it says what it says of known
// ones.
#include "src/kernel/launch/condition.hpp"

#include "reading.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t elements = 4;

/// Whether the condition holds where `value_of` gives the contents of `a[0]` to `a[3]`, and `n`.
template <class ValueOf>
Bits holds(const std::string& condition, const ValueOf& value_of) {
  const kernel::NumberOf number_of = [&](const std::string& name, std::optional<std::uint64_t> index) {
    const bool is_element = name == "a" && index && *index < elements;
    if (!is_element && (name != "n" || index)) return std::optional<kernel::Number>();
    const Bits value = value_of(is_element ? *index : elements);
    return std::optional(kernel::Number{false, value.sign_extend(128)});
  };
  return kernel::condition_holds(condition, number_of, {"fuzz.toml", {1, 1}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t numbers[elements + 1] = {0, 1, 0x80000000, 0xffffffff, 7};
  const std::string condition = text_of(data, size);
  Bits known, unknown;
  if (!accepts([&] { known = holds(condition, [&](std::size_t i) { return Bits(32, numbers[i]); }); }))
    return 0;
  TermGraph graph;
  Substitution values;
  std::vector<Bits> terms;
  for (const std::uint64_t number : numbers) {
    terms.push_back(graph.variable(32, "x"));
    values.set(static_cast<VariableId>(terms.size() - 1), Bits(32, number));
  }
  if (!accepts([&] { unknown = holds(condition, [&](std::size_t i) { return terms[i]; }); })) return 0;
  if (!identical(values.apply(unknown), known)) fail("another value of unknown numbers", condition);
  return 0;
}
