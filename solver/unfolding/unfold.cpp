#include "solver/unfolding/unfold.hpp"

#include <algorithm>
#include <set>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/unfolding/address_space.hpp"
#include "solver/unfolding/idle_updates.hpp"
#include "solver/unfolding/thread_unfolder.hpp"

namespace ptxmc {
namespace {

/// A thread of a litmus test, with the code and memory of the program.
class ProgramThread final : public ThreadUnfolder {
 public:
  ProgramThread(EventStructure& structure, TermGraph& graph, const AddressSpace& addresses, int thread,
                const UnfoldOptions& options)
      : ThreadUnfolder(structure, graph, thread, options),
        addresses_(addresses),
        source_(structure.program->threads[static_cast<std::size_t>(thread)]),
        body_(make_body()) {}

  void run() {
    Path path;
    UnfoldingFrame& frame = path.frames.emplace_back();
    frame.body = &body_;
    frame.registers = source_.initial_registers;
    frame.sources.assign(frame.registers.size(), 0);
    start(std::move(path));
    unfold();
    finish();
  }

 private:
  FunctionBody make_body() const {
    std::vector<RegisterId> observed;
    if (!options_.observed.empty()) observed = options_.observed[static_cast<std::size_t>(thread_)];
    return function_body(source_.code, register_uses(source_.code), source_.initial_registers.size(),
                         observed, 0);
  }

  /// PTX ISA 8.7 § 9.7.13.2: undefined if the thread is not in the membermask.
  Bits barrier(const Barrier& barrier) override {
    const bool is_known = barrier.group == Barrier::Group::warp && barrier.id.is_constant();
    if (is_known && (barrier.id.to_u64() >> lane() & 1) == 0)
      throw Unsupported("bar.warp.sync by a thread that is not in its membermask",
                        current_.instruction->where);
    return ThreadUnfolder::barrier(barrier);
  }

  /// The lane of the thread: the threads of a warp are its lanes in order.
  unsigned lane() const {
    const auto& threads = structure_.program->threads;
    return static_cast<unsigned>(
        std::count_if(threads.begin(), threads.begin() + thread_,
                      [&](const Thread& other) { return other.placement.warp == source_.placement.warp; }));
  }

  /// The CTAs of a cluster have the ranks of their numbers. A shared variable is at another address in each.
  /// What is not in shared memory has no such address: 0, where no variable is.
  Bits address_in_cta(const Bits& address, const Bits& rank) override {
    const auto ctas = cluster_ctas();
    if (!rank.is_constant() || rank.to_u64() >= ctas.size()) throw UnhandledEffect();
    const int cta = ctas[rank.to_u64()];
    Bits result(64, 0);
    for (const Variable& variable : structure_.program->memory) {
      if (variable.cta < 0) continue;
      const Bits is_inside = less_unsigned(address - Bits(64, variable.address), Bits(64, variable.size()));
      const Bits moved = address + Bits(64, instance_of(variable, cta).address - variable.address);
      result = ite(is_inside, moved, result);
    }
    return result;
  }

  /// The instance of a shared variable in a CTA.
  const Variable& instance_of(const Variable& variable, int cta) const {
    return *std::ranges::find_if(structure_.program->memory, [&](const Variable& other) {
      return other.cta == cta && name_in_cta(other.name) == name_in_cta(variable.name);
    });
  }

  Bits cta_rank() override {
    const auto ctas = cluster_ctas();
    const auto own = std::ranges::find(ctas, source_.placement.cta);
    return Bits(32, static_cast<std::uint64_t>(own - ctas.begin()));
  }

  std::uint32_t ctas_of_cluster() override { return static_cast<std::uint32_t>(cluster_ctas().size()); }

  /// The CTAs of the thread's cluster, in order.
  std::vector<int> cluster_ctas() const {
    std::set<int> ctas;
    for (const Thread& thread : structure_.program->threads)
      if (thread.placement.cluster == source_.placement.cluster) ctas.insert(thread.placement.cta);
    return {ctas.begin(), ctas.end()};
  }

  /// The name of a shared variable without its CTA.
  static std::string name_in_cta(const std::string& name) { return name.substr(name.rfind(':') + 1); }

  /// PTX ISA 8.7 § 5.4.5, § 9.7.9.25.4.1: vectors and bulk copies are aligned to more than their accesses.
  Place locate(const Access& access, const Bits& address, unsigned size, bool) override {
    const AddressSpace::Place found = addresses_.find(address, size);
    Place place;
    place.address = address;
    place.location = found.location;
    place.valid = found.valid & equal(address & Bits(64, access.alignment_of(size) - 1), Bits(64, 0));
    place.space = found.space;
    place.may_outlive_cta = found.space == StateSpace::generic || is_shared(found.space);
    return place;
  }

  /// Merges the final registers of all completed paths.
  void finish() {
    auto& registers = structure_.final_registers[static_cast<std::size_t>(thread_)];
    registers = source_.initial_registers;
    for (const Path& path : completed_)
      for (std::size_t i = 0; i < registers.size(); ++i)
        registers[i] = ite(path.condition, path.frame().registers[i], registers[i]);
  }

  const AddressSpace& addresses_;
  const Thread& source_;
  const FunctionBody body_;
};

/// The bytes of physical memory that some access may touch.
class TouchedMemory {
 public:
  explicit TouchedMemory(const std::vector<Event>& events) {
    for (const Event& event : events) {
      if (!event.is_memory_access()) continue;
      const bool is_known = event.location.is_constant();
      is_all_ = is_all_ || (!is_known && event.region_size == 0);
      const std::uint64_t first = is_known ? event.location.to_u64() : event.region_first;
      parts_.emplace_back(first, first + (is_known ? event.size : event.region_size));
    }
    std::sort(parts_.begin(), parts_.end());
    for (std::size_t i = 1; i < parts_.size(); ++i)
      parts_[i].second = std::max(parts_[i].second, parts_[i - 1].second);
  }

  bool contains_some(std::uint64_t first, std::uint64_t size) const {
    // The last part that begins before the end extends at least as far as all earlier parts.
    const auto after =
        std::lower_bound(parts_.begin(), parts_.end(), std::pair(first + size, std::uint64_t{0}));
    return is_all_ || (after != parts_.begin() && std::prev(after)->second > first);
  }

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> parts_;  // ordered by beginning
  bool is_all_ = false;
};

/// One initial write for each element of memory that some access may touch.
std::vector<Event> initial_writes(const EventStructure& structure, TermGraph& graph) {
  const TouchedMemory touched(structure.events);
  std::vector<Event> writes;
  for (const Variable& variable : structure.program->memory) {
    if (variable.location != variable.address || variable.proxy != Proxy::generic) continue;
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      const std::uint64_t location = variable.location + i * variable.element_size;
      if (!touched.contains_some(location, variable.element_size)) continue;
      Event& event = writes.emplace_back();
      event.kind = EventKind::initial_write;
      event.location = event.address = Bits(64, location);
      event.size = variable.element_size;
      if (variable.is_mbarrier) event.access.mbarrier = MbarrierAccess::init;
      event.value = variable.initial[i].width() == 0
                        ? graph.variable(8 * variable.element_size, "initial " + variable.name)
                        : variable.initial[i];
    }
  }
  return writes;
}

void put_first(std::vector<Event> initial, std::vector<Event>& events) {
  const auto shift = static_cast<EventId>(initial.size());
  for (Event& event : events) {
    if (event.rmw >= 0) event.rmw += shift;
    for (auto* dependencies :
         {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      for (EventId& read : *dependencies) read += shift;
  }
  events.insert(events.begin(), std::make_move_iterator(initial.begin()),
                std::make_move_iterator(initial.end()));
}

}  // namespace

void add_initial_writes(EventStructure& structure, TermGraph& graph) {
  put_first(initial_writes(structure, graph), structure.events);
}

namespace {

EventStructure unfold_as_asked(const Program& program, TermGraph& graph, const UnfoldOptions& options) {
  EventStructure structure;
  structure.program = &program;
  structure.endings.resize(program.threads.size());
  structure.final_registers.resize(program.threads.size());
  const AddressSpace addresses(program);
  for (int thread = 0; thread < static_cast<int>(program.threads.size()); ++thread)
    ProgramThread(structure, graph, addresses, thread, options).run();
  return structure;
}

}  // namespace

EventStructure unfold(const Program& program, TermGraph& graph, const UnfoldOptions& options) {
  EventStructure structure = unfold_as_asked(program, graph, options);
  if (options.unchanged_is_idle && !may_leave_out_idle_updates(structure)) {
    UnfoldOptions with_all = options;
    with_all.unchanged_is_idle = false;
    structure = unfold_as_asked(program, graph, with_all);
  }
  add_initial_writes(structure, graph);
  return structure;
}

}  // namespace ptxmc
