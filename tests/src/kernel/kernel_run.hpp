#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "src/kernel/machine/run.hpp"
#include "src/ptx/check.hpp"
#include "tests/src/kernel/small_launch.hpp"

namespace ptxmc::test {

using namespace ptxmc::kernel;

inline const std::string header = ".version 8.7\n.target sm_100\n.address_size 64\n";

inline BufferParameter buffer(const char* type, Modifier modifier, std::vector<std::uint64_t> content) {
  return {{type, type_of(modifier)}, content.size(), content};
}

/// The result of one run of a kernel.
struct Outcome {
  RunResult result;
  std::string printed;
  std::string kinds() const {
    std::string text;
    for (const Finding& finding : result.findings) text += finding.kind + " ";
    return text;
  }
  const std::vector<std::string>& values(std::size_t buffer = 0) const {
    return result.buffers.at(buffer).elements;
  }
};

/// Runs the kernel `k`, or other entries, of a module.
inline Outcome run_module(const std::string& text, Launch launch, RunOptions options = {},
                          std::vector<std::string> entries = {"k"}) {
  const auto source = std::make_shared<const SourceText>("k.ptx", text);
  syntax::Diagnostics diagnostics;
  const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  for (const auto& diagnostic : diagnostics.all()) INFO(diagnostic.message);
  REQUIRE(!diagnostics.has_errors());
  launch.entries = std::move(entries);
  Outcome outcome;
  outcome.result =
      run_launch(launch, module, options, [&](const std::string& line) { outcome.printed += line; });
  return outcome;
}

/// The same of a module without its header.
inline Outcome run(const std::string& text, Launch launch, RunOptions options = {},
                   std::vector<std::string> entries = {"k"}) {
  return run_module(header + text, std::move(launch), options, std::move(entries));
}

}  // namespace ptxmc::test
