#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

#include "semantics/values.hpp"

namespace ptxmc {

/// `.sem`: PTX ISA 8.7 § 9.7.13.4 (fence), § 9.7.9.8 (ld). `weak` also stands for no qualifier of ld and st.
enum class Sem : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };

/// `.scope`: PTX ISA 8.7 § 8.5. Ordered by inclusion; `none` for weak operations.
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };

/// PTX ISA 8.7 § 8.6. `alias` occurs in fences only: virtual aliases behave as different proxies.
enum class Proxy : std::uint8_t { generic, constant, texture, surface, async, tensormap, alias };

enum class StateSpace : std::uint8_t { generic, global, shared_cta, shared_cluster, local, param, constant };

/// How a memory operation accesses memory: everything but address, size and value.
struct Access {
  Sem sem = Sem::weak;
  Scope scope = Scope::none;
  Proxy proxy = Proxy::generic;
  StateSpace space = StateSpace::generic;
  bool is_volatile = false;
  bool is_mmio = false;
  bool is_reduction = false;  ///< `red`: reads, but is no read operation (Table "Operation types")
  /// A write of a value that is not determined: each read of it may see another one (`discard`).
  bool is_indeterminate = false;
  /// Bytes that the address must be a multiple of, if more than the size of the access: the first element of
  /// a vector lies where the whole vector may lie (§ 5.4.5).
  std::uint8_t alignment = 0;

  /// Bytes that the address of an access of `size` bytes must be a multiple of.
  std::uint64_t alignment_of(std::uint64_t size) const { return size < alignment ? alignment : size; }
};

/// How an update combines what it has read with its operand, if in a way in which the order of several such
/// updates does not matter: memory holds the same after all of them. `none` for all others.
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

/// What a read-modify-write writes, given what it has read.
struct Update {
  Bits value;
  Bits happens = Bits::boolean(true);  ///< width 1: a failed cas does not write
  Combination combines = Combination::none;
};

/// `fence`, `membar`, `fence.proxy`: PTX ISA 8.7 § 9.7.13.4.
struct Fence {
  enum class Restriction : std::uint8_t { none, mbarrier_init, shared_cta, shared_cluster };
  bool is_proxy_fence = false;  ///< orders between proxies; a memory fence (false) forms patterns
  Sem sem = Sem::acq_rel;       ///< proxy fences: acquire or release when in one direction, else weak
  Scope scope = Scope::none;
  Proxy from = Proxy::generic;  ///< proxy fences: `.to::from`; those in both directions have from = generic
  Proxy to = Proxy::generic;
  StateSpace space = StateSpace::generic;  ///< `fence.proxy.async.global` and the like
  Restriction restriction = Restriction::none;
  Bits address = {};  ///< 64 bits: the fence is of effect on `size` bytes from here on only; width 0: on all
  std::uint64_t size = 0;
};

/// `bar`, `barrier`, `bar.warp.sync`, `barrier.cluster`: PTX ISA 8.7 § 9.7.13.1 to § 9.7.13.3.
struct Barrier {
  /// `wait` (barrier.cluster.wait) waits for a phase at which this thread has arrived before.
  enum class Kind : std::uint8_t { sync, arrive, reduce_popc, reduce_and, reduce_or, wait };
  enum class Group : std::uint8_t { warp, cta, cluster };
  Kind kind = Kind::sync;
  Group group = Group::cta;
  bool aligned = false;
  bool is_relaxed = false;    ///< barrier.cluster.arrive.relaxed: orders no memory accesses
  Bits id;                    ///< which barrier of the group
  std::optional<Bits> count;  ///< threads to be waited for; none: all of the group that take part
  Bits predicate;             ///< reductions: this thread's contribution
  int textual = 0;            ///< litmus dialect: barriers with different numbers never meet
};

constexpr unsigned lanes_per_warp = 32;

/// What a thread brings to an exchange among the threads of its warp: `shfl`, `vote`, `match`, `redux`,
/// `elect`, `activemask`: PTX ISA 8.7 § 9.7.9.5, § 9.7.9.6, § 9.7.13.8 to § 9.7.13.14.
struct Exchange {
  std::string_view instruction;  ///< its qualifiers: threads that execute the same meet
  /// `membermask`, 32 bits: the lanes to be waited for, those that have exited excepted. None: the exchange
  /// is among the threads that are there.
  std::optional<Bits> members;
  Bits value;  ///< for the others
};

/// What a thread gets from an exchange.
struct Lanes {
  struct Lane {
    Bits value;
    Bits takes_part = Bits::boolean(false);  ///< without it the value is undefined
  };
  Bits own;  ///< the lane of the thread, 32 bits
  std::array<Lane, lanes_per_warp> lanes;
};

/// An effect that the handler at hand does not know.
struct UnhandledEffect {};

/// Where control goes.
using Target = std::uint32_t;  ///< index of an instruction in its code

/// What rules do to the world. An engine is an implementation: it executes, records events, or prints.
class Effects {
 public:
  virtual ~Effects() = default;

  /// One scalar read of `width` bits; its value.
  virtual Bits read(const Access&, const Bits& address, unsigned width) = 0;
  virtual void write(const Access&, const Bits& address, const Bits& value) = 0;
  /// An atomic read-modify-write; the value read. `update` is called at most once.
  virtual Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                                 const std::function<Update(const Bits&)>& update) = 0;
  virtual void fence(const Fence&) = 0;
  /// Arrives, and waits unless the kind is arrive. `after` makes the results of the instruction of what the
  /// barrier gives: the result of a reduction, else width 0. Where the thread waits, the results are pending,
  /// and the handler calls `after` when the thread goes on.
  virtual Results await_barrier(const Barrier& barrier, std::function<Results(const Bits&)> after) {
    return after(this->barrier(barrier));
  }
  /// The same for handlers for which no thread waits.
  virtual Bits barrier(const Barrier&) { throw UnhandledEffect(); }

  virtual void jump(Target) = 0;
  /// `brx.idx`: to the target with this number; undefined when there is none (PTX ISA 8.7 § 9.7.12.4).
  /// As it stands here, for handlers that only meet known indices.
  virtual void jump_indexed(const Bits& index, std::span<const Target> targets) {
    if (!index.is_constant() || index.to_u64() >= targets.size())
      throw std::logic_error("an indexed jump to an unknown target");
    jump(targets[index.to_u64()]);
  }
  /// Enters the function that the instruction calls; `ret` of the callee comes back behind it. Arguments and
  /// results are passed as chapter 7 says, by the handler, which has the whole instruction.
  virtual void call() { throw UnhandledEffect(); }
  /// `ret`: back to the caller; ends a thread that has none. As it stands, for handlers without calls.
  virtual void ret() { exit(); }
  virtual void exit() = 0;
  virtual void trap() = 0;

  // What follows is unsupported where a handler does not say what it does.

  /// Meets the other threads of the warp, and waits for those that are to take part. `after` makes the
  /// results of what the lanes bring; pending results as for await_barrier.
  virtual Results await_exchange(const Exchange& exchange, std::function<Results(const Lanes&)> after) {
    return after(this->exchange(exchange));
  }
  /// The same for handlers for which no thread waits.
  virtual Lanes exchange(const Exchange&) { throw UnhandledEffect(); }
  /// The stack pointer of the thread, 64 bits, and its change: PTX ISA 8.7 § 9.7.17.
  virtual Bits stack_pointer() { throw UnhandledEffect(); }
  virtual void set_stack_pointer(const Bits&) { throw UnhandledEffect(); }
  /// New local memory of the function at hand; its address in 64 bits.
  virtual Bits allocate_on_stack(const Bits& size, const Bits& alignment) {
    (void)size, (void)alignment;
    throw UnhandledEffect();
  }
  /// `%cluster_ctarank` of the thread, 32 bits. As it stands, for handlers without clusters.
  virtual Bits cta_rank() { return Bits(32, 0); }
  /// A value that the manual leaves open: of an opaque object, of what is undefined without being an error.
  virtual Bits unspecified(unsigned width) {
    (void)width;
    throw UnhandledEffect();
  }
};

}  // namespace ptxmc
