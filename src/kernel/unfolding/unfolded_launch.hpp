#pragma once

#include <functional>
#include <memory>

#include "model/program/event.hpp"
#include "solver/launch/launch_properties.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/departures.hpp"
#include "solver/unfolding/unfold.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"
#include "src/kernel/unfolding/cancel_request.hpp"
#include "src/kernel/unfolding/launch_inputs.hpp"
#include "src/kernel/unfolding/launch_part.hpp"

namespace ptxmc::kernel {

/// The position of a thread in its launch.
struct ThreadPlace {
  Dimensions cta = {}, thread = {};
  std::size_t grid = 0;  ///< index of the grid, in a launch of several kernels
};

/// A kernel launch as a program, with all events of its threads.
struct UnfoldedLaunch {
  Program program;
  EventStructure structure;             ///< of `program`
  std::vector<ThreadPlace> places;      ///< by thread
  std::vector<WarpExchange> exchanges;  ///< see CandidateExecutions; also the next two members
  bool exchanges_depend_on_reads = false;
  bool are_meetings_chosen = false;
  Bits assumption;                           ///< `assume` and the constraints on unknowns, width 1
  std::vector<Bits> scalars;                 ///< by parameter: a scalar of any value; otherwise width 0
  std::vector<int> buffers;                  ///< by parameter: its variable in the program; -1 if it has none
  std::vector<std::vector<Bits>> constants;  ///< by parameter: the elements of a variable in constant memory
  std::vector<ZeroVariable> zero_variables;
  /// Of a part of a launch: the elements of buffers of any content that it may access.
  Inputs elements;
  std::vector<CancelRequest> requests;  ///< clusterlaunchcontrol.try_cancel
  std::vector<Departure> departures;    ///< those that are not among the events

  UnfoldedLaunch() = default;
  UnfoldedLaunch(const UnfoldedLaunch&) = delete;
  UnfoldedLaunch& operator=(const UnfoldedLaunch&) = delete;
};

/// The value of an element of a variable of the program; width 0 if it has none.
using ElementValue = std::function<Bits(int variable, std::size_t element)>;

/// How the threads of a launch are unfolded for a question with these options.
UnfoldOptions launch_unfolding(const DecideOptions&);

/// The maximum number of threads of a launch that is unfolded.
constexpr std::uint64_t most_unfolded_threads = 4096;

/// Unfolds all threads of a launch. The events point to instructions of the module. With
/// `leaves_departures_out` each `activemask` must begin departing code (departing_code.hpp). Throws
/// InputError and Unsupported.
std::unique_ptr<UnfoldedLaunch> unfold_launch(LoadedModule&, const Launch&, TermGraph&, const UnfoldOptions&,
                                              bool leaves_departures_out = false);

/// Unfolds a part of a launch of one kernel. The buffers have only elements that are accessed, and the
/// endings of threads that are not followed further are `waiting`.
std::unique_ptr<UnfoldedLaunch> unfold_part(LoadedModule&, const Launch&, const LaunchPart&, TermGraph&,
                                            const UnfoldOptions&);

/// The inputs that the launch leaves open, in the order in which findings list them.
Inputs open_inputs(const Launch&, const UnfoldedLaunch&);

/// The executions of a launch, before a model excludes some. They refer to the unfolded launch.
CandidateExecutions candidates_of(const Launch&, const UnfoldedLaunch&);

/// LaunchQuestion::is_ignored for a launch, which must outlive it.
std::function<bool(LaunchProperty, const SourcePosition&)> ignored_findings(const Launch&);

/// `[final]` (width 1), given the value of an element of a variable of the program at the end; true if the
/// launch has no such condition. Throws InputError for text that is not a condition.
Bits final_condition(const Launch&, const UnfoldedLaunch&, const ElementValue& final_value);

}  // namespace ptxmc::kernel
