#pragma once

#include <string>
#include <vector>

#include "model/program/program.hpp"

namespace ptxmc {

/// A change at one position of a program that allows fewer executions: a stronger instruction, or one
/// inserted before it.
struct Strengthening {
  std::size_t thread = 0;
  Target instruction = 0;
  SourcePosition where;
  std::string before;  ///< the instruction as written
  std::string after;   ///< the instruction that replaces it, or that is inserted before it
  bool is_inserted = false;
  Instruction made;  ///< the parsed instruction `after`
  int strength = 0;  ///< weaker changes are tried first
};

/// All possible changes; among those of one position, weaker changes come first.
std::vector<Strengthening> possible_strengthenings(const Program&);

/// The program with these changes, at most one replacement and one insertion at each instruction.
Program with_changes(const Program&, const std::vector<const Strengthening*>&);

}  // namespace ptxmc
