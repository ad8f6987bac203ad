// PTX ISA 8.7 § 9.7.16.5: the canonical patterns of synchronization, and each without one of its parts.
#include "src/kernel/machine/tensor_accesses.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;
using kernel::TensorAccesses;

namespace {

using enum AsyncGroup;
constexpr std::uint64_t cell = 7;

/// Whether the access follows all earlier ones of the cell.
bool is_right(TensorAccesses& accesses, const TensorAccesses::Operation& operation, bool writes) {
  return !accesses.access(cell, operation, writes);
}

}  // namespace

// § 9.7.16.5.4.1
TEST_CASE("products of one thread are in order") {
  TensorAccesses accesses;
  CHECK(is_right(accesses, accesses.start(0, tensor_operation), true));
  const auto second = accesses.start(0, tensor_operation);
  CHECK(is_right(accesses, second, false));
  CHECK(is_right(accesses, second, true));
}

// § 9.7.16.5.4.2
TEST_CASE("a load follows a store of its thread behind a wait") {
  for (const bool waits : {false, true}) {
    TensorAccesses accesses;
    CHECK(is_right(accesses, accesses.start(0, tensor_store), true));
    if (waits) accesses.wait(0, tensor_store);
    CHECK(is_right(accesses, accesses.start(0, tensor_load), false) == waits);
  }
}

TEST_CASE("a load follows a product behind its commit and a fence") {
  for (const bool commits : {false, true})
    for (const bool fences : {false, true}) {
      TensorAccesses accesses;
      CHECK(is_right(accesses, accesses.start(0, tensor_operation), true));
      if (commits) accesses.complete(0, accesses.committed_by(0), 10);
      if (fences) accesses.fence(0, false, 20);
      CHECK(is_right(accesses, accesses.start(0, tensor_load), false) == (commits && fences));
    }
}

// § 9.7.16.5.4.3
TEST_CASE("products of two threads need no wait") {
  for (const bool fences : {false, true}) {
    TensorAccesses accesses;
    CHECK(is_right(accesses, accesses.start(0, tensor_operation), true));
    if (fences) accesses.fence(0, true, 10);
    accesses.fence(1, false, 20);
    CHECK(is_right(accesses, accesses.start(1, tensor_operation), true) == fences);
  }
}

// § 9.7.16.5.4.4
TEST_CASE("a product follows a load of another thread behind a wait and two fences") {
  for (unsigned missing = 0; missing < 4; ++missing) {
    TensorAccesses accesses;
    CHECK(is_right(accesses, accesses.start(0, tensor_load), false));
    if (missing != 1) accesses.wait(0, tensor_load);
    if (missing != 2) accesses.fence(0, true, 10);
    if (missing != 3) accesses.fence(1, false, 20);
    CHECK(is_right(accesses, accesses.start(1, tensor_operation), true) == (missing == 0));
  }
}

TEST_CASE("a fence before the other thread's fence orders nothing") {
  TensorAccesses accesses;
  accesses.fence(1, false, 5);
  CHECK(is_right(accesses, accesses.start(0, tensor_store), true));
  accesses.wait(0, tensor_store);
  accesses.fence(0, true, 10);
  CHECK_FALSE(is_right(accesses, accesses.start(1, tensor_load), false));
}

// § 9.7.16.5.1
TEST_CASE("a cell is in use until a wait or a commit has waited for the operation") {
  TensorAccesses accesses;
  CHECK_FALSE(accesses.is_in_use(7));
  CHECK_FALSE(accesses.access(7, accesses.start(0, tensor_load), false).has_value());
  CHECK(accesses.is_in_use(7));
  accesses.wait(0, tensor_load);
  CHECK_FALSE(accesses.is_in_use(7));
  CHECK_FALSE(accesses.access(8, accesses.start(1, tensor_operation), true).has_value());
  CHECK(accesses.is_in_use(8));
  accesses.complete(1, accesses.committed_by(1), 10);
  CHECK_FALSE(accesses.is_in_use(8));
}
