// The formulas that PTX ISA 8.7 § 9.7.14.5 prints for the elements of fragments, and that no table of layouts
// leaves an element out or holds it twice.
#include "semantics/chapters/fragment_layout.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>

#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/matrix_product.hpp"
#include "tests/semantics/every_form.hpp"

using namespace ptxmc;

namespace {

using Formula = std::function<unsigned(unsigned lane, unsigned i)>;

/// Whether a layout has the rows and columns of the manual's formulas.
void check_formulas(const FragmentLayout& layout, const Formula& row, const Formula& column) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < layout.items(); ++i) {
      const FragmentElement element = layout.element_at(lane, i);
      CHECK(element.row == row(lane, i));
      CHECK(element.column == column(lane, i));
    }
}

unsigned group(unsigned lane) { return lane >> 2; }
unsigned in_group(unsigned lane) { return lane % 4; }

const Match& matched(const std::string& spelling, std::size_t operands) {
  static Match match;
  const OperandShape vector{OperandShape::Kind::vector, OperandPattern::Link::comma, false, 1};
  match = ptx().match(spelling, std::vector<OperandShape>(operands, vector));
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  return match;
}

/// Every element is at one place, and every place holds an element.
void check_complete(const FragmentLayout& layout) {
  std::set<std::pair<unsigned, unsigned>> places;
  for (unsigned copy = 0; copy < layout.copies(); ++copy)
    for (unsigned row = 0; row < layout.rows(); ++row)
      for (unsigned column = 0; column < layout.columns(); ++column) {
        const FragmentPlace place = layout.place_of(row, column, copy);
        REQUIRE(place.item < layout.items());
        CHECK(places.emplace(place.lane, place.item).second);
        CHECK(layout.element_at(place.lane, place.item) == FragmentElement{row, column, copy});
      }
  CHECK(places.size() == std::size_t{32} * layout.items());
}

}  // namespace

TEST_CASE("mma.m16n8k16 of .f16 and .bf16: § 9.7.14.5.8") {
  const auto row = [](unsigned lane, unsigned i) {
    return i < 2 || (i >= 4 && i < 6) ? group(lane) : group(lane) + 8;
  };
  const auto column = [](unsigned lane, unsigned i) {
    return in_group(lane) * 2 + (i & 1) + (i < 4 ? 0 : 8);
  };
  check_formulas(quad_fragment(16, 16, 2), row, column);
  // B: the rows of the layout are its columns.
  check_formulas(
      quad_fragment(8, 16, 2), [](unsigned lane, unsigned) { return group(lane); },
      [](unsigned lane, unsigned i) { return in_group(lane) * 2 + (i & 1) + (i < 2 ? 0 : 8); });
  check_formulas(
      quad_fragment(16, 8, 2),
      [](unsigned lane, unsigned i) { return i < 2 ? group(lane) : group(lane) + 8; },
      [](unsigned lane, unsigned i) { return in_group(lane) * 2 + (i & 1); });
}

TEST_CASE("mma.m16n8k32 of 8 bits: § 9.7.14.5.10") {
  check_formulas(
      quad_fragment(16, 32, 4),
      [](unsigned lane, unsigned i) { return i < 4 || (i >= 8 && i < 12) ? group(lane) : group(lane) + 8; },
      [](unsigned lane, unsigned i) { return in_group(lane) * 4 + (i & 3) + (i < 8 ? 0 : 16); });
  check_formulas(
      quad_fragment(8, 32, 4), [](unsigned lane, unsigned) { return group(lane); },
      [](unsigned lane, unsigned i) { return in_group(lane) * 4 + (i & 3) + (i < 4 ? 0 : 16); });
}

TEST_CASE("mma.m8n8k32 of 4 bits, and mma.m8n8k128: § 9.7.14.5.4, § 9.7.14.5.5") {
  const auto row = [](unsigned lane, unsigned) { return group(lane); };
  check_formulas(quad_fragment(8, 32, 8), row,
                 [](unsigned lane, unsigned i) { return in_group(lane) * 8 + i; });
  check_formulas(quad_fragment(8, 128, 32), row,
                 [](unsigned lane, unsigned i) { return in_group(lane) * 32 + i; });
}

TEST_CASE("mma.m8n8k4 of .f16: § 9.7.14.5.1") {
  const auto layouts = [](const std::string& rest) -> const MatrixProduct& {
    return matrix_product(*matched("mma.sync.aligned.m8n8k4." + rest, 4).form);
  };
  const auto high = [](unsigned lane) { return lane < 16 ? 0u : 4u; };
  const auto by_lane = [&](unsigned lane, unsigned) { return lane % 4 + high(lane); };
  const auto by_item = [&](unsigned lane, unsigned i) { return i % 4 + high(lane); };
  const auto item = [](unsigned, unsigned i) { return i; };
  const auto lane_in_four = [](unsigned lane, unsigned) { return lane % 4; };
  const MatrixProduct& row_col = layouts("row.col.f32.f16.f16.f32");
  check_formulas(row_col.a.layout, by_lane, item);
  check_formulas(row_col.b.layout, by_lane, item);  // column, row
  const MatrixProduct& col_row = layouts("col.row.f16.f16.f16.f16");
  check_formulas(col_row.a.layout, by_item, lane_in_four);
  check_formulas(col_row.b.layout, by_item, lane_in_four);
  check_formulas(col_row.c.layout, by_lane, item);
  check_formulas(
      row_col.c.layout, [&](unsigned lane, unsigned i) { return (lane & 1) + (i & 2) + high(lane); },
      [](unsigned lane, unsigned i) { return (i & 4) + (lane & 2) + (i & 1); });
}

TEST_CASE("Every fragment of mma, mma.sp and wmma.mma holds every element once, and fills its registers") {
  std::set<std::string> forms;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines) {
      const bool multiplies =
          line.opcode == "mma" || (line.opcode == "wmma" && line.text.starts_with("wmma.mma"));
      if (!multiplies || !entry->definition->rule) continue;
      test::for_each_spelling(*entry, line, 400, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        REQUIRE(match);
        INFO(spelling);
        if (!forms.insert(spelling).second) return;
        const MatrixProduct& product = matrix_product(*match.form);
        for (const auto& [name, matrix] :
             {std::pair{"a", &product.a}, {"b", &product.b}, {"c", &product.c}, {"d", &product.d}}) {
          check_complete(matrix->layout);
          const unsigned registers = matrix->layout.items() / matrix->items_of_register();
          // § 9.7.14.4.1: fragments of .f16 of wmma have 8 registers in all shapes.
          const bool repeats = line.opcode == "wmma" && registers < fragment_registers(*match.form, name);
          CHECK((repeats ? matrix->type.width == 16 : registers == fragment_registers(*match.form, name)));
        }
        if (product.sparse) {
          const FragmentLayout& metadata = product.sparse->metadata;
          check_complete(metadata);
          CHECK(metadata.rows() == 16);
          CHECK(metadata.columns() * product.sparse->columns == product.a.layout.columns() * 2);
          CHECK(metadata.items() == 8);  // 32 bits
        }
        if (product.scales) {
          CHECK(product.scales->of_a.rows() == 16);
          CHECK(product.scales->of_b.rows() == 8);
        }
      });
    }
  CHECK(forms.size() > 300);
}
