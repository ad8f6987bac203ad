#include "semantics/chapters/matrix_product.hpp"

#include <bit>
#include <span>
#include <unordered_map>
#include <vector>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/warp_matrix.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/sum_of_products.hpp"

namespace ptxmc {

namespace {

// ---- the tables: which lane holds what ----

/// § 9.7.14.5.1: four products at once, one for each copy. Lanes 4c to 4c + 3 and 16 + 4c to 16 + 4c + 3
/// hold the matrices of product c. The rows of a B are its columns.
FragmentLayout layout_of_four_products(const Form& form, char operand, unsigned bits) {
  if (operand == 'a' || operand == 'b') {
    const bool holds_rows =
        operand == 'a' ? form[".alayout"] == Modifier(".row") : form[".blayout"] == Modifier(".col");
    return holds_rows ? FragmentLayout("r0 r1 m0 m1 r2", "c0 c1") : FragmentLayout("c0 c1 m0 m1 r2", "r0 r1");
  }
  return bits == 16 ? FragmentLayout("r0 r1 m0 m1 r2", "c0 c1 c2")
                    : FragmentLayout("r0 c1 m0 m1 r2", "c0 r1 c2");
}

/// § 9.7.14.6.1, § 9.7.14.6.2.1 to § 9.7.14.6.2.5: by the number of chunks of a row.
FragmentLayout layout_of_metadata(unsigned chunks, bool is_narrow) {
  if (chunks == 4) return {"m0 m1 r0 r1 r2", "c0 c1 r3"};
  if (chunks == 16) return {"r3 c3 r0 r1 r2", "c0 c1 c2"};
  return is_narrow ? FragmentLayout("r3 m0 r0 r1 r2", "c0 c1 c2")
                   : FragmentLayout("c2 m0 r0 r1 r2", "c0 c1 r3");
}

// ---- what a form computes ----

/// § 9.7.15.5: of the 64 rows that a warpgroup multiplies.

bool is_four_products(const Form& form) {
  return form.has(".m8n8k4") && form.line->opcode == "mma" && matrix_type(form, 'a') == Modifier(".f16");
}

/// The elements that a lane counts in a row of A or a column of B. Single bits are taken 32 at a time.
unsigned inner_size(const Form& form, const Type& type) {
  const unsigned k = matrix_shape(form).k;
  return type.width == 1 ? k / 32 : k;
}

}  // namespace

MatrixArithmetic matrix_arithmetic(const Form& form) {
  using Kind = MatrixArithmetic::Kind;
  const Type type = type_of(matrix_type(form, 'a')), result = type_of(matrix_type(form, 'd'));
  MatrixArithmetic arithmetic{.saturates = form.has(".satfinite"), .is_xor = form.has(".xor")};
  if (!type.is_float()) arithmetic.kind = type.width == 1 ? Kind::bits : Kind::integers;
  if (type.width == 64) arithmetic.kind = Kind::doubles;
  if (type.width == 64) arithmetic.rounding = rounding_of(form);
  if (arithmetic.kind == Kind::floats)
    arithmetic.floats = floats_of(type, type_of(matrix_type(form, 'c')), result);
  // § 9.7.15.5.2 states no precision for .e4m3 and .e5m2.
  arithmetic.floats.has_known_precision = form.line->opcode != "wgmma" || type.width > 8;
  return arithmetic;
}

HeldMatrix held_matrix(const Form& form, char operand) {
  const MatrixShape shape = matrix_shape(form);
  const Modifier modifier = matrix_type(form, operand);
  const Type type = type_of(modifier);
  const bool is_factor = operand == 'a' || operand == 'b';
  const unsigned rows = form.line->opcode == "wgmma" ? rows_of_warp : shape.m;
  HeldMatrix held{{"r0 r1 r2 r3 r4", ""}, type};
  held.item_bits = type.width == 1 ? 32 : held_bits(form, modifier);
  held.register_bits = type.width == 64 ? 64 : 32;
  if (is_four_products(form)) {
    held.layout = layout_of_four_products(form, operand, type.width);
  } else if (is_factor) {
    const bool is_half = operand == 'a' && is_sparse(form);
    held.layout = quad_fragment(operand == 'a' ? rows : shape.n, inner_size(form, type) / (is_half ? 2 : 1),
                                held.items_of_register());
  } else {
    held.layout = quad_fragment(rows, std::bit_ceil(shape.n), 2);
  }
  return held;
}

SparseChunks sparse_chunks(const Form& form) {
  const unsigned bits = held_bits(form, matrix_type(form, 'a'));
  const unsigned columns = bits == 32 ? 2 : bits == 4 ? 8 : 4;
  SparseChunks chunks{.columns = columns,
                      .unit = bits == 4 ? 2u : 1u,
                      .is_ordered = form.has(".sp::ordered_metadata"),
                      .metadata = layout_of_metadata(matrix_shape(form).k / columns, bits <= 8)};
  return chunks;
}

namespace {

BlockScales block_scales(const Form& form) {
  const bool has_two = form.has(".kind::mxf4") || form.has(".scale_vec::2X");
  return {.blocks = form.has(".scale_vec::4X") ? 4u
                    : has_two                  ? 2u
                                               : 1u,
          .is_ue4m3 = form.has(".ue4m3"),
          .of_a = {"r3 m0 r0 r1 r2", ""},
          .of_b = {"m0 m1 r0 r1 r2", ""}};
}

MatrixProduct make_product(const Form& form) {
  MatrixProduct product{.a = held_matrix(form, 'a'),
                        .b = held_matrix(form, 'b'),
                        .c = held_matrix(form, 'c'),
                        .d = held_matrix(form, 'd')};
  product.b.first_register = fragment_registers(form, "a");
  product.c.first_register = product.b.first_register + fragment_registers(form, "b");
  product.arithmetic = matrix_arithmetic(form);
  if (is_sparse(form)) product.sparse = sparse_chunks(form);
  if (form.has(".block_scale")) product.scales = block_scales(form);
  return product;
}

// ---- numbers ----

/// § 9.7.14.3. The sign bit of ue4m3 is not used.
Bits scale_of(const BlockScales& scales, const Bits& byte) {
  if (!scales.is_ue4m3) return widen_to_f64(FloatFormat::ue8m0, byte);
  return widen_to_f64(FloatFormat::e4m3, byte & Bits(8, 0x7f));
}

Bits product_of(const Bits& a, const Bits& b) {
  return float_multiply(FloatFormat::f64, Rounding::nearest_even, a, b);
}

// ---- the product of one lane ----

/// The operands that must be constants.
struct Selection {
  unsigned sparsity = 0;  ///< the sparsity selector
  unsigned byte_a = 0, thread_a = 0, byte_b = 0, thread_b = 0;
};

/// The numbers of the rows of A and of the columns of B, by their number and copy; empty until a lane needs
/// them.
struct Lines {
  std::vector<std::vector<Bits>> rows, columns;
};

/// Computes the elements of D that one lane holds.
class LaneProduct {
 public:
  LaneProduct(const MatrixProduct& product, const Selection& selection, const ExchangedValues& lanes,
              Effects& effects)
      : product_(product),
        selection_(selection),
        lanes_(lanes),
        effects_(effects),
        lines_(lanes.common<Lines>()) {
    lines_.rows.resize(product.a.layout.rows() * product.a.layout.copies());
    lines_.columns.resize(product.b.layout.rows() * product.b.layout.copies());
    if (product.sparse) indices_.resize(lines_.rows.size());
  }

  /// The registers of the lane.
  Results registers() {
    const HeldMatrix& d = product_.d;
    Results results;
    Bits packed;
    for (unsigned item = 0; item < d.layout.items(); ++item) {
      const Bits value = element(d.layout.element_at(own_lane(lanes_), item));
      packed = packed.width() == 0 ? value : concat(value, packed);
      if (packed.width() < d.register_bits) continue;
      results.push_back(packed);
      packed = {};
    }
    return results;
  }

 private:
  Bits item(const HeldMatrix& matrix, FragmentPlace place) const {
    const unsigned in_register = matrix.items_of_register();
    const Bits& held = lanes_.value(place.lane, matrix.first_register + place.item / in_register);
    return held.extract(place.item % in_register * matrix.item_bits, matrix.item_bits);
  }

  Bits number(const HeldMatrix& matrix, FragmentPlace place) const {
    return product_.arithmetic.number(matrix.type, item(matrix, place));
  }

  /// The register with the metadata of a lane, or with its scales: those of C come before.
  unsigned first_extra() const {
    const HeldMatrix& c = product_.c;
    return c.first_register + c.layout.items() / c.items_of_register();
  }

  std::span<const Bits> row(const FragmentElement& at) {
    std::vector<Bits>& numbers = lines_.rows[at.row + product_.a.layout.rows() * at.copy];
    if (!numbers.empty()) return numbers;
    numbers = numbers_of(product_.a, at.row, at.copy);
    if (product_.scales)
      scale(numbers, product_.scales->of_a.place_of(at.row, 0, selection_.thread_a), selection_.byte_a, 0);
    return numbers;
  }

  std::span<const Bits> column(const FragmentElement& at) {
    std::vector<Bits>& numbers = lines_.columns[at.column + product_.b.layout.rows() * at.copy];
    if (!numbers.empty()) return numbers;
    numbers = numbers_of(product_.b, at.column, at.copy);
    if (product_.scales)
      scale(numbers, product_.scales->of_b.place_of(at.column, 0, selection_.thread_b), selection_.byte_b, 1);
    return numbers;
  }

  std::vector<Bits> numbers_of(const HeldMatrix& matrix, unsigned line, unsigned copy) const {
    std::vector<Bits> numbers;
    numbers.reserve(matrix.layout.columns());
    for (unsigned k = 0; k < matrix.layout.columns(); ++k)
      numbers.push_back(number(matrix, matrix.layout.place_of(line, k, copy)));
    return numbers;
  }

  /// § 9.7.14.3: multiplies each block by its scale, which is one of the bytes from `byte` on.
  void scale(std::vector<Bits>& numbers, FragmentPlace place, unsigned byte,
             unsigned number_of_register) const {
    const unsigned blocks = product_.scales->blocks;
    const Bits& scales =
        lanes_.value(place.lane, first_extra() + (product_.sparse ? 1 : 0) + number_of_register);
    const std::size_t size = numbers.size() / blocks;
    for (unsigned block = 0; block < blocks; ++block) {
      const Bits factor = scale_of(*product_.scales, scales.extract(8 * (byte + block), 8));
      for (std::size_t i = block * size; i < (block + 1) * size; ++i)
        numbers[i] = product_of(numbers[i], factor);
    }
  }

  /// § 9.7.14.6.1: by stored element of a row, which unit of its chunk it is.
  std::span<const Bits> indices_of(const FragmentElement& at) {
    const SparseChunks& sparse = *product_.sparse;
    std::vector<Bits>& indices = indices_[at.row + product_.a.layout.rows() * at.copy];
    if (!indices.empty()) return indices;
    for (unsigned chunk = 0; chunk < sparse.metadata.columns(); ++chunk) {
      const FragmentPlace place = sparse.metadata.place_of(at.row, chunk, selection_.sparsity);
      const Bits metadata = lanes_.value(place.lane, first_extra()).extract(4 * place.item, 4);
      use_metadata(sparse.add_indices(metadata, indices));
    }
    return indices;
  }

  void use_metadata(const Bits& is_misuse) {
    if (!is_misuse.is_false()) effects_.use(use_of_operand(Misuse::sparse_metadata, is_misuse));
  }

  Bits element(const FragmentElement& at) {
    const std::span<const Bits> a = row(at), b = column(at);
    const Bits c = number(product_.c, product_.c.layout.place_of(at.row, at.column, at.copy));
    const MatrixArithmetic& arithmetic = product_.arithmetic;
    if (!product_.sparse) return arithmetic.sum(c, a, b);
    return arithmetic.sum(c, a, product_.sparse->selected(indices_of(at), b));
  }

  const MatrixProduct& product_;
  const Selection& selection_;
  const ExchangedValues& lanes_;
  Effects& effects_;
  Lines& lines_;
  std::vector<std::vector<Bits>> indices_;  // of sparse rows, by their number and copy; empty until needed
};

/// Throws UnhandledEffect for selectors that the manual does not have.
Selection selection_of(const MatrixProduct& product, const Operands& x, std::size_t fragments) {
  Selection selection;
  if (product.sparse) {
    selection.sparsity = static_cast<unsigned>(known(x["f"]));
    if (selection.sparsity >= product.sparse->metadata.copies())
      throw UnhandledEffect("a sparsity selector that its shape does not have");
  }
  if (!product.scales) return selection;
  const auto number = [&](std::size_t i, unsigned most, unsigned unit) {
    const std::uint64_t value = known(x.elements[fragments + i]);
    if (value > most || value % unit != 0)
      throw UnhandledEffect("a byte-id or thread-id that its kind does not have");
    return static_cast<unsigned>(value);
  };
  selection.byte_a = number(0, 3, product.scales->blocks);
  selection.thread_a = number(1, 1, 1);
  selection.byte_b = number(2, 3, product.scales->blocks);
  selection.thread_b = number(3, 3, 1);
  return selection;
}

}  // namespace

const MatrixProduct& matrix_product(const Form& form) {
  thread_local std::unordered_map<const Form*, MatrixProduct> products;
  const auto found = products.find(&form);
  return found != products.end() ? found->second : products.emplace(&form, make_product(form)).first->second;
}

Results multiply_matrices(const Form& form, const Operands& x, Effects& effects) {
  const MatrixProduct& product = matrix_product(form);
  const std::size_t fragments = x.elements.size() - (product.scales ? 4 : 0);
  const Selection selection = selection_of(product, x, fragments);
  std::vector<Bits> given(x.elements.begin(), x.elements.begin() + fragments);
  if (product.sparse) given.push_back(x["e"]);
  if (product.scales) given.insert(given.end(), {x["scale-a-data"], x["scale-b-data"]});
  return await_warp(form, x, given, effects, [&product, selection, &effects](const ExchangedValues& lanes) {
    return LaneProduct(product, selection, lanes, effects).registers();
  });
}

HeldMatrix wmma_fragment(const Form& form, char operand) { return held_matrix(form, operand); }

}  // namespace ptxmc
