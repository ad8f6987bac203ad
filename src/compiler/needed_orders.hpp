#pragma once

#include <string>
#include <vector>

#include "src/compiler/annotated_instruction.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// An access of a thread with its order.
struct OrderedAccess {
  Annotation::Kind kind = Annotation::Kind::load;
  Strength strength;
  std::string text;  ///< the access as written
};

/// The accesses and fences of a thread in the order of its text. gaps[i] has the fences before access i, the
/// last gap those behind all accesses.
struct ThreadOrders {
  std::vector<OrderedAccess> accesses;
  std::vector<std::vector<Strength>> gaps;
};

/// The orders that a thread has: in PTX those of its instructions. In C++ those of the instructions that the
/// mapping of the ASPLOS 2019 paper makes of it: an operation of order seq_cst has a fence.sc before it.
ThreadOrders orders_of(const Thread&, Language);

/// A place in the code of a thread: an access, or a fence in a gap.
struct OrderPlace {
  bool is_fence = false;
  std::size_t number = 0;  ///< of the access or of the gap
  std::size_t in_gap = 0;  ///< of the fence among those of its gap
};

/// The place of an instruction of a thread of PTX that has an annotation.
OrderPlace place_of(const Thread&, std::size_t instruction);

/// Whether the instruction at a place may have only this strength (a fence: `none`, it is left out), so that
/// what a source needs there is still given: to an access by itself, and to the accesses beside a fence by
/// themselves or by the fences between them. Threads whose accesses are not of the same kinds, one by one,
/// cannot be compared: no.
bool is_enough(const ThreadOrders& needed, const ThreadOrders& given, const OrderPlace&, Strength);

}  // namespace ptxmc
