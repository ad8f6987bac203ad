#include "src/generator/cycle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "src/generator/thread_placement.hpp"

namespace ptxmc::generator {

namespace {

using Kind = Edge::Kind;

struct Communication {
  std::string_view name;
  Kind kind;
  Direction from, to;
};
constexpr Communication communications[] = {
    {"Rf", Kind::reads_from, Direction::write, Direction::read},
    {"Fr", Kind::from_read, Direction::read, Direction::write},
    {"Co", Kind::coherence, Direction::write, Direction::write},
};

struct Internal {
  std::string_view name;
  Kind kind;
};
constexpr Internal dependencies[] = {
    {"DpAddr", Kind::address}, {"DpData", Kind::data}, {"DpCtrl", Kind::control}};

constexpr std::string_view orders[] = {"relaxed", "acquire", "release", "acq_rel", "mmio.relaxed"};
constexpr std::string_view proxies[] = {"alias", "constant", "texture", "surface"};
constexpr unsigned sizes[] = {8, 16, 32, 64};

[[noreturn]] void refuse(std::string_view found, std::string_view expected) {
  throw InputError("cycle", {}, fmt::format("found '{}', expected {}", found, expected));
}

std::vector<Direction> directions_of(char letter) {
  if (letter == 'R') return {Direction::read};
  if (letter == 'W') return {Direction::write};
  if (letter == '*') return {Direction::read, Direction::write};
  return {};
}

char letter_of(Direction direction) { return direction == Direction::read ? 'R' : 'W'; }

/// All edges for the last letters of a name: `dWR`, or `dW` for a dependency, which starts at a read.
std::vector<Edge> with_ends(Edge edge, std::string_view ends, bool starts_at_read) {
  std::vector<Edge> result;
  if (ends.size() != (starts_at_read ? 2U : 3U) || (ends[0] != 'd' && ends[0] != 's')) return result;
  edge.changes_location = ends[0] == 'd';
  for (const Direction from : directions_of(starts_at_read ? 'R' : ends[1]))
    for (const Direction to : directions_of(ends.back())) {
      edge.from = from;
      edge.to = to;
      if (edge.kind != Kind::data || to == Direction::write) result.push_back(edge);
    }
  return result;
}

bool is_between_accesses(std::string_view name) {
  return name.starts_with("fence") || name.starts_with("membar") || name.starts_with("barrier.cta.sync") ||
         name.starts_with("bar.sync");
}

std::vector<Edge> find_edges(std::string_view name) {
  if (name == "Rmw") return {{Kind::read_modify_write, false, false, Direction::read, Direction::write, ""}};
  for (const auto& [prefix, kind, from, to] : communications)
    if (name.size() == 3 && name.starts_with(prefix) && (name[2] == 'e' || name[2] == 'i'))
      return {{kind, name[2] == 'e', false, from, to, ""}};
  if (name.starts_with("Po")) return with_ends({.kind = Kind::program_order}, name.substr(2), false);
  for (const auto& [prefix, kind] : dependencies)
    if (name.starts_with(prefix)) return with_ends({.kind = kind}, name.substr(prefix.size()), true);
  if (const std::size_t dot = name.rfind('.'); dot != name.npos && is_between_accesses(name))
    return with_ends({.kind = Kind::fence, .fence = std::string(name.substr(0, dot))}, name.substr(dot + 1),
                     false);
  return {};
}

bool is_order(std::string_view word) {
  if (word == "weak" || word == "volatile") return true;
  const std::size_t dot = word.rfind('.');
  return dot != word.npos && std::ranges::find(orders, word.substr(0, dot)) != std::end(orders) &&
         std::ranges::find(scope_names, word.substr(dot + 1)) != scope_names.end();
}

unsigned size_of(std::string_view word) {
  for (const unsigned bits : sizes)
    if (word == fmt::format("b{}", bits)) return bits;
  return 0;
}

const Step& before(const Cycle& cycle, std::size_t i) { return cycle[(i + cycle.size() - 1) % cycle.size()]; }

/// What is wrong with an access of a cycle; empty if nothing is.
std::string mistake_of_access(const Cycle& cycle, std::size_t i) {
  const auto& [access, edge] = cycle[i];
  const bool is_updated = edge.kind == Kind::read_modify_write;
  const bool is_update = before(cycle, i).edge.kind == Kind::read_modify_write;
  const bool is_atomic = is_updated || is_update;
  const bool is_read = edge.from == Direction::read;
  const std::string& order = access.order;
  if (is_updated && cycle[(i + 1) % cycle.size()].access != access)
    return "the two accesses of Rmw are one instruction and have the same words";
  if (is_atomic && (order == "weak" || order == "volatile" || order.starts_with("mmio")))
    return fmt::format("{} is no order of a read-modify-write", order);
  if (is_atomic && access.bits != 0 && access.bits < 32) return "a read-modify-write has 32 or 64 bits";
  if (!is_atomic && order.starts_with("acq_rel")) return "only a read-modify-write is acq_rel";
  if (!is_atomic && !is_read && order.starts_with("acquire")) return "a write is no acquire";
  if (!is_atomic && is_read && order.starts_with("release")) return "a read is no release";
  const bool only_reads = access.proxy == "constant" || access.proxy == "texture";
  if (only_reads && (!is_read || is_atomic))
    return fmt::format("accesses through the {} proxy are loads", access.proxy);
  return "";
}

}  // namespace

bool is_communication(const Edge& edge) {
  return edge.kind == Kind::reads_from || edge.kind == Kind::from_read || edge.kind == Kind::coherence;
}

std::vector<Edge> edges_named(std::string_view name) {
  std::vector<Edge> result = find_edges(name);
  if (result.empty())
    refuse(name,
           "an edge: Rfe, Rfi, Fre, Fri, Coe, Coi, Rmw, PodWR, PosRR, DpAddrdW, DpDatadW, DpCtrldR, "
           "fence.sc.gpu.dWR, …");
  return result;
}

std::string name_of(const Edge& edge) {
  if (edge.kind == Kind::read_modify_write) return "Rmw";
  for (const Communication& each : communications)
    if (each.kind == edge.kind) return fmt::format("{}{}", each.name, edge.is_external ? 'e' : 'i');
  const char place = edge.changes_location ? 'd' : 's';
  for (const Internal& each : dependencies)
    if (each.kind == edge.kind) return fmt::format("{}{}{}", each.name, place, letter_of(edge.to));
  return fmt::format("{}{}{}{}", edge.kind == Kind::fence ? edge.fence + "." : "Po", place,
                     letter_of(edge.from), letter_of(edge.to));
}

void add_word(Access& access, std::string_view word) {
  const auto set = [&](auto& part, auto value, std::string_view what) {
    if (part != decltype(value){}) refuse(word, fmt::format("at most one {} of an access", what));
    part = value;
  };
  if (is_order(word)) return set(access.order, std::string(word), "order");
  if (std::ranges::find(proxies, word) != std::end(proxies))
    return set(access.proxy, std::string(word), "proxy");
  if (const unsigned bits = size_of(word)) return set(access.bits, bits, "size");
  refuse(word,
         "the word of an access: weak, volatile, relaxed.gpu, acquire.cta, release.sys, …, alias, constant, "
         "texture, surface, b8, b16, b32, b64");
}

std::string name_of(const Access& access) {
  std::string result = access.order;
  const auto add = [&](const std::string& word) { result += (result.empty() ? "" : " ") + word; };
  if (!access.proxy.empty()) add(access.proxy);
  if (access.bits != 0) add(fmt::format("b{}", access.bits));
  return result;
}

Cycle parse_cycle(std::string_view text) {
  Cycle cycle;
  Access access;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::vector<Edge> edges = find_edges(word);
    if (edges.empty() &&
        (is_order(word) || std::ranges::find(proxies, word) != std::end(proxies) || size_of(word))) {
      add_word(access, word);
      continue;
    }
    if (edges_named(word).size() > 1) refuse(word, "R or W in place of *");
    cycle.push_back({std::exchange(access, {}), edges.front()});
  }
  if (cycle.empty()) refuse(text, "edges with blanks between them");
  if (access != Access{}) {  // behind the last edge: the access from which the first one starts
    if (cycle.front().access != Access{}) refuse(name_of(access), "an edge behind it");
    cycle.front().access = access;
  }
  for (std::size_t i = 0; i < cycle.size(); ++i) {  // one word suffices for both accesses of Rmw
    if (cycle[i].edge.kind != Kind::read_modify_write) continue;
    Access& written = cycle[(i + 1) % cycle.size()].access;
    if (written == Access{}) written = cycle[i].access;
    if (cycle[i].access == Access{}) cycle[i].access = written;
  }
  if (const std::string mistake = mistake_of(cycle); !mistake.empty()) refuse(text, "a cycle: " + mistake);
  return cycle;
}

std::string name_of(const Cycle& cycle) {
  std::string result;
  for (const auto& [access, edge] : cycle) {
    const bool is_default = access == Access{.order = "weak"};
    if (const std::string words = name_of(access); !words.empty() && !is_default) result += words + " ";
    result += name_of(edge) + " ";
  }
  result.pop_back();
  return result;
}

namespace {

/// Whether a read takes the value of the write that it precedes, or of one to which coherence edges lead from
/// there. No execution has such a cycle.
bool reads_what_it_precedes(const Cycle& cycle) {
  const std::size_t size = cycle.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (cycle[i].edge.kind != Kind::from_read || before(cycle, i).edge.kind != Kind::reads_from) continue;
    const std::size_t source = (i + size - 1) % size;
    std::size_t write = (i + 1) % size;
    while (write != source && cycle[write].edge.kind == Kind::coherence) write = (write + 1) % size;
    if (write == source) return true;
  }
  return false;
}

}  // namespace

std::string mistake_of(const Cycle& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (const Edge& earlier = before(cycle, i).edge; earlier.to != cycle[i].edge.from)
      return fmt::format("{} ends at a {}, and {} starts at a {}", name_of(earlier),
                         earlier.to == Direction::read ? "read" : "write", name_of(cycle[i].edge),
                         cycle[i].edge.from == Direction::read ? "read" : "write");
  const auto count = [&](bool Edge::*is_changed) {
    return std::ranges::count_if(cycle, [&](const Step& step) { return step.edge.*is_changed; });
  };
  if (count(&Edge::is_external) == 1)
    return "one edge between threads: there is none back to the first thread";
  if (count(&Edge::changes_location) == 1)
    return "one edge between locations: there is none back to the first location";
  if (std::ranges::none_of(cycle, [](const Step& step) { return is_communication(step.edge); }))
    return "no edge Rf, Fr or Co: program order alone has no cycle";
  if (reads_what_it_precedes(cycle))
    return "the read takes the value of the write that it precedes, or of one that follows this write";
  for (std::size_t i = 0; i < cycle.size(); ++i)
    if (std::string mistake = mistake_of_access(cycle, i); !mistake.empty()) return mistake;
  return "";
}

}  // namespace ptxmc::generator
