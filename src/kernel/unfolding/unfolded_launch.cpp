#include "src/kernel/unfolding/unfolded_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>

#include "semantics/language/address_windows.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/reads/note_copied_bytes.hpp"
#include "solver/unfolding/possible_inputs.hpp"
#include "src/kernel/module/launch_shape.hpp"
#include "src/kernel/module/launched_grids.hpp"
#include "src/kernel/unfolding/joint_products.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

constexpr unsigned most_exchanges = 500;  // in a chain, each of which needs the result of the one before
bool may_trap(const EventStructure& structure) {
  return std::ranges::any_of(structure.endings, [](const auto& endings) {
    return std::ranges::find(endings, Ending::Kind::trapped, &Ending::kind) != endings.end();
  });
}

std::string text_of(const Dimensions& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

/// Builds the program of a launch and unfolds its threads.
class LaunchUnfolding {
 public:
  LaunchUnfolding(LoadedModule& module, const Launch& launch, TermGraph& graph, const UnfoldOptions& options,
                  bool leaves_departures_out, const LaunchPart* part = nullptr)
      : module_(module),
        launch_(launch),
        graph_(graph),
        options_(options),
        leaves_departures_out_(leaves_departures_out),
        part_(part) {}

  std::unique_ptr<UnfoldedLaunch> run() {
    if (part_ == nullptr) check_size();
    grids_ = launched_grids(launch_, module_);
    inputs_ =
        launch_inputs(launch_, module_, graph_, part_ == nullptr ? std::vector<Bits>() : part_->scalars);
    if (part_ == nullptr)
      place_threads();
    else
      place_threads_of_part();
    result_->scalars = inputs_.scalars;
    result_->constants = inputs_.constant_elements;
    result_->zero_variables = inputs_.zero_constants;
    using enum LaunchMemory::AnyContent;
    LaunchMemory memory(module_, launch_, inputs_.passed, ctas_, graph_,
                        part_ == nullptr ? unknowns : on_demand);
    if (part_ != nullptr) memory.choose(part_->contents);
    result_->assumption = assumption(memory);
    PossibleInputs possible(open_inputs(memory), result_->assumption, limits());
    options_.inputs = &possible;
    unfold_threads(memory);
    make_memory(memory);
    const std::size_t without_initial = result_->structure.events.size();
    add_initial_writes(result_->structure, graph_);
    renumber(static_cast<EventId>(result_->structure.events.size() - without_initial));
    if (may_lack_values(result_->structure)) note_copied_bytes(result_->structure);
    return std::move(result_);
  }

 private:
  void check_size() const {
    for (std::size_t grid = 0; grid < launch_.entries.size(); ++grid) {
      const GridSize& size = size_of_grid(launch_, grid);
      const std::uint64_t ctas = volume(size.grid), threads = volume(size.block);
      if (ctas > most_unfolded_threads || threads_of(launch_) > most_unfolded_threads)
        throw Unsupported(fmt::format("a launch of {} blocks of {} threads (more than {} threads)", ctas,
                                      threads, most_unfolded_threads),
                          {});
    }
    if (module_.module().address_size.value_or(32) != 64) throw Unsupported("addresses of 32 bits", {});
  }

  void place_threads() {
    result_->program.arrivals = Arrivals::by_warp;
    for (const LaunchedGrid& grid : std::span(grids_).first(started_grids(launch_))) {
      const auto begin = inputs_.values.begin() + static_cast<std::ptrdiff_t>(grid.first_parameter);
      const std::vector<std::vector<Bits>> own(begin,
                                               begin + static_cast<std::ptrdiff_t>(grid.parameter_count));
      const int first_cluster = clusters_;
      for (std::uint64_t cta = 0; cta < volume(grid.grid); ++cta) {
        place_cta(grid, position_in(cta, grid.grid), first_cluster);
        for (std::uint32_t thread = 0; thread < volume(grid.block); ++thread)
          place_thread(grid, position_in(cta, grid.grid), thread, own);
      }
    }
  }

  void place_threads_of_part() {
    result_->program.arrivals = Arrivals::by_warp;
    const LaunchedGrid& grid = grids_.front();
    const std::vector<std::vector<Bits>> parameters(
        inputs_.values.begin(), inputs_.values.begin() + static_cast<std::ptrdiff_t>(grid.parameter_count));
    for (const CtaPart& part : part_->ctas) {
      place_cta(grid, part.cta, 0);
      for (std::uint32_t thread = 0; thread < volume(grid.block); ++thread)
        if (const auto followed = part.followed(thread)) {
          place_thread(grid, part.cta, thread, parameters);
          starts_.back().followed = followed;
        }
    }
  }

  void place_cta(const LaunchedGrid& grid, const Dimensions& cta, int first_cluster) {
    std::uint32_t rank = 0, cluster = 0;
    for (std::size_t i = 3; i-- > 0;) {
      rank = rank * grid.cluster[i] + cta[i] % grid.cluster[i];
      cluster = cluster * (grid.grid[i] / grid.cluster[i]) + cta[i] / grid.cluster[i];
    }
    ctas_.push_back({first_cluster + static_cast<int>(cluster), rank, grid.dynamic_shared});
    first_warp_ = std::exchange(
        warps_, warps_ + static_cast<int>((volume(grid.block) + lanes_per_warp - 1) / lanes_per_warp));
    clusters_ = std::max(clusters_, ctas_.back().cluster + 1);
  }

  void place_thread(const LaunchedGrid& grid, const Dimensions& cta, std::uint32_t number,
                    const std::vector<std::vector<Bits>>& parameters) {
    const auto grid_number = static_cast<std::size_t>(&grid - grids_.data());
    const ThreadPlace place = {cta, position_in(number, grid.block), grid_number};
    ptxmc::Thread thread;
    thread.name = fmt::format("thread {} of CTA {}", text_of(place.thread), text_of(place.cta));
    if (grids_.size() > 1) thread.name += " of " + launch_.entries[grid_number];
    const int cta_number = static_cast<int>(ctas_.size()) - 1;
    thread.placement.cta = cta_number;
    thread.placement.cluster = ctas_.back().cluster;
    thread.placement.grid = static_cast<int>(grid_number);
    thread.placement.prerequisite = grid.prerequisite;
    thread.placement.warp = first_warp_ + static_cast<int>(number / lanes_per_warp);
    // A pseudo-register that makes threads different although they have the same code.
    thread.register_names = {"number in the launch"};
    thread.initial_registers = {Bits(32, result_->program.threads.size())};
    result_->program.threads.push_back(std::move(thread));
    result_->places.push_back(place);
    positions_.push_back({ctas_.back().cluster,
                          cta_number,
                          {ctas_.back().rank, number, static_cast<std::uint32_t>(volume(grid.block))}});
    starts_.push_back({grid.entry,
                       {launch_, module_, position_of(grid.grid, grid.block, cta, number), grid.cluster,
                        grid.has_explicit_clusters, inputs_.passed.grid_workspace, grid.dynamic_shared},
                       ctas_.back(),
                       cta_number,
                       parameters,
                       {},
                       grid.starts_late ? &module_.end_of_kernel_before(*grid.entry) : nullptr});
  }

  /// Unfolds the threads in rounds, since the targets of pointers in memory are determined from round to
  /// round.
  void unfold_threads(LaunchMemory& memory) {
    GroupMeetings meetings{ThreadGroups(positions_)};
    ClusterEnds clusters;
    clusters.known.resize(ctas_.size());
    DepartingCodes codes(graph_);
    TensorAllocations tensor_memory;
    WarpgroupInstructions warpgroups;
    TensorMapContents tensor_maps(module_.module(), launch_, memory);
    UnfoldingLaunch shared{module_,           memory,      meetings,      clusters,
                           result_->requests, tensor_maps, tensor_memory, warpgroups};
    if (leaves_departures_out_) shared.departing_codes = &codes;
    shared.departures = &result_->departures;
    shared.constants = inputs_.constants;
    shared.multimem = inputs_.passed.multimem;
    for (unsigned round = 0, exchanges = 0;;) {
      if (round == most_memory_rounds)
        throw Unsupported("pointers in memory that lead to more and more pointers", {});
      if (exchanges == most_exchanges)
        throw Unsupported(fmt::format("more than {} exchanges between lanes, one after the other", exchanges),
                          {});
      memory.begin_round();
      tensor_memory.begin_round();
      warpgroups.begin_round();
      result_->requests.clear();
      result_->departures.clear();
      meetings.begin_round();
      clusters.now.assign(ctas_.size(), {});
      for (const ZeroVariable& variable : result_->zero_variables)
        shared.zero_constants[variable.location] = Bits::boolean(false);
      EventStructure& structure = result_->structure;
      structure = {};
      structure.program = &result_->program;
      structure.endings.resize(starts_.size());
      structure.final_registers.resize(starts_.size());
      std::exception_ptr cut_off;
      for (std::size_t thread = 0; thread < starts_.size(); ++thread) {
        try {
          KernelThread(structure, graph_, static_cast<int>(thread), options_, shared, starts_[thread]).run();
        } catch (const Unsupported& reason) {  // perhaps only since no memory is known to be settled yet
          if (!memory.is_first_round()) throw;
          meetings.cut_off(static_cast<int>(thread), reason);
          cut_off = std::current_exception();
        }
      }
      const bool memory_changed = memory.end_round(), meetings_changed = meetings.end_round(),
                 clusters_changed = clusters.take_changed(), tensor_changed = tensor_memory.end_round(),
                 warpgroups_changed = warpgroups.end_round(meetings.groups());
      if (cut_off && !memory_changed) std::rethrow_exception(cut_off);
      if (!memory_changed && !meetings_changed && !clusters_changed && !tensor_changed && !warpgroups_changed)
        break;
      ++(memory_changed || clusters_changed || tensor_changed || warpgroups_changed ? round : exchanges);
    }
    tensor_memory.check_known();
    for (ZeroVariable& variable : result_->zero_variables)
      variable.is_read = shared.zero_constants.at(variable.location);
    for (const MemoryPiece& piece : memory.pieces())
      if (piece.is_zero_by_default)
        result_->zero_variables.push_back({piece.name, piece.location, piece.size});
    result_->are_meetings_chosen = meetings.are_meetings_chosen();
    result_->assumption = result_->assumption & meetings.one_at_a_time();
    const auto& events = result_->structure.events;
    const bool has_other_order =
        (options_.traps_go_on && may_trap(result_->structure)) ||
        std::ranges::any_of(events, [](const Event& event) {
          return event.kind == EventKind::barrier && waits_at_barrier(event) && !has_stop(event.barrier);
        });
    result_->exchanges = meetings.resolve(result_->structure, has_other_order);
    result_->exchanges_depend_on_reads = meetings.is_open();
    join_products(result_->structure, meetings.groups());
  }

  /// Initial writes precede all events, so the numbers of later events increase.
  void renumber(EventId initial_writes) {
    for (WarpExchange& exchange : result_->exchanges)
      for (auto* events : {&exchange.brought, &exchange.dependents})
        for (EventId& id : *events) id += initial_writes;
    for (CancelRequest& request : result_->requests) request.response += initial_writes;
    for (Departure& departure : result_->departures) departure.event += initial_writes;
    std::erase_if(result_->requests, [&](const CancelRequest& request) {
      const auto& events = result_->structure.events;
      const auto response = static_cast<std::size_t>(request.response);
      return response >= events.size() || events[response].instruction != request.instruction;
    });
  }

  // ---- memory of the program ----

  /// The offsets at which accesses begin and end in a piece.
  std::set<std::uint64_t> cuts(const MemoryPiece& piece) const {
    std::set<std::uint64_t> result;
    for (const Event& event : result_->structure.events) {
      if (!event.is_memory_access() || !event.may_touch(piece.location, piece.size)) continue;
      if (event.location.is_constant()) {
        result.insert(event.location.to_u64() - piece.location);
        result.insert(event.location.to_u64() - piece.location + event.size);
      } else {
        for (std::uint64_t at = 0; at < piece.size; at += event.size) result.insert(at);
      }
    }
    return result;
  }

  void make_memory(const LaunchMemory& memory) {
    result_->buffers.assign(launch_.parameters.size(), -1);
    for (PieceId id = 0; id < memory.pieces().size(); ++id) {
      if (!memory[id].is_buffer)
        make_variables(memory, id);
      else if (part_ == nullptr)
        make_buffer(memory, id);
      else
        make_accessed_elements(memory, id);
    }
  }

  void make_buffer(const LaunchMemory& memory, PieceId id) {
    const MemoryPiece& piece = memory[id];
    if (piece.size == 0) return;
    for (std::size_t i = 0; i < inputs_.passed.buffers.size(); ++i) {
      if (inputs_.passed.buffers[i] != piece.address) continue;
      result_->buffers[i] = static_cast<int>(result_->program.memory.size());
      const Type& type = std::get<BufferParameter>(launch_.parameters[i].is).element.type;
      Variable& buffer = add_element(memory, id, 0, piece.element_size);
      buffer.is_signed = type.is_signed();
      buffer.format = type.format;
    }
    for (std::uint64_t at = piece.element_size; at < piece.size; at += piece.element_size)
      add_element(memory, id, at, piece.element_size);
  }

  /// The elements of a buffer that accesses may touch.
  std::set<std::uint64_t> accessed_elements(const MemoryPiece& piece) const {
    constexpr std::uint64_t most = 1U << 14;
    std::set<std::uint64_t> result;
    for (const Event& event : result_->structure.events) {
      if (!event.is_memory_access() || !event.may_touch(piece.location, piece.size)) continue;
      const bool is_open = !event.location.is_constant();
      const std::uint64_t begin = is_open ? 0 : event.location.to_u64() - piece.location,
                          end = is_open ? piece.size : begin + event.size;
      if (end - begin > most) throw Unsupported("a large buffer with an open index", {});
      for (std::uint64_t i = begin / piece.element_size; i * piece.element_size < end; ++i) result.insert(i);
    }
    return result;
  }

  void make_accessed_elements(const LaunchMemory& memory, PieceId id) {
    constexpr std::size_t most_shown = 16;
    const MemoryPiece& piece = memory[id];
    for (std::size_t i = 0; i < inputs_.passed.buffers.size(); ++i) {
      if (inputs_.passed.buffers[i] != piece.address) continue;
      const auto& parameter = std::get<BufferParameter>(launch_.parameters[i].is);
      std::size_t shown = 0;
      for (const std::uint64_t element : accessed_elements(piece)) {
        Variable& variable = add_element(memory, id, element * piece.element_size, piece.element_size);
        variable.is_signed = parameter.element.type.is_signed();
        variable.format = parameter.element.type.format;
        if (std::holds_alternative<AnyValue>(parameter.content) && shown++ < most_shown)
          result_->elements.push_back({fmt::format("{}[{}]", launch_.parameters[i].name, element),
                                       parameter.element.type, variable.initial.back()});
      }
      break;
    }
  }

  /// Divides a piece into elements of up to 16 bytes that no access splits. Large elements need fewer initial
  /// writes, and reads can be torn in fewer places. Adjacent elements of equal size form one variable.
  void make_variables(const LaunchMemory& memory, PieceId id) {
    const MemoryPiece& piece = memory[id];
    const auto bounds = cuts(piece);
    for (std::uint64_t at = 0; at < piece.size;) {
      unsigned size = Bits::max_width / 8;
      const auto next = bounds.upper_bound(at);
      const std::uint64_t end = next == bounds.end() ? piece.size : std::min(*next, piece.size);
      while (size > 1 && (at % size != 0 || at + size > end)) size /= 2;
      add_element(memory, id, at, size);
      at += size;
    }
  }

  /// Adds an element, to the last variable if that has elements of this size and ends here.
  Variable& add_element(const LaunchMemory& memory, PieceId id, std::uint64_t at, unsigned size) {
    const MemoryPiece& piece = memory[id];
    auto& variables = result_->program.memory;
    const auto ends_here = [&](const Variable& last) {
      return last.element_size == size &&
             last.location + last.initial.size() * last.element_size == piece.location + at;
    };
    const bool goes_on = at != 0 && !variables.empty() && ends_here(variables.back());
    if (!goes_on) {
      Variable& variable = variables.emplace_back();
      variable.name = at == 0 ? piece.name : fmt::format("{}+{}", piece.name, at);
      variable.address = variable.location = piece.location + at;
      variable.element_size = size;
      variable.space = piece.space;
      variable.cta = piece.cta;
    }
    variables.back().initial.push_back(memory.initial_value(id, at, size));
    return variables.back();
  }

  Bits initial_element(const LaunchMemory& memory, std::size_t parameter, std::uint64_t element) const {
    if (!result_->constants[parameter].empty()) return result_->constants[parameter][element];
    const auto piece = std::ranges::find_if(memory.pieces(), [&](const MemoryPiece& each) {
      return each.is_buffer && each.address == inputs_.passed.buffers[parameter];
    });
    return memory.initial_value(static_cast<PieceId>(piece - memory.pieces().begin()),
                                element * piece->element_size, piece->element_size);
  }

  Bits assumption(const LaunchMemory& memory) const {
    if (launch_.assumption.empty()) return Bits::boolean(true);
    const auto element = [&](std::size_t parameter, std::uint64_t index) {
      return initial_element(memory, parameter, index);
    };
    return condition_holds(launch_.assumption, numbers_of(launch_, result_->scalars, element),
                           launch_.assumption_where);
  }

  /// The unknowns of scalars of any value and of buffers of any content.
  std::set<VariableId> open_inputs(const LaunchMemory& memory) const {
    std::set<VariableId> result;
    const auto add = [&](const Bits& value) {
      if (value.width() != 0 && !value.is_constant())
        for (const VariableId variable : variables_of(value)) result.insert(variable);
    };
    for (const Bits& scalar : result_->scalars) add(scalar);
    for (const MemoryPiece& piece : memory.pieces())
      for (const Bits& byte : piece.content) add(byte);
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[i].is);
      if (buffer != nullptr && std::holds_alternative<AnyValue>(buffer->content))
        for (const Bits& element : result_->constants[i]) add(element);
    }
    return result;
  }

  /// Limits the time for deciding which inputs are possible to a small part of the total.
  SmtSolver::Limits limits() const {
    constexpr double part = 0.2, most_seconds = 20;
    const double left = TimeLimit::seconds_left();
    return {left > 0 ? std::min(part * left, most_seconds) : most_seconds, 0, nullptr};
  }

  LoadedModule& module_;
  const Launch& launch_;
  TermGraph& graph_;
  UnfoldOptions options_;
  const bool leaves_departures_out_;
  const LaunchPart* const part_;  // null: the whole launch
  std::unique_ptr<UnfoldedLaunch> result_ = std::make_unique<UnfoldedLaunch>();
  std::vector<LaunchedGrid> grids_;
  LaunchInputs inputs_;
  std::vector<KernelThreadStart> starts_;  // by thread
  std::vector<PlaceInLaunch> positions_;   // by thread
  std::vector<CtaPlace> ctas_;
  int first_warp_ = 0, warps_ = 0;  // of the last CTA; of all CTAs so far
  int clusters_ = 0;
};

}  // namespace

UnfoldOptions launch_unfolding(const DecideOptions& options) {
  UnfoldOptions result;
  result.bound = options.bound;
  result.max_events = options.max_events;
  result.may_wait_for_ever = true;
  result.unchanged_is_idle = true;
  return result;
}

std::unique_ptr<UnfoldedLaunch> unfold_launch(LoadedModule& module, const Launch& launch, TermGraph& graph,
                                              const UnfoldOptions& options, bool leaves_departures_out) {
  return LaunchUnfolding(module, launch, graph, options, leaves_departures_out).run();
}

std::unique_ptr<UnfoldedLaunch> unfold_part(LoadedModule& module, const Launch& launch,
                                            const LaunchPart& part, TermGraph& graph,
                                            const UnfoldOptions& options) {
  return LaunchUnfolding(module, launch, graph, options, false, &part).run();
}

Inputs open_inputs(const Launch& launch, const UnfoldedLaunch& unfolded) {
  constexpr std::size_t most_elements = 16;
  Inputs result;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const Parameter& parameter = launch.parameters[i];
    if (unfolded.scalars[i].width() != 0)
      result.push_back(
          {parameter.name, std::get<ScalarParameter>(parameter.is).element.type, unfolded.scalars[i]});
    const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
    if (buffer == nullptr || !std::holds_alternative<AnyValue>(buffer->content)) continue;
    const bool is_in_program = unfolded.buffers[i] >= 0;
    const std::vector<Bits>& initial =
        is_in_program ? unfolded.program.memory[static_cast<std::size_t>(unfolded.buffers[i])].initial
                      : unfolded.constants[i];
    for (std::size_t k = 0; k < std::min(initial.size(), most_elements); ++k)
      result.push_back({fmt::format("{}[{}]", parameter.name, k), buffer->element.type, initial[k]});
  }
  result.insert(result.end(), unfolded.elements.begin(), unfolded.elements.end());
  return result;
}

CandidateExecutions candidates_of(const Launch& launch, const UnfoldedLaunch& unfolded) {
  return {.structure = &unfolded.structure,
          .inputs = open_inputs(launch, unfolded),
          .assumption = unfolded.assumption,
          .exchanges = unfolded.exchanges,
          .exchanges_depend_on_reads = unfolded.exchanges_depend_on_reads,
          .are_meetings_chosen = unfolded.are_meetings_chosen};
}

std::function<bool(LaunchProperty, const SourcePosition&)> ignored_findings(const Launch& launch) {
  return [&launch](LaunchProperty property, const SourcePosition& where) {
    return std::ranges::any_of(launch.ignored, [&](const IgnoredFinding& ignored) {
      return ignored.property == property_name(property) && (!ignored.line || *ignored.line == where.line);
    });
  };
}

Bits final_condition(const Launch& launch, const UnfoldedLaunch& unfolded, const ElementValue& final_value) {
  if (launch.final_condition.empty()) return Bits::boolean(true);
  const auto element = [&](std::size_t parameter, std::uint64_t index) {
    const auto& constant = unfolded.constants[parameter];
    return constant.empty() ? final_value(unfolded.buffers[parameter], index) : constant[index];
  };
  return condition_holds(launch.final_condition, numbers_of(launch, unfolded.scalars, element),
                         launch.final_where);
}

}  // namespace ptxmc::kernel
