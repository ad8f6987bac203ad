#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "src/kernel/unfolding/unfolded_launch.hpp"
#include "src/ptx/check.hpp"

namespace ptxmc::test {

/// A launch of the kernel `k`, unfolded.
struct Unfolding {
  std::shared_ptr<const SourceText> source;
  syntax::Diagnostics diagnostics;
  syntax::Module module;
  std::unique_ptr<kernel::LoadedModule> loaded;
  TermGraph graph;
  std::unique_ptr<kernel::UnfoldedLaunch> result;

  Unfolding(const std::string& text, kernel::Launch launch, UnfoldOptions options = {})
      : source(std::make_shared<const SourceText>("k.ptx",
                                                  ".version 8.7\n.target sm_90\n.address_size 64\n" + text)),
        module(syntax::read_module(source, ptx(), diagnostics)) {
    for (const auto& diagnostic : diagnostics.all()) INFO(diagnostic.message);
    REQUIRE(!diagnostics.has_errors());
    if (launch.entries.empty()) launch.entries = {"k"};
    loaded = std::make_unique<kernel::LoadedModule>(module, launch.dynamic_shared);
    result = kernel::unfold_launch(*loaded, launch, graph, options);
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

inline kernel::Launch launch_with(std::vector<kernel::Parameter> parameters, std::uint32_t threads = 1,
                                  std::uint32_t ctas = 1) {
  kernel::Launch launch;
  launch.grid = {ctas, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters = std::move(parameters);
  return launch;
}

/// A kernel with the parameter `out`, whose address is in %rd0.
inline std::string with_out(const std::string& body, const std::string& before = "") {
  return before + ".visible .entry k(.param .u64 out) {\n" +
         ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n" +
         "ld.param.u64 %rd0, [out];\n" + body + "\nret;\n}";
}

}  // namespace ptxmc::test
