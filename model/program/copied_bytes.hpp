#pragma once

#include <cstdint>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// What threads do with the bytes that they read. Bytes of memory need not have a value: of shared memory,
/// for example, those that no thread has written (PTX ISA 8.7 § 5.1.6 gives no initial content). A thread
/// that only copies such a byte, the padding of a structure for example, does nothing wrong: what it writes
/// has no value either. Events are identified by Event::unfolded.
struct CopiedBytes {
  static constexpr int without_value = -1;  ///< a copy of private memory that has not been written

  /// Where a byte of a write comes from.
  struct Copy {
    unsigned byte = 0;                ///< its number in the value of the write
    int read = without_value;         ///< the event that has read it
    unsigned from = 0;                ///< its number in the value of that event
    Bits when = Bits::boolean(true);  ///< width 1: it is this one that is copied
  };
  /// By write, the bytes that are copies. If conditions decide which of several bytes is copied, each is in
  /// the list.
  std::vector<std::vector<Copy>> copies;
  bool has_conditions = false;  ///< some Copy::when is not constant
  /// By read: bit b is set if the threads do something else with byte b of its value than to copy it to
  /// memory.
  std::vector<std::uint16_t> used;

  bool is_used(int read, unsigned byte) const {
    return (used[static_cast<std::size_t>(read)] >> byte & 1U) != 0;
  }
};

}  // namespace ptxmc
