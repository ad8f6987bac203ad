#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "semantics/type.hpp"
#include "solver/barrier_phases.hpp"
#include "solver/decide.hpp"
#include "solver/flags.hpp"
#include "solver/termination.hpp"

namespace ptxmc {

/// What can go wrong in a kernel launch: docs/soundness.md.
enum class LaunchProperty : std::uint8_t {
  assertion,      ///< a thread traps, or the final condition is false when all have ended
  race,           ///< PTX ISA 8.7 § 8.7.1
  uninitialized,  ///< a read takes a byte of unknown content: nobody has written it, or it was discarded
  out_of_bounds,  ///< an access beyond its allocation, or misaligned
  divergence,     ///< an aligned barrier that not all threads of a warp execute
  undefined,      ///< a barrier or an exchange used as semantics/misuse.hpp says
  deadlock,       ///< under fair scheduling a thread never ends
};

/// `race`, `out-of-bounds`, …, as launch files name it.
const char* property_name(LaunchProperty);
/// All of them, in the order in which they are asked.
std::vector<LaunchProperty> all_launch_properties();

/// Where a thread does something.
struct LaunchSite {
  int thread = Event::no_thread;
  SourcePosition where;
  EventId event = -1;  ///< in the witness; -1: it is none
};

/// An input that the launch leaves open.
struct Input {
  std::string name;
  Type type;
  Bits value;
};
using Inputs = std::vector<Input>;

/// One way in which a property is violated, and an execution that shows it. The threads may end in any way in
/// it, or be where a launch that ends early leaves them.
struct LaunchFinding {
  LaunchProperty property = LaunchProperty::assertion;
  LaunchSite site;                  ///< no thread: the final condition
  std::optional<LaunchSite> other;  ///< race: the other access; divergence: the other thread
  std::string message;              ///< of the program: the assertion that failed
  std::vector<StuckThread> stuck;   ///< deadlock
  Inputs inputs;                    ///< with which it happens: constants
  Execution witness;                ///< accepted again by the concrete evaluator of the model
};

/// The value of an element of a variable of the program.
using ElementValue = std::function<Bits(int variable, std::size_t element)>;

struct LaunchQuestion {
  /// Unfolded so that threads may wait for ever (UnfoldOptions::may_wait_for_ever).
  const EventStructure* structure = nullptr;
  Inputs inputs;                          ///< whose values findings tell
  Bits assumption = Bits::boolean(true);  ///< width 1, over unknown inputs
  /// Width 1, over final memory; empty: none.
  std::function<Bits(const ElementValue&)> final_condition;
  std::vector<LaunchProperty> properties;  ///< asked for
  /// The structure is unfolded so that threads go on that trap (UnfoldOptions::traps_go_on): what comes after
  /// is left out of every finding.
  bool traps_go_on = false;
  /// Where lanes wait for each other, as far as that depends on what is read.
  std::vector<WarpExchange> exchanges;
  /// Only these say what depends on what through exchanges.
  bool are_meetings_chosen = false;
  /// Known and accepted, wherever one of its sites is.
  std::function<bool(LaunchProperty, const SourcePosition&)> is_ignored;
};

struct LaunchAnswer {
  std::vector<LaunchFinding> findings;            ///< by property, one for each pair of lines
  std::map<LaunchProperty, std::string> unknown;  ///< what could not be decided: why
  std::string engine = "smt";  ///< that decided: "smt", "explorer", or "barriers" where nobody had to ask it
  /// Those in which every thread goes as far as it can: counted by the explorer, when it has seen them all.
  std::optional<std::uint64_t> executions;
  bool is_given_up = false;  ///< by the explorer: the solver may know more
  double seconds = 0;
};

/// A way to violate the property was found.
bool has_finding(const LaunchAnswer&, LaunchProperty);
/// Whatever is asked for and was not found is unknown.
void give_up(LaunchAnswer&, const LaunchQuestion&, const std::string& reason);

/// Puts what a part of all executions shows to what others have shown.
void unite(LaunchAnswer& all, LaunchAnswer part);

/// Decides the properties over all executions of the model within the unfolding. What is neither found nor
/// unknown is impossible. Throws Unsupported; a witness that the concrete evaluator refuses is a
/// std::logic_error.
LaunchAnswer check_launch(const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

/// The same, one way in which barriers are passed after the other: for launches of many threads whose
/// barriers do not depend on what is read. None for others.
std::optional<LaunchAnswer> check_launch_by_schedules(const LaunchQuestion&, const cat::Model&,
                                                      const DecideOptions&, TermGraph&);

}  // namespace ptxmc
