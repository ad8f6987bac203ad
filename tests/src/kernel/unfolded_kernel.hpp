#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "src/kernel/unfolding/unfolded_launch.hpp"
#include "src/ptx/check.hpp"
#include "tests/src/kernel/small_launch.hpp"

namespace ptxmc::test {

/// A launch of the kernel `k`, unfolded.
struct Unfolding {
  std::shared_ptr<const SourceText> source;
  syntax::Diagnostics diagnostics;
  syntax::Module module;
  std::unique_ptr<kernel::LoadedModule> loaded;
  TermGraph graph;
  std::unique_ptr<kernel::UnfoldedLaunch> result;

  Unfolding(const std::string& text, kernel::Launch launch, UnfoldOptions options = {},
            bool leaves_departures_out = false)
      : source(std::make_shared<const SourceText>("k.ptx",
                                                  ".version 8.7\n.target sm_90\n.address_size 64\n" + text)),
        module(syntax::read_module(source, ptx(), diagnostics)) {
    for (const auto& diagnostic : diagnostics.all()) INFO(diagnostic.message);
    REQUIRE(!diagnostics.has_errors());
    if (launch.entries.empty()) launch.entries = {"k"};
    loaded = std::make_unique<kernel::LoadedModule>(module, launch.dynamic_shared);
    result = kernel::unfold_launch(*loaded, launch, graph, options, leaves_departures_out);
  }

  const EventStructure& structure() const { return result->structure; }

  std::vector<Event> events(int thread = 0) const {
    std::vector<Event> own;
    for (const Event& event : structure().events)
      if (event.thread == thread) own.push_back(event);
    return own;
  }

  std::vector<Ending> endings(Ending::Kind kind, std::size_t thread = 0) const {
    std::vector<Ending> own;
    for (const Ending& ending : structure().endings[thread])
      if (ending.kind == kind) own.push_back(ending);
    return own;
  }
};

inline kernel::Parameter u32_buffer(const std::string& name, std::vector<std::uint64_t> content) {
  return {name, kernel::BufferParameter{{"u32", type_of(".u32")}, content.size(), content}};
}

/// A kernel with the parameter `out`, whose address is in %rd0.
inline std::string with_out(const std::string& body, const std::string& before = "") {
  return before + ".visible .entry k(.param .u64 out) {\n" +
         ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n" +
         "ld.param.u64 %rd0, [out];\n" + body + "\nret;\n}";
}

/// A parameter of type u32 with any value.
inline kernel::Parameter any_scalar(const std::string& name) {
  return {name, kernel::ScalarParameter{{"u32", type_of(".u32")}, kernel::AnyValue{}}};
}

/// The value with numbers for all of its unknowns, in the order of their creation.
inline Bits with_values(const Bits& value, const std::vector<std::uint64_t>& numbers) {
  Substitution substitution;
  const auto variables = variables_of(value);
  REQUIRE(variables.size() == numbers.size());
  for (std::size_t i = 0; i < variables.size(); ++i)
    substitution.set(variables[i], Bits(value.term()->graph->variable_width(variables[i]), numbers[i]));
  return substitution.apply(value);
}

}  // namespace ptxmc::test
