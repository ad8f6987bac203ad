#include "src/kernel/passed_parameters.hpp"

namespace ptxmc::kernel {

namespace {

std::vector<std::uint8_t> bytes_of(std::uint64_t value, unsigned count) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < count; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return bytes;
}

std::uint64_t make_buffer(const std::string& name, const BufferParameter& buffer, AddressSpace& global) {
  const unsigned size = buffer.element.bytes();
  Allocation& made = global.allocate(name, buffer.count * size, spacing_of_global);
  if (const auto* content = std::get_if<std::vector<std::uint64_t>>(&buffer.content))
    for (std::size_t i = 0; i < content->size(); ++i)
      write_bytes(made, made.base + i * size, Bits(size * 8, (*content)[i]));
  if (std::holds_alternative<AnyValue>(buffer.content)) made.is_written.assign(made.bytes.size(), true);
  return made.base;
}

/// Both halves of its address are equal, so that it does not matter which register holds which: the library
/// of CUDA takes the upper half from %envreg1, and descriptions of launches say that this holds the lower.
std::uint64_t make_grid_workspace(AddressSpace& global) {
  constexpr std::uint64_t half = 1U << 22;
  static_assert(half << 32 < first_heap_address);
  Allocation& workspace = global.allocate_at("the grid workspace", half << 32 | half, 64);
  workspace.is_written.assign(workspace.bytes.size(), true);
  return workspace.base;
}

}  // namespace

PassedParameters pass_parameters(const Launch& launch, const LoadedModule& module) {
  PassedParameters passed;
  passed.global = module.global;
  passed.constant = module.constant;
  for (const Parameter& parameter : launch.parameters) {
    passed.buffers.push_back(0);
    if (const auto* buffer = std::get_if<BufferParameter>(&parameter.is)) {
      passed.buffers.back() = make_buffer(parameter.name, *buffer, passed.global);
      passed.values.push_back(bytes_of(passed.buffers.back(), 8));
    } else if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is)) {
      const auto* value = std::get_if<std::uint64_t>(&scalar->value);
      passed.values.push_back(bytes_of(value != nullptr ? *value : 0, scalar->element.bytes()));
    } else if (const auto* structure = std::get_if<BytesParameter>(&parameter.is)) {
      passed.values.push_back(structure->bytes);
    } else {
      passed.values.push_back(bytes_of(passed.buffers[std::get<SameBuffer>(parameter.is).parameter], 8));
    }
  }
  if (launch.is_cooperative) passed.grid_workspace = make_grid_workspace(passed.global);
  return passed;
}

}  // namespace ptxmc::kernel
