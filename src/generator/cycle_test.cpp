#include "src/generator/cycle_test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "src/generator/cycle_events.hpp"
#include "src/litmus/litmus_columns.hpp"

namespace ptxmc::generator {

namespace {

using Kind = Edge::Kind;

constexpr unsigned whole_bits = 64;  ///< of an access without a size

/// x, y, z, w, then v4, v5, …
std::string location_name(unsigned location) {
  constexpr std::string_view names = "xyzw";
  return location < names.size() ? std::string(1, names[location]) : fmt::format("v{}", location);
}

class TestWriter {
 public:
  explicit TestWriter(const CycleTest& test)
      : cycle_(test.cycle), execution_(execution_of(test.cycle)), bits_(execution_.locations) {
    columns_.resize(execution_.threads);
    reads_.resize(execution_.threads);
    for (unsigned thread = 0; thread < execution_.threads; ++thread)
      columns_[thread].placement = text_of(test.places[thread], test.places);
    for (std::size_t i = 0; i < cycle_.size(); ++i)
      if (cycle_[i].access.bits != 0) bits_[execution_.events[i].location] = 0;
    for (std::size_t i = 0; i < cycle_.size(); ++i) note_size(i);
    for (std::size_t i = 0; i < cycle_.size(); ++i) add(i);
    for (const unsigned thread : branching_) columns_[thread].code.push_back("end:");
  }

  std::string text(const std::string& name, std::span<const std::string> notes) const {
    std::string result = fmt::format("PTX {}\n(* cycle {}", name, name_of(cycle_));
    for (const std::string& note : notes) result += "\n   " + note;
    return result + " *)\n" + initial_state() + litmus_columns(columns_) + condition() + "\n";
  }

 private:
  const CycleEvent& event(std::size_t i) const { return execution_.events[i]; }
  const Edge& edge_before(std::size_t i) const {
    return cycle_[(i + cycle_.size() - 1) % cycle_.size()].edge;
  }
  std::vector<std::string>& code(std::size_t i) { return columns_[event(i).thread].code; }

  /// A location has the size of its largest access, and no type if none of them has a size.
  void note_size(std::size_t i) {
    std::optional<unsigned>& bits = bits_[event(i).location];
    if (bits) bits = std::max(*bits, cycle_[i].access.bits != 0 ? cycle_[i].access.bits : whole_bits);
  }

  void add(std::size_t i) {
    const Edge& before = edge_before(i);
    if (before.kind == Kind::read_modify_write) return;  // written with its read
    std::string place = location(i);
    std::string value = std::to_string(event(i).value);
    if (before.kind == Kind::fence)
      code(i).push_back(before.fence + (before.fence.starts_with("bar") ? " 0" : ""));
    if (before.kind == Kind::address) place = dependent_address(i, place);
    if (before.kind == Kind::data) value = dependent_value(i, value);
    if (before.kind == Kind::control) add_branch(i);
    code(i).push_back(access(i, place, value));
  }

  std::string location(std::size_t i) {
    const std::string name = location_name(event(i).location);
    const std::string& proxy = cycle_[i].access.proxy;
    if (proxy.empty()) return name;
    const std::string other = fmt::format("{}_{}", name, proxy);
    aliases_.insert(fmt::format("{} @ {} aliases {};", other, proxy == "alias" ? "generic" : proxy, name));
    return other;
  }

  std::string access(std::size_t i, const std::string& place, const std::string& value) {
    const auto& [access, edge] = cycle_[i];
    const bool is_atomic = edge.kind == Kind::read_modify_write;
    const bool is_read = edge.from == Direction::read;
    std::string opcode = is_atomic ? "atom" : is_read ? "ld" : "st";
    if (access.proxy == "surface") opcode = is_atomic ? "suatom" : is_read ? "suld" : "sust";
    if (access.proxy == "texture") opcode = "tld";
    if (access.proxy == "constant") opcode = "cold";
    opcode += "." + (!access.order.empty() ? access.order : is_atomic ? "relaxed.gpu" : "weak");
    if (is_atomic) opcode += ".exch";
    if (bits_[event(i).location]) opcode += fmt::format(".b{}", access.bits != 0 ? access.bits : whole_bits);
    if (!is_read) return fmt::format("{} {}, {}", opcode, place, value);
    const std::string result = add_register(i);
    if (!is_atomic) return fmt::format("{} {}, {}", opcode, result, place);
    return fmt::format("{} {}, {}, {}", opcode, result, place, event((i + 1) % cycle_.size()).value);
  }

  /// The register of a read: r0, r1, … by thread.
  std::string add_register(std::size_t i) {
    std::vector<std::size_t>& reads = reads_[event(i).thread];
    reads.push_back(i);
    return fmt::format("r{}", reads.size() - 1);
  }

  /// A register that holds 0, computed from the result of the latest read of the thread.
  std::string zero_of_latest_read(std::size_t i) {
    const std::string read = fmt::format("r{}", reads_[event(i).thread].size() - 1);
    const std::string zero = fmt::format("r{}", 100 + scratch_++);
    code(i).push_back(fmt::format("xor {}, {}, {}", zero, read, read));
    return zero;
  }

  std::string dependent_address(std::size_t i, const std::string& place) {
    const std::string offset = zero_of_latest_read(i);
    const std::string base = fmt::format("r{}", 100 + scratch_++);
    addresses_ += fmt::format(" P{}:{} = {};", event(i).thread, base, place);
    code(i).push_back(fmt::format("add {}, {}, {}", offset, offset, base));
    return fmt::format("[{}]", offset);
  }

  std::string dependent_value(std::size_t i, const std::string& value) {
    const std::string sum = zero_of_latest_read(i);
    code(i).push_back(fmt::format("add {}, {}, {}", sum, sum, value));
    return sum;
  }

  void add_branch(std::size_t i) {
    code(i).push_back(fmt::format("bne {}, 0, end", zero_of_latest_read(i)));
    branching_.insert(event(i).thread);
  }

  std::string initial_state() const {
    std::string result = "{";
    for (unsigned location = 0; location < execution_.locations; ++location)
      result += fmt::format(" {}{} = 0;", location_name(location),
                            bits_[location] ? fmt::format(" : b{}", *bits_[location]) : "");
    for (const std::string& alias : aliases_) result += " " + alias;
    return result + addresses_ + " }\n";
  }

  std::string condition() const {
    std::vector<std::string> terms;
    for (unsigned thread = 0; thread < execution_.threads; ++thread)
      for (std::size_t k = 0; k < reads_[thread].size(); ++k)
        if (const auto value = event(reads_[thread][k]).reads)
          terms.push_back(fmt::format("P{}:r{} == {}", thread, k, *value));
    for (unsigned location = 0; location < execution_.locations; ++location)
      if (const auto value = execution_.final_values[location])
        terms.push_back(fmt::format("{} == {}", location_name(location), *value));
    return fmt::format("exists ({})", terms.empty() ? "true" : fmt::format("{}", fmt::join(terms, " /\\ ")));
  }

  const Cycle& cycle_;
  const CycleExecution execution_;
  std::vector<std::optional<unsigned>> bits_;    // by location; empty: without a type
  std::vector<LitmusColumn> columns_;            // by thread
  std::vector<std::vector<std::size_t>> reads_;  // by thread: the reads, by register
  std::set<std::string> aliases_;
  std::set<unsigned> branching_;  // threads with a branch to the end
  std::string addresses_;         // registers that hold an address from the beginning
  unsigned scratch_ = 0;
};

}  // namespace

std::string text_of(const CycleTest& test, const std::string& name, std::span<const std::string> notes) {
  return TestWriter(test).text(name, notes);
}

unsigned instructions_of(const Edge& edge) {
  return edge.kind == Kind::fence ? 2 : edge.kind == Kind::read_modify_write ? 0 : 1;
}

unsigned instructions_of(const Cycle& cycle) {
  unsigned result = 0;
  for (const Step& step : cycle) result += instructions_of(step.edge);
  return result;
}

}  // namespace ptxmc::generator
