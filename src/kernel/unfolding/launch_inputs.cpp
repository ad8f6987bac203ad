#include "src/kernel/unfolding/launch_inputs.hpp"

#include "semantics/language/address_windows.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/unfolding/launch_memory.hpp"

namespace ptxmc::kernel {

namespace {

/// The unknowns of scalars of any value.
std::vector<Bits> open_scalars(const Launch& launch, const std::vector<Bits>& given, TermGraph& graph) {
  std::vector<Bits> result(launch.parameters.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto* scalar = std::get_if<ScalarParameter>(&launch.parameters[i].is);
    if (scalar == nullptr || !std::holds_alternative<AnyValue>(scalar->value)) continue;
    result[i] = i < given.size() && given[i].width() != 0
                    ? given[i]
                    : graph.variable(scalar->element.bytes() * 8, launch.parameters[i].name);
  }
  return result;
}

/// Builds the passed values.
void make_values(LaunchInputs& inputs, const Launch& launch) {
  const auto put = [](std::vector<Bits>& bytes, std::uint64_t offset, const Bits& scalar) {
    for (unsigned b = 0; 8 * b < scalar.width(); ++b) bytes[offset + b] = scalar.extract(8 * b, 8);
  };
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    auto& bytes = inputs.values.emplace_back();
    for (const std::uint8_t byte : inputs.passed.values[i]) bytes.emplace_back(8, byte);
    put(bytes, 0, inputs.scalars[i]);
    for (const auto& [offset, name] : launch.parameters[i].fields)
      put(bytes, offset, inputs.scalars[number_of_parameter(launch, name)]);
    if (const auto* same = std::get_if<SameValue>(&launch.parameters[i].is);
        same != nullptr && !launch.parameters[i].object)
      bytes = inputs.values[same->parameter];
  }
}

/// The elements of a variable that the launch names; if it may have any content, its bytes become unknowns.
std::vector<Bits> elements_of(const BufferParameter& buffer, PrivateBlock& block, TermGraph& graph) {
  const unsigned size = buffer.element.bytes();
  const bool is_any = std::holds_alternative<AnyValue>(buffer.content);
  const auto any = is_any ? any_bytes(block.name, buffer, graph) : std::vector<Bits>();
  std::vector<Bits> elements;
  for (std::size_t at = 0; at < block.bytes.size(); ++at) {
    if (is_any) block.bytes[at].value = any[at];
    const Bits& byte = block.bytes[at].value;
    if (at % size == 0)
      elements.push_back(byte);
    else
      elements.back() = concat(byte, elements.back());
  }
  return elements;
}

/// The variables of constant memory as private blocks that no access may write; variables of any content
/// have unknowns.
void make_constants(LaunchInputs& inputs, const Launch& launch, TermGraph& graph) {
  inputs.constant_elements.resize(launch.parameters.size());
  for (const Allocation& allocation : inputs.passed.constant.all()) {
    const std::uint64_t size = allocation.bytes.size();
    const bool is_known = size == 0 || allocation.is_written_all(0, size);
    PrivateBlock block = private_block(allocation.name, window_of(StateSpace::constant) + allocation.base,
                                       is_known ? 0 : size, graph);
    block.is_constant = true;
    block.bytes.resize(size);
    for (std::size_t i = 0; i < size; ++i)
      if (allocation.is_written[i]) block.bytes[i] = {Bits(8, allocation.bytes[i]), Bits::boolean(true)};
    for (std::size_t i = 0; i < launch.parameters.size(); ++i)
      if (inputs.passed.buffers[i] == block.address)
        inputs.constant_elements[i] =
            elements_of(std::get<BufferParameter>(launch.parameters[i].is), block, graph);
    if (allocation.is_some_zero_by_default(0, size))
      inputs.zero_constants.push_back({source_name(allocation.name), block.address, size});
    inputs.constants.push_back(std::make_shared<PrivateBlock>(std::move(block)));
  }
}

}  // namespace

LaunchInputs launch_inputs(const Launch& launch, const LoadedModule& module, TermGraph& graph,
                           const std::vector<Bits>& scalars) {
  LaunchInputs inputs;
  inputs.passed = pass_parameters(launch, module);
  inputs.scalars = open_scalars(launch, scalars, graph);
  make_values(inputs, launch);
  make_constants(inputs, launch, graph);
  return inputs;
}

/// The values of names in conditions.
NumberOf numbers_of(const Launch& launch, const std::vector<Bits>& scalars, const BufferElement& element) {
  const auto of_parameters = [&launch, &scalars, element](
                                 const std::string& name,
                                 std::optional<std::uint64_t> index) -> std::optional<Number> {
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const Parameter& parameter = launch.parameters[i];
      if (parameter.name != name) continue;
      if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is); scalar != nullptr && !index) {
        const auto* known = std::get_if<std::uint64_t>(&scalar->value);
        return number_of(scalar->element,
                         known != nullptr ? Bits(scalar->element.type.width, *known) : scalars[i]);
      }
      const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
      if (buffer == nullptr || !index || *index >= buffer->count) return std::nullopt;
      const Bits value = element(i, *index);
      return value.width() == 0 ? std::nullopt : std::optional(number_of(buffer->element, value));
    }
    return std::nullopt;
  };
  return with_sizes(sizes_of(launch), of_parameters);
}

}  // namespace ptxmc::kernel
