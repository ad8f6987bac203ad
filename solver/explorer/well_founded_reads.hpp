#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// Checks whether all reads of a partial execution can still get sources without a cycle of dependencies. If
/// a model forbids values out of thin air (PTX ISA 8.7 § 8.10.4), there is an order of the reads in which
/// each takes its value from a write that depends only on earlier reads. If a read has no such write left, no
/// choice gives it a source. Dependencies on reads that do not happen do not count.
class WellFoundedReads {
 public:
  /// The arguments must outlive it.
  WellFoundedReads(const EventStructure&, const PartialExecution&);

  /// Whether all reads can have sources if the part reads from this write.
  bool can_take(std::size_t part, EventId source);
  /// Whether all reads can have sources if none of the parts reads from these writes.
  bool can_do_without(std::span<const std::size_t> parts, const BitSet& sources);

 private:
  using Part = PartialExecution::Part;
  static constexpr std::size_t none = ~std::size_t{0};

  /// An assumption: a part reads from a write, or some parts read from none of the excluded writes.
  struct Supposition {
    std::size_t part = none;
    EventId source = -1;
    std::span<const std::size_t> parts = {};
    const BitSet* excluded = nullptr;
  };

  /// A write that depends on a read.
  struct Follower {
    EventId write = 0;
    bool needs_read = false;  ///< it happens only if the read happens
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
  std::vector<std::uint32_t> needs_;                // by write: the number of reads that it depends on
  std::vector<std::uint32_t> missing_;  // by write: the number of these reads without a source so far
  BitSet founded_reads_, founded_writes_;
};

}  // namespace ptxmc
