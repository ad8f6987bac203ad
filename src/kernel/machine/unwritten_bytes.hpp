#pragma once

#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "semantics/values/bits.hpp"
#include "src/kernel/launch/finding.hpp"

namespace ptxmc::kernel {

/// The bytes that threads have read from memory where nothing was written. In registers they are unknowns, so
/// that a copy to memory leaves bytes unwritten there, and any other use is a finding. What solver/ does for
/// all executions is in model/program/copied_bytes.hpp.
class UnwrittenBytes {
 public:
  /// Whether some byte has been read: only then registers may hold unknowns.
  bool is_any() const { return !origins_.empty(); }

  /// The value that a read returns: `value` with an unknown for each byte that is not written. `reader`
  /// identifies the instruction and its thread; `finding` makes what a use of the bytes will report.
  Bits read(const Bits& value, std::span<const bool> is_written, const void* reader, const void* thread,
            const std::function<Finding()>& finding);

  /// Whether each byte of a value is known or one of these bytes.
  static bool is_copy(const Bits& value);
  /// The value with the bytes that memory holds.
  Bits concrete(const Bits& value) const;
  /// Calls `report` with the finding of each of these bytes in the value.
  void for_each_finding(const Bits& value, const std::function<void(const Finding&)>& report) const;

 private:
  struct Origin {
    Bits content;  ///< what memory holds, 8 bits
    Finding finding;
  };
  using Key = std::pair<std::pair<const void*, const void*>, std::uint64_t>;  // reader, thread; content

  TermGraph graph_;
  std::vector<Origin> origins_;  // by unknown
  std::map<Key, Bits> known_;    // a loop reads the same bytes again and again
};

}  // namespace ptxmc::kernel
