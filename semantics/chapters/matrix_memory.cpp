// wmma.load and wmma.store: PTX ISA 8.7 § 9.7.14.4.2 to § 9.7.14.4.4.
#include <algorithm>
#include <vector>

#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/matrix_product.hpp"
#include "semantics/chapters/warp_matrix.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc {

namespace {

/// A matrix in memory, and the fragment of it that one lane holds.
class MatrixInMemory {
 public:
  MatrixInMemory(const Form& form, const ExchangedValues& lanes, bool has_stride)
      : held_(wmma_fragment(form, moved_matrix(form))), lane_(own_lane(lanes)), base_(lanes.value(lane_)) {
    // The lines of a fragment are the rows of the matrix, but the columns of a B.
    is_along_ = form.has(".row") != (moved_matrix(form) == 'b');
    if (held_.type.width == 1) item_elements_ = held_.item_bits;
    default_stride_ = is_along_ ? held_.layout.columns() * item_elements_ : held_.layout.rows();
    stride_ = has_stride ? lanes.value(lane_, 1).zero_extend(64) : Bits(64, default_stride_);
    // § 9.7.14.4.2: each row or column in memory is aligned to the size of a fragment, but some default
    // strides of the manual are smaller than that.
    alignment_ =
        std::min(fragment_registers(form, "r") * held_.register_bits, default_stride_ * held_.type.width) / 8;
  }

  /// § 9.7.14.4.3: "specifying a value lower than the default value results in undefined behavior".
  Bits has_small_stride() const { return less_unsigned(stride_, Bits(64, default_stride_)); }

  /// Without repeated elements.
  unsigned registers() const { return held_.layout.items() / held_.items_of_register(); }
  unsigned parts_of_register() const { return is_scalar() ? 1 : held_.items_of_register(); }
  unsigned part_bits() const { return is_scalar() ? held_.register_bits : held_.item_bits; }

  /// A weak access to a part of a register: to the register, if its items are beside each other in memory.
  struct Part {
    Access access;
    Bits address;
  };
  Part part(const Form& form, unsigned number, unsigned part) const {
    const FragmentElement at = held_.layout.element_at(lane_, number * held_.items_of_register() + part);
    const unsigned outer = is_along_ ? at.row : at.column;
    const unsigned inner = is_along_ ? at.column * item_elements_ : at.row;
    Access access;
    access.space = space_of(form);
    if (inner == 0) access.alignment = static_cast<std::uint8_t>(alignment_);
    const Bits index = Bits(64, outer) * stride_ + Bits(64, inner);
    return {access, base_ + shift_right_unsigned(index * Bits(64, held_.type.width), Bits(64, 3))};
  }

 private:
  bool is_scalar() const { return is_along_ || held_.items_of_register() == 1; }

  HeldMatrix held_;
  unsigned lane_;
  Bits base_, stride_;
  bool is_along_ = true;         ///< the items of a register are consecutive elements in memory
  unsigned item_elements_ = 1;   ///< single bits are held 32 an item
  unsigned default_stride_ = 0;  ///< elements
  unsigned alignment_ = 1;       ///< bytes
};

/// § 9.7.14.4.3: undefined unless all threads give the same address and a stride that is large enough.
void use_operands(const ExchangedValues& lanes, std::size_t operands, const MatrixInMemory& matrix,
                  Effects& effects) {
  Bits differ = matrix.has_small_stride();
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    for (std::size_t i = 0; i < operands; ++i)
      differ = differ | ~equal(lanes.value(lane, i), lanes.value(own_lane(lanes), i));
  if (!differ.is_false()) effects.use(use_of_operand(Misuse::different_matrix_operands, differ));
}

/// The address, and the stride if it is given.
std::vector<Bits> place_in_memory(const Operands& x) {
  std::vector<Bits> place = {x["p"]};
  if (x["stride"].width() != 0) place.push_back(x["stride"]);
  return place;
}

}  // namespace

Results load_fragment(const Form& form, const Operands& x, Effects& effects) {
  const std::vector<Bits> place = place_in_memory(x);
  const std::size_t operands = place.size();
  return await_warp(form, x, place, effects, [&form, &effects, operands](const ExchangedValues& lanes) {
    const MatrixInMemory matrix(form, lanes, operands == 2);
    use_operands(lanes, operands, matrix, effects);
    std::vector<Bits> registers;
    for (unsigned number = 0; number < matrix.registers(); ++number) {
      Bits value;
      for (unsigned part = 0; part < matrix.parts_of_register(); ++part) {
        const auto [access, address] = matrix.part(form, number, part);
        const Bits read = effects.read(access, address, matrix.part_bits());
        value = part == 0 ? read : concat(read, value);
      }
      registers.push_back(value);
    }
    Results results;
    for (unsigned i = 0; i < fragment_registers(form, "r"); ++i)
      results.push_back(registers[i % registers.size()]);
    return results;
  });
}

Results store_fragment(const Form& form, const Operands& x, Effects& effects) {
  std::vector<Bits> given = place_in_memory(x);
  const std::size_t operands = given.size();
  given.insert(given.end(), x.elements.begin(), x.elements.end());
  return await_warp(form, x, given, effects, [&form, &effects, operands](const ExchangedValues& lanes) {
    const MatrixInMemory matrix(form, lanes, operands == 2);
    use_operands(lanes, operands, matrix, effects);
    for (unsigned number = 0; number < matrix.registers(); ++number)
      for (unsigned part = 0; part < matrix.parts_of_register(); ++part) {
        const auto [access, address] = matrix.part(form, number, part);
        const Bits& source = lanes.value(own_lane(lanes), operands + number);
        effects.write(access, address, source.extract(part * matrix.part_bits(), matrix.part_bits()));
      }
    return Results();
  });
}

}  // namespace ptxmc
