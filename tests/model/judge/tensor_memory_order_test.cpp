// The order of accesses to tensor memory in ptx-8.7: PTX ISA 8.7 § 9.7.16.5.
#include <doctest/doctest.h>

#include "model/judge/judge.hpp"
#include "model/program/program_order.hpp"
#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t cell = 0x1000, flag = 0x200;

/// P0 starts a store to a cell, waits for it, executes the first fence and raises a flag. P1 sees the flag,
/// executes the second fence and starts a load of the cell. All but the cell is relaxed (§ 9.7.16.5.4.4).
struct Handover : ExecutionBuilder {
  EventId stored, loaded;

  Handover(bool waits, bool before, bool after) {
    const int p0 = thread({.cta = 0}), p1 = thread({.cta = 0});
    const Access relaxed{.sem = Sem::relaxed, .scope = Scope::cta},
        tensor{.proxy = Proxy::async, .space = StateSpace::tensor, .is_copy = true};
    const EventId cell0 = initial(cell, 4), flag0 = initial(flag, 4);
    stored = write(p0, cell, 4, 1, tensor);
    event(stored).strand = 1;
    if (before) {
      const EventId first = fence(p0, TensorFence::before);
      if (waits) event(first).completes = {{1, Bits::boolean(true), false}};
    }
    const EventId raised = write(p0, flag, 4, 1, relaxed);
    read(p1, flag, 4, raised, relaxed);
    if (after) fence(p1, TensorFence::after);
    loaded = read(p1, cell, 4, stored, tensor);
    event(loaded).strand = 1;
    execution().choices["write_order"] = {};
    execution().choices["co"] = {{cell0, stored}, {flag0, raised}};
  }

  bool is_ordered() {
    const Judgement judgement = judge(cat::load("ptx-8.7"), execution());
    return relates(judgement.relations.at("causality_order"), stored, loaded);
  }

 private:
  EventId fence(int thread, TensorFence kind) {
    const EventId id = wait(thread, {});
    event(id).step = static_cast<unsigned>(id);
    event(id).tensor_fence = kind;
    return id;
  }
};

}  // namespace

TEST_CASE("an access to tensor memory follows one that was waited for, behind both fences") {
  CHECK(Handover(true, true, true).is_ordered());
  CHECK_FALSE(Handover(false, true, true).is_ordered());  // no tcgen05.wait
  CHECK_FALSE(Handover(true, false, true).is_ordered());
  CHECK_FALSE(Handover(true, true, false).is_ordered());
}

TEST_CASE("tcgen05.fence::before_thread_sync follows the start of an operation, not its completion") {
  Event operation, fence;
  operation.kind = EventKind::write;
  operation.thread = fence.thread = 0;
  operation.strand = 1;
  fence.kind = EventKind::wait;
  fence.tensor_fence = TensorFence::before;
  CHECK_FALSE(is_started_before(operation, fence));
  fence.started = {1};
  CHECK(is_started_before(operation, fence));
  CHECK(is_complete_before(operation, fence).is_false());
  operation.thread = 1;
  CHECK_FALSE(is_started_before(operation, fence));
}
