#include "semantics/language/opaque_object.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("a descriptor describes all attributes of its object") {
  OpaqueObject object;
  object.kind = OpaqueObject::Kind::texture;
  object.sampler.address = {AddressMode::mirror, AddressMode::border, AddressMode::wrap};
  object.sampler.is_linear = true;
  object.sampler.is_normalized = false;
  object.sampler.comparison = DepthComparison::never;
  object.address = 0;
  object.is_linear_memory = true;
  object.channel = type_of(".bf16");
  object.channels = 4;
  object.is_normalized_number = true;
  object.dimensions = 2;
  object.size = {0xffff'ffff, 5, 1};
  object.layers = 12;
  object.is_cube = true;
  const auto found = described_object(descriptor_of(object));
  REQUIRE(found);
  CHECK(descriptor_of(*found) == descriptor_of(object));
  CHECK(found->sampler.address == object.sampler.address);
  CHECK(found->sampler.is_normalized == false);
  CHECK(found->sampler.comparison == DepthComparison::never);
  CHECK(found->address == 0);
  CHECK(found->channel == object.channel);
  CHECK(found->size == object.size);
  CHECK(found->layers == 12);
  CHECK(found->elements() == std::uint64_t{0xffff'ffff} * 5 * 12);
}

TEST_CASE("attributes that are missing stay missing, and other words describe nothing") {
  OpaqueObject sampler;
  sampler.kind = OpaqueObject::Kind::sampler;
  const auto found = described_object(descriptor_of(sampler));
  REQUIRE(found);
  CHECK(found->kind == OpaqueObject::Kind::sampler);
  CHECK_FALSE(found->address);
  CHECK_FALSE(found->layers);
  CHECK_FALSE(found->sampler.is_normalized);
  CHECK_FALSE(found->sampler.comparison);
  CHECK_FALSE(described_object({}));
}

TEST_CASE("handles are in a part of constant memory") {
  CHECK(may_be_handle(Bits(64, first_handle + spacing_of_handles)).is_true());
  CHECK(may_be_handle(Bits(64, first_handle + 8)).is_false());
  CHECK(may_be_handle(Bits(64, first_handle - spacing_of_handles)).is_false());
  CHECK(may_be_handle(Bits(64, 0x7000'0000'0000)).is_false());
}
