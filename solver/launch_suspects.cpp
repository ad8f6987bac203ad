#include "solver/launch_suspects.hpp"

#include "solver/divergence.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

class Suspects {
 public:
  explicit Suspects(const Encoding& encoding) : encoding_(encoding) {}

  std::vector<Suspect> endings(Kind kind) const {
    std::vector<Suspect> result;
    for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
      for (const Ending& ending : structure().endings[thread])
        if (ending.kind == kind)
          result.push_back({ending.condition,
                            site_of(static_cast<int>(thread), ending.where),
                            {},
                            ending.message,
                            step_of(ending)});
    return result;
  }

  std::vector<Suspect> violations(Violation::Kind kind) const {
    std::vector<Suspect> result;
    for (const Violation& violation : structure().violations)
      if (violation.kind == kind)
        result.push_back({violation.condition,
                          site_of(violation.thread, violation.where),
                          {},
                          violation.message,
                          violation.step});
    return result;
  }

  std::vector<Suspect> assertions(const Bits& wrong_end) const {
    std::vector<Suspect> result = endings(Kind::trapped);
    result.push_back({wrong_end, {}, {}, {}, {}});
    return result;
  }

  std::vector<Suspect> out_of_bounds() const {
    std::vector<Suspect> result = endings(Kind::stray_access);
    for (Suspect& suspect : violations(Violation::Kind::out_of_bounds)) result.push_back(std::move(suspect));
    return result;
  }

  /// The pairs of a relation of the model; one suspect for each two lines would do, but reports want threads.
  std::vector<Suspect> races(const char* name) const {
    std::vector<Suspect> result;
    const SymbolicRelation* relation = encoding_.outcome().relation(name);
    if (relation == nullptr) return flags_of_races();
    for (EventId first = 0; first < static_cast<EventId>(relation->rows.size()); ++first)
      for (const auto& [second, holds] : relation->rows[first])
        if (first < second) result.push_back({holds, site_of(first), site_of(second), {}, {}});
    return result;
  }

  /// A model of the user's own may have other names.
  std::vector<Suspect> flags_of_races() const {
    std::vector<Suspect> result;
    for (std::size_t i = 0; i < encoding_.outcome().model->flags.size(); ++i)
      if (is_race_flag(encoding_.outcome().model->flags[i].name))
        result.push_back(
            {encoding_.outcome().flags[i], {}, {}, encoding_.outcome().model->flags[i].name, {}});
    return result;
  }

  /// The initial content of memory, or what has been discarded.
  bool gives_no_value(const Event& write) const {
    if (write.kind != EventKind::initial_write) return write.access.is_indeterminate;
    return has_unknown_content(structure(), write);
  }

  std::vector<Suspect> uninitialized_reads() const {
    std::vector<Suspect> result;
    for (const auto& choice : encoding_.algebra().reads_from().choices)
      if (gives_no_value(event(choice.write)))
        result.push_back({choice.chosen, site_of(choice.read), {}, {}, {}});
    for (Suspect& suspect : violations(Violation::Kind::uninitialized)) result.push_back(std::move(suspect));
    return result;
  }

  std::vector<Suspect> divergent_barriers() const {
    std::vector<Suspect> result;
    for (const Divergence& divergence : divergences(structure()))
      result.push_back({divergence.elsewhere | divergence.without, site_of(divergence.barrier), {}, {}, {}});
    return result;
  }

  /// After a divergence it is not said how threads go on, or not.
  std::vector<Suspect> deadlocks() const {
    Bits diverges = Bits::boolean(false);
    for (const Divergence& divergence : divergences(structure())) diverges = diverges | divergence.elsewhere;
    return {{is_stuck(encoding_) & ~diverges, {}, {}, {}, {}}};
  }

 private:
  const EventStructure& structure() const { return encoding_.structure(); }
  const Event& event(EventId id) const { return structure().events[id]; }

  static std::optional<unsigned> step_of(const Ending& ending) {
    if (ending.kind == Kind::trapped) return ending.first_step;
    return std::nullopt;
  }

  static LaunchSite site_of(int thread, const SourcePosition& where) { return {thread, where, -1}; }

  LaunchSite site_of(EventId id) const {
    const Instruction* instruction = event(id).instruction;
    return {event(id).thread, instruction ? instruction->where : SourcePosition{}, id};
  }

  const Encoding& encoding_;
};

}  // namespace

bool has_unknown_content(const EventStructure& structure, const Event& initial) {
  const std::uint64_t place = initial.location.to_u64();
  for (const Variable& variable : structure.program->memory)
    if (place - variable.location < variable.size())
      return variable.initial[(place - variable.location) / variable.element_size].width() == 0;
  return false;
}

bool is_race_flag(const std::string& name) { return name.find("race") != std::string::npos; }

std::vector<Suspect> suspects(const Encoding& encoding, LaunchProperty property, const Bits& wrong_end) {
  const Suspects all(encoding);
  switch (property) {
    case LaunchProperty::assertion:
      return all.assertions(wrong_end);
    case LaunchProperty::race:
      return all.races("data_race");
    case LaunchProperty::uninitialized:
      return all.uninitialized_reads();
    case LaunchProperty::out_of_bounds:
      return all.out_of_bounds();
    case LaunchProperty::divergence:
      return all.divergent_barriers();
    case LaunchProperty::deadlock:
      return all.deadlocks();
  }
  return {};
}

std::vector<Suspect> race_suspects(const Encoding& encoding, const char* relation) {
  if (encoding.outcome().relation(relation) == nullptr) return {};
  return Suspects(encoding).races(relation);
}

}  // namespace ptxmc
