#include "src/kernel/unfolding/tensor_allocations.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

constexpr std::uint64_t place = 0x400;

Event write_at(std::uint64_t location, unsigned size) {
  Event event;
  event.kind = EventKind::write;
  event.location = Bits(64, location);
  event.size = size;
  return event;
}

}  // namespace

TEST_CASE("an address is known one round after only tcgen05.alloc has written it, and always the same one") {
  TensorAllocations allocations;
  const auto round = [&](const std::vector<std::uint64_t>& addresses, const std::vector<Event>& writes) {
    allocations.begin_round();
    for (const std::uint64_t address : addresses) allocations.note_address({}, place, address);
    for (const Event& write : writes) allocations.note_write(write);
    return allocations.end_round();
  };
  CHECK_FALSE(allocations.address_at(place));
  CHECK(round({64}, {}));
  CHECK(allocations.address_at(place)->value == 64);
  CHECK_FALSE(allocations.address_at(place + 4));
  CHECK_FALSE(round({64}, {write_at(place + 4, 4)}));
  CHECK(allocations.address_at(place)->is_only);
  CHECK(round({64}, {write_at(place + 3, 1)}));
  CHECK(allocations.address_at(place)->value == 64);
  CHECK_FALSE(allocations.address_at(place)->is_only);
  CHECK_FALSE(allocations.uses_again({}));
  CHECK(round({64, 96}, {}));
  CHECK_FALSE(allocations.address_at(place));
  CHECK(allocations.uses_again({}));
}

TEST_CASE("an instruction reads an address if tensor memory is accessed at what it has read") {
  TermGraph graph;
  const Bits read = graph.variable(32, "r"), other = graph.variable(32, "s");
  const Instruction load, other_load;
  TensorAllocations allocations;
  allocations.begin_round();
  allocations.note_read(read.term()->variable, &load);
  allocations.note_read(other.term()->variable, &other_load);
  allocations.note_open(read + Bits(32, 0x20'0000), {.line = 7});
  CHECK(allocations.end_round());
  CHECK(allocations.reads_address(&load));
  CHECK_FALSE(allocations.reads_address(&other_load));
}

TEST_CASE("columns may be freed by another thread that frees as many at an address that is not known") {
  TensorAllocations::Cta cta;
  cta.freeing[{0, 32}][1].times = 1;
  cta.freeing_somewhere.emplace(1, 64);
  CHECK(cta.is_freed_by_other({0, 32}, 0));
  CHECK_FALSE(cta.is_freed_by_other({32, 32}, 0));
  CHECK(cta.is_freed_by_other({64, 64}, 0));
  CHECK_FALSE(cta.is_freed_by_other({0, 32}, 1));
  CHECK_FALSE(cta.is_freed_by_other({64, 64}, 1));
}

TEST_CASE("products of several threads on the same columns have the same accumulator and shape") {
  const TensorAccumulator first{.address = 0, .m = 64, .n = 8, .k = 16},
      other{.address = 0, .m = 64, .n = 16, .k = 16};
  const auto is_refused = [&](const TensorAccumulator& second, int thread, std::uint64_t unit) {
    TensorAllocations allocations;
    allocations.begin_round();
    allocations.note_product(0, 0, first, {0}, {.line = 7});
    allocations.note_product(0, thread, second, {unit}, {.line = 8});
    try {
      allocations.check_known();
      return false;
    } catch (const Unsupported&) {
      return true;
    }
  };
  CHECK(is_refused(other, 1, 0));
  CHECK_FALSE(is_refused(first, 1, 0));
  CHECK_FALSE(is_refused(other, 0, 0));
  CHECK_FALSE(is_refused(other, 1, 1));
}

TEST_CASE("what cannot be unfolded is named with its place") {
  const auto refuses = [](const auto& note) {
    TensorAllocations allocations;
    allocations.begin_round();
    allocations.note_allocation({}, {.line = 7});
    note(allocations);
    allocations.end_round();
    CHECK_THROWS_AS(allocations.check_known(), Unsupported);
  };
  refuses([](TensorAllocations& allocations) { allocations.note_open({}, {.line = 7}); });
  refuses([](TensorAllocations& allocations) { allocations.now({}).is_conditional = true; });
}
