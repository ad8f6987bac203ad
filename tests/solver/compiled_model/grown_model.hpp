#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/compiled_model/compiled_model.hpp"
#include "tests/solver/random_execution.hpp"

/// Compiled models of random events that grow step by step, with steps taken back.
namespace ptxmc::test {

inline constexpr std::size_t none = ~std::size_t{0};

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
inline std::vector<Growth> random_growth(const Execution& whole, const std::vector<bool>& is_present,
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
inline std::vector<bool> random_part(const Execution& whole, RandomEvents& random) {
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

inline std::map<std::string, Pairs> chosen_by(const CompiledModel& model) {
  std::map<std::string, Pairs> result;
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i) {
    Pairs& pairs = result[model.inputs.choices[i].name];
    for (const auto& [a, b] : model.chosen(i).pairs())
      pairs.emplace_back(static_cast<EventId>(a), static_cast<EventId>(b));
  }
  return result;
}

/// Orients all open pairs: as in the interleaving, and without cycles in a total order, or at random.
inline void orient_all(CompiledModel& model, RandomEvents& random) {
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

/// Grows executions of random events step by step, with steps taken back, and calls `visit(grown, random)`
/// after each step.
template <class Visit>
void grow_at_random(const cat::Model& cat, std::uint64_t count, std::size_t most_events, const Visit& visit) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    RandomEvents random(seed, most_events);
    TermGraph graph;
    Grown grown(cat, random, graph);
    const std::vector<bool> all(random.execution().events.size(), true);
    for (const Growth& growth : random_growth(random.execution(), all, random)) {
      if (random.below(3) == 0) {
        const std::size_t mark = grown.mark();
        grown.grow(growth);
        if (random.below(2) == 0) visit(grown, random);
        grown.undo_to(mark);
      }
      grown.grow(growth);
      if (random.below(3) != 0) visit(grown, random);
    }
    visit(grown, random);
  }
}

}  // namespace ptxmc::test
