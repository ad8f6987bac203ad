#pragma once

#include <string>
#include <vector>

namespace ptxmc::bench {

/// A litmus test for each number of threads.
struct Family {
  const char* name;
  std::string (*test)(unsigned threads);
  unsigned smallest;
  enum class Growth { by_one, doubles } growth;  ///< by one up to 12, then by half
  unsigned largest = 256;

  unsigned next(unsigned threads) const;
};

/// Store buffering around a ring with fence.sc: not all may read 0.
std::string store_buffer_ring(unsigned threads);
/// A message passed from thread to thread by release and acquire; the last thread must read it.
std::string message_passing_chain(unsigned threads);
/// Two writers; readers with fence.sc between their reads agree on the order of the writes.
std::string independent_reads(unsigned readers);
/// The same without fences: every reader may read any values.
std::string relaxed_independent_reads(unsigned readers);
/// Every thread takes a ticket, waits for its turn and counts: no count is lost.
std::string ticket_lock(unsigned threads);
/// Every thread adds one to a counter, and all additions count.
std::string counter(unsigned threads);
/// Every thread takes the lock by compare-and-swap and counts: no count is lost.
std::string compare_and_swap_lock(unsigned threads);
/// The last three, where the question shows registers, so that no two threads can change places.
std::string ticket_lock_told_apart(unsigned threads);
std::string counter_told_apart(unsigned threads);
std::string compare_and_swap_lock_told_apart(unsigned threads);
/// Every thread writes a number of its own to one place.
std::string racing_writers(unsigned threads);
/// Every thread pushes its number on a stack by compare-and-swap of its top.
std::string treiber_stack(unsigned threads);
/// Every block waits until all have arrived, then reads what its neighbour wrote before.
std::string grid_barrier(unsigned blocks);
/// The threads of one CTA add up their numbers, a barrier between the levels of a tree; a power of two.
std::string tree_reduction(unsigned threads);

/// All of them.
const std::vector<Family>& families();

/// A size that one core shall do in a time: half of what GenMC 0.11 needs where all executions are counted,
/// 20 seconds for the verdict of `--engine auto` where the strongest solvers end before.
struct Target {
  const char* family;
  unsigned threads;
  bool counts_executions;
  double seconds;
};
const std::vector<Target>& targets();

}  // namespace ptxmc::bench
