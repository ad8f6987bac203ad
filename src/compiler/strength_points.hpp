#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "src/compiler/strength.hpp"
#include "src/compiler/strength_lattice.hpp"

namespace ptxmc {

/// A level of an annotation, and the instruction with it.
struct PointLevel {
  Strength strength;
  std::string name;                 ///< `release.gpu`, `weak`, `none`, `fence.proxy.surface`
  std::optional<Instruction> made;  ///< empty: no instruction (a fence that is left out)
  unsigned cost = 0;
};

/// An annotation of a program that may be weaker or stronger: the order and scope of an access or a fence, or
/// a place where a fence may be inserted.
struct StrengthPoint {
  std::size_t thread = 0;
  std::string thread_name;
  Target instruction = 0;  ///< the access or fence, or the instruction before which a fence may stand
  bool is_inserted = false;
  bool is_fence = false;
  SourcePosition where;
  std::string written;  ///< the instruction as written, also of the one before which a fence may stand
  std::vector<PointLevel> levels;  ///< weaker ones first
  std::size_t given = 0;           ///< the level in the program: the last one or the first one
};

/// The scopes that are worth telling apart for a placement of threads.
struct DistinctScopes {
  std::vector<Scope> scopes;  ///< the narrowest of those that include the same threads, narrow ones first
  bool keeps_system =
      false;  ///< the scope of the system is not narrowed: others than these threads may be in it
};
DistinctScopes distinct_scopes(const Program&);

/// The annotations that the program may do without: the levels of each are those up to the given one. Only
/// annotations with a weaker level are listed.
std::vector<StrengthPoint> points_to_weaken(const Program&, const StrengthCosts&);
std::vector<StrengthPoint> points_to_weaken(const Program&, const StrengthCosts&, const DistinctScopes&);

/// The annotations that may be stronger, and the places for fences: the levels of each are those from the
/// given one on. A fence may stand between two accesses or barriers of a thread, if none stands there yet.
/// Fences between proxies are among them if memory is accessed through several proxies or aliases.
///
/// Not among the annotations: volatile and mmio accesses, and asynchronous operations. Scopes are
/// those that the placement of the threads tells apart, and the given one.
std::vector<StrengthPoint> points_to_strengthen(const Program&, const StrengthCosts&);
std::vector<StrengthPoint> points_to_strengthen(const Program&, const StrengthCosts&, const DistinctScopes&);

/// Whether the levels of a point have a weakest and a strongest one, its first and its last, as the search
/// needs them, and more than one.
bool has_bounds(const StrengthPoint&);

/// The order of the levels of each point.
StrengthLattice lattice_of(const std::vector<StrengthPoint>&);

/// The cost of an assignment relative to the given one.
int cost_of(const std::vector<StrengthPoint>&, const Assignment&);

/// The program with these levels. Jumps to an instruction lead to the fence that is inserted before it, and
/// those to a fence that is left out to the instruction behind it.
Program with_levels(const Program&, const std::vector<StrengthPoint>&, const Assignment&);

}  // namespace ptxmc
