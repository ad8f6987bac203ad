#include "tests/solver/all_executions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/judge/judge.hpp"
#include "semantics/values/check.hpp"
#include "solver/reads/reads_from.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/campaign/random_litmus.hpp"

namespace ptxmc::test {

namespace {

constexpr std::size_t most_sources = 1'000, most_pairs = 6;

/// An atom of a read, and the writes that it may come from; -1: the read does not happen, or elsewhere.
struct Part {
  EventId read;
  Atom atom;
  std::vector<EventId> candidates;
};

class Enumeration {
 public:
  Enumeration(const EventStructure& structure, const cat::Model& model)
      : structure_(structure), model_(model) {
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
      if (model.nodes[i].op == cat::Operator::orientations)
        model_.definitions.push_back({"related " + model.nodes[i].name, model.nodes[i].operands[0], {}});
    for (std::size_t i = 0; i < model.nodes.size(); ++i)
      if (model.nodes[i].op == cat::Operator::total_coherence) is_total_ = true;
  }

  std::optional<AllExecutions> run() {
    if (!find_parts()) return std::nullopt;
    std::vector<EventId> sources(parts_.size(), -1);
    if (!choose(0, sources)) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool find_parts() {
    const auto atoms = atoms_of(structure_);
    std::size_t combinations = 1;
    for (EventId read = 0; read < static_cast<EventId>(structure_.events.size()); ++read) {
      const Event& event = structure_.events[index(read)];
      if (event.kind == EventKind::barrier) return false;
      if (!event.is_read()) continue;
      for (const Atom& atom : atoms) {
        if (covers(event, atom).is_false()) continue;
        Part part{read, atom, {}};
        const bool is_certain = event.condition.is_true() && event.location.is_constant();
        if (!is_certain) part.candidates.push_back(-1);
        for (EventId write = 0; write < static_cast<EventId>(structure_.events.size()); ++write) {
          const Event& other = structure_.events[index(write)];
          if (other.is_write() && other.rmw != read && !covers(other, atom).is_false())
            part.candidates.push_back(write);
        }
        combinations *= part.candidates.size();
        if (combinations > most_sources) return false;
        parts_.push_back(std::move(part));
      }
    }
    return true;
  }

  bool choose(std::size_t next, std::vector<EventId>& sources) {
    if (next == parts_.size()) return examine(sources);
    for (const EventId write : parts_[next].candidates) {
      sources[next] = write;
      if (!choose(next + 1, sources)) return false;
    }
    return true;
  }

  /// The values of all reads, each after what it takes its value from; empty if they go round in a circle.
  std::optional<std::map<VariableId, Bits>> values_with(const std::vector<EventId>& sources) const {
    std::map<VariableId, Bits> values;
    std::set<EventId> unknown;
    for (const Part& part : parts_)
      if (!structure_.events[index(part.read)].value.is_constant()) unknown.insert(part.read);
    while (!unknown.empty()) {
      Substitution known = substitution(values);
      std::optional<EventId> found;
      for (const EventId read : unknown) {
        const auto value = value_with(sources, read, known);
        if (!value) continue;
        values.emplace(structure_.events[index(read)].value.term()->variable, *value);
        found = read;
        break;
      }
      if (!found) return std::nullopt;
      unknown.erase(*found);
    }
    return values;
  }

  static Substitution substitution(const std::map<VariableId, Bits>& values) {
    Substitution result;
    for (const auto& [variable, value] : values) result.set(variable, value);
    return result;
  }

  /// 0 for a read that takes nothing.
  std::optional<Bits> value_with(const std::vector<EventId>& sources, EventId read,
                                 Substitution& known) const {
    Bits value;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].read != read || sources[i] < 0) continue;
      const Event& write = structure_.events[index(sources[i])];
      const Bits written = known.apply(write.value), location = known.apply(write.location);
      if (!written.is_constant() || !location.is_constant()) return std::nullopt;
      const std::uint64_t offset = parts_[i].atom.first - location.to_u64();
      if (offset >= write.size) return Bits(8 * structure_.events[index(read)].size, 0);  // refused later
      const Bits bytes = written.extract(static_cast<unsigned>(8 * offset), 8 * parts_[i].atom.count);
      value = value.width() == 0 ? bytes : concat(bytes, value);
    }
    const unsigned width = 8 * structure_.events[index(read)].size;
    return value.width() == 0 ? Bits(width, 0) : value.resize_unsigned(width);
  }

  /// Returns false if there are too many orientations.
  bool examine(const std::vector<EventId>& sources) {
    const auto values = values_with(sources);
    if (!values) return true;
    Substitution known = substitution(*values);
    const auto execution = execution_with(sources, known);
    return !execution || orient(*execution);
  }

  /// The execution, if reads and writes happen where the sources say so, and all threads end.
  std::optional<Execution> execution_with(const std::vector<EventId>& sources, Substitution& known) const {
    Execution result;
    result.program = structure_.program;
    std::vector<EventId> numbers;
    for (const Event& event : structure_.events) {
      const Bits happens = known.apply(event.condition);
      if (!happens.is_constant()) return std::nullopt;
      numbers.push_back(happens.is_true() ? static_cast<EventId>(result.events.size()) : -1);
      if (!happens.is_true()) continue;
      Event& concrete = result.events.emplace_back(event);
      concrete.condition = happens;
      for (Bits* part : {&concrete.address, &concrete.location, &concrete.value})
        if (part->width() != 0) *part = known.apply(*part);
    }
    for (Event& event : result.events) {
      if (event.rmw >= 0)
        event.rmw = numbers[index(event.rmw)] >= 0 ? numbers[index(event.rmw)] : Event::not_written;
      for (auto* reads :
           {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
        std::erase_if(*reads, [&](EventId read) { return numbers[index(read)] < 0; });
        for (EventId& read : *reads) read = numbers[index(read)];
      }
    }
    result.barrier_phase.assign(result.events.size(), -1);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const EventId read = numbers[index(parts_[i].read)];
      const bool takes = read >= 0 && touches(result.events[index(read)], parts_[i].atom);
      if (takes != (sources[i] >= 0)) return std::nullopt;
      if (!takes) continue;
      const EventId write = numbers[index(sources[i])];
      if (write < 0 || !touches(result.events[index(write)], parts_[i].atom)) return std::nullopt;
      result.reads_from.push_back({read, write, parts_[i].atom.first, parts_[i].atom.count});
    }
    for (const auto& endings : structure_.endings) {
      const bool completes = std::ranges::any_of(endings, [&](const Ending& ending) {
        return ending.kind == Ending::Kind::completed && known.apply(ending.condition).is_true();
      });
      if (!completes) return std::nullopt;
      result.endings.push_back(Ending::Kind::completed);
    }
    for (const auto& registers : structure_.final_registers) {
      auto& last = result.final_registers.emplace_back();
      for (const Bits& value : registers) last.push_back(known.apply(value));
    }
    return result;
  }

  static bool touches(const Event& event, const Atom& atom) {
    return atom.first - event.location.to_u64() < event.size;
  }

  /// The pairs to orient, each once.
  std::map<std::string, Pairs> pairs_of(const Execution& execution) const {
    std::map<std::string, Pairs> result;
    const Judgement judgement = judge(model_, execution);
    for (const std::string& name : judgement.relations.names()) {
      if (!name.starts_with("related ")) continue;
      std::set<std::pair<EventId, EventId>> pairs;
      for (const auto& [a, b] : judgement.relations.at(name))
        if (a != b) pairs.insert(std::minmax(a, b));
      result[name.substr(8)] = {pairs.begin(), pairs.end()};
    }
    if (is_total_)
      for (EventId a = 0; a < static_cast<EventId>(execution.events.size()); ++a)
        for (EventId b = a + 1; b < static_cast<EventId>(execution.events.size()); ++b) {
          const Event &first = execution.events[index(a)], &second = execution.events[index(b)];
          if (first.kind == EventKind::write && second.kind == EventKind::write &&
              first.location.to_u64() < second.location.to_u64() + second.size &&
              second.location.to_u64() < first.location.to_u64() + first.size)
            result["co"].emplace_back(a, b);
        }
    return result;
  }

  bool orient(const Execution& execution) {
    const auto pairs = pairs_of(execution);
    std::size_t count = 0;
    for (const auto& [name, unordered] : pairs) count += unordered.size();
    if (count > most_pairs) return false;
    bool any = false;
    for (std::size_t which = 0; which < std::size_t{1} << count; ++which) {
      Execution oriented = execution;
      std::size_t rest = which;
      for (const auto& [name, unordered] : pairs)
        for (const auto& [a, b] : unordered) {
          oriented.choices[name].push_back(rest % 2 == 0 ? std::pair(a, b) : std::pair(b, a));
          rest /= 2;
        }
      if (!judge_axioms(model_, oriented).accepted()) continue;
      any = true;
      found_.accepted.push_back(std::move(oriented));
    }
    if (any) found_.accepted_sources.push_back(execution);
    return true;
  }

  const EventStructure& structure_;
  cat::Model model_;
  bool is_total_ = false;
  std::vector<Part> parts_;
  AllExecutions found_;
};

}  // namespace

std::optional<AllExecutions> all_executions(const EventStructure& structure, const cat::Model& model) {
  return Enumeration(structure, model).run();
}

std::vector<EventId> ids_in(const EventStructure& structure, const Execution& execution) {
  std::vector<EventId> ids;
  EventId id = 0;
  for (const Event& event : execution.events) {
    const auto is_it = [&](const Event& other) {
      return other.thread == event.thread && other.step == event.step && other.kind == event.kind;
    };
    while (!is_it(structure.events[index(id)])) ++id;
    ids.push_back(id++);
  }
  return ids;
}

std::string key_of_sources(const Execution& execution) {
  std::string key;
  const auto name = [&](EventId id) {
    const Event& event = execution.events[index(id)];
    return fmt::format("{}.{}{}{}", event.thread, event.step, "iRWFB"[static_cast<int>(event.kind)],
                       event.thread < 0 ? std::to_string(event.location.to_u64()) : "");
  };
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id) key += name(id) + " ";
  std::set<std::string> sources;
  for (const ReadsFrom& from : execution.reads_from)
    for (std::uint64_t byte = from.first; byte < from.first + from.count; ++byte)
      sources.insert(fmt::format("{}<-{}@{} ", name(from.read), name(from.write), byte));
  for (const std::string& source : sources) key += source;
  return key;
}

std::string key_of(const Execution& execution) {
  std::string key = key_of_sources(execution);
  for (const auto& [choice, pairs] : execution.choices) {
    std::set<std::pair<EventId, EventId>> sorted(pairs.begin(), pairs.end());
    for (const auto& [a, b] : sorted)
      if (execution.events[index(a)].thread >= 0 && execution.events[index(b)].thread >= 0)
        key += fmt::format("{}:{}>{} ", choice, a, b);
  }
  return key;
}

namespace {

UnfoldOptions one_iteration() {
  UnfoldOptions options;
  options.bound = 1;
  return options;
}

}  // namespace

SmallProgram::SmallProgram(const std::string& text)
    : test(parse_litmus(text, "small.litmus")), structure(unfold(test.program, graph, one_iteration())) {}

namespace {

/// Programs in which some reads can only take a value that is written after another read has its value, and
/// one with a read that takes its halves from one write or from two.
std::vector<std::string> further_programs() {
  const std::string two = "PTX branches { x=0; y=0; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
  const std::string ends = "exists (P0:r0 == 1)";
  return {
      "PTX halves { x : u32[1]; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      "st.relaxed.gpu.u32 [x], 65537 | ld.relaxed.gpu.u32 r0, [x] ;\nst.relaxed.gpu.u16 [x+2], 2 | ;\n"
      "exists (P1:r0 == 1)",
      two +
          "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nbeq r0, 5, L0 | beq r0, 0, L1 ;\n"
          "st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;\nL0: | L1: ;\n" +
          ends,
      two +
          "ld.relaxed.gpu r0, x | ld.acquire.gpu r0, y ;\nbne r0, 0, L0 | beq r0, 0, L1 ;\n"
          "st.release.gpu y, 1 | atom.relaxed.gpu.add r1, x, 1 ;\nL0: ld.relaxed.gpu r1, x | L1: ;\n" +
          ends,
      two +
          "atom.relaxed.gpu.cas r0, x, 0, 1 | atom.relaxed.gpu.cas r0, x, 0, 2 ;\nbne r0, 0, L0 | beq "
          "r0, 0, L1 ;\n"
          "st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, y ;\nL0: | L1: ;\n" +
          ends,
      two +
          "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nbeq r0, 0, L0 | add r1, r0, 1 ;\n"
          "st.weak x, 3 | st.relaxed.gpu x, r1 ;\nL0: st.relaxed.gpu y, 1 | ;\n" +
          ends,
      "PTX indices { x=0; y=0; P1:r7 = x; } P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
      "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;\nst.relaxed.gpu y, 1 | mul r1, r0, 4096 ;\n"
      "fence.acq_rel.gpu | add r1, r1, r7 ;\nst.relaxed.gpu x, 2 | st.relaxed.gpu [r1], 1 ;\n" +
          ends};
}

}  // namespace

const std::vector<std::unique_ptr<EnumeratedProgram>>& small_programs(const std::string& name) {
  static std::map<std::string, std::vector<std::unique_ptr<EnumeratedProgram>>> known;
  auto& programs = known[name];
  if (!programs.empty()) return programs;
  const cat::Model model = cat::load(name);
  const auto add = [&](const std::string& text) {
    auto program = std::make_unique<EnumeratedProgram>(text);
    auto all = all_executions(program->structure, model);
    if (!all || all->accepted.empty()) return false;
    program->all = std::move(*all);
    programs.push_back(std::move(program));
    return true;
  };
  for (const std::string& text : further_programs()) check(add(text), "a program without executions");
  for (std::uint64_t seed = 0; programs.size() < 38; ++seed) add(random_litmus(seed));
  return programs;
}

}  // namespace ptxmc::test
