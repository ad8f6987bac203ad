#include "src/kernel/machine/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "semantics/values/float_arithmetic.hpp"
#include "src/kernel/launch/condition.hpp"
#include "src/kernel/launch/launch_sizes.hpp"

namespace ptxmc::kernel {

namespace {

constexpr unsigned most_launches = 256;

/// A random value, which is often an edge value.
std::uint64_t any_value(const ElementType& element, std::mt19937_64& random) {
  const unsigned width = element.type.width;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width), top = std::uint64_t{1} << (width - 1);
  const std::uint64_t edges[] = {0, 1, 2, mask, top, top - 1, random() % 100, random()};
  return edges[random() % std::size(edges)] & mask;
}

bool has_any(const Launch& launch) {
  return std::ranges::any_of(launch.parameters, [](const Parameter& parameter) {
    const auto* scalar = std::get_if<ScalarParameter>(&parameter.is);
    const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
    return (scalar != nullptr && std::holds_alternative<AnyValue>(scalar->value)) ||
           (buffer != nullptr && std::holds_alternative<AnyValue>(buffer->content));
  });
}

Launch with_values(const Launch& launch, std::mt19937_64& random) {
  Launch chosen = launch;
  for (Parameter& parameter : chosen.parameters) {
    if (auto* scalar = std::get_if<ScalarParameter>(&parameter.is);
        scalar != nullptr && std::holds_alternative<AnyValue>(scalar->value))
      scalar->value = any_value(scalar->element, random);
    if (auto* buffer = std::get_if<BufferParameter>(&parameter.is);
        buffer != nullptr && std::holds_alternative<AnyValue>(buffer->content)) {
      std::vector<std::uint64_t> content;
      for (std::uint64_t i = 0; i < buffer->count; ++i) content.push_back(any_value(buffer->element, random));
      buffer->content = std::move(content);
    }
  }
  return chosen;
}

Number number_of(const ElementType& element, std::uint64_t bits) {
  return kernel::number_of(element, Bits(element.type.width, bits));
}

std::string text_of(const ElementType& element, std::uint64_t bits) {
  if (element.type.is_float()) return fmt::format("{}", float_arithmetic::number(*element.type.format, bits));
  const Bits value(element.type.width, bits);
  if (element.is_normalized)
    return fmt::format("{}", std::bit_cast<double>(kernel::number_of(element, value).bits.to_u64()));
  return element.type.is_signed() ? fmt::format("{}", value.to_s64()) : fmt::format("{}", value.to_u64());
}

std::uint64_t element_bits(const Allocation& buffer, const ElementType& element, std::uint64_t index) {
  return read_bytes(buffer, buffer.base + index * element.bytes(), element.type.width).to_u64();
}

NumberOf numbers_of(const Launch& launch, Machine* machine) {
  const auto of_parameters = [&launch, machine](const std::string& name,
                                                std::optional<std::uint64_t> index) -> std::optional<Number> {
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const Parameter& parameter = launch.parameters[i];
      if (parameter.name != name) continue;
      if (const auto* scalar = std::get_if<ScalarParameter>(&parameter.is); scalar != nullptr && !index)
        return number_of(scalar->element, std::get<std::uint64_t>(scalar->value));
      const auto* buffer = std::get_if<BufferParameter>(&parameter.is);
      if (buffer == nullptr || !index || *index >= buffer->count) return std::nullopt;
      if (machine != nullptr)
        return number_of(buffer->element, element_bits(*machine->buffer(i), buffer->element, *index));
      const auto* content = std::get_if<std::vector<std::uint64_t>>(&buffer->content);
      return content == nullptr ? std::nullopt
                                : std::optional(number_of(buffer->element, (*content)[*index]));
    }
    return std::nullopt;
  };
  return with_sizes(sizes_of(launch), of_parameters);
}

std::vector<FinalBuffer> final_buffers(const Launch& launch, Machine& machine) {
  std::vector<FinalBuffer> buffers;
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const auto* parameter = std::get_if<BufferParameter>(&launch.parameters[i].is);
    if (parameter == nullptr) continue;
    const Allocation& content = *machine.buffer(i);
    FinalBuffer buffer = {launch.parameters[i].name, parameter->element.name, {}};
    for (std::uint64_t e = 0; e < parameter->count; ++e) {
      const bool is_known =
          content.is_written_all(e * parameter->element.bytes(), parameter->element.bytes());
      buffer.elements.push_back(
          is_known ? text_of(parameter->element, element_bits(content, parameter->element, e)) : "?");
    }
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

/// Whether `ignore` accepts a finding: by kind, and by the line in the module if it is given.
bool is_accepted(const Finding& finding, const Launch& launch) {
  return std::ranges::any_of(launch.ignored, [&](const IgnoredFinding& accepted) {
    const bool is_there =
        !accepted.line || (!finding.calls.empty() && finding.calls.front().where.line == *accepted.line);
    return accepted.property == finding.kind && is_there;
  });
}

RunResult run_once(const Launch& launch, const syntax::Module& syntax, const RunOptions& options,
                   const std::function<void(const std::string&)>& print) {
  LoadedModule module(syntax, largest_dynamic_shared(launch));
  Machine machine(module, launch, options, print);
  machine.run();
  RunResult result = {machine.findings(),
                      final_buffers(launch, machine),
                      machine.steps(),
                      1,
                      0,
                      {machine.assumed_zero().begin(), machine.assumed_zero().end()}};
  if (result.findings.empty() && !launch.final_condition.empty() &&
      !condition_holds(launch.final_condition, numbers_of(launch, &machine), launch.final_where).is_true())
    result.findings.push_back({"assertion", "[final] is false: " + launch.final_condition, "", {}});
  result.ignored =
      std::erase_if(result.findings, [&](const Finding& finding) { return is_accepted(finding, launch); });
  return result;
}

}  // namespace

Expectation compare_with_expected(const Launch& launch, const RunResult& result) {
  Expectation answer;
  const auto expects = [&](const std::string& kind) {
    return std::ranges::find(launch.expected, kind) != launch.expected.end();
  };
  const auto was_found = [&](const std::string& kind) {
    return std::ranges::find(result.findings, kind, &Finding::kind) != result.findings.end();
  };
  for (const Finding& finding : result.findings) {
    const bool may_be_anything = finding.kind == "undefined" && !expects("safe");
    if (finding.kind != "step-limit" && !may_be_anything && !expects(finding.kind) && !expects("race") &&
        !launch.expected.empty())
      answer.contradicted.push_back(finding.kind);
  }
  for (const std::string& kind : launch.expected)
    if (kind != "safe" && !was_found(kind)) answer.open.push_back(kind);
  return answer;
}

RunResult run_launch(const Launch& written, const syntax::Module& module, const RunOptions& options,
                     const std::function<void(const std::string&)>& print) {
  const Launch launch = with_known_lengths(written);
  if (module.address_size.value_or(32) != 64) throw Unsupported("addresses of 32 bits", {});
  std::mt19937_64 random(options.seed.value_or(0));
  const unsigned launches = has_any(launch) ? most_launches : 1;
  RunResult result;
  std::set<std::string> assumed_zero;
  for (unsigned i = 1; i <= launches; ++i) {
    const Launch chosen = with_values(launch, random);
    if (!chosen.assumption.empty() &&
        !condition_holds(chosen.assumption, numbers_of(chosen, nullptr), chosen.assumption_where).is_true())
      continue;
    result = run_once(chosen, module, options, print);
    result.launches = i;
    assumed_zero.insert(result.assumed_zero.begin(), result.assumed_zero.end());
    result.assumed_zero.assign(assumed_zero.begin(), assumed_zero.end());
    if (!result.findings.empty()) return result;
  }
  return result;
}

std::vector<TensorMap> tensor_maps_of_runs(const Launch& launch, const syntax::Module& syntax,
                                           unsigned executions, std::uint64_t most_steps) {
  std::vector<TensorMap> result;
  std::mt19937_64 random(0);
  for (unsigned i = 0; i < executions; ++i) {
    RunOptions options{.seed = {}, .step_limit = most_steps};
    if (i > 0) options.seed = i;
    const Launch chosen = with_values(launch, random);
    LoadedModule module(syntax, largest_dynamic_shared(launch));
    Machine machine(module, chosen, options, [](const std::string&) {});
    try {
      machine.run();
    } catch (const Unsupported&) {  // what was read before counts
    }
    for (const TensorMap& map : machine.tensor_maps()) add_tensor_map(result, map);
  }
  return result;
}

}  // namespace ptxmc::kernel
