#include "semantics/chapters/tensor_product.hpp"

#include <optional>
#include <vector>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/instruction_descriptor.hpp"
#include "semantics/chapters/matrix_arithmetic.hpp"
#include "semantics/chapters/shared_matrix.hpp"
#include "semantics/chapters/tensor_memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/language/tensor_memory.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/sum_of_products.hpp"

namespace ptxmc {

namespace {

constexpr unsigned lanes_of_quarter = 32;

/// A cell of tensor memory, counted from the address of a matrix.
struct Cell {
  unsigned lane = 0, column = 0;
};

/// § 9.7.16.9.5: where the elements of D are, and the rows of an A in tensor memory.
class DataPathLayout {
 public:
  DataPathLayout(const Form& form, const InstructionDescriptor& descriptor)
      : is_ws_(form.has(".ws")),
        rows_(descriptor.m / (form.has(".cta_group::2") ? 2 : 1)),
        columns_(descriptor.n),
        is_split_(form.has(".cta_group::2") && descriptor.m == 128 && !descriptor.is_sparse) {}

  unsigned rows() const { return rows_; }  ///< of a CTA

  /// Layouts A to G.
  Cell cell_of(unsigned row, unsigned column) const {
    if (is_ws_ || is_split_) {
      const unsigned parts = tensor_lanes / rows_, of_part = columns_ / parts;
      return {row + column / of_part * rows_, column % of_part};
    }
    return {lane_of(row), column};
  }
  /// The lane of a row of an A, or of the metadata.
  unsigned lane_of(unsigned row) const {
    if (is_ws_ || is_split_ || rows_ == tensor_lanes) return row;
    return row / rows_of_warp * lanes_of_quarter + row % rows_of_warp;
  }
  /// Half of the lanes are used: the address may begin in lane 16.
  bool uses_half() const { return !is_ws_ && !is_split_ && rows_ < tensor_lanes; }

 private:
  bool is_ws_;
  unsigned rows_, columns_;
  bool is_split_;  // layout B: the columns are divided among two halves of the lanes
};

/// A zero-column mask descriptor: § 9.7.16.3.3. The printed table exchanges the two spans; the examples
/// decide.
class ZeroColumns {
 public:
  ZeroColumns() = default;
  ZeroColumns(std::uint64_t bits, unsigned m, unsigned n)
      : bits_(bits), columns_(n / (tensor_lanes / m)), is_used_((bits >> 39 & 1) != 0) {}

  /// The column of B that a column of the product uses.
  unsigned source_of(unsigned column) const { return column + static_cast<unsigned>(bits_ >> 56 & 0x3f); }
  bool is_zero(unsigned column) const {
    if (!is_used_) return false;
    const unsigned mask = column / columns_;
    const std::uint64_t start = bits_ >> (8 * mask) & 0xff;
    const std::uint64_t zeros = (bits_ >> 40 & 0xff) + 1, used = (bits_ >> 48 & 0xff) + 1;
    const bool begins_with_zeros = (bits_ >> (32 + mask) & 1) != 0;
    const std::uint64_t at = (column % columns_ + start) % (zeros + used);
    return begins_with_zeros ? at < zeros : at >= used;
  }

 private:
  std::uint64_t bits_ = 0;
  unsigned columns_ = 1;  // of a part of the mask
  bool is_used_ = false;
};

/// One of the matrices A and B.
struct Factor {
  std::optional<SharedMatrix> shared;
  Bits tensor;  ///< the address of an A in tensor memory, 32 bits
  Type type;
  unsigned bits = 16;  ///< of an element in memory
  bool is_negated = false;
};

/// Scale factors of A or B: § 9.7.16.9.7.
struct Scales {
  Bits address;  ///< 32 bits
  unsigned blocks = 1, first_byte = 0;
  bool is_ue8m0 = true;
};

struct Line {
  std::vector<Bits> numbers, index;
};

struct TensorProduct {
  InstructionDescriptor descriptor;
  DataPathLayout layout;
  MatrixArithmetic arithmetic;
  Factor a, b;
  Bits d, metadata;  ///< addresses, 32 bits
  std::optional<SparseChunks> sparse;
  std::optional<Scales> scales_a, scales_b;
  ZeroColumns zero_columns;
  std::vector<Bits> disabled_lanes;  ///< 32 bits each
  Bits adds;                         ///< enable-input-d, width 1
  unsigned halvings = 0;             ///< scale-input-d
  std::vector<Bits> ranks;           ///< of the CTAs

  void perform(Effects& effects) const {
    std::vector<std::vector<Bits>> columns;
    for (unsigned column = 0; column < descriptor.n; ++column)
      columns.push_back(column_of_b(column, effects));
    for (std::size_t cta = 0; cta < ranks.size(); ++cta)
      for (unsigned row = 0; row < layout.rows(); ++row) {
        const Line line = row_of_a(cta, row, effects);
        for (unsigned column = 0; column < descriptor.n; ++column)
          update(cta, row, column, line, columns[column], effects);
      }
  }

 private:
  unsigned stored_columns() const { return descriptor.k / (descriptor.is_sparse ? 2 : 1); }

  std::vector<Bits> read_line(const SharedMatrix& matrix, unsigned line, unsigned count, const Factor& factor,
                              const Bits& rank, Effects& effects) const {
    const StateSpace space = ranks.size() == 1 ? StateSpace::shared_cta : StateSpace::shared_cluster;
    std::vector<Bits> numbers;
    const unsigned step = matrix.adjacent(), width = matrix.element_bits();
    for (unsigned k = 0; k < count; k += step) {
      const Bits address = effects.address_in_cta(matrix.address_of({line, k}), rank);
      const Bits unit = read_words(space, address.zero_extend(64), step * width, effects);
      for (unsigned i = 0; i < step && k + i < count; ++i)
        numbers.push_back(number(factor, unit.extract(i * width, width)));
    }
    return numbers;
  }

  Bits number(const Factor& factor, const Bits& item) const {
    const Bits value = arithmetic.number(factor.type, item);
    return factor.is_negated ? negated_number(value) : value;
  }

  Line row_of_a(std::size_t cta, unsigned row, Effects& effects) const {
    Line line;
    const unsigned count = stored_columns();
    if (a.shared) {
      line.numbers = read_line(*a.shared, row, count, a, ranks[cta], effects);
    } else {
      const unsigned of_cell = cell_bits / a.bits;
      for (unsigned k = 0; k < count; k += of_cell) {
        const Bits address = tensor_address_behind(a.tensor, layout.lane_of(row), k / of_cell);
        const Bits cell = read_cells(address, cell_bits, ranks[cta], effects);
        for (unsigned i = 0; i < of_cell; ++i)
          line.numbers.push_back(number(a, cell.extract(i * a.bits, a.bits)));
      }
    }
    if (sparse) add_indices(cta, row, line.index, effects);
    if (scales_a) scale(line.numbers, *scales_a, row, ranks[cta], effects);
    return line;
  }

  std::vector<Bits> column_of_b(unsigned column, Effects& effects) const {
    const unsigned of_cta = descriptor.n / static_cast<unsigned>(ranks.size());
    if (zero_columns.is_zero(column))
      return std::vector<Bits>(descriptor.k, arithmetic.number(b.type, Bits(b.bits, 0)));
    const unsigned source = zero_columns.source_of(column);
    std::vector<Bits> numbers =
        read_line(*b.shared, source % of_cta + (source >= descriptor.n ? of_cta : 0), descriptor.k, b,
                  ranks[std::min<std::size_t>(source / of_cta, ranks.size() - 1)], effects);
    if (scales_b) scale(numbers, *scales_b, column, ranks.front(), effects);
    return numbers;
  }

  /// § 9.7.16.9.8: four bits for each chunk. Of 16- and 32-bit elements a lane has the metadata of two rows.
  void add_indices(std::size_t cta, unsigned row, std::vector<Bits>& indices, Effects& effects) const {
    const unsigned chunks = descriptor.k / sparse->columns;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      unsigned lane = layout.lane_of(row), bit = 4 * chunk;
      if (a.bits > 8) {
        lane = row % 8 + row / 16 * 16 + chunk / (chunks / 2) * 8;
        bit = row % 16 / 8 * 16 + chunk % (chunks / 2) * 4;
      }
      const Bits address = tensor_address_behind(metadata, lane, bit / cell_bits);
      const Bits cell = read_cells(address, cell_bits, ranks[cta], effects);
      const Bits is_misuse = sparse->add_indices(cell.extract(bit % cell_bits, 4), indices);
      if (!is_misuse.is_false()) effects.use(use_of_operand(Misuse::sparse_metadata, is_misuse));
    }
  }

  /// Multiplies each block of a row of A or a column of B by its scale factor.
  void scale(std::vector<Bits>& numbers, const Scales& scales, unsigned line, const Bits& rank,
             Effects& effects) const {
    const Bits address =
        tensor_address_behind(scales.address, line % lanes_of_quarter, line / lanes_of_quarter);
    const Bits cell = read_cells(address, cell_bits, rank, effects);
    const std::size_t size = numbers.size() / scales.blocks;
    for (unsigned block = 0; block < scales.blocks; ++block) {
      const Bits byte = cell.extract(8 * (scales.first_byte + block), 8);
      const Bits factor = scales.is_ue8m0 ? widen_to_f64(FloatFormat::ue8m0, byte)
                                          : widen_to_f64(FloatFormat::e4m3, byte & Bits(8, 0x7f));
      for (std::size_t i = block * size; i < (block + 1) * size; ++i)
        numbers[i] = float_multiply(FloatFormat::f64, Rounding::nearest_even, numbers[i], factor);
    }
  }

  /// The element of D before the product.
  Bits addend(const Bits& address, std::size_t cta, Effects& effects) const {
    const unsigned width = descriptor.d.width;
    const Bits zero = arithmetic.number(descriptor.d, Bits(width, 0));
    if (adds.is_false()) return zero;
    const Bits cell = read_cells(address, cell_bits, ranks[cta], effects);
    Bits value = arithmetic.number(descriptor.d, cell.extract(0, width));
    if (halvings != 0) {
      const Bits factor(64, std::uint64_t{1023 - halvings} << 52);  // 2 to the power of −halvings
      value = float_multiply(FloatFormat::f64, Rounding::nearest_even, value, factor);
    }
    return ite(adds, value, zero);
  }

  void update(std::size_t cta, unsigned row, unsigned column, const Line& line,
              const std::vector<Bits>& factors, Effects& effects) const {
    const Cell cell = layout.cell_of(row, column);
    const Bits address = tensor_address_behind(d, cell.lane, cell.column);
    if (is_disabled(cta, address)) return;
    const Bits before = addend(address, cta, effects);
    const Bits value = sparse ? arithmetic.sum(before, line.numbers, sparse->selected(line.index, factors))
                              : arithmetic.sum(before, line.numbers, factors);
    // The upper half of a cell with an element of 16 bits is unspecified.
    write_cells(
        address,
        value.width() == cell_bits ? value : concat(effects.unspecified(cell_bits - value.width()), value),
        ranks[cta], effects);
  }

  /// disable-output-lane: a bit for each lane of tensor memory, CTA by CTA.
  bool is_disabled(std::size_t cta, const Bits& address) const {
    if (disabled_lanes.empty()) return false;
    const std::size_t lane = static_cast<std::size_t>(known(address.extract(16, 16))) + cta * tensor_lanes;
    return known(disabled_lanes[lane / 32].extract(static_cast<unsigned>(lane % 32), 1)) != 0;
  }
};

/// The bits of an element in memory.
unsigned bits_in_memory(TensorKind kind, const Type& type) {
  if (kind == TensorKind::mxf4 || kind == TensorKind::mxf4nvf4) return 4;
  return type.width < 8 ? 8 : type.width;
}

Factor factor_of(const Form& form, const Operands& x, bool is_a, const InstructionDescriptor& descriptor) {
  const TensorKind kind = tensor_kind(form);
  const bool is_transposed = is_a ? descriptor.transposes_a : descriptor.transposes_b;
  Factor factor{.shared = {},
                .tensor = {},
                .type = is_a ? descriptor.a : descriptor.b,
                .is_negated = is_a ? descriptor.negates_a : descriptor.negates_b};
  factor.bits = bits_in_memory(kind, factor.type);
  if (factor.is_negated && kind == TensorKind::i8)
    throw UnhandledEffect("an instruction descriptor that negates integers");
  if (is_a && x["a-tmem"].width() != 0) {
    factor.tensor = x["a-tmem"].resize_unsigned(32);
    return factor;
  }
  if (factor.type.width < 8 && factor.bits == 8)
    throw UnhandledEffect(
        "elements of 4 or 6 bits in shared memory, of which the manual does not give the place");
  factor.shared.emplace(x[is_a ? "a-desc" : "b-desc"], SharedMatrix::Chapter::tcgen05, factor.bits,
                        !is_transposed);
  return factor;
}

std::optional<SparseChunks> sparse_chunks_of(const Form& form, const InstructionDescriptor& descriptor) {
  if (!descriptor.is_sparse) return std::nullopt;
  const unsigned bits = bits_in_memory(tensor_kind(form), descriptor.a);
  if (descriptor.sparsity != 0)
    throw UnhandledEffect(
        "a sparsity selector of tensor memory, of which the manual does not say the columns");
  if (bits > 8 && descriptor.m / (form.has(".cta_group::2") ? 2 : 1) != tensor_lanes)
    throw UnhandledEffect("metadata of fewer than 128 rows, of which the manual does not say the lanes");
  return SparseChunks{.columns = bits == 32  ? 2u
                                 : bits == 4 ? 8u
                                             : 4u,
                      .unit = bits == 4 ? 2u : 1u,
                      .is_ordered = true,
                      .metadata = {"r0 r1 r2 r3 r4", ""}};
}

unsigned scale_blocks(const Form& form) {
  if (form.has(".scale_vec::4X")) return 4;
  return form.has(".scale_vec::2X") || form.has(".kind::mxf4") ? 2 : 1;
}

std::optional<Scales> scales_of(const Form& form, const Bits& address, unsigned id, bool has_ue8m0) {
  if (address.width() == 0) return std::nullopt;
  Scales scales{.address = address.resize_unsigned(32),
                .blocks = scale_blocks(form),
                .first_byte = id,
                .is_ue8m0 = has_ue8m0};
  if (id % scales.blocks != 0) throw UnhandledEffect("an ID of scale factors that its kind does not have");
  return scales;
}

void use_alignment(const DataPathLayout& layout, const Bits& address, Effects& effects) {
  const Bits lane = address.extract(16, 16);
  Bits is_aligned = is_zero(lane);
  if (layout.uses_half()) is_aligned = is_aligned | equal(lane, Bits(16, rows_of_warp));
  if (!is_aligned.is_true()) effects.use(use_of_operand(Misuse::tensor_alignment, ~is_aligned));
}

/// What the descriptors of an instruction say. It is undefined if an address is not aligned.
TensorProduct product_of(const Form& form, const Operands& x, Effects& effects) {
  const auto descriptor = read_instruction_descriptor(form, static_cast<std::uint32_t>(known(x["idesc"])));
  MatrixArithmetic arithmetic{.saturates = descriptor.saturates};
  if (descriptor.a.is_integer()) arithmetic.kind = MatrixArithmetic::Kind::integers;
  if (descriptor.d.format) arithmetic.floats = floats_of(descriptor.a, descriptor.d, descriptor.d);
  arithmetic.floats.has_known_precision = false;  // the chapter states none
  TensorProduct product{
      .descriptor = descriptor,
      .layout = {form, descriptor},
      .arithmetic = arithmetic,
      .a = factor_of(form, x, true, descriptor),
      .b = factor_of(form, x, false, descriptor),
      .d = x["d-tmem"].resize_unsigned(32),
      .metadata = descriptor.is_sparse ? x["sp-meta-tmem"].resize_unsigned(32) : Bits(),
      .sparse = sparse_chunks_of(form, descriptor),
      .scales_a = scales_of(form, x["scale-A-tmem"], descriptor.scale_a, descriptor.has_ue8m0),
      .scales_b = scales_of(form, x["scale-B-tmem"], descriptor.scale_b, descriptor.has_ue8m0),
      .zero_columns = {},
      .disabled_lanes = std::vector<Bits>(x.elements.begin(), x.elements.end()),
      .adds = x["enable-input-d"],
      .halvings = x["scale-input-d"].width() == 0 ? 0 : static_cast<unsigned>(known(x["scale-input-d"])),
      .ranks = ranks_of_cta_group(form, effects)};
  if (x["zero-column-mask-desc"].width() != 0)
    product.zero_columns = {known(x["zero-column-mask-desc"]), descriptor.m, descriptor.n};
  use_alignment(product.layout, product.d, effects);
  if (product.a.tensor.width() != 0) use_alignment(product.layout, product.a.tensor, effects);
  return product;
}

/// The accumulator and the shape of a product with known operands.
std::optional<TensorAccumulator> accumulator_of(const Form& form, const Operands& x) {
  const Bits address = x["d-tmem"], descriptor = x["idesc"];
  if (!address.is_constant() || !descriptor.is_constant()) return std::nullopt;
  const auto shape = read_instruction_descriptor(form, static_cast<std::uint32_t>(descriptor.to_u64()));
  return TensorAccumulator{static_cast<std::uint32_t>(address.to_u64()), shape.m, shape.n, shape.k};
}

}  // namespace

Results multiply_in_tensor_memory(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  if (form.has(".ashift"))
    throw UnhandledEffect("a shift of rows, of which the manual does not say the direction");
  effects.start({.group = AsyncGroup::tensor_operation,
                 .follows = AsyncGroup::tensor_operation,
                 .accumulator = accumulator_of(form, x)},
                [&form, x](Effects& performing) { product_of(form, x, performing).perform(performing); });
  return {};
}

}  // namespace ptxmc
