#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "model/program/event.hpp"
#include "semantics/language/effects.hpp"
#include "semantics/language/tensor_memory.hpp"
#include "src/kernel/unfolding/launch_memory.hpp"

namespace ptxmc::kernel {

/// Columns of tensor memory: the first one, and their number.
using TensorColumns = std::pair<unsigned, unsigned>;

/// What the threads of a launch do with tensor memory, as far as the previous round of unfolding has
/// determined: PTX ISA 8.7 § 9.7.16.6.1.
class TensorAllocations {
 public:
  struct Cta {
    std::set<int> allocating;                        ///< threads
    std::map<TensorColumns, std::set<int>> freeing;  ///< threads
    std::set<TensorColumns> allocated;
    std::vector<unsigned> of_pair;  ///< by allocation with the peer CTA, the number of columns
    bool is_conditional = false;    ///< an allocation only happens on some paths
    bool is_repeated = false;       ///< the same columns are allocated more than once
    friend bool operator==(const Cta&, const Cta&) = default;
  };

  const Cta& known(const CtaPlace& cta) const {
    static const Cta nothing;
    const auto found = known_.find(cta);
    return found == known_.end() ? nothing : found->second;
  }
  /// In the first round nothing is known.
  bool is_first_round() const { return is_first_round_; }
  Cta& now(const CtaPlace& cta) { return now_[cta]; }

  /// tcgen05.alloc writes an address to shared memory, at this location.
  void note_address(std::uint64_t location, std::uint64_t address) {
    addresses_now_[location].insert(address);
  }
  /// Any other write.
  void note_write(const Event&);
  /// The address in the 4 bytes of a location, if only tcgen05.alloc writes them and always the same one.
  std::optional<std::uint64_t> address_at(std::uint64_t location) const;

  /// A thread of the CTA executes tcgen05.alloc here.
  void note_allocation(const CtaPlace& cta, const SourcePosition& where) { where_[cta] = where; }
  /// A thread of the cluster executes tcgen05.mma, which accesses these units of columns.
  void note_product(int cluster, int thread, const TensorAccumulator&, const std::set<std::uint64_t>& units,
                    const SourcePosition& where);
  /// An instruction uses an address of tensor memory that is not known in this round.
  void note_open(const SourcePosition& where) { open_ = where; }
  /// Throws Unsupported if something could not be unfolded in the last round.
  void check_known() const;

  void begin_round();
  /// Whether this round has changed what is known.
  bool end_round();

 private:
  using Addresses = std::map<std::uint64_t, std::set<std::uint64_t>>;  // by location
  struct Product {
    std::set<std::uint64_t> units;  // that it accesses
    SourcePosition where;
  };
  using Products = std::map<TensorAccumulator, std::map<int, Product>>;  // by accumulator and thread

  void check_products() const;

  std::map<CtaPlace, Cta> known_, now_;
  std::map<CtaPlace, SourcePosition> where_;  // of the last tcgen05.alloc
  std::map<int, Products> products_;          // of this round, by cluster
  bool is_first_round_ = true;
  std::optional<SourcePosition> open_;
  Addresses addresses_, addresses_now_;
  std::set<std::uint64_t> other_writes_, other_writes_now_;  // the addresses that they may overwrite
};

}  // namespace ptxmc::kernel
