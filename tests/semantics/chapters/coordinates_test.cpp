// The lengths of coordinate vectors that PTX ISA 8.7 § 9.7.9.25.5.2, § 9.7.10.3, § 9.7.10.4 and § 9.7.11.1
// give.
#include "semantics/chapters/coordinates.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/semantics/every_form.hpp"

using namespace ptxmc;

namespace {

using Kind = OperandShape::Kind;

const OperandShape value;
const OperandShape address{Kind::address};
const OperandShape texels{Kind::vector, OperandPattern::Link::comma, false, 4};
const OperandShape coordinates{Kind::vector, OperandPattern::Link::bracket, false, 4};
const OperandShape changes{Kind::vector, OperandPattern::Link::comma, false, 4};

CoordinateCount count(const std::string& spelling, const std::string& operand,
                      const std::vector<OperandShape>& shapes) {
  const Match match = ptx().match(spelling, shapes);
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  const auto found = std::ranges::find_if(match.form->operands,
                                          [&](const FormOperand& place) { return place.name() == operand; });
  REQUIRE(found != match.form->operands.end());
  return coordinate_count(*match.form, *found->pattern);
}

unsigned texture(const std::string& geometry, const std::string& type = "f32") {
  const auto found = count("tex." + geometry + ".v4.f32." + type, "c", {texels, address, coordinates});
  CHECK(found.may_have_more);
  return found.registers;
}

unsigned gradient(const std::string& geometry) {
  return count("tex.grad." + geometry + ".v4.f32.f32", "dPdy",
               {texels, address, coordinates, changes, changes})
      .registers;
}

}  // namespace

TEST_CASE("coordinates of textures, with the index into an array before them") {
  CHECK(texture("1d") == 1);
  CHECK(texture("2d") == 2);
  CHECK(texture("3d") == 4);
  CHECK(texture("a1d") == 2);
  CHECK(texture("a2d") == 4);
  CHECK(texture("cube") == 4);
  CHECK(texture("acube") == 4);
  CHECK(texture("2dms", "s32") == 4);
  CHECK(count("tex.1d.v4.f32.f32", "d", {texels, address, coordinates}).registers == 0);
  CHECK(count("tld4.r.2d.v4.f32.f32", "c", {texels, address, coordinates}).registers == 2);
  CHECK(count("tld4.r.a2d.v4.f32.f32", "c", {texels, address, coordinates}).registers == 4);
}

TEST_CASE("offsets and derivatives have no index") {
  CHECK(count("tex.a1d.v4.f32.f32", "e", {texels, address, coordinates, changes}).registers == 1);
  CHECK(count("tex.a2d.v4.f32.f32", "e", {texels, address, coordinates, changes}).registers == 2);
  CHECK(count("tex.3d.v4.f32.f32", "e", {texels, address, coordinates, changes}).registers == 4);
  CHECK(gradient("a1d") == 1);
  CHECK(gradient("a2d") == 2);
  CHECK(gradient("3d") == 4);
  CHECK(gradient("acube") == 4);
}

TEST_CASE("coordinates of surfaces and tensors") {
  CHECK(count("suld.b.2d.b32.zero", "b", {value, address, coordinates}).registers == 2);
  CHECK(count("suld.b.a2d.b32.zero", "b", {value, address, coordinates}).registers == 4);
  const std::string copy = "cp.async.bulk.tensor.";
  const std::vector<OperandShape> store = {address, coordinates, address};
  CHECK(count(copy + "3d.global.shared::cta.bulk_group", "tensorCoords", store).registers == 3);
  CHECK(count(copy + "2d.global.shared::cta.tile::scatter4.bulk_group", "tensorCoords", store).registers ==
        5);
}
