#include "src/kernel/unfolding/unfolded_thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/reads/note_copied_bytes.hpp"
#include "solver/smt/product_solver.hpp"
#include "solver/unfolding/possible_inputs.hpp"
#include "src/kernel/launch/element_values.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/module/launched_grids.hpp"
#include "src/kernel/unfolding/launch_inputs.hpp"
#include "src/kernel/unfolding/open_thread_size.hpp"
#include "src/kernel/unfolding/open_thread_unfolder.hpp"

namespace ptxmc::kernel {

namespace {

/// The largest buffer of open length; buffers are spacing_of_global apart.
constexpr std::uint64_t most_open_buffer_bytes = std::uint64_t{1} << 34;

[[noreturn]] void refuse(const char* what) {
  throw Unsupported(fmt::format("{} in a thread that stands for all others", what), {});
}

class OpenUnfolding {
 public:
  OpenUnfolding(LoadedModule& module, const Launch& launch, TermGraph& graph, const DecideOptions& options)
      : module_(module), launch_(launch), graph_(graph) {
    options_.bound = options.bound;
    options_.max_events = options.max_events;
    options_.max_steps = 200'000;
    options_.unchanged_is_idle = true;
  }

  std::unique_ptr<UnfoldedThread> run() {
    const std::vector<LaunchedGrid> grids = launched_grids(launch_, module_);
    if (grids.size() > 1) refuse("several kernels");
    if (volume(grids.front().cluster) > 1 || grids.front().cancels_clusters) refuse("a cluster");
    if (module_.module().address_size.value_or(32) != 64) throw Unsupported("addresses of 32 bits", {});
    inputs_ = launch_inputs(launch_, module_, graph_);
    thread().inputs = inputs_.scalars;
    const Bits is_size = open_thread_size(thread(), launch_, *grids.front().entry, graph_);
    const std::vector<CtaPlace> ctas = {{0, 0, module_.dynamic_shared()}};
    LaunchMemory memory(module_, launch_, inputs_.passed, ctas, graph_, LaunchMemory::AnyContent::left_open);
    const Bits are_lengths = open_lengths(memory);
    describe(memory);
    thread().assumption = is_size & are_lengths & assumption();
    check_assumption();
    for (VariableId id = 0; id < graph_.variable_count(); ++id) thread().shared.insert(id);
    place(grids.front());
    const Bits possible = thread().assumption & thread().is_thread;
    std::set<VariableId> known = thread().shared;
    for (const auto* index : {&thread().tid, &thread().ctaid})
      for (const Bits& coordinate : *index)
        if (!coordinate.is_constant()) known.insert(coordinate.term()->variable);
    PossibleInputs inputs(std::move(known), possible, limits(), has_few_threads(thread()));
    options_.inputs = &inputs;
    unfold(memory);
    const auto is_initialized = [](const OpenMemory& piece) { return piece.is_initialized; };
    if (!thread().structure.violations.empty() || !std::ranges::all_of(thread().memory, is_initialized))
      note_copied_bytes(thread().structure, thread().carried);
    find_assumed_zero(memory);
    find_initial_values();
    return std::move(result_);
  }

 private:
  OpenThread& thread() { return result_->thread; }

  /// The pieces of memory, in the order of their numbers.
  void describe(const LaunchMemory& memory) {
    for (const MemoryPiece& piece : memory.pieces()) {
      OpenMemory& own = thread().memory.emplace_back();
      own.name = piece.name;
      own.first = piece.location;
      own.size = piece.size;
      own.is_shared = piece.space == StateSpace::shared_cta;
      if (own.is_shared) continue;
      const Allocation& allocation = *inputs_.passed.global.at(piece.address);
      own.is_initialized = piece.open_size.width() != 0 ? has_content(piece.address)
                                                        : allocation.is_written_all(0, piece.size);
    }
  }

  /// An element of a buffer that the assumption names: the unknown that reads of it return if no thread
  /// writes it.
  Bits element(std::size_t parameter, std::uint64_t index) {
    if (!inputs_.constant_elements[parameter].empty()) return inputs_.constant_elements[parameter][index];
    const auto& buffer = std::get<BufferParameter>(launch_.parameters[parameter].is);
    const unsigned size = buffer.element.bytes();
    if (const auto* numbers = std::get_if<std::vector<std::uint64_t>>(&buffer.content))
      return {8 * size, (*numbers)[index]};
    if (!std::holds_alternative<AnyValue>(buffer.content)) return {};
    Bits& value = unwritten_[{inputs_.passed.buffers[parameter] + index * size, 8 * size}];
    if (value.width() == 0)
      value = graph_.variable(8 * size, fmt::format("{}[{}]", launch_.parameters[parameter].name, index));
    return value;
  }

  Bits assumption() {
    if (launch_.assumption.empty()) return Bits::boolean(true);
    return condition_holds(launch_.assumption, numbers(), launch_.assumption_where);
  }

  /// The values of names in conditions and lengths.
  NumberOf numbers() {
    const auto value = [&](std::size_t parameter, std::uint64_t index) { return element(parameter, index); };
    return with_sizes({thread().nctaid, thread().ntid}, numbers_of(launch_, inputs_.scalars, value));
  }

  /// If no size is allowed, `safe` would mean nothing.
  void check_assumption() {
    if (!has_open_sizes(launch_)) return;
    ProductSolver solver(graph_, limits(), has_few_threads(thread()));
    if (solver.check(thread().assumption) != SmtSolver::Result::unsatisfiable) return;
    const LaunchPlace& where = launch_.assumption.empty() ? launch_.block_where : launch_.assumption_where;
    throw InputError(where.file, where.where,
                     "found a launch whose sizes cannot be chosen, expected a size that "
                     "the kernel, 'assume' and the lengths of memory allow");
  }

  /// Gives memory the lengths that the launch leaves open. Returns the condition that memory can have them.
  Bits open_lengths(LaunchMemory& memory) {
    Bits result = Bits::boolean(true);
    const auto open = [&](std::uint64_t address, std::uint64_t most, std::uint64_t element,
                          const std::string& length, const LaunchPlace& where) {
      const Bits count = integer_value(length, numbers(), where);
      memory.open_size(address, most, count.extract(0, 64) * Bits(64, element));
      result = result & less_equal_unsigned(count, Bits(128, most / element));
      note_open_scalars(count);
    };
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[i].is);
      if (buffer != nullptr && !buffer->length.empty())
        open(inputs_.passed.buffers[i], most_open_buffer_bytes, buffer->count * buffer->element.bytes(),
             buffer->length, launch_.parameters[i].where);
    }
    if (!launch_.dynamic_shared_length.empty())
      open(window_of(StateSpace::shared_cta) + module_.shared.all().back().base, most_dynamic_shared, 1,
           launch_.dynamic_shared_length, launch_.dynamic_shared_where);
    return result;
  }

  void note_open_scalars(const Bits& length) {
    const auto unknowns = variables_of(length);
    for (const Bits& scalar : inputs_.scalars) {
      const bool is_used = scalar.width() != 0 && !scalar.is_constant() &&
                           std::ranges::binary_search(unknowns, scalar.term()->variable);
      const bool is_known = std::ranges::any_of(thread().open_sizes,
                                                [&](const Bits& other) { return identical(other, scalar); });
      if (is_used && !is_known) thread().open_sizes.push_back(scalar);
    }
  }

  void place(const LaunchedGrid& grid) {
    ThreadPosition position = {thread().tid, thread().ntid, thread().ctaid, thread().nctaid};
    place_open_thread(thread(), graph_);
    position.tid = thread().tid;
    position.ctaid = thread().ctaid;
    thread().number = position.number();
    start_.emplace(KernelThreadStart{grid.entry,
                                     {launch_, module_, position, grid.cluster, grid.has_explicit_clusters,
                                      inputs_.passed.grid_workspace, grid.dynamic_shared},
                                     {},
                                     0,
                                     {}});
    for (std::size_t i = 0; i < grid.parameter_count; ++i) start_->parameters.push_back(inputs_.values[i]);
    thread().program.arrivals = Arrivals::by_warp;
    thread().program.threads.emplace_back().name = "a thread";
  }

  /// Unfolds the thread in rounds, since the targets of pointers in memory, and the memory that no thread
  /// writes, are determined from round to round.
  void unfold(LaunchMemory& memory) {
    const std::size_t pieces = memory.pieces().size();
    GroupMeetings meetings{ThreadGroups({{0, 0, {0, 0, 1}}})};
    ClusterEnds clusters;
    clusters.known.resize(1);
    std::vector<CancelRequest> requests;
    TensorAllocations tensor_memory;
    WarpgroupInstructions warpgroups;
    TensorMapContents tensor_maps(module_.module(), launch_, memory);
    UnfoldingLaunch shared{module_,  memory,      meetings,      clusters,
                           requests, tensor_maps, tensor_memory, warpgroups};
    shared.constants = inputs_.constants;
    shared.multimem = inputs_.passed.multimem;
    for (const ZeroVariable& variable : inputs_.zero_constants)
      shared.zero_constants[variable.location] = Bits::boolean(false);
    LoopTreatments loops;
    for (unsigned round = 0;; ++round) {
      if (round == most_memory_rounds) refuse("pointers in memory that lead to more and more pointers");
      memory.begin_round();
      meetings.begin_round();
      clusters.now.assign(1, {});
      EventStructure& structure = thread().structure;
      structure = {};
      structure.program = &thread().program;
      structure.endings.resize(1);
      structure.final_registers.resize(1);
      thread().exchanges.clear();
      thread().groups.clear();
      thread().group_exchanges.clear();
      thread().counts.clear();
      thread().skipped.clear();
      thread().common_iterations.clear();
      thread().iterations.clear();
      thread().carried.clear();
      thread().facts = Bits::boolean(true);
      try {
        OpenThreadUnfolder(thread(), graph_, options_, shared, *start_, unwritten_, loops).run();
      } catch (const UnfoldAgain&) {
        --round;
        continue;
      }
      if (memory.pieces().size() != pieces) refuse("malloc");
      if (!memory.end_round()) break;
    }
    for (const auto& [place, value] : unwritten_) thread().shared.insert(value.term()->variable);
    for (const ZeroVariable& variable : inputs_.zero_constants)
      if (!shared.zero_constants.at(variable.location).is_false())
        result_->assumed_zero.push_back(variable.name);
  }

  /// The content of memory that the launch leaves open is not known.
  bool is_any(std::uint64_t address) const {
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[i].is);
      if (buffer != nullptr && inputs_.passed.buffers[i] == address &&
          !std::holds_alternative<std::vector<std::uint64_t>>(buffer->content))
        return true;
    }
    return false;
  }

  bool has_content(std::uint64_t address) const {
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      if (const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[i].is);
          buffer != nullptr && inputs_.passed.buffers[i] == address)
        return !std::holds_alternative<std::monostate>(buffer->content);
    return false;
  }

  void find_initial_values() {
    for (const Event& event : thread().structure.events) {
      if (!event.is_read() || !event.location.is_constant()) continue;
      const std::uint64_t location = event.location.to_u64();
      const Allocation* held_by = inputs_.passed.global.find(location, event.size);
      if (held_by == nullptr || is_any(held_by->base)) continue;
      if (held_by->is_written_all(location - held_by->base, event.size))
        thread().initial_values[{location, event.size}] = read_bytes(*held_by, location, 8 * event.size);
    }
  }

  void find_assumed_zero(const LaunchMemory& memory) {
    for (const MemoryPiece& piece : memory.pieces()) {
      const bool is_read = std::ranges::any_of(thread().structure.events, [&](const Event& event) {
        return event.is_read() && event.may_touch(piece.location, piece.size);
      });
      if (piece.is_zero_by_default && is_read) result_->assumed_zero.push_back(piece.name);
    }
  }

  /// Limits the time for deciding which inputs are possible to a part of the total.
  static SmtSolver::Limits limits() {
    constexpr double part = 0.4, most_seconds = 30;
    const double left = TimeLimit::seconds_left();
    return {left > 0 ? std::min(part * left, most_seconds) : most_seconds, 0, nullptr};
  }

  LoadedModule& module_;
  const Launch& launch_;
  TermGraph& graph_;
  UnfoldOptions options_;
  LaunchInputs inputs_;
  std::optional<KernelThreadStart> start_;
  UnwrittenValues unwritten_;
  std::unique_ptr<UnfoldedThread> result_ = std::make_unique<UnfoldedThread>();
};

}  // namespace

std::unique_ptr<UnfoldedThread> unfold_open_thread(LoadedModule& module, const Launch& launch,
                                                   TermGraph& graph, const DecideOptions& options) {
  return OpenUnfolding(module, launch, graph, options).run();
}

}  // namespace ptxmc::kernel
