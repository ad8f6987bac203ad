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

/// The events, sources and orientations of an execution as a text. ChosenOrders from initial writes, which
/// some engines list, are left out.
std::string key_of(const Execution&);

/// The same without orientations.
std::string key_of_sources(const Execution&);

/// By event of an execution, its number in the structure that it comes from.
std::vector<EventId> ids_in(const EventStructure&, const Execution&);

/// A litmus test with its events; loops are iterated once.
struct SmallProgram {
  LitmusTest test;
  TermGraph graph;
  EventStructure structure;

  explicit SmallProgram(const std::string& text);
  SmallProgram(const SmallProgram&) = delete;
  SmallProgram& operator=(const SmallProgram&) = delete;
};

/// A small program, and all of its executions under some model.
struct EnumeratedProgram : SmallProgram {
  const std::string text;
  AllExecutions all = {};

  explicit EnumeratedProgram(const std::string& text) : SmallProgram(text), text(text) {}
};

/// Thirty random programs that have executions under this embedded model, and a few with branches on what
/// other threads write behind branches. They are made once; callers may add terms to their graphs.
const std::vector<std::unique_ptr<EnumeratedProgram>>& small_programs(const std::string& model);

}  // namespace ptxmc::test
