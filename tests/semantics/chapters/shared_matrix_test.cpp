// Matrices in shared memory. The places are those of the layouts that PTX ISA 8.7 § 9.7.15.5.1 and
// § 9.7.16.3.1 refer to: units of 16 bytes, patterns of 8 rows, and the exclusive or of address bits.
#include "semantics/chapters/shared_matrix.hpp"

#include <doctest/doctest.h>

#include <set>

#include "semantics/language/effects.hpp"

using namespace ptxmc;

namespace {

using Chapter = SharedMatrix::Chapter;

/// A descriptor with offsets in bytes.
Bits descriptor(std::uint64_t start, std::uint64_t leading, std::uint64_t stride, std::uint64_t swizzle,
                unsigned swizzle_bit = 62) {
  return Bits(64, start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << swizzle_bit);
}

std::uint64_t place(const SharedMatrix& matrix, unsigned line, unsigned k) {
  return matrix.address_of({line, k}).to_u64();
}

/// The places of all elements, if they differ.
std::size_t distinct(const SharedMatrix& matrix, unsigned lines, unsigned columns) {
  std::set<std::uint64_t> places;
  for (unsigned line = 0; line < lines; ++line)
    for (unsigned k = 0; k < columns; ++k) places.insert(place(matrix, line, k));
  return places.size();
}

}  // namespace

TEST_CASE("without a swizzle, core matrices of 8 lines and 16 bytes are placed by the two offsets") {
  const SharedMatrix k_major(descriptor(0x400, 128, 256, 0), Chapter::wgmma, 16, true);
  CHECK(place(k_major, 0, 0) == 0x400);
  CHECK(place(k_major, 1, 0) == 0x400 + 16);
  CHECK(place(k_major, 0, 7) == 0x400 + 14);
  CHECK(place(k_major, 0, 8) == 0x400 + 128);
  CHECK(place(k_major, 8, 0) == 0x400 + 256);
  CHECK(k_major.adjacent() == 8);
  const SharedMatrix mn_major(descriptor(0x400, 128, 256, 0), Chapter::wgmma, 16, false);
  CHECK(place(mn_major, 1, 0) == 0x400 + 2);
  CHECK(place(mn_major, 8, 0) == 0x400 + 256);
  CHECK(place(mn_major, 0, 1) == 0x400 + 16);
  CHECK(place(mn_major, 0, 8) == 0x400 + 128);
  CHECK(mn_major.adjacent() == 1);
}

TEST_CASE("a swizzle of 128, 64 and 32 bytes") {
  // The unit of a row is exchanged by the number of the row in its pattern.
  const SharedMatrix of_128(descriptor(0x400, 16, 1024, 1), Chapter::wgmma, 16, true);
  CHECK(place(of_128, 0, 8) == 0x400 + 16);
  CHECK(place(of_128, 1, 0) == 0x400 + 128 + 16);
  CHECK(place(of_128, 3, 8) == 0x400 + 3 * 128 + (1 ^ 3) * 16);
  CHECK(place(of_128, 7, 0) == 0x400 + 7 * 128 + 7 * 16);
  CHECK(place(of_128, 8, 0) == 0x400 + 1024);
  const SharedMatrix of_64(descriptor(0x400, 16, 512, 2), Chapter::wgmma, 16, true);
  CHECK(place(of_64, 1, 0) == 0x400 + 64);
  CHECK(place(of_64, 2, 0) == 0x400 + 128 + 16);
  const SharedMatrix of_32(descriptor(0x400, 16, 256, 3), Chapter::wgmma, 16, true);
  CHECK(place(of_32, 3, 0) == 0x400 + 96);
  CHECK(place(of_32, 4, 0) == 0x400 + 128 + 16);
  CHECK(place(of_32, 4, 8) == 0x400 + 128);
}

TEST_CASE("a start inside of the first row of a pattern moves along K") {
  const SharedMatrix first(descriptor(0x400, 16, 1024, 1), Chapter::wgmma, 16, true);
  const SharedMatrix second(descriptor(0x420, 16, 1024, 1), Chapter::wgmma, 16, true);
  for (unsigned line = 0; line < 64; ++line)
    for (unsigned k = 0; k < 16; ++k) CHECK(place(second, line, k) == place(first, line, k + 16));
}

TEST_CASE("every element of a matrix has a place of its own") {
  for (const unsigned swizzle : {1, 2, 3}) {
    const unsigned row = 256 >> swizzle;
    CHECK(distinct({descriptor(0, 0, 8 * row, swizzle), Chapter::wgmma, 16, true}, 64, row / 2) ==
          64 * row / 2);
    CHECK(distinct({descriptor(0, 16 * row, 8 * row, swizzle), Chapter::wgmma, 16, false}, 64, 16) ==
          64 * 16);
  }
  CHECK(distinct({descriptor(0, 128, 256, 0), Chapter::wgmma, 8, true}, 64, 32) == 64 * 32);
  CHECK(distinct({descriptor(0, 2048, 512, 1, 61), Chapter::tcgen05, 32, false}, 64, 8) == 64 * 8);
}

TEST_CASE("tcgen05 counts the swizzles differently, and has one in atoms of 32 bytes") {
  for (const auto& [wgmma, tcgen05] : {std::pair{1, 2}, {2, 4}, {3, 6}}) {
    const SharedMatrix one(descriptor(0x800, 16, 1024, wgmma), Chapter::wgmma, 16, true);
    const SharedMatrix other(descriptor(0x800, 16, 1024, tcgen05, 61), Chapter::tcgen05, 16, true);
    for (unsigned line = 0; line < 16; ++line) CHECK(place(one, line, 3) == place(other, line, 3));
  }
  const SharedMatrix atoms(descriptor(0x800, 512, 1024, 1, 61), Chapter::tcgen05, 32, false);
  CHECK(place(atoms, 0, 1) == 0x800 + 128 + 32);
  CHECK(place(atoms, 8, 1) == 0x800 + 128);
  CHECK(place(atoms, 0, 4) == 0x800 + 1024);
}

TEST_CASE("descriptors without a meaning are refused by name") {
  CHECK_THROWS_AS(SharedMatrix(Bits(64, std::uint64_t{1} << 49), Chapter::wgmma, 16, true), UnhandledEffect);
  CHECK_THROWS_AS(SharedMatrix(descriptor(0, 0, 0, 3, 61), Chapter::tcgen05, 16, true), UnhandledEffect);
  CHECK_THROWS_AS(SharedMatrix(descriptor(0, 0, 0, 1, 61), Chapter::tcgen05, 16, true), UnhandledEffect);
}
