#include "solver/unfolding/address_space.hpp"

#include <doctest/doctest.h>

#include "semantics/values/bits.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

TEST_CASE("an address is valid where the whole access lies in one variable, aligned to its size") {
  const LitmusTest test = with_thread("st.relaxed.gpu x, 1 ;", "x=0; a : u32[3];");
  const AddressSpace space(test.program);
  const auto& memory = test.program.memory;
  const auto array =
      std::find_if(memory.begin(), memory.end(), [](const Variable& v) { return v.name == "a"; });
  REQUIRE(array != memory.end());
  const auto valid = [&](std::uint64_t offset, unsigned size) {
    return space.find(Bits(64, array->address + offset), size).valid.is_true();
  };
  CHECK(valid(0, 4));
  CHECK(valid(8, 4));
  CHECK(valid(11, 1));
  CHECK_FALSE(valid(12, 1));
  CHECK_FALSE(valid(2, 4));
  CHECK_FALSE(valid(8, 8));
}

TEST_CASE("a virtual alias leads to the memory of the variable that it aliases") {
  const LitmusTest test = with_thread("st.relaxed.gpu x, 1 ;", "x=0; y @ generic aliases x;");
  const auto& memory = test.program.memory;
  REQUIRE(memory.size() == 2);
  CHECK(memory[0].address != memory[1].address);
  const AddressSpace space(test.program);
  CHECK(identical(space.find(Bits(64, memory[0].address), 8).location,
                  space.find(Bits(64, memory[1].address), 8).location));
}

TEST_CASE("an open address is valid under a condition") {
  TermGraph graph;
  const LitmusTest test = with_thread("st.relaxed.gpu x, 1 ;", "x=0;");
  const AddressSpace space(test.program);
  const Bits open = graph.variable(64, "address");
  const auto place = space.find(open, 8);
  const std::uint64_t address = test.program.memory[0].address;
  for (const std::uint64_t value : {address, address + 4, address + 8, std::uint64_t{0}}) {
    Substitution values;
    values.set(open.term()->variable, Bits(64, value));
    CHECK(values.apply(place.valid).is_true() == (value == address));
  }
}
