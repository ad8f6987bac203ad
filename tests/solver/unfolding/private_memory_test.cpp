#include "solver/unfolding/private_memory.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace ptxmc;

namespace {

bool are_written(const PrivateMemory::Content& content) {
  return std::ranges::all_of(content.is_written, &Bits::is_true);
}

}  // namespace

TEST_CASE("bytes that were written together are read as one value") {
  TermGraph graph;
  ReadSets reads;
  PrivateMemory memory;
  memory.add(private_block("l", 0x100, 8, graph));
  const Bits x = graph.variable(32, "x");
  CHECK(std::ranges::all_of(memory.read(Bits(64, 0x104), 4, {}, reads).is_written, &Bits::is_false));
  memory.write(Bits(64, 0x104), x, reads.single(3), {}, reads);
  const auto content = memory.read(Bits(64, 0x104), 4, {}, reads);
  CHECK(identical(content.value, x));
  CHECK(are_written(content));
  CHECK(reads.elements(content.sources) == std::vector<EventId>{3});
  CHECK(identical(memory.read(Bits(64, 0x106), 2, {}, reads).value, x.extract(16, 16)));
  CHECK(memory.find(0x106, 4) == nullptr);
  CHECK(memory.find(0x104, 4) != nullptr);
}

TEST_CASE("a read tells of each byte whether it was written") {
  TermGraph graph;
  ReadSets reads;
  PrivateMemory memory;
  const PrivateBlock block = private_block("l", 0x100, 4, graph);
  CHECK(unknowns_of(block).size() == 1);
  memory.add(block);
  memory.write(Bits(64, 0x102), Bits(8, 7), 0, {}, reads);
  const auto content = memory.read(Bits(64, 0x100), 4, {}, reads);
  REQUIRE(content.is_written.size() == 4);
  for (unsigned byte = 0; byte < 4; ++byte) {
    CAPTURE(byte);
    CHECK(content.is_written[byte].is_true() == (byte == 2));
    CHECK(content.value.extract(8 * byte, 8).is_constant() == (byte == 2));
  }
}

TEST_CASE("an open address may be any place of its block") {
  TermGraph graph;
  ReadSets reads;
  PrivateMemory memory;
  memory.add(private_block("l", 0x100, 8, graph));
  for (const std::uint64_t at : {0x100, 0x104}) memory.write(Bits(64, at), Bits(32, at), 0, {}, reads);
  const Bits i = graph.variable(64, "i");
  memory.write(i, Bits(32, 7), reads.single(1), {0x100}, reads);
  const auto read_at = [&](std::uint64_t where, std::uint64_t written_at) {
    Substitution substitution;
    substitution.set(i.term()->variable, Bits(64, written_at));
    return substitution.apply(memory.read(Bits(64, where), 4, {}, reads).value).to_u64();
  };
  CHECK(read_at(0x100, 0x100) == 7);
  CHECK(read_at(0x100, 0x104) == 0x100);
  CHECK(read_at(0x104, 0x104) == 7);
  const auto content = memory.read(i, 4, {0x100}, reads);
  CHECK(are_written(content));
  CHECK(reads.elements(content.sources) == std::vector<EventId>{1});
}

TEST_CASE("two memories are merged by a condition, and compared") {
  TermGraph graph;
  ReadSets reads;
  PrivateMemory one;
  one.add(private_block("l", 0x100, 4, graph));
  PrivateMemory other = one;
  CHECK(one.holds_the_same(other).is_true());
  one.write(Bits(64, 0x100), Bits(32, 1), reads.single(1), {}, reads);
  other.write(Bits(64, 0x100), Bits(32, 2), reads.single(2), {}, reads);
  CHECK(one.holds_the_same(other).is_false());
  const Bits condition = graph.variable(1, "c");
  one.merge(condition, other, reads);
  const auto content = one.read(Bits(64, 0x100), 4, {}, reads);
  for (const bool holds : {false, true}) {
    Substitution substitution;
    substitution.set(condition.term()->variable, Bits::boolean(holds));
    CHECK(substitution.apply(content.value).to_u64() == (holds ? 1 : 2));
  }
  CHECK(reads.elements(content.sources) == std::vector<EventId>{1, 2});
}
