#pragma once

#include <set>

#include "src/kernel/unfolding/checked_launch.hpp"
#include "tests/src/kernel/kernel_run.hpp"
#include "tests/src/kernel/launch_files.hpp"

namespace ptxmc::test {

/// The answer of `check` with an engine: properties separated by spaces, "safe", or "unknown (…)".
inline std::string verdict(const Launch& launch, Engine engine) {
  const CheckedLaunch checked = check(launch, all_launch_properties(), cat::load("ptx-8.7"), {}, engine);
  std::string text;
  for (const LaunchProperty property : checked.violated()) text += std::string(property_name(property)) + " ";
  if (!checked.unknown().empty()) return text + "unknown (" + checked.unknown() + ")";
  return text.empty() ? "safe" : text.substr(0, text.size() - 1);
}

/// The answer of both engines of `check` for the kernel `k`, or the entries of the launch, of a module
/// without its header. It must contain all findings of `run`. The explorer need not find what it leaves open;
/// with `is_open` it may leave everything open.
inline std::string found_by_all(const std::string& text, Launch launch, bool is_open = false) {
  if (launch.entries.empty()) launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  const std::string solved = verdict(launch, Engine::smt);
  CHECK(verdict(launch, Engine::automatic) == solved);
  const std::string explored = is_open ? solved : verdict(launch, Engine::explorer);
  if (explored.find("unknown") == std::string::npos) CHECK(explored == solved);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const Outcome outcome = run(text, launch, {seed, 1'000'000}, launch.entries);
    for (const Finding& finding : outcome.result.findings) {
      CAPTURE(finding.message);
      CHECK(solved.find(finding.kind) != std::string::npos);
    }
    if (!is_open && solved != "safe" && solved != "race")
      CHECK_MESSAGE(!outcome.result.findings.empty(), solved);
  }
  return solved;
}

/// The kernel `k` with the parameter `out`, whose address is in %rd0; `before` is the text before it.
inline std::string kernel_with_out(const std::string& body, const std::string& before = "") {
  return before + "\n.visible .entry k(.param .u64 out) {\n" +
         ".reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<9>; .reg .pred %p<9>;\n" +
         "ld.param.u64 %rd0, [out];\n" + body + "\nret;\n}\n";
}

inline Launch out_of(std::vector<std::uint64_t> content, std::uint32_t threads = 1) {
  return launch_with({{"out", buffer("u32", ".u32", std::move(content))}}, threads);
}

}  // namespace ptxmc::test
