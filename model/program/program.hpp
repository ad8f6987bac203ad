#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// The placement of a thread. Numbers are unique in the whole system: CTA 0 of GPU 0 and CTA 0 of GPU 1 have
/// different `cta`.
struct Placement {
  int cta = 0;
  int cluster = 0;
  int gpu = 0;
  int warp = 0;
  int grid = 0;
  /// The grid whose programmatic dependent is that of the thread; -1: none (PTX ISA 8.7 § 9.7.13.13).
  int prerequisite = -1;
};

struct Thread {
  std::string name;  ///< "P0"
  Placement placement;
  std::vector<Instruction> code;  ///< a target equal to its size is the end
  std::vector<std::string> register_names;
  std::vector<Bits> initial_registers;  ///< of the same length; they determine the widths
};

/// A named piece of memory: an array of equal elements (one for a scalar).
struct Variable {
  std::string name;            ///< "x"; "cta0:x" for an instance of a shared variable
  std::uint64_t address = 0;   ///< virtual
  std::uint64_t location = 0;  ///< physical: another variable's for virtual aliases, else the address
  unsigned element_size = 8;   ///< bytes
  bool is_signed = true;       ///< values are shown and compared as signed numbers
  /// Values are shown and compared as floating-point numbers of this format.
  std::optional<FloatFormat> format = {};
  std::vector<Bits> initial;  ///< one value for each element; width 0: unknown
  StateSpace space = StateSpace::global;
  int cta = -1;                  ///< shared memory: its CTA, see Placement::cta
  bool is_mbarrier = false;      ///< it holds a valid mbarrier object before the threads start
  Proxy proxy = Proxy::generic;  ///< `s @ surface aliases x`: x's address, through this proxy

  std::uint64_t size() const { return element_size * initial.size(); }
};

/// The unit that arrives at a barrier: PTX ISA 8.7 § 9.7.13.1.
enum class Arrivals : std::uint8_t {
  by_thread,  ///< in a litmus test: every thread forms a warp by itself, and counts are in threads
  by_warp,  ///< in a launch: a warp, when all its threads that have not exited have arrived; it counts as 32
};

/// A program: the common form of litmus tests and kernel launches.
struct Program {
  std::vector<Thread> threads;
  std::vector<Variable> memory;
  Arrivals arrivals = Arrivals::by_thread;
};

}  // namespace ptxmc
