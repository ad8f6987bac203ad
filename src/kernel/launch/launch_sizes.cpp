#include "src/kernel/launch/launch_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/element_values.hpp"

namespace ptxmc::kernel {

namespace {

bool is_any(const OpenDimensions& open) { return open != OpenDimensions{}; }

/// The scalars with a value; `is_open` becomes true if one of any value is asked for.
NumberOf known_scalars(const Launch& launch, bool& is_open) {
  return [&launch, &is_open](const std::string& name,
                             std::optional<std::uint64_t> index) -> std::optional<Number> {
    const auto found = std::ranges::find(launch.parameters, name, &Parameter::name);
    const auto* scalar =
        found == launch.parameters.end() || index ? nullptr : std::get_if<ScalarParameter>(&found->is);
    if (scalar == nullptr) return std::nullopt;
    const auto* known = std::get_if<std::uint64_t>(&scalar->value);
    is_open = is_open || known == nullptr;
    return number_of(scalar->element, Bits(scalar->element.type.width, known == nullptr ? 1 : *known));
  };
}

/// The value of an expression for a length: from 0 to `most`, or empty if it is open.
std::optional<std::uint64_t> known_length(const std::string& length, const Launch& launch,
                                          const GridSize& size, const LaunchPlace& where,
                                          std::uint64_t most) {
  bool is_open = false;
  const LaunchSizes sizes = sizes_of(size);
  const NumberOf numbers = [&, of_sizes = with_sizes(sizes, known_scalars(launch, is_open))](
                               const std::string& name, std::optional<std::uint64_t> index) {
    if (name.find('.') != std::string::npos) {
      const bool is_of_block = name.starts_with("block");
      is_open = is_open ||
                (is_of_block ? size.open_block : size.open_grid)[static_cast<std::size_t>(name.back() - 'x')];
    }
    return of_sizes(name, index);
  };
  const s128 value = integer_value(length, numbers, where).to_s128();
  if (is_open) return std::nullopt;
  if (value < 0 || value > static_cast<s128>(most))
    throw InputError(
        where.file, where.where,
        fmt::format("found {} = {}, expected 0 to {}", length, static_cast<long double>(value), most));
  return static_cast<std::uint64_t>(value);
}

/// Whether some length is open.
bool has_open_length(const Launch& launch) {
  constexpr std::uint64_t any = ~std::uint64_t{0} >> 1;
  for (const Parameter& parameter : launch.parameters) {
    const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
    if (buffer != nullptr && !buffer->length.empty() &&
        !known_length(buffer->length, launch, launch, parameter.where, any))
      return true;
  }
  const auto is_open = [&](const GridSize& size) {
    return !size.dynamic_shared_length.empty() &&
           !known_length(size.dynamic_shared_length, launch, size, size.dynamic_shared_where, any);
  };
  return is_open(launch) || std::ranges::any_of(launch.sequence, is_open);
}

}  // namespace

LaunchSizes sizes_of(const GridSize& size) {
  LaunchSizes result;
  for (std::size_t i = 0; i < 3; ++i) {
    result.grid[i] = Bits(32, size.grid[i]);
    result.block[i] = Bits(32, size.block[i]);
  }
  return result;
}

NumberOf with_sizes(const LaunchSizes& sizes, NumberOf others) {
  return [sizes, others = std::move(others)](const std::string& name,
                                             std::optional<std::uint64_t> index) -> std::optional<Number> {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return others(name, index);
    const std::string owner = name.substr(0, dot);
    const auto dimension = static_cast<std::size_t>(name.back() - 'x');
    const bool is_block = owner == "block" || owner == "blockDim";
    if ((!is_block && owner != "grid" && owner != "gridDim") || index) return std::nullopt;
    return Number{false, (is_block ? sizes.block : sizes.grid)[dimension].zero_extend(128)};
  };
}

bool has_open_sizes(const Launch& launch) {
  return is_any(launch.open_grid) || is_any(launch.open_block) || has_open_length(launch);
}

Launch with_known_lengths(Launch launch) {
  if (has_open_sizes(launch)) throw Unsupported("a launch of any size, which `check` alone decides", {});
  for (Parameter& parameter : launch.parameters) {
    auto* const buffer = std::get_if<BufferParameter>(&parameter.is);
    if (buffer == nullptr || buffer->length.empty()) continue;
    const std::uint64_t element = buffer->count * buffer->element.bytes();
    const auto length =
        known_length(buffer->length, launch, launch, parameter.where, most_buffer_bytes / element);
    buffer->count *= *length;
    buffer->length.clear();
    if (auto* numbers = std::get_if<std::vector<std::uint64_t>>(&buffer->content))
      numbers->assign(buffer->count, numbers->front());
  }
  const auto set_dynamic_shared = [&](GridSize& size) {
    if (size.dynamic_shared_length.empty()) return;
    size.dynamic_shared = static_cast<std::uint32_t>(*known_length(
        size.dynamic_shared_length, launch, size, size.dynamic_shared_where, most_dynamic_shared));
    size.dynamic_shared_length.clear();
  };
  set_dynamic_shared(launch);
  for (GridSize& size : launch.sequence) set_dynamic_shared(size);
  return launch;
}

std::string size_text(const Dimensions& size, const OpenDimensions& open) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i)
    text += (i == 0 ? "" : "x") + (open[i] ? std::string("any") : std::to_string(size[i]));
  return text;
}

}  // namespace ptxmc::kernel
