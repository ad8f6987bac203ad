// Executions that grow step by step, with steps taken back, evaluated by the compiled model and, at the end,
// by the judge.
#include "solver/compiled_model/compiled_model.hpp"

#include <doctest/doctest.h>

#include <map>
#include <variant>

#include "model/judge/judge.hpp"
#include "tests/solver/own_models.hpp"
#include "tests/solver/random_execution.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::size_t none = ~std::size_t{0};

/// An event becomes present, a read takes a cell from a write, or the events of a phase meet.
struct Happens {
  EventId event;
};
struct Takes {
  ReadsFrom source;
};
struct Meet {
  int phase;
};
struct Growth {
  std::variant<Happens, Takes, Meet> what;
};

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

/// A compiled model of the events, some of whose addresses become known only when they happen.
class Grown {
 public:
  Grown(const cat::Model& model, RandomEvents& random, TermGraph& graph)
      : whole_(random.execution()),
        names_(names_of(model)),
        events_(opened(random, graph)),
        open_(events_),
        model_(model, random.program(), events_, names_) {
    for (std::size_t cell = 0; cell < RandomEvents::cells.size(); ++cell)
      writers_.emplace_back(whole_.events.size());
  }

  CompiledModel& model() { return model_; }
  const std::vector<std::string>& names() const { return names_; }

  std::size_t mark() {
    marks_.push_back(done_.size());
    return model_.mark();
  }
  void undo_to(std::size_t mark) {
    for (; done_.size() > marks_[mark]; done_.pop_back()) apply(done_.back(), false);
    marks_.resize(mark);
    model_.undo_to(mark);
  }
  void grow(const Growth& growth) {
    done_.push_back(growth);
    apply(growth, true);
  }

  CompiledModel::Source source(const ReadsFrom& from) const {
    return {index(from.read), index(from.write), &writers_[cell_of(from)]};
  }

 private:
  static std::vector<std::string> names_of(const cat::Model& model) {
    std::vector<std::string> names;
    for (const cat::Definition& definition : model.definitions) names.push_back(definition.name);
    return names;
  }

  std::vector<Event> opened(RandomEvents& random, TermGraph& graph) const {
    std::vector<Event> events = whole_.events;
    if (random.below(3) != 0) return events;
    for (Event& event : events)
      if (event.is_memory_access() && event.thread >= 0 && event.rmw < 0 && random.below(3) == 0)
        event.address = graph.variable(64, "address"), event.location = graph.variable(64, "location");
    return events;
  }

  static std::size_t cell_of(const ReadsFrom& from) {
    for (std::size_t cell = 0; cell < RandomEvents::cells.size(); ++cell)
      if (RandomEvents::cells[cell].first == from.first) return cell;
    return none;
  }

  void apply(const Growth& growth, bool forth) {
    if (const auto* happens = std::get_if<Happens>(&growth.what)) return happen(happens->event, forth);
    if (const auto* takes = std::get_if<Takes>(&growth.what)) return take(takes->source, forth);
    const int phase = std::get<Meet>(growth.what).phase;
    for (std::size_t a = 0; a < whole_.events.size(); ++a)
      for (std::size_t b = 0; b < whole_.events.size(); ++b)
        if (a != b && whole_.barrier_phase[a] == phase && whole_.barrier_phase[b] == phase)
          forth ? model_.inputs.syncbar.insert(a, b) : model_.inputs.syncbar.erase(a, b);
    if (forth) model_.note(CompiledModel::barriers);
  }

  void happen(EventId id, bool forth) {
    const Event& event = whole_.events[index(id)];
    for (std::size_t cell = 0; cell < writers_.size(); ++cell)
      if (event.is_write() && RandomEvents::touches(event, RandomEvents::cells[cell]))
        forth ? writers_[cell].insert(index(id)) : writers_[cell].erase(index(id));
    if (!forth) {
      events_[index(id)] = open_[index(id)];
      return model_.inputs.present.erase(index(id));
    }
    events_[index(id)] = event;
    if (!identical(open_[index(id)].location, event.location) && event.is_memory_access())
      model_.locate(events_, id);
    model_.inputs.present.insert(index(id));
    model_.note_event(index(id));
  }

  void take(const ReadsFrom& from, bool forth) {
    auto& inputs = model_.inputs;
    if (forth) {
      inputs.rf.insert(index(from.write), index(from.read));
      inputs.sources.push_back(source(from));
      return model_.note_source(index(from.read), index(from.write));
    }
    inputs.sources.pop_back();
    const bool is_still = std::ranges::any_of(inputs.sources, [&](const CompiledModel::Source& other) {
      return other.read == index(from.read) && other.write == index(from.write);
    });
    if (!is_still) inputs.rf.erase(index(from.write), index(from.read));
  }

  const Execution& whole_;
  const std::vector<std::string> names_;
  std::vector<Event> events_;
  const std::vector<Event> open_;
  CompiledModel model_;
  std::vector<BitSet> writers_;  // by cell
  std::vector<Growth> done_;
  std::vector<std::size_t> marks_;
};

/// Everything that some events of an execution do, in a random order in which events happen before what
/// concerns them.
std::vector<Growth> random_growth(const Execution& whole, const std::vector<bool>& is_present,
                                  RandomEvents& random) {
  std::vector<std::pair<std::size_t, Growth>> keyed;
  std::vector<std::size_t> key(whole.events.size());
  for (std::size_t id = 0; id < whole.events.size(); ++id) {
    key[id] = random.below(1000);
    if (is_present[id]) keyed.push_back({key[id], {Happens{static_cast<EventId>(id)}}});
  }
  for (const ReadsFrom& from : whole.reads_from)
    if (is_present[index(from.read)])
      keyed.push_back(
          {std::max(key[index(from.read)], key[index(from.write)]) + 1 + random.below(500), {Takes{from}}});
  std::map<int, std::size_t> meetings;
  for (std::size_t id = 0; id < whole.events.size(); ++id)
    if (const int phase = whole.barrier_phase[id]; phase >= 0)
      meetings[phase] = std::max(meetings[phase], key[id] + 1);
  for (const auto& [phase, when] : meetings) keyed.push_back({when, {Meet{phase}}});
  std::ranges::stable_sort(keyed, {}, &std::pair<std::size_t, Growth>::first);
  std::vector<Growth> result;
  for (auto& [when, growth] : keyed) result.push_back(growth);
  return result;
}

/// Some events without those that need what is left out: sources of present reads are present, and so are all
/// members of a phase. A write of a read-modify-write does not happen without its read.
std::vector<bool> random_part(const Execution& whole, RandomEvents& random) {
  std::vector<bool> is_present(whole.events.size(), true);
  if (random.below(2) == 0) return is_present;
  for (std::size_t id = 0; id < whole.events.size(); ++id)
    if (whole.events[id].thread >= 0 && whole.barrier_phase[id] < 0) is_present[id] = random.below(4) != 0;
  for (bool changed = true; changed;) {
    changed = false;
    const auto drop = [&](std::size_t id) {
      changed = changed || is_present[id];
      is_present[id] = false;
    };
    for (const ReadsFrom& from : whole.reads_from)
      if (!is_present[index(from.write)]) drop(index(from.read));
    for (std::size_t id = 0; id < whole.events.size(); ++id)
      if (whole.events[id].is_write() && whole.events[id].rmw >= 0 &&
          !is_present[index(whole.events[id].rmw)])
        drop(id);
  }
  return is_present;
}

std::map<std::string, Pairs> chosen_by(const CompiledModel& model) {
  std::map<std::string, Pairs> result;
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i) {
    Pairs& pairs = result[model.inputs.choices[i].name];
    for (const auto& [a, b] : model.chosen(i).pairs())
      pairs.emplace_back(static_cast<EventId>(a), static_cast<EventId>(b));
  }
  return result;
}

/// Orients all open pairs: as in the interleaving, and without cycles in a total order, or at random.
void orient_all(CompiledModel& model, RandomEvents& random) {
  model.value("co");  // computes the pairs that changed
  const bool is_random = random.below(3) == 0;
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i)
    for (std::size_t a = 0, b = 0; model.find_open_pair(i, a, b);) {
      const bool backwards = is_random && !model.inputs.choices[i].is_total_coherence
                                 ? random.below(2) == 0
                                 : random.place()[a] > random.place()[b];
      model.orient(i, backwards ? b : a, backwards ? a : b);
    }
}

Pairs renumbered(const BitMatrix& value, const std::vector<bool>& is_present) {
  std::vector<EventId> numbers;
  EventId next = 0;
  for (const bool present : is_present) numbers.push_back(present ? next++ : -1);
  Pairs result;
  for (const auto& [a, b] : value.pairs()) result.emplace_back(numbers[a], numbers[b]);
  std::ranges::sort(result);
  return result;
}

/// Compares every name, axiom and flag of a complete execution with the judge. Returns whether every axiom
/// holds.
bool agrees_with_judge(Grown& grown, const cat::Model& cat, const Execution& whole,
                       const std::vector<bool>& is_present) {
  const Execution execution = part_of(whole, is_present, chosen_by(grown.model()));
  const Judgement judgement = judge(cat, execution);
  const bool holds = std::ranges::all_of(judgement.axioms, [](bool axiom) { return axiom; });
  // Only what the choices are about: the events were not made by code.
  for (const std::string& sentence : judgement.malformed) {
    CAPTURE(sentence);
    CHECK(sentence.find("orient") == std::string::npos);
  }
  CHECK(grown.model().is_consistent() == holds);
  for (std::size_t flag = 0; flag < cat.flags.size(); ++flag) {
    CAPTURE(cat.flags[flag].name);
    CHECK(grown.model().is_raised(flag) == judgement.flags[flag]);
    if (judgement.flags[flag]) CHECK(grown.model().may_be_raised(flag));
  }
  for (const std::string& name : grown.names()) {
    CAPTURE(name);
    Pairs expected = judgement.relations.at(name);
    std::ranges::sort(expected);
    CHECK(renumbered(grown.model().value(name), is_present) == expected);
  }
  return holds;
}

/// The execution grows once more in another order. If the axioms hold at the end, no step on the way may be
/// given up, refused, or oriented otherwise.
void check_growth(Grown& grown, const Execution& whole, const std::vector<bool>& is_present,
                  const std::map<std::string, Pairs>& choices, bool is_accepted, RandomEvents& random) {
  CompiledModel& model = grown.model();
  const auto is_chosen = [&](std::size_t choice, std::size_t a, std::size_t b) {
    const Pairs& pairs = choices.at(model.inputs.choices[choice].name);
    return std::ranges::count(pairs, std::pair(static_cast<EventId>(a), static_cast<EventId>(b))) > 0;
  };
  const auto check_orientations = [&] {
    for (std::size_t i = 0; i < model.inputs.choices.size(); ++i)
      for (const auto& [a, b] : model.chosen(i).pairs()) CHECK(is_chosen(i, a, b));
  };
  for (const Growth& growth : random_growth(whole, is_present, random)) {
    if (const auto* takes = std::get_if<Takes>(&growth.what); takes && is_accepted && random.below(2) == 0) {
      REQUIRE(model.may_become_consistent());
      CHECK_FALSE(model.refuses(grown.source(takes->source)));
    }
    if (random.below(3) == 0) {  // a step that is taken back
      const std::size_t mark = grown.mark();
      grown.grow(growth);
      if (random.below(2) == 0) model.may_become_consistent();
      grown.undo_to(mark);
    }
    grown.grow(growth);
    if (random.below(2) == 0) {
      const bool may_be = model.may_become_consistent();
      if (is_accepted) REQUIRE(may_be);
      if (is_accepted) check_orientations();
      if (!may_be) return;  // the state is only good to go back from
    }
  }
  if (!is_accepted) return;
  REQUIRE(model.may_become_consistent());
  check_orientations();
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i)
    for (std::size_t a = 0, b = 0; model.find_open_pair(i, a, b);) {
      if (!is_chosen(i, a, b)) std::swap(a, b);
      REQUIRE(is_chosen(i, a, b));
      model.orient(i, a, b);
      if (random.below(2) == 0) REQUIRE(model.may_become_consistent());
    }
}

/// Returns how many executions were accepted.
std::size_t compare_with_judge(const cat::Model& cat, std::uint64_t count, std::size_t most_events = 4) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    CAPTURE(cat.name);
    CAPTURE(seed);
    RandomEvents random(seed, most_events);
    TermGraph graph;
    Grown grown(cat, random, graph);
    const Execution& whole = random.execution();
    const std::vector<bool> is_present = random_part(whole, random);
    const std::size_t start = grown.mark();
    for (const Growth& growth : random_growth(whole, is_present, random)) grown.grow(growth);
    orient_all(grown.model(), random);
    const auto choices = chosen_by(grown.model());
    const bool holds = agrees_with_judge(grown, cat, whole, is_present);
    grown.undo_to(start);
    if (holds) ++accepted;
    grown.mark();
    check_growth(grown, whole, is_present, choices, holds, random);
    if (holds) CHECK(agrees_with_judge(grown, cat, whole, is_present));
  }
  return accepted;
}

}  // namespace

TEST_CASE("a compiled model has the values, axioms and flags that the judge has") {
  for (const char* name : {"ptx-6.4", "ptx-7.5", "ptx-8.7", "sc"}) {
    const std::size_t accepted = compare_with_judge(cat::load(name), 600);
    CHECK(accepted > 100);
    CHECK(accepted < 600);
  }
}

TEST_CASE("the same with more than 64 events, whose rows are several words") {
  for (const char* name : {"ptx-8.7", "sc"}) CHECK(compare_with_judge(cat::load(name), 12, 30) > 0);
}

TEST_CASE("the same for models with recursion, negation, sets, and orientations of what reads decide") {
  for (std::size_t i = 0; i < own_models().size(); ++i) {
    CAPTURE(i);
    CHECK(compare_with_judge(cat::parse({"own" + std::to_string(i), own_models()[i]}, {}), 100) > 5);
  }
}

TEST_CASE("values that are asked for before the axioms do not hide a violation") {
  const cat::Model cat = cat::load("sc");
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    RandomEvents events(seed);
    TermGraph graph;
    Grown grown(cat, events, graph);
    const std::vector<bool> all(events.execution().events.size(), true);
    const std::size_t start = grown.mark();
    bool holds[2] = {};
    for (const bool asks : {false, true}) {
      const std::size_t before = grown.mark();
      for (const Growth& growth : random_growth(events.execution(), all, events)) {
        grown.grow(growth);
        if (asks) grown.model().value("rf");
      }
      holds[asks] = grown.model().may_become_consistent();
      grown.undo_to(before);
    }
    grown.undo_to(start);
    CHECK(holds[false] == holds[true]);
  }
}
