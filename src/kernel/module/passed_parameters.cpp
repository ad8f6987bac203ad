#include "src/kernel/module/passed_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/diagnostic.hpp"

namespace ptxmc::kernel {

namespace {

std::vector<std::uint8_t> bytes_of(std::uint64_t value, unsigned count) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return bytes;
}

void fill(Allocation& memory, const BufferParameter& buffer) {
  const unsigned size = buffer.element.bytes();
  const bool is_known = !std::holds_alternative<std::monostate>(buffer.content);
  memory.is_written.assign(memory.bytes.size(), is_known);
  if (const auto* content = std::get_if<std::vector<std::uint64_t>>(&buffer.content))
    for (std::size_t i = 0; i < content->size(); ++i)
      write_bytes(memory, memory.base + i * size, Bits(size * 8, (*content)[i]));
}

/// The generic address of an allocation; constant variables are in their window.
std::uint64_t generic_address(const Allocation& memory) {
  return memory.base + (memory.is_constant ? window_of(StateSpace::constant) : 0);
}

/// Builds the parameters of a launch, one after the other.
class Passing {
 public:
  Passing(const Launch& launch, const LoadedModule& module) : launch_(launch) {
    passed_.global = module.global;
    passed_.constant = module.constant;
  }

  PassedParameters run() {
    for (const Parameter& parameter : launch_.parameters) pass(parameter);
    find_replicas();
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      if (const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[i].is))
        fill_pointers(launch_.parameters[i], *buffer, passed_.buffers[i]);
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      for (const PlacedTensorMap& placed : launch_.parameters[i].tensor_maps) fill_tensor_map(i, placed);
    return std::move(passed_);
  }

 private:
  void pass(const Parameter& parameter) {
    passed_.buffers.push_back(0);
    if (const auto* buffer = std::get_if<BufferParameter>(&parameter.is)) {
      const std::uint64_t size = buffer->count * buffer->element.bytes();
      Allocation& memory = parameter.role == Parameter::Role::variable
                               ? variable(parameter, size)
                               : passed_.global.allocate(parameter.name, size, spacing_of_global);
      fill(memory, *buffer);
      passed_.buffers.back() = generic_address(memory);
      passed_.values.push_back(bytes_of(passed_.buffers.back(), 8));
    } else if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is)) {
      const auto* value = std::get_if<std::uint64_t>(&scalar->value);
      passed_.values.push_back(bytes_of(value != nullptr ? *value : 0, scalar->element.bytes()));
    } else if (const auto* structure = std::get_if<BytesParameter>(&parameter.is)) {
      passed_.values.push_back(structure->bytes);
    } else if (std::holds_alternative<MultimemParameter>(parameter.is)) {
      passed_.multimem.push_back({first_multimem_address + spacing_of_global * passed_.multimem.size(), {}});
      passed_.values.push_back(bytes_of(passed_.multimem.back().first, 8));
    } else {
      passed_.values.push_back(bytes_of(passed_.buffers[std::get<SameBuffer>(parameter.is).parameter], 8));
    }
  }

  /// The buffers of multimem addresses, which may be later parameters.
  void find_replicas() {
    auto range = passed_.multimem.begin();
    for (const Parameter& parameter : launch_.parameters) {
      const auto* multimem = std::get_if<MultimemParameter>(&parameter.is);
      if (multimem == nullptr) continue;
      for (const std::string& name : multimem->buffers) range->buffers.push_back(replica(parameter, name));
      ++range;
    }
  }

  /// The address of a buffer of a multimem address; all of them have the size of the first.
  std::uint64_t replica(const Parameter& multimem, const std::string& name) const {
    const auto size_of = [](const Parameter& parameter) {
      const auto& buffer = std::get<BufferParameter>(parameter.is);
      return buffer.count * buffer.element.bytes();
    };
    const auto find = [&](const std::string& wanted) {
      const auto found = std::ranges::find(launch_.parameters, wanted, &Parameter::name);
      if (found == launch_.parameters.end() || !std::holds_alternative<BufferParameter>(found->is) ||
          found->role == Parameter::Role::variable)
        fail(multimem,
             fmt::format("found '{}' in '{}', expected the name of a buffer", wanted, multimem.name));
      return found;
    };
    const auto own = find(name);
    const auto first = find(std::get<MultimemParameter>(multimem.is).buffers.front());
    if (size_of(*own) != size_of(*first))
      fail(multimem, fmt::format("found {} bytes in '{}', expected the {} of '{}'", size_of(*own), name,
                                 size_of(*first), first->name));
    return passed_.buffers[static_cast<std::size_t>(own - launch_.parameters.begin())];
  }

  [[noreturn]] static void fail(const Parameter& parameter, const std::string& message) {
    throw InputError(parameter.where.file, parameter.where.where, message);
  }

  /// Finds a variable by its name in PTX or in the source; null if the module has none.
  Allocation* find_variable(const std::string& name) {
    for (AddressSpace* space : {&passed_.global, &passed_.constant})
      for (Allocation& memory : space->all())
        if (memory.is_variable && (memory.name == name || source_name(memory.name) == name)) return &memory;
    return nullptr;
  }

  /// The size of an array of another module is not declared, so it has the size that the launch gives.
  Allocation& variable(const Parameter& parameter, std::uint64_t size) {
    Allocation* found = find_variable(parameter.name);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const AddressSpace* space : {&passed_.global, &passed_.constant})
        for (const Allocation& memory : space->all())
          if (memory.is_variable) names.push_back(source_name(memory.name));
      fail(parameter, fmt::format("found variable '{}', expected one of .global or .const in {}: {}",
                                  parameter.name, launch_.module.string(),
                                  names.empty() ? "it has none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (found->bytes.empty() && size <= spacing_of_shared) found->bytes.resize(size);
    if (found->bytes.size() != size)
      fail(parameter, fmt::format("found {} bytes for variable '{}', expected its {}", size, parameter.name,
                                  found->bytes.size()));
    return *found;
  }

  void fill_pointers(const Parameter& parameter, const BufferParameter& buffer, std::uint64_t address) {
    Allocation& memory = memory_at(address);
    for (const auto& [element, name] : buffer.pointers)
      write_bytes(memory, memory.base + element * buffer.element.bytes(),
                  Bits(64, address_of(parameter, name)));
  }

  /// Tensor maps in buffers and variables are in memory, the others are part of the parameter's value.
  void fill_tensor_map(std::size_t number, const PlacedTensorMap& placed) {
    const Parameter& parameter = launch_.parameters[number];
    TensorMap map = placed.map;
    map.set_field(global_address_field, Bits(64, address_of(parameter, placed.buffer)));
    std::uint64_t at = placed.offset;
    for (const Bits& word : map.words()) {
      if (passed_.buffers[number] != 0) {
        Allocation& memory = memory_at(passed_.buffers[number]);
        write_bytes(memory, memory.base + at, word);
      } else {
        const std::vector<std::uint8_t> bytes = bytes_of(word.to_u64(), 8);
        std::ranges::copy(bytes, passed_.values[number].begin() + static_cast<std::ptrdiff_t>(at));
      }
      at += 8;
    }
  }

  /// The allocation of a buffer or variable, by its generic address.
  Allocation& memory_at(std::uint64_t address) {
    const StateSpace space = space_of_generic(address);
    return *(space == StateSpace::constant ? passed_.constant : passed_.global)
                .at(address - window_of(space));
  }

  /// The generic address of what `parameter` refers to by name.
  std::uint64_t address_of(const Parameter& parameter, const std::string& name) {
    const auto other = std::ranges::find(launch_.parameters, name, &Parameter::name);
    if (other != launch_.parameters.end() && std::holds_alternative<BufferParameter>(other->is))
      return passed_.buffers[static_cast<std::size_t>(other - launch_.parameters.begin())];
    if (const Allocation* pointed_at = find_variable(name)) return generic_address(*pointed_at);
    fail(parameter, fmt::format("found \"{}\" in '{}', expected the name of a buffer or of a variable of "
                                "the module",
                                name, parameter.name));
  }

  const Launch& launch_;
  PassedParameters passed_;
};

/// The two halves of its address are equal, so that both readings of %envreg1 work: the library of CUDA takes
/// the upper half from it, and descriptions of launches say that it holds the lower half.
std::uint64_t make_grid_workspace(AddressSpace& global) {
  constexpr std::uint64_t half = 1U << 22;
  static_assert(half << 32 < first_heap_address);
  Allocation& workspace = global.allocate_at("the grid workspace", half << 32 | half, 64);
  workspace.is_written.assign(workspace.bytes.size(), true);
  return workspace.base;
}

}  // namespace

std::vector<Bits> replicas_of(const std::vector<MultimemRange>& ranges, const Bits& address) {
  if (!address.is_constant()) throw UnhandledEffect();
  std::vector<Bits> result;
  for (const MultimemRange& range : ranges) {
    const std::uint64_t offset = address.to_u64() - range.first;
    if (offset >= spacing_of_global) continue;
    for (const std::uint64_t buffer : range.buffers) result.emplace_back(64, buffer + offset);
  }
  return result;
}

PassedParameters pass_parameters(const Launch& launch, const LoadedModule& module) {
  PassedParameters passed = Passing(launch, module).run();
  if (launch.is_cooperative) passed.grid_workspace = make_grid_workspace(passed.global);
  return passed;
}

}  // namespace ptxmc::kernel
