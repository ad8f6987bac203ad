#include "src/kernel/unfolded_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "semantics/address_windows.hpp"
#include "src/kernel/condition.hpp"
#include "src/kernel/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

constexpr unsigned most_rounds = 16;
constexpr unsigned lanes_of_warp = 32;

Dimensions position_in(std::uint64_t number, const Dimensions& size) {
  return {static_cast<std::uint32_t>(number % size[0]),
          static_cast<std::uint32_t>(number / size[0] % size[1]),
          static_cast<std::uint32_t>(number / size[0] / size[1])};
}

std::string text_of(const Dimensions& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

/// What names in conditions stand for.
NumberOf numbers_of(const Launch& launch, const UnfoldedLaunch& unfolded, const ElementValue& element_value) {
  return [&launch, &unfolded, element_value](const std::string& name,
                                             std::optional<std::uint64_t> index) -> std::optional<Number> {
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const Parameter& parameter = launch.parameters[i];
      if (parameter.name != name) continue;
      if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is); scalar != nullptr && !index) {
        const auto* known = std::get_if<std::uint64_t>(&scalar->value);
        return number_of(scalar->element.type,
                         known != nullptr ? Bits(scalar->element.type.width, *known) : unfolded.scalars[i]);
      }
      const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
      if (buffer == nullptr || !index || *index >= buffer->count) return std::nullopt;
      const Bits value = element_value(unfolded.buffers[i], *index);
      return value.width() == 0 ? std::nullopt : std::optional(number_of(buffer->element.type, value));
    }
    return std::nullopt;
  };
}

/// Puts a launch together and unfolds its threads.
class LaunchUnfolding {
 public:
  LaunchUnfolding(LoadedModule& module, const Launch& launch, TermGraph& graph, const UnfoldOptions& options)
      : module_(module), launch_(launch), graph_(graph), options_(options) {}

  std::unique_ptr<UnfoldedLaunch> run() {
    check_size();
    find_entries();
    passed_ = pass_parameters(launch_, module_.global);
    make_values();
    place_threads();
    LaunchMemory memory(module_, launch_, passed_, ctas_, graph_);
    unfold_threads(memory);
    make_memory(memory);
    add_initial_writes(result_->structure, graph_);
    result_->assumption = assumption();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(launch_.file.string(), {}, message);
  }

  void check_size() const {
    const std::uint64_t ctas = volume(launch_.grid), threads = volume(launch_.block);
    const std::uint64_t all = ctas > most_unfolded_threads ? ctas : ctas * threads * launch_.entries.size();
    if (all > most_unfolded_threads)
      throw Unsupported(fmt::format("a launch of {} blocks of {} threads (more than {} threads)", ctas,
                                    threads, most_unfolded_threads),
                        {});
    if (module_.module().address_size.value_or(32) != 64) throw Unsupported("addresses of 32 bits", {});
    if (launch_.cluster && volume(*launch_.cluster) != 1) throw Unsupported("a launch with clusters", {});
    if (launch_.is_cooperative) throw Unsupported("a cooperative launch", {});
  }

  /// The parameters of several kernels stand one after the other.
  void find_entries() {
    std::size_t wanted = 0;
    for (const std::string& name : launch_.entries) {
      const syntax::Function* entry = module_.find_function(name);
      if (entry == nullptr || !entry->is_entry)
        fail(fmt::format("found no entry '{}' in {}", name, launch_.module.string()));
      entries_.push_back(entry);
      wanted += entry->parameters.size();
    }
    if (wanted != launch_.parameters.size())
      fail(fmt::format("found {} parameters, expected the {} of '{}'", launch_.parameters.size(), wanted,
                       fmt::join(launch_.entries, "+")));
  }

  /// What is passed; a scalar of any value is an unknown.
  void make_values() {
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const auto* scalar = std::get_if<ScalarParameter>(&launch_.parameters[i].is);
      Bits any;
      if (scalar != nullptr && std::holds_alternative<AnyValue>(scalar->value))
        any = graph_.variable(scalar->element.bytes() * 8, launch_.parameters[i].name);
      result_->scalars.push_back(any);
      auto& bytes = values_.emplace_back();
      for (std::size_t b = 0; b < passed_.values[i].size(); ++b)
        bytes.push_back(any.width() == 0 ? Bits(8, passed_.values[i][b])
                                         : any.extract(static_cast<unsigned>(8 * b), 8));
    }
  }

  void check_parameters(const syntax::Function& entry, std::size_t first) const {
    const LoadedFunction& loaded = module_.load(entry, 0);
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
      const std::uint64_t size = module_.module().symbols[loaded.parameters[i].symbol].size;
      if (size != values_[first + i].size())
        fail(fmt::format("found {} bytes for parameter '{}', expected {}", values_[first + i].size(),
                         launch_.parameters[first + i].name, size));
    }
  }

  void place_threads() {
    std::size_t first = 0;
    for (std::size_t grid = 0; grid < entries_.size(); ++grid) {
      const syntax::Function& entry = *entries_[grid];
      check_parameters(entry, first);
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<std::vector<Bits>> own(begin,
                                               begin + static_cast<std::ptrdiff_t>(entry.parameters.size()));
      for (std::uint64_t cta = 0; cta < volume(launch_.grid); ++cta, ++ctas_)
        for (std::uint32_t thread = 0; thread < volume(launch_.block); ++thread)
          place_thread(grid, position_in(cta, launch_.grid), thread, own);
      first += entry.parameters.size();
    }
  }

  void place_thread(std::size_t grid, const Dimensions& cta, std::uint32_t number,
                    const std::vector<std::vector<Bits>>& parameters) {
    const ThreadPlace place = {cta, position_in(number, launch_.block), grid};
    Thread thread;
    thread.name = fmt::format("thread {} of CTA {}", text_of(place.thread), text_of(place.cta));
    if (entries_.size() > 1) thread.name += " of " + launch_.entries[grid];
    thread.placement.cta = thread.placement.cluster = ctas_;
    const auto warps = static_cast<int>((volume(launch_.block) + lanes_of_warp - 1) / lanes_of_warp);
    thread.placement.warp = ctas_ * warps + static_cast<int>(number / lanes_of_warp);
    // Threads do not do the same, though they have the same code.
    thread.register_names = {"number in the launch"};
    thread.initial_registers = {Bits(32, result_->program.threads.size())};
    result_->program.threads.push_back(std::move(thread));
    result_->places.push_back(place);
    starts_.push_back({entries_[grid], {launch_, module_, cta, number}, ctas_, parameters});
  }

  std::vector<std::shared_ptr<const PrivateBlock>> constant_memory() const {
    std::vector<std::shared_ptr<const PrivateBlock>> blocks;
    for (const Allocation& allocation : module_.constant.all()) {
      PrivateBlock block;
      block.name = allocation.name;
      block.address = window_of(StateSpace::constant) + allocation.base;
      block.is_constant = true;
      block.may_be_unwritten = false;
      for (const std::uint8_t byte : allocation.bytes)
        block.bytes.push_back({Bits(8, byte), Bits::boolean(true)});
      blocks.push_back(std::make_shared<PrivateBlock>(std::move(block)));
    }
    return blocks;
  }

  /// What pointers in memory lead to is learnt in rounds, each of which knows what the last one has found.
  void unfold_threads(LaunchMemory& memory) {
    UnfoldingLaunch shared{module_, memory};
    shared.constants = constant_memory();
    for (unsigned round = 0;; ++round) {
      if (round == most_rounds)
        throw Unsupported("pointers in memory that lead to more and more pointers", {});
      memory.take_changed();
      EventStructure& structure = result_->structure;
      structure = {};
      structure.program = &result_->program;
      structure.endings.resize(starts_.size());
      structure.final_registers.resize(starts_.size());
      for (std::size_t thread = 0; thread < starts_.size(); ++thread)
        KernelThread(structure, graph_, static_cast<int>(thread), options_, shared, starts_[thread]).run();
      if (!memory.take_changed()) return;
    }
  }

  // ---- memory of the program ----

  /// The greatest power of 2, up to 16, that divides where accesses begin and end in the piece.
  unsigned element_size(const MemoryPiece& piece) const {
    std::uint64_t places = 16 | piece.size;
    for (const Event& event : result_->structure.events) {
      if (!event.is_memory_access()) continue;
      const bool is_open = !event.location.is_constant();
      const std::uint64_t first = is_open ? event.region_first : event.location.to_u64();
      const std::uint64_t length = is_open ? event.region_size : event.size;
      if (first >= piece.location + piece.size || piece.location >= first + length) continue;
      places |= event.size;
      if (!is_open) places |= first - piece.location;
    }
    return 1U << std::countr_zero(places);
  }

  void make_memory(const LaunchMemory& memory) {
    result_->buffers.assign(launch_.parameters.size(), -1);
    for (const MemoryPiece& piece : memory.pieces()) {
      Variable variable;
      variable.name = piece.name;
      variable.address = variable.location = piece.location;
      variable.element_size = piece.is_buffer ? piece.element_size : element_size(piece);
      variable.space = piece.space;
      for (std::uint64_t at = 0; at < piece.size; at += variable.element_size)
        variable.initial.push_back(initial_value(piece, at, variable.element_size));
      for (std::size_t i = 0; i < passed_.buffers.size(); ++i) {
        if (!piece.is_buffer || passed_.buffers[i] != piece.address) continue;
        result_->buffers[i] = static_cast<int>(result_->program.memory.size());
        variable.is_signed = std::get<BufferParameter>(launch_.parameters[i].is).element.type.is_signed();
      }
      result_->program.memory.push_back(std::move(variable));
    }
  }

  static Bits initial_value(const MemoryPiece& piece, std::uint64_t at, unsigned size) {
    Bits value;
    for (unsigned i = 0; i < size; ++i) {
      const Bits& byte = piece.content[at + i];
      if (byte.width() == 0) return {};
      value = i == 0 ? byte : concat(byte, value);
    }
    return value;
  }

  Bits assumption() const {
    if (launch_.assumption.empty()) return Bits::boolean(true);
    return condition_holds(launch_.assumption,
                           numbers_of(launch_, *result_,
                                      [&](int variable, std::size_t element) {
                                        const auto index = static_cast<std::size_t>(variable);
                                        return result_->program.memory[index].initial[element];
                                      }),
                           launch_.file.string());
  }

  LoadedModule& module_;
  const Launch& launch_;
  TermGraph& graph_;
  const UnfoldOptions& options_;
  std::unique_ptr<UnfoldedLaunch> result_ = std::make_unique<UnfoldedLaunch>();
  std::vector<const syntax::Function*> entries_;
  PassedParameters passed_;
  std::vector<std::vector<Bits>> values_;  // by parameter: its bytes
  std::vector<KernelThreadStart> starts_;  // by thread
  int ctas_ = 0;
};

}  // namespace

std::unique_ptr<UnfoldedLaunch> unfold_launch(LoadedModule& module, const Launch& launch, TermGraph& graph,
                                              const UnfoldOptions& options) {
  return LaunchUnfolding(module, launch, graph, options).run();
}

Bits final_condition(const Launch& launch, const UnfoldedLaunch& unfolded, const ElementValue& final_value) {
  if (launch.final_condition.empty()) return Bits::boolean(true);
  return condition_holds(launch.final_condition, numbers_of(launch, unfolded, final_value),
                         launch.file.string());
}

}  // namespace ptxmc::kernel
