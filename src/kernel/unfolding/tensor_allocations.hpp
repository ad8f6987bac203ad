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
  /// How often a thread frees the same columns.
  struct Freeing {
    unsigned times = 0;
    bool is_conditional = false;  ///< it only happens on some paths
    friend bool operator==(const Freeing&, const Freeing&) = default;
  };
  struct Cta {
    std::set<int> allocating;                                 ///< threads
    std::map<TensorColumns, std::map<int, Freeing>> freeing;  ///< by thread
    std::set<std::pair<int, unsigned>> freeing_somewhere;     ///< a thread, and a number of columns
    std::map<TensorColumns, unsigned> allocated;              ///< how often
    std::vector<unsigned> of_pair;  ///< by allocation with the peer CTA, the number of columns
    bool is_conditional = false;    ///< an allocation only happens on some paths
    /// Whether tcgen05.dealloc by another thread than `thread` may free the columns.
    bool is_freed_by_other(const TensorColumns& columns, int thread) const;
    friend bool operator==(const Cta&, const Cta&) = default;
  };

  const Cta& known(const CtaPlace& cta) const {
    static const Cta nothing;
    const auto found = known_.find(cta);
    return found == known_.end() ? nothing : found->second;
  }
  /// In the first round nothing is known.
  bool is_first_round() const { return is_first_round_; }
  /// Whether no thread of the launch allocates tensor memory.
  bool allocates_nothing() const;
  Cta& now(const CtaPlace& cta) { return now_[cta]; }

  /// Whether a thread of the CTA allocates columns again that another thread frees. Otherwise it takes other
  /// columns: the threads do not know in which order they do so.
  bool uses_again(const CtaPlace& cta) const { return again_.contains(cta); }
  void note_use_again(const CtaPlace& cta) { again_now_.insert(cta); }

  /// tcgen05.alloc of a CTA writes an address to shared memory, at this location.
  void note_address(const CtaPlace& cta, std::uint64_t location, std::uint64_t address);
  /// Any other write.
  void note_write(const Event&);
  struct Address {
    std::uint64_t value = 0;
    bool is_only = true;  ///< nothing else writes there
  };
  /// The address in the 4 bytes of a location to which tcgen05.alloc writes always the same one.
  std::optional<Address> address_at(std::uint64_t location) const;
  /// Whether tensor memory is accessed at an address that this instruction reads.
  bool reads_address(const Instruction* instruction) const { return address_reads_.contains(instruction); }
  /// This instruction reads a location to which tcgen05.alloc writes, and gets an unknown.
  void note_read(VariableId unknown, const Instruction* instruction) { reads_[unknown] = instruction; }

  /// A thread of the CTA executes tcgen05.alloc here.
  void note_allocation(const CtaPlace& cta, const SourcePosition& where) { where_[cta] = where; }
  /// A thread of the cluster executes tcgen05.mma, which accesses these units of columns.
  void note_product(int cluster, int thread, const TensorAccumulator&, const std::set<std::uint64_t>& units,
                    const SourcePosition& where);
  /// An instruction uses an address of tensor memory that is not known in this round.
  void note_open(const Bits& address, const SourcePosition& where);
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
  std::set<CtaPlace> again_, again_now_;
  std::map<VariableId, const Instruction*> reads_;
  std::set<const Instruction*> address_reads_, address_reads_now_;
  Addresses addresses_, addresses_now_;
  std::set<std::uint64_t> other_writes_, other_writes_now_;  // the addresses that they may overwrite
};

}  // namespace ptxmc::kernel
