#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "semantics/values/values.hpp"

namespace ptxmc {

/// `.sem`: PTX ISA 8.7 § 9.7.13.4 (fence), § 9.7.9.8 (ld). `weak` is also the value for ld and st without a
/// qualifier.
enum class Sem : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

/// `.scope`: PTX ISA 8.7 § 8.5. Ordered by inclusion; `none` for weak operations.
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };

/// PTX ISA 8.7 § 8.6. `alias` occurs in fences only: virtual aliases behave as different proxies.
enum class Proxy : std::uint8_t { generic, constant, texture, surface, async, tensormap, alias };

/// `tensor`: tensor memory (PTX ISA 8.7 § 9.7.16.1), which only tcgen05 instructions access. An address is
/// that of semantics/language/tensor_memory.hpp.
enum class StateSpace : std::uint8_t {
  generic,
  global,
  shared_cta,
  shared_cluster,
  local,
  param,
  constant,
  tensor,
};

/// What an access does to an mbarrier object: PTX ISA 8.7 § 9.7.13.15.
enum class MbarrierAccess : std::uint8_t {
  none,       ///< it is an ordinary access to memory
  init,       ///< begins the life of an object
  inval,      ///< ends it
  operation,  ///< counts, or waits
};

/// The properties of a memory operation except address, size and value.
struct Access {
  Sem sem = Sem::weak;
  Scope scope = Scope::none;
  Proxy proxy = Proxy::generic;
  StateSpace space = StateSpace::generic;
  bool is_volatile = false;
  bool is_mmio = false;
  /// `red` and arrivals at an mbarrier: reads, but is no read operation (Table "Operation types").
  bool is_reduction = false;
  MbarrierAccess mbarrier = MbarrierAccess::none;
  /// An access of an asynchronous copy, which has no size of its own: it fits accesses of every size.
  bool is_copy = false;
  /// A write of an undetermined value: each read of it may return a different value (`discard`).
  bool is_indeterminate = false;
  /// The required alignment of the address in bytes, if larger than the size of the access: the first element
  /// of a vector must have the alignment of the whole vector (§ 5.4.5).
  std::uint8_t alignment = 0;

  /// The required alignment in bytes of the address of an access of `size` bytes.
  std::uint64_t alignment_of(std::uint64_t size) const { return size < alignment ? alignment : size; }
};

/// How an update combines the value read with its operand, if several updates of this kind commute: memory
/// has the same content after all of them in every order. `none` for other updates.
enum class Combination : std::uint8_t {
  none,
  add,
  minimum_signed,
  minimum_unsigned,
  maximum_signed,
  maximum_unsigned,
  bit_and,
  bit_or,
  bit_xor,
};

/// The write of a read-modify-write, given the value read.
struct Update {
  Bits value;
  Bits happens = Bits::boolean(true);  ///< width 1: a failed cas does not write
  Combination combines = Combination::none;
};

/// `fence`, `membar`, `fence.proxy`: PTX ISA 8.7 § 9.7.13.4.
struct Fence {
  enum class Restriction : std::uint8_t { none, mbarrier_init, shared_cta, shared_cluster };
  /// True: orders accesses of different proxies; false: a memory fence, which forms patterns.
  bool is_proxy_fence = false;
  Sem sem = Sem::acq_rel;  ///< proxy fences: acquire or release if one-directional, otherwise weak
  Scope scope = Scope::none;
  Proxy from = Proxy::generic;  ///< proxy fences: `.to::from`; from = generic if they work in both directions
  Proxy to = Proxy::generic;
  StateSpace space = StateSpace::generic;  ///< for example of `fence.proxy.async.global`
  Restriction restriction = Restriction::none;
  Bits address = {};  ///< 64 bits: the fence only affects `size` bytes from here on; width 0: all memory
  std::uint64_t size = 0;
};

/// `bar`, `barrier`, `bar.warp.sync`, `barrier.cluster`: PTX ISA 8.7 § 9.7.13.1 to § 9.7.13.3.
struct Barrier {
  /// `wait` (barrier.cluster.wait) waits for the phase of an earlier arrival of this thread.
  enum class Kind : std::uint8_t { sync, arrive, reduce_popc, reduce_and, reduce_or, wait };
  /// `prerequisite`: the thread itself and the threads of the prerequisite grid, which do not arrive. So the
  /// thread waits until they have exited: griddepcontrol.wait (§ 9.7.13.13).
  enum class Group : std::uint8_t { warp, cta, cluster, prerequisite };
  /// Behind which barriers the threads of a warp meet, if the barrier does nothing else: those at which they
  /// do not wait for other warps.
  enum class Gathering : std::uint8_t { none, at_arrivals, at_cluster_arrivals, at_cluster_waits };
  Kind kind = Kind::sync;
  Group group = Group::cta;
  bool aligned = false;
  bool is_relaxed = false;    ///< barrier.cluster.arrive.relaxed: orders no memory accesses
  Bits id;                    ///< the number of the barrier in the group
  std::optional<Bits> count;  ///< the thread count; empty: all participating threads of the group
  Bits predicate;             ///< reductions: this thread's contribution
  int textual = 0;            ///< litmus dialect: barriers with different numbers are different barriers
  Gathering gathering = Gathering::none;

  /// The threads of a warp meet before they go on behind another barrier. It orders no memory accesses.
  bool gathers_warp() const { return gathering != Gathering::none; }
  /// Whether the two are one barrier if their ids are equal and they are in the same group of threads.
  bool agrees_but_for_id(const Barrier& other) const {
    return group == other.group && textual == other.textual && gathering == other.gathering;
  }
};

constexpr unsigned lanes_per_warp = 32;
constexpr std::uint32_t all_lanes = 0xffff'ffff;  ///< the membermask of a whole warp

/// The threads among which values are exchanged. Each has a rank in its group.
enum class ThreadGroup : std::uint8_t {
  warp,       ///< the rank is the lane
  warpgroup,  ///< four warps of a CTA; the number of the first is a multiple of 4: PTX ISA 8.7 § 9.7.15.1
  cta_pair,   ///< two CTAs whose %cluster_ctarank differ in the last bit: PTX ISA 8.7 § 9.7.16.4.1
};

/// The contribution of a thread to an exchange among the threads of its group: `shfl`, `vote`, `match`,
/// `redux`, `elect`, `activemask` (PTX ISA 8.7 § 9.7.9.5, § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14), and
/// instructions on matrices.
struct Exchange {
  std::string_view instruction;  ///< its spelling: threads that execute the same instruction meet
  /// `membermask`, 32 bits: the lanes of a warp that are awaited, except those that have exited. Empty: the
  /// exchange is among the active threads. In larger groups all threads that have not exited are awaited.
  std::optional<Bits> members;
  std::span<const Bits> values;  ///< the registers for the other threads: any number
  ThreadGroup group = ThreadGroup::warp;

  bool is_among_active() const { return group == ThreadGroup::warp && !members; }
};

/// The result of an exchange for one thread: the registers of the threads that take part, by rank.
class ExchangedValues {
 public:
  /// An exchange of this many registers for each thread, in which no thread takes part yet.
  ExchangedValues(std::size_t threads, std::size_t registers)
      : takes_part_(threads, Bits::boolean(false)), values_(threads * registers), registers_(registers) {}

  void add(std::size_t rank, std::span<const Bits> registers, Bits takes_part = Bits::boolean(true)) {
    std::ranges::copy(registers, values_.begin() + static_cast<std::ptrdiff_t>(rank * registers_));
    takes_part_[rank] = std::move(takes_part);
  }

  std::size_t threads() const { return takes_part_.size(); }
  /// If false, the values of the thread are undefined; width 1.
  const Bits& takes_part(std::size_t rank) const { return takes_part_[rank]; }
  const Bits& value(std::size_t rank, std::size_t number = 0) const {
    return values_[rank * registers_ + number];
  }

  /// What an instruction computes from the registers alone, so that it is the same for all threads of the
  /// exchange. It is empty at first; the threads that are given this object share it.
  template <class Common>
  Common& common() const {
    if (!common_.has_value()) common_ = Common();
    return *std::any_cast<Common>(&common_);
  }

  Bits own;  ///< the rank of the thread itself, 32 bits

 private:
  std::vector<Bits> takes_part_, values_;  // by rank; by rank and register
  std::size_t registers_;
  mutable std::any common_;
};

/// The end of a wait for a phase of an mbarrier: `mbarrier.test_wait` or `try_wait` returns True. Only then
/// it is an acquire operation (PTX ISA 8.7 § 9.7.13.15.16).
struct Wait {
  Sem sem = Sem::acquire;
  Scope scope = Scope::cta;
  Bits succeeds;  ///< width 1
};

/// The asynchronous operations of a thread that it can wait for together: PTX ISA 8.7 § 9.7.9.25.1.1. Bulk
/// operations have groups of their own, and so have products of matrices (§ 9.7.15.7.2). Operations on tensor
/// memory are each in a group from their start on: loads, stores, and the others (§ 9.7.16.5.2.1).
enum class AsyncGroup : std::uint8_t {
  none,
  cp_async,
  bulk,
  wgmma,
  tensor_load,
  tensor_store,
  tensor_operation,
};

/// The accumulator of a tcgen05.mma and its shape. Products for which both are the same are performed in the
/// order in which a thread starts them (PTX ISA 8.7 § 9.7.16.5.2).
struct TensorAccumulator {
  std::uint32_t address = 0;
  unsigned m = 0, n = 0, k = 0;
  friend auto operator<=>(const TensorAccumulator&, const TensorAccumulator&) = default;
};

/// An asynchronous operation: PTX ISA 8.7 § 8.9.1.1.
struct AsyncOperation {
  AsyncGroup group = AsyncGroup::none;  ///< the next group of the thread contains it
  /// Its operations follow all earlier operations of the thread in groups of this kind:
  /// cp.async.mbarrier.arrive, tcgen05.commit.
  AsyncGroup follows = AsyncGroup::none;
  std::optional<TensorAccumulator> accumulator = {};  ///< of a tcgen05.mma with known operands
};

/// The outcome of a request to cancel a cluster: PTX ISA 8.7 § 9.7.13.17.
struct CancelledCluster {
  Bits succeeds;                   ///< width 1
  std::array<Bits, 3> ctaid = {};  ///< of the first CTA of the cluster, 32 bits each
};

struct ObjectUse;

/// Thrown for an effect that this handler does not support, or by a rule for a case that it does not define.
struct UnhandledEffect {
  const char* reason = "";  ///< for the message; empty: the instruction as such

  explicit UnhandledEffect(const char* literal = "") : reason(literal) {}
};

/// What a rule does with words of memory that it must know.
using ContentUse = std::function<void(std::span<const Bits> words)>;

/// The target of a jump.
using Target = std::uint32_t;  ///< index of an instruction in its code

/// The effects of rules on memory, control flow and other threads. Engines implement this interface: they
/// execute, record events, or print.
class Effects {
 public:
  virtual ~Effects() = default;

  /// Performs a scalar read of `width` bits. Returns its value.
  virtual Bits read(const Access&, const Bits& address, unsigned width) = 0;
  virtual void write(const Access&, const Bits& address, const Bits& value) = 0;
  /// Performs an atomic read-modify-write. Returns the value read. `update` is called at most once.
  virtual Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                                 const std::function<Update(const Bits&)>& update) = 0;
  virtual void fence(const Fence&) = 0;
  /// What the instruction performs from here on follows in program order what it has performed before.
  virtual void begin_next_part() {}
  /// Arrives, and waits unless the kind is arrive. `after` computes the results of the instruction from the
  /// result of the barrier (the result of a reduction, otherwise width 0). If the thread waits, the returned
  /// results are pending, and the handler calls `after` when the thread continues.
  virtual Results await_barrier(const Barrier& barrier, std::function<Results(const Bits&)> after) {
    return after(this->barrier(barrier));
  }
  /// The same for handlers in which threads never wait.
  virtual Bits barrier(const Barrier&) { throw UnhandledEffect(); }

  /// The CTA of the thread allows the dependent grids to start: griddepcontrol.launch_dependents. It orders
  /// no accesses (PTX ISA 8.7 § 9.7.13.13).
  virtual void launch_dependents() {}
  /// The end of a wait. The instruction has read the object before.
  virtual void wait(const Wait&) {}
  /// Starts an asynchronous operation of the thread. `perform` performs its accesses, in their order, on the
  /// handler that it is given; this may happen at any later time.
  virtual void start(const AsyncOperation&, std::function<void(Effects&)> perform) {
    (void)perform;
    throw UnhandledEffect();
  }
  /// Calls `perform` for a content that these words of memory, which the instruction has read, have. A
  /// handler in which they are unknowns calls it once for each of the contents that may be there.
  virtual void for_each_content(std::span<const Bits> words, const ContentUse& perform) { perform(words); }
  /// Starts an asynchronous operation that also reads and writes the destination registers of the
  /// instruction: wgmma.mma_async. `perform` computes their new values from those before. Operations on the
  /// same registers are in order. What else may access the registers:
  /// semantics/language/register_hazards.hpp.
  virtual Results start_on_registers(const AsyncOperation&,
                                     std::function<Results(Effects&, std::span<const Bits>)> perform) {
    (void)perform;
    throw UnhandledEffect();
  }
  /// Starts an asynchronous operation whose results the thread may use at once: tcgen05.ld (PTX ISA 8.7 §
  /// 9.7.16.5.4.5). The default performs it now.
  virtual Results start_with_results(const AsyncOperation&, const std::function<Results(Effects&)>& perform) {
    return perform(*this);
  }
  /// `tcgen05.fence::before_thread_sync`, `tcgen05.fence::after_thread_sync`: PTX ISA 8.7 § 9.7.16.10.1.
  virtual void fence_tensor_operations(bool is_before) {
    (void)is_before;
    throw UnhandledEffect();
  }
  /// Allocates columns of the tensor memory of the CTA, or of both CTAs of its pair. Waits until as many are
  /// free. `after` computes the results from the address, 32 bits: PTX ISA 8.7 § 9.7.16.6.1.
  virtual Results allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                         std::function<Results(const Bits&)> after) {
    (void)columns, (void)ctas, (void)after;
    throw UnhandledEffect();
  }
  virtual void free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) {
    (void)address, (void)columns, (void)ctas;
    throw UnhandledEffect();
  }
  /// The CTA allocates no more: tcgen05.relinquish_alloc_permit.
  virtual void end_tensor_allocations() { throw UnhandledEffect(); }
  /// Orders the earlier accesses of the thread to registers before those of later asynchronous operations:
  /// wgmma.fence (PTX ISA 8.7 § 9.7.15.7.1).
  virtual void fence_registers() { throw UnhandledEffect(); }
  /// Makes a group of the asynchronous operations of this kind that are in none yet.
  virtual void commit_group(AsyncGroup) { throw UnhandledEffect(); }
  /// Waits until all but the `most` latest groups are complete; `only_reads`: until they have read their
  /// sources.
  virtual void wait_group(AsyncGroup, std::uint64_t most, bool only_reads) {
    (void)most, (void)only_reads;
    throw UnhandledEffect();
  }
  /// The address in the shared memory of the CTA with this rank (32 bits) that corresponds to an address in
  /// the shared memory of the cluster, as `mapa` computes it (PTX ISA 8.7 § 9.7.9.23).
  virtual Bits address_in_cta(const Bits& address, const Bits& rank) {
    (void)address, (void)rank;
    throw UnhandledEffect();
  }
  /// The addresses of global memory that a multimem address stands for, one for each replica (PTX ISA 8.7 §
  /// 9.7.9.14). All are the same number of bytes behind the beginnings of their buffers. Empty: it is no
  /// multimem address.
  virtual std::vector<Bits> replicas(const Bits& multimem_address) {
    (void)multimem_address;
    throw UnhandledEffect();
  }
  /// Requests that a cluster of the grid that has not started never starts (PTX ISA 8.7 § 9.7.13.17).
  virtual CancelledCluster cancel_cluster() { throw UnhandledEffect(); }
  /// The thread learns from a response whether a request has succeeded; width 1.
  virtual void learn_response(const Bits& succeeds) { (void)succeeds; }
  /// Whether the thread has learnt that a request has failed; width 1.
  virtual Bits knows_of_failed_request() { return Bits::boolean(false); }
  /// The number of the thread in its CTA: its warp is this number divided by 32.
  virtual std::uint32_t thread_number() { throw UnhandledEffect(); }
  /// `%cluster_nctarank` of the thread. The default is for handlers without clusters.
  virtual std::uint32_t ctas_of_cluster() { return 1; }
  /// The use of a synchronization object by this thread alone. Where the manual leaves it undefined, the
  /// thread does not continue (semantics/language/misuse.hpp).
  virtual void use(const ObjectUse&) {}

  virtual void jump(Target) = 0;
  /// `brx.idx`: jumps to the target with this index; undefined if there is none (PTX ISA 8.7 § 9.7.12.4). The
  /// default supports only constant indices.
  virtual void jump_indexed(const Bits& index, std::span<const Target> targets) {
    if (!index.is_constant() || index.to_u64() >= targets.size())
      throw std::logic_error("an indexed jump to an unknown target");
    jump(targets[index.to_u64()]);
  }
  /// Enters the function that the instruction calls; `ret` of the callee returns to the next instruction. The
  /// handler, which has the whole instruction, passes arguments and results (chapter 7).
  virtual void call() { throw UnhandledEffect(); }
  /// `ret`: returns to the caller, or ends the thread if there is none. The default is for handlers without
  /// calls.
  virtual void ret() { exit(); }
  virtual void exit() = 0;
  virtual void trap() = 0;

  // The following effects are unsupported unless a handler overrides them.

  /// Exchanges values with other threads of the group, and waits for them. `after` computes the results from
  /// the values of all; they may be pending, as for await_barrier.
  virtual Results await_exchange(const Exchange& exchange,
                                 std::function<Results(const ExchangedValues&)> after) {
    return after(this->exchange(exchange));
  }
  /// The same for handlers in which threads never wait.
  virtual ExchangedValues exchange(const Exchange&) { throw UnhandledEffect(); }
  /// The stack pointer of the thread, 64 bits, and its change: PTX ISA 8.7 § 9.7.17.
  virtual Bits stack_pointer() { throw UnhandledEffect(); }
  virtual void set_stack_pointer(const Bits&) { throw UnhandledEffect(); }
  /// Allocates local memory of the current function. Returns its address, 64 bits.
  virtual Bits allocate_on_stack(const Bits& size, const Bits& alignment) {
    (void)size, (void)alignment;
    throw UnhandledEffect();
  }
  /// `%cluster_ctarank` of the thread, 32 bits. The default is for handlers without clusters.
  virtual Bits cta_rank() { return Bits(32, 0); }
  /// A value that the manual leaves open: an opaque object, or a result that is undefined without being an
  /// error.
  virtual Bits unspecified(unsigned width) {
    (void)width;
    throw UnhandledEffect();
  }
};

}  // namespace ptxmc
