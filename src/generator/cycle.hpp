#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxmc::generator {

/// What an access of a cycle does.
enum class Direction : unsigned char { read, write };

/// How an access is spelt. An empty part has its default: a weak access of 64 bits through the generic proxy;
/// for the two accesses of a read-modify-write, `.relaxed.gpu`.
struct Access {
  std::string order = {};  ///< "weak", "relaxed.gpu", "release.cta", "volatile", …
  std::string proxy =
      {};  ///< "alias" (another address, § 8.2.1 of PTX ISA 8.7), "constant", "texture", "surface"
  unsigned bits = 0;  ///< 8, 16, 32 or 64

  friend bool operator==(const Access&, const Access&) = default;
};

/// A step from one access of a cycle to the next, as in the diy tool of Alglave, Maranget, Sarkar and Sewell
/// ("Fences in weak memory models", CAV 2010).
struct Edge {
  enum class Kind : unsigned char {
    reads_from,         ///< Rf: from a write to a read of its value
    from_read,          ///< Fr: from a read to the write that follows its source in coherence order
    coherence,          ///< Co: from a write to the next one in coherence order
    program_order,      ///< Po: two accesses of a thread, one after the other
    address,            ///< DpAddr: the address of the second depends on the value of the first
    data,               ///< DpData: the value that the second writes depends on the value of the first
    control,            ///< DpCtrl: a branch on the value of the first precedes the second
    fence,              ///< an instruction between the two: a fence or a barrier
    read_modify_write,  ///< Rmw: the two accesses of one atomic exchange
  };
  Kind kind = Kind::program_order;
  bool is_external = false;  ///< the two accesses are of different threads
  bool changes_location = false;
  Direction from = Direction::read, to = Direction::read;
  std::string fence = {};  ///< the instruction: "fence.sc.gpu"

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Whether an edge is Rf, Fr or Co.
bool is_communication(const Edge&);

/// An edge with the access from which it starts.
struct Step {
  Access access;
  Edge edge;

  friend bool operator==(const Step&, const Step&) = default;
};

/// Each edge ends where the next one starts, and the last one where the first one starts.
using Cycle = std::vector<Step>;

/// The edges with this name; several if it has `*` in place of R or W. Names: `Rfe`, `Fri`, `Coe` (e:
/// external, i: internal), `PodWR`, `PosRR` (d: another location, s: the same one), `DpAddrdW`, `DpDatasW`,
/// `DpCtrldR`, `Rmw`, and for an instruction between the accesses its name before `.dWR` or `.sWR`:
/// `fence.sc.gpu.dWR`. Throws InputError.
std::vector<Edge> edges_named(std::string_view name);

/// The inverse of `edges_named` for one edge.
std::string name_of(const Edge&);

/// The parts of an access that words name: an order, a proxy (`surface`), a size (`b8`). Throws InputError
/// for a word that is none of these, and for two orders, proxies or sizes.
void add_word(Access&, std::string_view word);

/// The words of an access, with blanks between them; empty for the default.
std::string name_of(const Access&);

/// A cycle: edges with blanks between them, and before each edge the words of the access from which it
/// starts: `PodWW release.gpu Rfe acquire.gpu PodRR Fre`. Throws InputError if `mistake_of` finds a mistake.
Cycle parse_cycle(std::string_view text);

/// The text that `parse_cycle` reads; without the word `weak` where it is the default.
std::string name_of(const Cycle&);

/// A sentence if edges do not fit together, if exactly one changes the thread or the location, or for
/// accesses that do not exist: a release that reads, a write through the texture proxy, the two accesses of a
/// read-modify-write with different words. Empty if the cycle is well-formed.
std::string mistake_of(const Cycle&);

}  // namespace ptxmc::generator
