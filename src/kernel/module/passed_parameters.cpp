#include "src/kernel/module/passed_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/diagnostic.hpp"
#include "src/kernel/module/launched_grids.hpp"

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
  if (const auto* content = std::get_if<std::vector<std::uint64_t>>(&buffer.content);
      content != nullptr && buffer.length.empty())
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
  Passing(const Launch& launch, const LoadedModule& module) : launch_(launch), module_(module) {
    passed_.global = module.global;
    passed_.constant = module.constant;
  }

  PassedParameters run() {
    for (const Parameter& parameter : launch_.parameters) pass(parameter);
    find_replicas();
    make_objects();
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const Parameter& parameter = launch_.parameters[i];
      for (const auto& [offset, name] : parameter.addresses)
        write_word(i, offset, Bits(64, address_of(parameter, name)));
      for (const auto& [offset, name] : parameter.fields)
        std::ranges::copy(passed_.values[number_of_parameter(launch_, name)],
                          passed_.values[i].begin() + static_cast<std::ptrdiff_t>(offset));
      for (const PlacedTensorMap& placed : parameter.tensor_maps) fill_tensor_map(i, placed);
    }
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      if (const auto* same = std::get_if<SameValue>(&launch_.parameters[i].is);
          same && !launch_.parameters[i].object)
        passed_.values[i] = passed_.values[same->parameter];
    return std::move(passed_);
  }

 private:
  void pass(const Parameter& parameter) {
    passed_.buffers.push_back(0);
    if (const auto* buffer = std::get_if<BufferParameter>(&parameter.is)) {
      const std::uint64_t size = buffer->length.empty() ? buffer->count * buffer->element.bytes() : 0;
      Allocation& memory = parameter.role == Parameter::Role::variable && !parameter.object
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
      passed_.values.emplace_back();  // the value of another parameter, which may not be known yet
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

  /// The handle of a texture, sampler or surface of the launch: behind those of the module.
  std::uint64_t handle_of(std::size_t parameter) const {
    return first_handle + (module_.declared_objects().size() + parameter) * spacing_of_handles;
  }

  /// Textures, samplers and surfaces: the values of their parameters, and their descriptors.
  void make_objects() {
    std::map<std::uint64_t, OpaqueObject> objects;  // by handle
    for (const auto& [symbol, object] : module_.declared_objects())
      objects[module_.handle_of(symbol)] = object;
    std::vector<syntax::SymbolId> symbols;  // of the passed parameters
    for (const std::string& entry : launch_.entries)
      if (const syntax::Function* function = module_.find_function(entry))
        for (const syntax::SymbolId id : parameters_of(*function)) symbols.push_back(id);
    std::size_t passed = 0;
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i) {
      const Parameter& parameter = launch_.parameters[i];
      const bool is_passed = parameter.role == Parameter::Role::passed;
      const std::size_t place = is_passed ? passed++ : symbols.size();
      if (!parameter.object) continue;
      const OpaqueObject object = placed_object(i);
      passed_.values[i] = bytes_of(handle_of(i), 8);
      objects[handle_of(i)] = object;
      if (!parameter.object->bound.empty()) objects[declared_handle(parameter)] = object;
      if (place < symbols.size() && module_.declared_objects().contains(symbols[place]))
        objects[module_.handle_of(symbols[place])] = object;
    }
    for (const auto& [handle, object] : objects) {
      Allocation& descriptor = passed_.constant.allocate_at(
          "the descriptor", handle - window_of(StateSpace::constant), descriptor_bytes);
      descriptor.is_constant = true;
      const DescriptorWords words = descriptor_of(object);
      for (std::size_t i = 0; i < words.size(); ++i)
        write_bytes(descriptor, descriptor.base + 8 * i, Bits(64, words[i]));
    }
  }

  /// The object of a parameter, with the address of its memory.
  OpaqueObject placed_object(std::size_t parameter) const {
    const Parameter& own = launch_.parameters[parameter];
    OpaqueObject object = own.object->object;
    if (object.kind == OpaqueObject::Kind::sampler) return object;
    const auto* shared = std::get_if<SameValue>(&own.is);
    object.is_linear_memory = shared != nullptr && !launch_.parameters[shared->parameter].object;
    object.address = passed_.buffers[shared != nullptr ? shared->parameter : parameter];
    return object;
  }

  /// The handle of the variable of the module that a texture, sampler or surface of the launch is.
  std::uint64_t declared_handle(const Parameter& parameter) const {
    const LaunchedObject& launched = *parameter.object;
    for (const auto& [id, declared] : module_.declared_objects()) {
      const syntax::Symbol& symbol = module_.module().symbols[id];
      const bool is_named =
          symbol.name == launched.bound || source_name(std::string(symbol.name)) == launched.bound;
      if (is_named && symbol.space == syntax::Space::global && declared.kind == launched.object.kind)
        return module_.handle_of(id);
    }
    fail(parameter,
         fmt::format("found '{}', expected a texture, sampler or surface of its kind that {} declares",
                     launched.bound, launch_.module.string()));
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

  /// Writes 64 bits at an offset: into the memory of a buffer or variable, or into the value of a parameter.
  void write_word(std::size_t parameter, std::uint64_t offset, const Bits& word) {
    if (passed_.buffers[parameter] != 0) {
      Allocation& memory = memory_at(passed_.buffers[parameter]);
      write_bytes(memory, memory.base + offset, word);
    } else {
      const std::vector<std::uint8_t> bytes = bytes_of(word.to_u64(), 8);
      std::ranges::copy(bytes, passed_.values[parameter].begin() + static_cast<std::ptrdiff_t>(offset));
    }
  }

  void fill_tensor_map(std::size_t number, const PlacedTensorMap& placed) {
    TensorMap map = placed.map;
    map.set_field(global_address_field, Bits(64, address_of(launch_.parameters[number], placed.buffer)));
    std::uint64_t at = placed.offset;
    for (const Bits& word : map.words()) {
      write_word(number, at, word);
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
    if (other != launch_.parameters.end() && other->object)
      return handle_of(static_cast<std::size_t>(other - launch_.parameters.begin()));
    if (other != launch_.parameters.end() && std::holds_alternative<BufferParameter>(other->is))
      return passed_.buffers[static_cast<std::size_t>(other - launch_.parameters.begin())];
    if (const Allocation* pointed_at = find_variable(name)) return generic_address(*pointed_at);
    fail(parameter, fmt::format("found \"{}\" in '{}', expected the name of a buffer or of a variable of "
                                "the module",
                                name, parameter.name));
  }

  const Launch& launch_;
  const LoadedModule& module_;
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
