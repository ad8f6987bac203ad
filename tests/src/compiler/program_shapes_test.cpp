#include "src/compiler/program_shapes.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

const std::vector<OperationKind> loads_and_stores = {OperationKind::load, OperationKind::store};

std::vector<ProgramShape> shapes(const ShapeLimits& limits, unsigned accesses) {
  return shapes_of_size(limits, accesses, [] { return false; });
}

}  // namespace

TEST_CASE("the shapes of two threads with one access each") {
  // A load and a store, two stores.
  const auto found = shapes({2, 1, 1, loads_and_stores}, 2);
  REQUIRE(found.size() == 2);
  CHECK(found[0].threads ==
        std::vector<std::vector<ShapeAccess>>{{{OperationKind::load, 0}}, {{OperationKind::store, 0, 1}}});
  CHECK(found[0].symmetries.size() == 1);
  CHECK(found[1].threads[1].front().value == 2);
  CHECK(found[1].symmetries.size() == 2);
  CHECK(shapes({2, 1, 2, loads_and_stores}, 2).size() == 2);  // another location is not shared
}

TEST_CASE("no two shapes differ in names only") {
  // Message passing once, of the four ways to name its threads and locations.
  std::size_t found = 0;
  for (const ProgramShape& shape : shapes({2, 2, 2, loads_and_stores}, 4)) {
    const auto &one = shape.threads[0], &other = shape.threads[1];
    const auto is = [](const std::vector<ShapeAccess>& code, OperationKind kind) {
      return code.size() == 2 && code[0].kind == kind && code[1].kind == kind &&
             code[0].location != code[1].location;
    };
    const bool has_writer = is(one, OperationKind::store) || is(other, OperationKind::store);
    const bool has_reader = is(one, OperationKind::load) || is(other, OperationKind::load);
    if (!has_writer || !has_reader) continue;
    const bool is_reversed = one[0].location != other[0].location;
    if (is_reversed) ++found;
  }
  CHECK(found == 1);
}

TEST_CASE("a compare-and-swap expects 0 or what another access stores") {
  const auto found = shapes({2, 1, 1, {OperationKind::cas}}, 2);
  // Both expect 0, one expects what the other stores, each expects what the other stores.
  CHECK(found.size() == 3);
}

TEST_CASE("an enumeration that is stopped ends") {
  CHECK(shapes_of_size({3, 2, 2, loads_and_stores}, 4, [] { return true; }).empty());
}
