#include "semantics/language/tensor_map.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace ptxmc;

namespace {

/// The tables of PTX ISA 8.7 § 5.5.7: by row of 128 bytes, the number of the 16 bytes at each place of the
/// row.
using Pattern = std::vector<std::array<unsigned, 8>>;

const Pattern bytes_32 = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}};
const Pattern bytes_64 = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5}, {3, 2, 1, 0, 7, 6, 5, 4}};
const Pattern bytes_128 = {{0, 1, 2, 3, 4, 5, 6, 7}, {1, 0, 3, 2, 5, 4, 7, 6}, {2, 3, 0, 1, 6, 7, 4, 5},
                           {3, 2, 1, 0, 7, 6, 5, 4}, {4, 5, 6, 7, 0, 1, 2, 3}, {5, 4, 7, 6, 1, 0, 3, 2},
                           {6, 7, 4, 5, 2, 3, 0, 1}};
const Pattern atomicity_32 = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}};
const Pattern atomicity_64 = {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}};

/// Whether the 16 bytes are where the table has them, in memory that begins at `start`.
bool has_pattern(Swizzle swizzle, const Pattern& pattern, std::uint64_t start) {
  for (std::size_t row = 0; row < pattern.size(); ++row)
    for (std::uint64_t place = 0; place < 8; ++place) {
      const Bits from(64, start + 128 * row + 16 * pattern[row][place]);
      if (swizzled(swizzle, from).to_u64() != start + 128 * row + 16 * place) return false;
    }
  return true;
}

}  // namespace

TEST_CASE("swizzling has the patterns of the manual (5.5.7)") {
  CHECK(has_pattern(Swizzle::none, {{0, 1, 2, 3, 4, 5, 6, 7}}, 0x400));
  CHECK(has_pattern(Swizzle::bytes_32, bytes_32, 0x100));
  CHECK(has_pattern(Swizzle::bytes_64, bytes_64, 0x200));
  CHECK(has_pattern(Swizzle::bytes_128, bytes_128, 0x400));
  CHECK(has_pattern(Swizzle::bytes_128_atomicity_32, atomicity_32, 0x400));
  CHECK(has_pattern(Swizzle::bytes_128_atomicity_64, atomicity_64, 0x400));
  CHECK(swizzled(Swizzle::bytes_128, Bits(64, 0x48c)).to_u64() == 0x49c);  // bytes of the 16 stay together
}

TEST_CASE("8 bytes change places in every other row (5.5.7)") {
  constexpr Swizzle flip = Swizzle::bytes_128_atomicity_32_flip_8;
  CHECK(swizzled(flip, Bits(64, 0x404)).to_u64() == 0x404);
  CHECK(swizzled(flip, Bits(64, 0x484)).to_u64() == 0x4ac);
  CHECK(swizzled(flip, Bits(64, 0x488)).to_u64() == 0x4a0);
}

TEST_CASE("the swizzle modes and atomicities that go together (Table 14)") {
  CHECK(swizzle_of(0, 0) == Swizzle::none);
  CHECK(swizzle_of(1, 0) == Swizzle::bytes_32);
  CHECK(swizzle_of(2, 0) == Swizzle::bytes_64);
  CHECK(swizzle_of(3, 0) == Swizzle::bytes_128);
  CHECK(swizzle_of(3, 2) == Swizzle::bytes_128_atomicity_32_flip_8);
  CHECK_THROWS_AS(swizzle_of(2, 1), std::out_of_range);
  CHECK_THROWS_AS(swizzle_of(4, 0), std::out_of_range);
}

TEST_CASE("the fields of a tensor map do not overlap") {
  std::set<unsigned> places;
  TensorMap map;
  std::uint64_t next = 1;
  std::vector<TensorMapField> fields = {global_address_field,    rank_field,         elemtype_field,
                                        interleave_layout_field, swizzle_mode_field, swizzle_atomicity_field,
                                        fill_mode_field};
  for (unsigned i = 0; i < most_tensor_dimensions; ++i) {
    fields.insert(fields.end(), {global_dim_field(i), box_dim_field(i), element_stride_field(i)});
    if (i > 0) fields.push_back(global_stride_field(i - 1));
  }
  for (const TensorMapField field : fields) map.set_field(field, Bits(field.width, next++));
  next = 1;
  for (const TensorMapField field : fields) CHECK(map.field(field).to_u64() == next++);
  CHECK(map.is_valid().is_true());
  CHECK(TensorMap(map.words()).field(rank_field).to_u64() == 2);
  CHECK(TensorMap(std::array<Bits, 16>{Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0),
                                       Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0),
                                       Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0), Bits(64, 0),
                                       Bits(64, 0)})
            .is_valid()
            .is_false());
}
