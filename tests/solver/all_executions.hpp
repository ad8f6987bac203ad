#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc::test {

/// Events without barriers, and all executions of them in which every thread ends and that the judge accepts:
/// every read takes its value from every write in turn, and every pair that the model orients has each
/// direction in turn. It shares nothing with the engines but unfolding and the judge.
struct AllExecutions {
  std::vector<Execution> accepted;
  /// The executions without their orientations: those of which some orientation is accepted.
  std::vector<Execution> accepted_sources;
};

/// Empty if there would be too many to try.
std::optional<AllExecutions> all_executions(const EventStructure&, const cat::Model&);

/// The events, sources and orientations of an execution as a text. Orientations from initial writes, which
/// some engines list, are left out.
std::string key_of(const Execution&);

/// The same without orientations.
std::string key_of_sources(const Execution&);

/// A random litmus test with this seed and its events, if the program is small enough for all_executions.
struct SmallProgram {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  explicit SmallProgram(std::uint64_t seed);
  SmallProgram(const SmallProgram&) = delete;
  SmallProgram& operator=(const SmallProgram&) = delete;
};

/// A small program, and all of its executions under some model.
struct EnumeratedProgram : SmallProgram {
  const std::uint64_t seed;
  AllExecutions all = {};

  explicit EnumeratedProgram(std::uint64_t seed) : SmallProgram(seed), seed(seed) {}
};

/// Thirty programs that have executions under this embedded model. They are made once; callers may add terms
/// to their graphs.
const std::vector<std::unique_ptr<EnumeratedProgram>>& small_programs(const std::string& model);

}  // namespace ptxmc::test
