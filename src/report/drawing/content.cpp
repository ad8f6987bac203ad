#include "src/report/drawing/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "semantics/language/visible_text.hpp"
#include "src/report/names.hpp"

namespace ptxmc::drawing {

namespace {

using PairSet = std::set<std::pair<EventId, EventId>>;
using Successors = std::map<EventId, std::vector<EventId>>;

/// A relation that the model defines or chooses; empty if it has none of this name.
Pairs relation_named(const Execution& execution, const std::string& name) {
  if (execution.relations.contains(name)) return execution.relations.at(name);
  const auto chosen = execution.choices.find(name);
  return chosen == execution.choices.end() ? Pairs() : chosen->second;
}

Successors successors_of(const Pairs& pairs) {
  Successors successors;
  for (const auto& [from, to] : pairs) successors[from].push_back(to);
  return successors;
}

/// All events that paths of at least one edge reach.
std::set<EventId> reachable(const Successors& successors, EventId start) {
  std::set<EventId> reached;
  std::vector<EventId> open = {start};
  while (!open.empty()) {
    const auto next = successors.find(open.back());
    open.pop_back();
    if (next == successors.end()) continue;
    for (const EventId to : next->second)
      if (reached.insert(to).second) open.push_back(to);
  }
  return reached;
}

bool is_initial(const Execution& execution, EventId event) {
  return execution.events.at(event).kind == EventKind::initial_write;
}

std::string letters(std::size_t number) {
  std::string text(1, static_cast<char>('a' + number % 26));
  return number < 26 ? text : letters(number / 26 - 1) + text;
}

/// The columns: threads with events, grouped by GPU, cluster and CTA.
std::vector<int> ordered_threads(const Execution& execution) {
  const auto& threads = execution.program->threads;
  std::set<int> present;
  for (const Event& event : execution.events)
    if (event.thread != Event::no_thread) present.insert(event.thread);

  // Groups are in the order of their first threads.
  std::map<int, int> gpus, clusters, ctas;
  for (const int thread : present) {
    const Placement& placement = threads.at(thread).placement;
    gpus.try_emplace(placement.gpu, thread);
    clusters.try_emplace(placement.cluster, thread);
    ctas.try_emplace(placement.cta, thread);
  }
  std::vector<int> ordered(present.begin(), present.end());
  std::ranges::sort(ordered, {}, [&](int thread) {
    const Placement& placement = threads.at(thread).placement;
    return std::tuple(gpus.at(placement.gpu), clusters.at(placement.cluster), ctas.at(placement.cta), thread);
  });
  return ordered;
}

/// The number of columns side by side: at most six, and if possible the same in all bands.
std::size_t evenly_broken(std::size_t columns) {
  constexpr std::size_t most = 6;
  const std::size_t bands = std::max<std::size_t>(1, (columns + most - 1) / most);
  return std::max<std::size_t>(1, (columns + bands - 1) / bands);
}

/// Builds the content step by step; `node_of` is the node of each event.
struct Builder {
  const Execution& execution;
  Content content;
  std::vector<int> node_of;
  std::size_t lettered = 0;  ///< the number of nodes with letters

  std::map<std::pair<EventId, int>, int> initial_node_of;  ///< by event and band

  explicit Builder(const Execution& execution) : execution(execution), node_of(execution.events.size(), -1) {
    content.execution = &execution;
  }

  bool belongs_to(const Node& node, EventId event) const {
    const Event& last = execution.events[node.events.back()];
    const Event& next = execution.events[event];
    if (last.strand != next.strand) return false;
    return last.step == next.step || last.rmw == event || next.rmw == node.events.back();
  }

  /// A column for each thread, and one beside it for the asynchronous operations that it starts.
  void add_columns() {
    std::vector<std::pair<int, bool>> wanted;
    for (const int thread : ordered_threads(execution))
      for (const bool is_asynchronous : {false, true})
        if (!is_asynchronous || !events_of(thread, true).empty())
          wanted.emplace_back(thread, is_asynchronous);
    content.columns_per_band = evenly_broken(wanted.size());
    for (const auto& [thread, is_asynchronous] : wanted) add_column(thread, is_asynchronous);
  }

  std::vector<EventId> events_of(int thread, bool is_asynchronous) const {
    std::vector<EventId> found;
    for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
      if (const Event& event = execution.events[id];
          event.thread == thread && (event.strand != 0) == is_asynchronous)
        found.push_back(id);
    return found;
  }

  void add_column(int thread, bool is_asynchronous) {
    const int band = content.band_of_column(static_cast<int>(content.columns.size()));
    content.threads.push_back(thread);
    content.is_asynchronous.push_back(is_asynchronous);
    std::vector<int>& column = content.columns.emplace_back();
    for (const EventId event : events_of(thread, is_asynchronous)) {
      if (column.empty() || !belongs_to(content.nodes[column.back()], event)) {
        column.push_back(static_cast<int>(content.nodes.size()));
        content.nodes.push_back({{}, thread, letters(lettered++), false, band});
      }
      content.nodes[column.back()].events.push_back(event);
      node_of[event] = column.back();
    }
  }

  /// The node of an event; for an initial write the node in the band of `other`, the other end of an edge.
  int node(EventId event, EventId other) {
    if (!is_initial(execution, event)) return node_of.at(event);
    const int band = is_initial(execution, other) ? 0 : content.nodes[node_of.at(other)].band;
    const auto [found, is_new] =
        initial_node_of.try_emplace({event, band}, static_cast<int>(content.nodes.size()));
    if (is_new) {
      content.initial.push_back(found->second);
      content.nodes.push_back({{event}, Event::no_thread, "", false, band});
    }
    return found->second;
  }
  int node(EventId event) { return node(event, event); }

  void add_edge(Relation relation, EventId from, EventId to, std::string label, bool directed = true) {
    const int from_node = node(from, to), to_node = node(to, from);
    if (from_node == to_node) return;
    for (const Edge& edge : content.edges)
      if (edge.relation == relation && edge.from == from_node && edge.to == to_node) return;
    content.edges.push_back({relation, from_node, to_node, std::move(label), directed});
  }

  void add_program_order() {
    for (std::size_t column = 0; column < content.columns.size(); ++column)
      for (std::size_t i = 1; i < content.columns[column].size() && !content.is_asynchronous[column]; ++i)
        content.edges.push_back(
            {Relation::program_order, content.columns[column][i - 1], content.columns[column][i], ""});
  }

  /// An asynchronous operation hangs on the last event of its thread before its start, and on the events that
  /// wait for it; where its signal synchronizes with a wait, that edge says so already.
  void add_asynchronous_operations() {
    std::map<int, EventId> latest;  // by thread
    for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id) {
      const Event& event = execution.events[id];
      if (event.strand == 0)
        latest[event.thread] = id;
      else if (latest.contains(event.thread))
        add_edge(Relation::starts, latest.at(event.thread), id, "");
    }
    for (const auto& [from, to] : relation_named(execution, "completed"))
      if (execution.events.at(from).strand != 0 && !are_synchronized(from, to))
        add_edge(Relation::completes, from, to, "done");
  }

  bool are_synchronized(EventId from, EventId to) {
    return std::ranges::any_of(content.edges, [&](const Edge& edge) {
      return edge.relation == Relation::synchronizes && edge.from == node(from) && edge.to == node(to);
    });
  }

  void add_reads_from() {
    std::map<EventId, std::set<EventId>> sources;
    for (const ReadsFrom& rf : execution.reads_from) sources[rf.read].insert(rf.write);
    for (const ReadsFrom& rf : execution.reads_from) {
      const bool whole = sources[rf.read].size() == 1;
      add_edge(Relation::reads_from, rf.write, rf.read, whole ? "rf" : "rf " + bytes_text(rf));
    }
  }

  std::string bytes_text(const ReadsFrom& rf) const {
    const std::uint64_t first = rf.first - execution.events.at(rf.read).location.to_u64();
    if (rf.count == 1) return fmt::format("byte {}", first);
    return fmt::format("bytes {}-{}", first, first + rf.count - 1);
  }

  /// Adds coherence between writes of threads. Edges from initial writes are left out, since these always
  /// come first.
  void add_coherence() {
    Pairs written;
    for (const auto& [from, to] : relation_named(execution, "co"))
      if (!is_initial(execution, from) && !is_initial(execution, to)) written.emplace_back(from, to);
    for (const auto& [from, to] : transitive_reduction(written))
      add_edge(Relation::coherence, from, to, "co");
  }

  /// Adds from-reads to the immediate successors of a read's source; coherence implies the others.
  void add_from_reads() {
    const Pairs coherence = relation_named(execution, "co");
    const PairSet co(coherence.begin(), coherence.end());
    const Pairs pairs = relation_named(execution, "fr");
    const Successors after = successors_of(pairs);
    for (const auto& [read, write] : pairs) {
      const auto& writes = after.at(read);
      const bool implied = std::ranges::any_of(writes, [&, write = write](EventId earlier) {
        return earlier != write && co.contains({earlier, write}) && !co.contains({write, earlier});
      });
      if (!implied) add_edge(Relation::from_reads, read, write, "fr");
    }
  }

  /// Adds synchronization by patterns; Fence-SC order and barriers have separate edges.
  void add_synchronization() {
    const Pairs fence_sc = relation_named(execution, "fence_sc");
    const PairSet fences(fence_sc.begin(), fence_sc.end());
    const auto is_barrier = [&](EventId event) {
      return execution.events.at(event).kind == EventKind::barrier;
    };
    for (const auto& [from, to] : relation_named(execution, "synchronizes"))
      if (!fences.contains({from, to}) && !(is_barrier(from) && is_barrier(to)))
        add_edge(Relation::synchronizes, from, to, "sync");
    for (const auto& [from, to] : transitive_reduction(fence_sc))
      add_edge(Relation::fence_sc, from, to, "sc");
  }

  /// Every arrival of a phase is related to every waiting thread; a chain of edges between neighbours shows
  /// the same.
  void add_barriers() {
    std::map<int, std::vector<EventId>> phases;
    for (EventId event = 0; event < static_cast<EventId>(execution.barrier_phase.size()); ++event)
      if (execution.barrier_phase[event] >= 0) phases[execution.barrier_phase[event]].push_back(event);
    for (auto& [number, phase] : phases) {
      std::ranges::sort(phase, {}, [&](EventId event) { return node(event); });
      EventId previous = -1;
      for (const EventId event : phase) {
        if (!waits(event)) continue;
        if (previous >= 0) add_edge(Relation::barrier, previous, event, "bar", false);
        previous = event;
      }
      for (const EventId event : phase)
        if (const EventId nearest = nearest_waiting(event, phase); !waits(event) && nearest >= 0)
          add_edge(Relation::barrier, event, nearest, "bar");
    }
  }

  bool waits(EventId event) const { return execution.events.at(event).barrier.kind != Barrier::Kind::arrive; }

  /// The nearest waiting event of another thread; -1 if there is none.
  EventId nearest_waiting(EventId event, const std::vector<EventId>& phase) {
    EventId nearest = -1;
    for (const EventId other : phase) {
      if (!waits(other) || execution.events.at(other).thread == execution.events.at(event).thread) continue;
      if (nearest < 0 || std::abs(node(other) - node(event)) < std::abs(node(nearest) - node(event)))
        nearest = other;
    }
    return nearest;
  }

  void highlight(const HighlightedEdge& wanted) {
    static const std::map<std::string, Relation> known = {
        {"po", Relation::program_order},  {"rf", Relation::reads_from},
        {"co", Relation::coherence},      {"fr", Relation::from_reads},
        {"fence_sc", Relation::fence_sc}, {"synchronizes", Relation::synchronizes},
        {"syncbar", Relation::barrier},   {"barrier_synchronizes", Relation::barrier}};
    const auto found = known.find(wanted.relation);
    const Relation relation = found == known.end() ? Relation::other : found->second;
    const int from = node(wanted.from, wanted.to), to = node(wanted.to, wanted.from);
    for (const int end : {from, to}) content.nodes[static_cast<std::size_t>(end)].highlighted = true;
    if (from == to) return;
    for (Edge& edge : content.edges) {
      const bool same = edge.from == from && edge.to == to;
      const bool reversed = !edge.directed && edge.from == to && edge.to == from;
      if (edge.relation == relation && (same || reversed) &&
          (relation != Relation::other || edge.label == wanted.relation)) {
        edge.highlighted = true;
        return;
      }
    }
    content.edges.push_back({relation, from, to, wanted.relation, wanted.directed, true});
  }
};

}  // namespace

Pairs transitive_reduction(const Pairs& pairs) {
  const Successors successors = successors_of(pairs);
  std::map<EventId, std::set<EventId>> closure;
  for (const auto& [from, to] : successors) {
    closure[from] = reachable(successors, from);
    if (closure[from].contains(from)) return pairs;
  }
  Pairs kept;
  for (const auto& [from, to] : pairs) {
    const auto& between = successors.at(from);
    const bool implied = std::ranges::any_of(between, [&, to = to](EventId middle) {
      return middle != to && closure.contains(middle) && closure.at(middle).contains(to);
    });
    if (!implied) kept.emplace_back(from, to);
  }
  return kept;
}

std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : visible_line(text)) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

Content content_of(const Execution& execution, const DrawingOptions& options) {
  Builder builder(execution);
  builder.add_columns();
  builder.add_program_order();
  builder.add_reads_from();
  builder.add_coherence();
  builder.add_from_reads();
  builder.add_synchronization();
  builder.add_barriers();
  builder.add_asynchronous_operations();
  for (const HighlightedEdge& edge : options.highlighted) builder.highlight(edge);
  builder.content.source_of_line = options.source_of_line;
  return std::move(builder.content);
}

std::string column_title(const Content& content, std::size_t column) {
  const std::string& name = content.execution->program->threads[content.threads[column]].name;
  return content.is_asynchronous[column] ? name + " asynchronous" : name;
}

std::string instruction_text(const Execution& execution, const Node& node) {
  const Event& event = execution.events.at(node.events.front());
  return event.instruction == nullptr ? "" : written(event);
}

namespace {

/// ", texture" for an access through the texture proxy, and so on; empty for the generic proxy.
std::string proxy_text(const Event& event) {
  static constexpr const char* names[] = {"generic", "constant",  "texture", "surface",
                                          "async",   "tensormap", "alias"};
  const Proxy proxy = event.access.proxy;
  return event.kind == EventKind::initial_write || proxy == Proxy::generic
             ? ""
             : fmt::format(" ({} proxy)", names[static_cast<std::size_t>(proxy)]);
}

/// The accesses of a copy that read, or those that write, in one line with the first of them.
class CopiedValues {
 public:
  void add(const std::string& value) {
    constexpr std::size_t most = 4;
    if (count_++ < most) text_ += (text_.empty() ? "" : ", ") + value;
  }
  bool empty() const { return count_ == 0; }
  std::string line(const std::string& proxy) const {
    return text_ + (count_ > 4 ? fmt::format(", … ({} in all)", count_) : "") + proxy;
  }

 private:
  std::size_t count_ = 0;
  std::string text_;
};

/// ` alias of x`, if the address is an alias.
std::string alias_text(const Event& event, const Program& program, const std::string& name) {
  if (!event.location.is_constant()) return "";
  const std::string place = location_name(program, event.location.to_u64());
  return place == name ? "" : " (alias of " + place + ")";
}

}  // namespace

std::vector<std::string> value_lines(const Execution& execution, const Node& node) {
  std::vector<std::string> lines;
  CopiedValues copied[2];  // read, written
  std::string proxy;
  for (const EventId id : node.events) {
    const Event& event = execution.events.at(id);
    if (!event.is_memory_access()) continue;
    const std::string name = location_name(*execution.program, event.address.to_u64());
    const std::string value = value_text(event, *execution.program);
    if (event.kind == EventKind::initial_write) return {name + " = " + value};
    if (event.access.is_copy) {
      CopiedValues& values = copied[event.is_write() ? 1 : 0];
      values.add((values.empty() ? event.is_write() ? "W " : "R " : "") + name + "=" + value);
      proxy = proxy_text(event);
      continue;
    }
    const std::string text = (event.is_read() ? "R " : "W ") + name + "=" + value +
                             alias_text(event, *execution.program, name) + proxy_text(event);
    const bool second_half = event.is_write() && event.rmw >= 0 && !lines.empty();
    if (second_half)
      lines.back() += ", " + text;
    else
      lines.push_back(text);
  }
  for (const CopiedValues& values : {copied[1], copied[0]})
    if (!values.empty()) lines.insert(lines.begin(), values.line(proxy));
  return lines;
}

std::uint32_t line_of(const Execution& execution, const Node& node) {
  const Instruction* instruction = execution.events.at(node.events.front()).instruction;
  return instruction == nullptr ? 0 : instruction->where.line;
}

std::string place_text(const Content& content, const Node& node) {
  const std::uint32_t line = line_of(*content.execution, node);
  if (line == 0) return "";
  const std::string source = content.source_of_line ? content.source_of_line(line) : "";
  return fmt::format("line {}{}{}", line, source.empty() ? "" : ", ", source);
}

}  // namespace ptxmc::drawing
