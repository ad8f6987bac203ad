#pragma once

#include <string>
#include <vector>

namespace ptxmc::bench {

/// A litmus test for each number of threads.
struct Family {
  const char* name;
  std::string (*test)(unsigned threads);
  unsigned smallest;
};

/// Store buffering around a ring with fence.sc: not all may read 0.
std::string store_buffer_ring(unsigned threads);
/// A message handed on from thread to thread by release and acquire: the last one sees it.
std::string message_passing_chain(unsigned threads);
/// Two writers; readers with fence.sc between their reads agree on the order of the writes.
std::string independent_reads(unsigned readers);
/// Every thread takes a ticket, waits for its turn and counts: no count is lost.
std::string ticket_lock(unsigned threads);
/// Every thread adds one to a counter, and all additions count.
std::string counter(unsigned threads);
/// Every thread takes the lock by compare-and-swap and counts: no count is lost.
std::string compare_and_swap_lock(unsigned threads);
/// Every thread writes a number of its own to one place.
std::string racing_writers(unsigned threads);
/// Every thread pushes its number on a stack by compare-and-swap of its top.
std::string treiber_stack(unsigned threads);

/// All of them.
const std::vector<Family>& families();

}  // namespace ptxmc::bench
