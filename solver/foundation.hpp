#pragma once

#include <cstdint>
#include <vector>

#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Whether all reads of a partial execution can still have sources. Where values do not come out of thin air
/// (PTX ISA 8.7 § 8.10.4) reads get them one after the other, each from a write that depends on none but
/// those before it: a read for which no such write is left has none, whatever is chosen. What depends on a read
/// that does not happen depends on nothing there.
class Foundation {
 public:
  /// The arguments outlive it.
  Foundation(const EventStructure&, const PartialExecution&);

  /// When the part reads from this write.
  bool stands_with(std::size_t part, EventId source);
  /// When the part reads from none of these.
  bool stands_without(std::size_t part, const BitSet& sources);

 private:
  using Part = PartialExecution::Part;
  static constexpr std::size_t none = ~std::size_t{0};

  /// What is supposed of one part.
  struct Supposition {
    std::size_t part = none;
    EventId source = -1;
    const BitSet* excluded = nullptr;
  };

  /// A write that depends on a read.
  struct Follower {
    EventId write = 0;
    bool needs_read = false;  ///< it only happens when the read does
  };

  bool stands(const Supposition&);
  void begin();
  void lay(EventId write);
  bool finds_source(EventId read, const Supposition&) const;
  bool has_source(std::size_t part, const Supposition&, bool updates) const;

  const EventStructure& structure_;
  const PartialExecution& execution_;
  std::vector<EventId> reads_, updates_;
  std::vector<std::vector<std::size_t>> parts_of_;  // by read
  std::vector<std::vector<Follower>> followers_;    // by read
  std::vector<std::uint32_t> needs_;                // by write: how many reads it depends on
  std::vector<std::uint32_t> missing_;              // of those, by what is known so far
  BitSet founded_reads_, founded_writes_;
};

}  // namespace ptxmc
