#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "solver/launch/launch_question.hpp"

namespace ptxmc {

/// A thread of a launch, and how far it is followed.
struct CandidateThread {
  std::array<std::uint32_t, 3> ctaid = {}, tid = {};
  unsigned barriers = 0;    ///< the barriers of its CTA that it passes
  std::uint32_t lanes = 0;  ///< those with which it is at an `activemask`
};

/// One or two threads that may violate a property, with inputs of the launch. The values that threads read
/// are chosen freely, so that perhaps no execution has this violation.
struct OpenCandidate {
  LaunchProperty property = LaunchProperty::race;
  std::uint32_t line = 0, other_line = 0;  ///< of the module; other_line: that of the second thread, or 0
  std::vector<CandidateThread> threads;
  std::array<std::uint32_t, 3> grid = {}, block = {};  ///< the size of the launch
  std::vector<Bits> inputs;                            ///< by element of OpenThread::inputs: its value
  std::vector<bool> input_matters;  ///< by element of OpenThread::inputs: see Input::matters
  /// By location of a byte that the threads read first: its value. Others may have written it before.
  std::map<std::uint64_t, std::uint8_t> contents;
  /// The same if all threads of the launch read what the one thread reads; empty if there are two threads, or
  /// no groups of lanes.
  std::map<std::uint64_t, std::uint8_t> contents_for_all;
};

}  // namespace ptxmc
