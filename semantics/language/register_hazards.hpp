#pragma once

#include <map>
#include <utility>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "semantics/language/modifier.hpp"

namespace ptxmc {

/// Which registers of a thread asynchronous matrix products may use, and which registers other
/// instructions must not touch since such a product is not complete: PTX ISA 8.7 § 9.7.15.7. The conditions
/// (width 1) are open where paths of a thread have been merged.
class RegisterHazards {
 public:
  /// Whether there is nothing to follow: the thread has executed no wgmma instruction.
  bool is_empty() const { return is_empty_; }

  /// `wgmma.fence`.
  void fence();
  /// `wgmma.commit_group`.
  void commit();
  /// `wgmma.wait_group`, which waits for all but the `most` latest groups.
  void wait(std::uint64_t most);

  // `calls`: the number of open calls of the thread. Each call has registers of its own.

  /// Notes that an instruction which is no product reads and writes registers. Returns the condition that one
  /// of them belongs to a product that has not been waited for.
  Bits access(const RegisterUse&, std::size_t calls);

  /// The start of a product of a shape. The number must not have been used before.
  struct Started {
    Bits lacks_fence, uses_running;  ///< widths 1: why it is undefined
  };
  Started start(unsigned number, Modifier shape, const std::vector<RegisterId>& accumulators,
                const std::vector<RegisterId>& factors, std::size_t calls);

  /// The return from a call: its registers are gone.
  void leave(std::size_t calls);

  /// Becomes the state of two paths that meet, of which this one has the given condition.
  void merge(const Bits& condition, const RegisterHazards& other);

 private:
  void merge_touched(const Bits& condition, const RegisterHazards& other);

  using Name = std::pair<std::size_t, RegisterId>;  // of a register: with the number of open calls
  using ByShape = std::vector<std::pair<Modifier, Bits>>;

  struct Product {
    Modifier shape;
    std::vector<Name> accumulators, factors;
    Bits is_running = Bits::boolean(true), is_committed = Bits::boolean(false);
    Bits later_groups = Bits(32, 0);
  };
  /// Accesses to a register since the last fence.
  struct Touched {
    Bits by_others = Bits::boolean(false);
    Bits as_factor = Bits::boolean(false);  ///< by products
    ByShape as_accumulator;                 ///< … of each shape
  };

  bool is_empty_ = true;
  Bits lacks_first_fence_ = Bits::boolean(true);
  std::map<unsigned, Product> products_;
  std::map<Name, Touched> touched_;
};

/// The registers of a vector operand: a fragment of a matrix.
std::vector<RegisterId> registers_of(const Operand&);

/// Whether the instruction is an asynchronous matrix product, wgmma.mma_async.
bool is_matrix_product(const Instruction&);
/// Notes the start of such an instruction.
RegisterHazards::Started start_product(RegisterHazards&, unsigned number, const Instruction&,
                                       std::size_t calls);

}  // namespace ptxmc
