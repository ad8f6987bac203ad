#pragma once

#include <optional>

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// The lane of a group that acts for the others.
enum class Leader : std::uint8_t { lowest, highest };

/// Whether the thread is the leader of its group, width 1.
Bits is_leader(const OpenThread&, const OpenGroup&, Leader);

/// The leader that alone satisfies a condition (width 1), so that one lane of a group at most does so; empty
/// if it is not shown that there is one.
std::optional<Leader> leader_of(OpenQuestions&, const OpenGroup&, const Bits& condition);

}  // namespace ptxmc
