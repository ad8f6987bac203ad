#include "solver/encoding/float_tables.hpp"

#include <doctest/doctest.h>

#include "semantics/values/float_operations.hpp"
#include "solver/unfolding/unfold.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

bool has_floating_point(const Bits& value) {
  if (value.is_constant()) return false;
  if (value.term()->op >= Operator::float_add) return true;
  for (unsigned i = 0; i < value.term()->arity(); ++i)
    if (has_floating_point(Bits(value.term()->operands[i]))) return true;
  return false;
}

const Event& last_write(const EventStructure& structure) {
  const Event* last = nullptr;
  for (const Event& event : structure.events)
    if (event.kind == EventKind::write) last = &event;
  REQUIRE(last != nullptr);
  return *last;
}

}  // namespace

TEST_CASE("a sum of numbers that are few is a table of sums") {
  TermGraph graph;
  const LitmusTest test = with_thread("ld.relaxed.gpu r0, x ;\nst.relaxed.gpu y, r0 ;", "x=3; y=0;");
  EventStructure structure = unfold(test.program, graph, {});
  Event* read = nullptr;
  for (Event& event : structure.events) {
    if (event.is_read()) read = &event;
    // y = x + 1.0, as f64
    if (event.kind == EventKind::write)
      event.value =
          float_add(FloatFormat::f64, Rounding::nearest_even, event.value, Bits(64, 0x3ff0000000000000));
  }
  REQUIRE(read != nullptr);
  const Bits unknown = read->value;
  const EventStructure tabled = with_float_tables(structure);
  CHECK(has_floating_point(last_write(structure).value));
  CHECK_FALSE(has_floating_point(last_write(tabled).value));
  // 3 read as a number of 64 bits is a denormal: the sum is 1.0.
  Substitution three;
  three.set(unknown.term()->variable, Bits(64, 3));
  CHECK(three.apply(last_write(tabled).value).to_u64() == 0x3ff0000000000000);
}
