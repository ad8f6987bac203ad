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

/// All of them.
const std::vector<Family>& families();

}  // namespace ptxmc::bench
