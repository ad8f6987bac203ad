#pragma once

#include <map>
#include <optional>
#include <vector>

#include "semantics/language/effects.hpp"
#include "solver/unfolding/function_body.hpp"

namespace ptxmc::kernel {

/// Code by which a thread leaves a group of threads that counts its members (Departure), as the destructor of
/// libcu++'s cuda::pipeline of block scope does:
///
///     together = match.any.sync(name, activemask());
///     if (laneid is the lowest lane of together) {
///       fence;
///       if (atom.add.acquire(counter, -popc(together)) == popc(together)) mbarrier.inval …;
///     }
///
/// Or code by which it joins the group, as cuda::make_pipeline counts its producers:
///
///     together = match.any.sync(name, activemask());
///     if (laneid is the lowest lane of together) atom.add.relaxed(counter, popc(together));
struct DepartingCode {
  /// An access, with its address.
  struct Place {
    Access access;
    Bits address;  ///< 64 bits
  };
  Target end = 0;               ///< all paths come together at this instruction
  std::uint64_t name = 0;       ///< see Departure
  Place counter;                ///< 4 bytes
  bool joins = false;           ///< adds to the counter, and does nothing else
  std::vector<Place> objects;   ///< of the mbarriers
  std::vector<Bits> registers;  ///< at the end; only the live ones have a meaning
};

/// Recognizes departing and joining code. Instructions are executed, with unknowns for the lanes that are
/// active together, for those of them with the same name, and for the value of the counter: it does not
/// matter in which way the code computes what it needs.
class DepartingCodes {
 public:
  /// The lane of a thread, and the lanes of its warp that exist, each a bit.
  struct Lanes {
    unsigned own = 0;
    std::uint32_t all = 0;
  };

  explicit DepartingCodes(TermGraph&);

  /// Reads the code from an `activemask` on. The live registers at the end are those from before, or
  /// constants. Empty if it is no such code.
  std::optional<DepartingCode> read(const FunctionBody&, Target activemask,
                                    const std::vector<Bits>& registers, Lanes);

 private:
  class Reader;

  bool is_impossible(const Bits& condition);

  TermGraph& graph_;
  const Bits active_, together_, count_;  // 32 bits
  std::map<const void*, bool> known_;     // by condition: whether it is impossible
};

}  // namespace ptxmc::kernel
