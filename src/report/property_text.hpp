#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"
#include "solver/smt_engine/termination.hpp"

namespace ptxmc {

/// PTX ISA 8.7 § 8.7: the first condition of "morally strong" that two accesses do not satisfy. Those of one
/// thread, which are in program order, need neither be strong nor have a scope.
std::string why_not_morally_strong(const Execution&, const Event&, const Event&);

/// The same about the strength and the scopes of two operations of different threads; empty if these suffice.
std::string why_not_strong_together(const Execution&, const Event&, const Event&);

/// The data races of an execution (a relation of the model with this name), each pair once.
Pairs races_of(const Execution&, const std::string& relation = "data_race");

/// The data races of an execution as sentences: the two accesses, and why they are not morally strong.
std::vector<std::string> race_sentences(const Execution&);

/// PTX ISA 8.7 § 8.7.2: a sentence about two accesses in a mixed-size data race.
std::string mixed_size_race_sentence(const Execution&, const Event&, const Event&);

/// The reads of an execution that take their value from another thread without being morally strong with the
/// write, so that they order nothing: a sentence with the reason for each. Empty if the model has no
/// `morally_strong`.
std::vector<std::string> unsynchronized_sentences(const Execution&, const cat::Model&);

/// A line of the module in a message, for example `line 41 (copy.cu:12)`.
using PlaceText = std::function<std::string(std::uint32_t line)>;
/// Without a source line: `line 41`.
std::string plain_line(std::uint32_t line);

/// Why an execution does not end, a sentence for each thread that never ends: the loop that it repeats or the
/// barrier at which it waits, and the writes that its reads take. For an mbarrier it says which arrivals have
/// come.
std::vector<std::string> termination_sentences(const Termination&, const PlaceText& = plain_line);

/// The threads that never end, and their positions: "P1 waits for ever at line 4, P2 repeats the loop in line
/// 7 for ever".
std::string stuck_places(const Termination&, const Program&);

/// The events of the witness that are repeated for ever, and the barriers that never complete.
std::vector<EventId> stuck_events(const Termination&);

}  // namespace ptxmc
