#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "solver/launch/launch_properties.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"

/// Litmus tests as kernel launches.
namespace ptxmc {

/// The columns are threads, this many in a warp.
inline LitmusTest launch_of(const std::string& text, int threads_of_warp = 1) {
  LitmusTest test = parse_litmus("PTX t\n" + text, "t.litmus");
  int number = 0;
  test.program.arrivals = Arrivals::by_warp;
  for (Thread& thread : test.program.threads) {
    thread.placement.warp = number++ / threads_of_warp;
    for (Instruction& instruction : thread.code) instruction.where.column = 0;  // a row is one instruction
  }
  return test;
}

inline EventStructure events_of(const LitmusTest& test, TermGraph& graph, unsigned bound = 2,
                                bool traps_go_on = false) {
  UnfoldOptions unfolding;
  unfolding.bound = bound;
  unfolding.may_wait_for_ever = true;
  unfolding.unchanged_is_idle = true;
  unfolding.traps_go_on = traps_go_on;
  return unfold(test.program, graph, unfolding);
}

inline LaunchQuestion question_about(const EventStructure& structure) {
  LaunchQuestion question;
  question.structure = &structure;
  question.properties = all_launch_properties();
  return question;
}

/// The final condition that the first element of the first variable is this number.
inline std::function<Bits(const ElementValue&)> first_element_is(std::int64_t number) {
  return [number](const ElementValue& value) {
    const Bits last = value(0, 0);
    return equal(last, Bits(last.width(), static_cast<u128>(number)));
  };
}

}  // namespace ptxmc
