#include "solver/launch/properties/properties.hpp"
#include "solver/launch/related_suspects.hpp"

// A data race: PTX ISA 8.7 § 8.7.1.

namespace ptxmc {

namespace {

constexpr const char* data_race = "data_race";

/// The flags about races. A user's model may use other names than `data_race`.
std::vector<Suspect> flags_of_races(const Encoding& encoding) {
  std::vector<Suspect> result;
  const auto& flags = encoding.outcome().model->flags;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (is_race_flag(flags[i].name))
      result.push_back({encoding.outcome().flags[i], {}, {}, flags[i].name, {}});
  return result;
}

std::vector<Suspect> possible_races(const Encoding& encoding, const Bits&) {
  return encoding.outcome().relation(data_race) ? std::vector<Suspect>() : flags_of_races(encoding);
}

}  // namespace

PropertyDefinition race_property() {
  return {.property = LaunchProperty::race,
          .relation = data_race,
          .of_pair = unordered_pair,
          .related = possible_races,
          .is_excluded = [](LaunchFacts& facts) { return facts.is_ordered(); }};
}

}  // namespace ptxmc
