// PTX ISA 8.7 § 9.7.15.7.1 (wgmma.fence) and § 9.7.15.7.3 (wgmma.wait_group).
#include "semantics/language/register_hazards.hpp"

#include <doctest/doctest.h>

#include "semantics/values/values.hpp"

using namespace ptxmc;

namespace {

using Ids = std::vector<RegisterId>;

const Modifier wide(".m64n16k16"), narrow(".m64n8k16");

RegisterUse reads(RegisterId id) { return {.written = {}, .address = {}, .data = {id}}; }
RegisterUse writes(RegisterId id) { return {.written = {id}, .address = {}, .data = {}}; }

bool is_right(const RegisterHazards::Started& started) {
  return started.lacks_fence.is_false() && started.uses_running.is_false();
}

}  // namespace

TEST_CASE("a fence must be before the first product, and after accesses to its registers") {
  RegisterHazards hazards;
  CHECK(RegisterHazards(hazards).start(1, narrow, {0, 1}, {}, 1).lacks_fence.is_true());
  hazards.fence();
  CHECK(is_right(RegisterHazards(hazards).start(1, narrow, {0, 1}, {}, 1)));
  (void)hazards.access(writes(2), 1);
  CHECK(is_right(RegisterHazards(hazards).start(1, narrow, {0, 1}, {}, 1)));
  (void)hazards.access(reads(1), 1);
  CHECK(RegisterHazards(hazards).start(1, narrow, {0, 1}, {}, 1).lacks_fence.is_true());
  CHECK(RegisterHazards(hazards).start(1, narrow, {3, 4}, {2}, 1).lacks_fence.is_true());
  hazards.fence();
  CHECK(is_right(hazards.start(1, narrow, {0, 1}, {2}, 1)));
}

TEST_CASE("accumulators of the same shape need no fence in between, others do") {
  RegisterHazards hazards;
  hazards.fence();
  CHECK(is_right(hazards.start(1, narrow, {0, 1}, {2}, 1)));
  CHECK(is_right(hazards.start(2, narrow, {0, 1}, {3}, 1)));
  CHECK(RegisterHazards(hazards).start(3, wide, {0, 1}, {}, 1).lacks_fence.is_true());
  CHECK(RegisterHazards(hazards).start(3, narrow, {4, 5}, {0}, 1).uses_running.is_true());
  CHECK(RegisterHazards(hazards).start(3, narrow, {2, 5}, {}, 1).uses_running.is_true());
  // Two products may read the same fragment of A.
  CHECK(is_right(hazards.start(3, narrow, {4, 5}, {2}, 1)));
}

TEST_CASE("registers of a product are not accessed before a wait for its group") {
  RegisterHazards hazards;
  hazards.fence();
  (void)hazards.start(1, narrow, {0, 1}, {2}, 1);
  CHECK(RegisterHazards(hazards).access(reads(0), 1).is_true());
  CHECK(RegisterHazards(hazards).access(writes(2), 1).is_true());
  CHECK(RegisterHazards(hazards).access(writes(3), 1).is_false());
  CHECK(RegisterHazards(hazards).access(reads(0), 2).is_false());  // of another call
  hazards.wait(0);                                                 // it is in no group
  CHECK(RegisterHazards(hazards).access(reads(0), 1).is_true());
  hazards.commit();
  (void)hazards.start(2, narrow, {4, 5}, {}, 1);
  hazards.commit();
  hazards.wait(1);
  CHECK(RegisterHazards(hazards).access(reads(0), 1).is_false());
  CHECK(RegisterHazards(hazards).access(reads(4), 1).is_true());
  hazards.wait(0);
  CHECK(hazards.access(reads(4), 1).is_false());
}

TEST_CASE("paths that meet") {
  TermGraph graph;
  const Bits left = graph.variable(1, "left");
  RegisterHazards waited;
  waited.fence();
  (void)waited.start(1, narrow, {0, 1}, {}, 1);
  waited.commit();
  RegisterHazards running = waited;
  waited.wait(0);
  (void)waited.access(writes(3), 1);
  waited.merge(left, running);
  CHECK(identical(RegisterHazards(waited).access(reads(0), 1), ~left));
  CHECK(identical(RegisterHazards(waited).start(2, narrow, {3, 4}, {}, 1).lacks_fence, left));
  waited.fence();
  CHECK(waited.start(2, narrow, {3, 4}, {}, 1).lacks_fence.is_false());
}
