#pragma once

#include <vector>

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// A read of what one thread of the CTA has written to shared memory before a barrier of the CTA: it is the
/// same thread in each CTA, it has written whenever a thread reads, and no other write can come between.
struct Broadcast {
  const Event* write = nullptr;
  const Event* read = nullptr;
};

/// The broadcasts of the threads of a CTA. Barriers must be uniform before the reads.
std::vector<Broadcast> find_broadcasts(OpenQuestions&);

/// Assumes that reads of one broadcast return what that thread has written, and so the same in all
/// threads of a CTA: PTX ISA 8.7 § 8.10.6.
void assume_broadcasts(OpenQuestions&, const std::vector<Broadcast>&);

/// The condition that a thread reads a broadcast which says that the writing thread satisfies a condition
/// (width 1): that it is 0, or that it is not; false if neither of them says so.
Bits says(OpenQuestions&, const Broadcast&, const Bits& of_writer);

}  // namespace ptxmc
