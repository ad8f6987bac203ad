#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stdexcept>

#include "semantics/bits.hpp"

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
};

/// What a read-modify-write writes, given what it has read.
struct Update {
  Bits value;
  Bits happens = Bits::boolean(true);  ///< width 1: a failed cas does not write
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
  /// Arrives, and waits unless the kind is arrive; the result of a reduction, else width 0.
  virtual Bits barrier(const Barrier&) = 0;

  virtual void jump(Target) = 0;
  /// `brx.idx`: to the target with this number; undefined when there is none (PTX ISA 8.7 § 9.7.12.4).
  /// As it stands here, for handlers that only meet known indices.
  virtual void jump_indexed(const Bits& index, std::span<const Target> targets) {
    if (!index.is_constant() || index.to_u64() >= targets.size())
      throw std::logic_error("an indexed jump to an unknown target");
    jump(targets[index.to_u64()]);
  }
  /// `ret`: back to the caller; ends a thread that has none. As it stands, for handlers without calls.
  virtual void ret() { exit(); }
  virtual void exit() = 0;
  virtual void trap() = 0;
};

}  // namespace ptxmc
