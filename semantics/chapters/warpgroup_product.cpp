#include "semantics/chapters/warpgroup_product.hpp"

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/matrix_product.hpp"
#include "semantics/chapters/shared_matrix.hpp"
#include "semantics/chapters/warp_matrix.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// What a form of wgmma.mma_async computes.
struct WarpgroupProduct {
  HeldMatrix a, b, d;  ///< of one warp
  MatrixArithmetic arithmetic = {};
  std::optional<SparseChunks> sparse = {};
  unsigned accumulators = 0;  ///< the number of registers of D
};

WarpgroupProduct make_warpgroup_product(const Form& form) {
  WarpgroupProduct product{.a = held_matrix(form, 'a'),
                           .b = held_matrix(form, 'b'),
                           .d = held_matrix(form, 'd'),
                           .arithmetic = matrix_arithmetic(form),
                           .accumulators = fragment_registers(form, "d")};
  if (is_sparse(form)) product.sparse = sparse_chunks(form);
  return product;
}

const WarpgroupProduct& warpgroup_product_of(const Form& form) {
  thread_local std::unordered_map<const Form*, WarpgroupProduct> products;
  const auto found = products.find(&form);
  return found != products.end() ? found->second
                                 : products.emplace(&form, make_warpgroup_product(form)).first->second;
}

/// An operand that a form may leave out, and then has this value.
bool is_given(const Operands& x, std::string_view name, std::uint64_t value) {
  const Bits& operand = x[name];
  return operand.width() != 0 && (known(operand) & 0xffff'ffff) == value;
}

constexpr std::uint64_t minus_one = 0xffff'ffff;

/// The descriptors, which are the same in all threads of the warpgroup.
Bits descriptors_in(const Operands& x) {
  return x["a-desc"].width() == 0 ? x["b-desc"] : concat(x["a-desc"], x["b-desc"]);
}

/// What the lanes of a warp give each other: the fragments of A, the metadata.
std::vector<Bits> given_to_warp(const Operands& x) {
  std::vector<Bits> given;
  if (x["a-desc"].width() == 0) {
    Bits fragment;  // of four registers
    for (const Bits& element : x.elements)
      fragment = fragment.width() == 0 ? element : concat(element, fragment);
    given.push_back(fragment);
  }
  if (x["sp-meta"].width() != 0) given.push_back(x["sp-meta"]);
  return given;
}

/// A row of A or a column of B. `index` is for a sparse row: by stored element, which of the units of its
/// chunk it is.
struct RowOfA {
  std::vector<Bits> numbers, index;
};

/// The product of one thread, with the values of its warp when it was started.
struct ThreadProduct {
  const WarpgroupProduct& product;
  ExchangedValues lanes;
  unsigned rank = 0;                      ///< of the thread in the warpgroup
  Bits descriptor_of_a, descriptor_of_b;  ///< of A with width 0: A is in registers
  bool is_a_transposed = false, is_b_transposed = false;
  std::size_t metadata = 0;  ///< its number among the values of a lane
  unsigned sparsity = 0;     ///< the sparsity selector
  bool negates_a = false, negates_b = false;
  Bits adds;  ///< scale-d, width 1

  /// The numbers of a line of a matrix in shared memory.
  std::vector<Bits> read_line(const Bits& descriptor, bool is_transposed, const HeldMatrix& held,
                              unsigned line, Effects& effects) const {
    const SharedMatrix matrix(descriptor, SharedMatrix::Chapter::wgmma, held.item_bits, !is_transposed);
    std::vector<Bits> numbers;
    const unsigned step = matrix.adjacent(), width = matrix.element_bits();
    for (unsigned k = 0; k < held.layout.columns(); k += step) {
      const Bits address = effects.address_in_cta(matrix.address_of({line, k}), effects.cta_rank());
      const Bits unit = read_words(StateSpace::shared_cta, address.zero_extend(64), step * width, effects);
      for (unsigned i = 0; i < step; ++i)
        numbers.push_back(product.arithmetic.number(held.type, unit.extract(i * width, width)));
    }
    return numbers;
  }

  Bits held_number(unsigned row, unsigned k) const {
    const HeldMatrix& held = product.a;
    const FragmentPlace place = held.layout.place_of(row, k);
    const Bits& fragment = lanes.value(place.lane);
    return product.arithmetic.number(held.type,
                                     fragment.extract(place.item * held.item_bits, held.item_bits));
  }

  /// A row of the warp.
  RowOfA row_of_a(unsigned row, Effects& effects) const {
    RowOfA line;
    const unsigned columns = product.a.layout.columns();
    if (descriptor_of_a.width() != 0) {
      line.numbers = read_line(descriptor_of_a, is_a_transposed, product.a,
                               rank / lanes_per_warp * rows_of_warp + row, effects);
    } else {
      for (unsigned k = 0; k < columns; ++k) line.numbers.push_back(held_number(row, k));
    }
    if (negates_a)
      for (Bits& number : line.numbers) number = negated_number(number);
    if (!product.sparse) return line;
    const FragmentLayout& layout = product.sparse->metadata;
    for (unsigned chunk = 0; chunk < layout.columns(); ++chunk) {
      const FragmentPlace place = layout.place_of(row, chunk, sparsity);
      const Bits& held = lanes.value(place.lane, metadata);
      const Bits is_misuse = product.sparse->add_indices(held.extract(4 * place.item, 4), line.index);
      if (!is_misuse.is_false()) effects.use(use_of_operand(Misuse::sparse_metadata, is_misuse));
    }
    return line;
  }

  std::vector<Bits> column_of_b(unsigned column, Effects& effects) const {
    std::vector<Bits> numbers = read_line(descriptor_of_b, is_b_transposed, product.b, column, effects);
    if (negates_b)
      for (Bits& number : numbers) number = negated_number(number);
    return numbers;
  }

  /// The registers of D, from what they hold before.
  Results perform(Effects& effects, std::span<const Bits> before) const {
    const HeldMatrix& d = product.d;
    std::map<unsigned, RowOfA> rows;
    std::map<unsigned, std::vector<Bits>> columns;
    Results results;
    Bits packed;
    for (unsigned item = 0; item < product.accumulators * d.items_of_register(); ++item) {
      const FragmentElement at = d.layout.element_at(rank % lanes_per_warp, item);
      const auto [row, is_new_row] = rows.try_emplace(at.row);
      if (is_new_row) row->second = row_of_a(at.row, effects);
      const auto [column, is_new_column] = columns.try_emplace(at.column);
      if (is_new_column) column->second = column_of_b(at.column, effects);
      const Bits old = before[item / d.items_of_register()].extract(
          item % d.items_of_register() * d.item_bits, d.item_bits);
      const Bits value = element(ite(adds, old, Bits(d.item_bits, 0)), row->second, column->second);
      packed = packed.width() == 0 ? value : concat(value, packed);
      if (packed.width() < d.register_bits) continue;
      results.push_back(packed);
      packed = {};
    }
    return results;
  }

  Bits element(const Bits& c, const RowOfA& row, const std::vector<Bits>& column) const {
    const MatrixArithmetic& arithmetic = product.arithmetic;
    const Bits number = arithmetic.number(product.d.type, c);
    if (!product.sparse) return arithmetic.sum(number, row.numbers, column);
    return arithmetic.sum(number, row.numbers, product.sparse->selected(row.index, column));
  }
};

/// Awaits the threads of the warpgroup, all of which must execute the instruction (§ 9.7.15.5.2).
Results await_warpgroup(const Form& form, const Operands& x, std::span<const Bits> values, Effects& effects,
                        std::function<Results(const ExchangedValues&)> after) {
  return await_group(form, x, ThreadGroup::warpgroup, values, effects, std::move(after));
}

unsigned sparsity_of(const WarpgroupProduct& product, const Operands& x) {
  if (!product.sparse) return 0;
  const std::uint64_t selector = known(x["sp-sel"]);
  if (selector >= product.sparse->metadata.copies())
    throw UnhandledEffect("a sparsity selector that its shape does not have");
  return static_cast<unsigned>(selector);
}

}  // namespace

Results multiply_by_warpgroup(const Form& form, const Operands& x, Effects& effects) {
  const WarpgroupProduct& product = warpgroup_product_of(form);
  const std::vector<Bits> given = given_to_warp(x);
  auto own = std::make_shared<ThreadProduct>(ThreadProduct{.product = product,
                                                           .lanes = ExchangedValues(0, 0),
                                                           .descriptor_of_a = x["a-desc"],
                                                           .descriptor_of_b = x["b-desc"],
                                                           .is_a_transposed = is_given(x, "imm-trans-a", 1),
                                                           .is_b_transposed = is_given(x, "imm-trans-b", 1),
                                                           .metadata = given.size() - 1,
                                                           .sparsity = sparsity_of(product, x),
                                                           .negates_a = is_given(x, "imm-scale-a", minus_one),
                                                           .negates_b = is_given(x, "imm-scale-b", minus_one),
                                                           .adds = x["scale-d"]});
  const auto start = [own, &effects] {
    return effects.start_on_registers({.group = AsyncGroup::wgmma},
                                      [own](Effects& performing, std::span<const Bits> before) {
                                        return own->perform(performing, before);
                                      });
  };
  const Bits descriptors = descriptors_in(x);
  return await_warpgroup(form, x, std::span(&descriptors, 1), effects,
                         [own, start, given, &form, x, &effects](const ExchangedValues& threads) {
                           Bits differ = Bits::boolean(false);
                           for (std::size_t rank = 0; rank < threads.threads(); ++rank)
                             differ = differ | ~equal(threads.value(rank), threads.value(own_lane(threads)));
                           if (!differ.is_false())
                             effects.use(use_of_operand(Misuse::different_matrix_descriptors, differ));
                           own->rank = own_lane(threads);
                           if (given.empty()) return start();
                           return await_warp(form, x, given, effects,
                                             [own, start](const ExchangedValues& lanes) {
                                               own->lanes = lanes;
                                               return start();
                                             });
                         });
}

Results fence_registers_of_warpgroup(const Form& form, const Operands& x, Effects& effects) {
  return await_warpgroup(form, x, {}, effects, [&effects](const ExchangedValues&) {
    effects.fence_registers();
    return Results();
  });
}

Results commit_products(const Form& form, const Operands& x, Effects& effects) {
  return await_warpgroup(form, x, {}, effects, [&effects](const ExchangedValues&) {
    effects.commit_group(AsyncGroup::wgmma);
    return Results();
  });
}

Results wait_for_products(const Form& form, const Operands& x, Effects& effects) {
  const std::uint64_t most = known(x["N"]);
  return await_warpgroup(form, x, {}, effects, [&effects, most](const ExchangedValues&) {
    effects.wait_group(AsyncGroup::wgmma, most, false);
    return Results();
  });
}

}  // namespace ptxmc
