#pragma once

#include <string>
#include <vector>

#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/launch_findings.hpp"

namespace ptxmc {

inline const kernel::SourceLines no_lines{syntax::Module{}};

/// Columns of a litmus test as threads of a launch, each in a warp of its own.
struct Checked {
  LitmusTest test;
  LaunchAnswer answer;
};

inline Checked check(const std::string& text) {
  Checked result = {parse_litmus("PTX t\n" + text, "t.litmus"), {}};
  for (std::size_t i = 0; i < result.test.program.threads.size(); ++i)
    result.test.program.threads[i].placement.warp = static_cast<int>(i);
  TermGraph graph;
  UnfoldOptions unfolding;
  unfolding.may_wait_for_ever = true;
  unfolding.misuse_ends_thread = true;
  const EventStructure structure = unfold(result.test.program, graph, unfolding);
  LaunchQuestion question;
  question.structure = &structure;
  question.properties = all_launch_properties();
  result.answer = check_launch(question, cat::load("ptx-8.7"), {}, graph);
  return result;
}

/// The findings as texts; the final condition is `x[0] == 1`, and there are no source lines.
inline std::vector<FindingText> texts_of(const Checked& checked) {
  return finding_texts(checked.answer, "x[0] == 1", no_lines);
}

}  // namespace ptxmc
