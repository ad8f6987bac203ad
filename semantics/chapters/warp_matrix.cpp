#include "semantics/chapters/warp_matrix.hpp"

#include <vector>

#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/fragment_layout.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc {

namespace {

constexpr unsigned register_bits = 32;
constexpr unsigned bytes_of_row = 16;  // padding included

/// The matrices that an instruction moves. A row of the layout is what one address names: 16 bytes.
struct MovedMatrices {
  FragmentLayout layout;      ///< a copy for each matrix
  unsigned item_bits = 16;    ///< of an element in a register
  unsigned memory_bits = 16;  ///< of an element in memory

  unsigned items_of_register() const { return register_bits / item_bits; }
};

/// The fragments of § 9.7.14.5.15 and § 9.7.14.5.16. The columns of a `.m16n8` have addresses.
const MovedMatrices& moved_matrices(const Form& form) {
  static const MovedMatrices m8n8{{"c1 c2 r0 r1 r2", "c0 m0 m1"}};
  static const MovedMatrices m8n8_trans{{"r1 r2 c0 c1 c2", "r0 m0 m1"}};
  static const MovedMatrices m8n16_of_6{{"c2 c3 r0 r1 r2", "c0 c1 m0 m1"}, 8, 6};
  static const MovedMatrices m8n16_of_4{{"c2 c3 r0 r1 r2", "c0 c1 m0 m1"}, 8, 4};
  static const MovedMatrices m16n16{{"r2 r3 c0 c1 c2", "r0 r1 c3 m0"}, 8, 8};
  static const MovedMatrices m16n16_of_6{{"r2 r3 c0 c1 c2", "r0 r1 c3 m0"}, 8, 6};
  static const MovedMatrices m16n16_of_4{{"r2 r3 c0 c1 c2", "r0 r1 c3 m0"}, 8, 4};
  static const MovedMatrices m16n8{{"r1 r2 c0 c1 c2", "r0 c3 m0 m1"}, 8, 8};
  const bool is_of_6 = form.has(".b6x16_p32"), is_of_4 = form.has(".b4x16_p64");
  if (form.has(".m8n16")) return is_of_6 ? m8n16_of_6 : m8n16_of_4;
  if (form.has(".m16n16")) return is_of_6 ? m16n16_of_6 : is_of_4 ? m16n16_of_4 : m16n16;
  if (form.has(".m16n8")) return m16n8;
  return form.has(".trans") ? m8n8_trans : m8n8;
}

/// Elements of a lane that are beside each other in a row and in a register.
struct Run {
  FragmentElement first;
  unsigned item = 0, count = 0;
};

std::vector<Run> runs_of(const MovedMatrices& matrices, unsigned lane, unsigned registers) {
  std::vector<Run> runs;
  const unsigned in_register = matrices.items_of_register();
  for (unsigned item = 0; item < registers * in_register; ++item) {
    const FragmentElement element = matrices.layout.element_at(lane, item);
    const bool continues = item % in_register != 0 && runs.back().first.row == element.row &&
                           runs.back().first.column + runs.back().count == element.column;
    if (continues) {
      ++runs.back().count;
    } else {
      runs.push_back({element, item, 1});
    }
  }
  return runs;
}

/// The address of a row, which the lane with its number gives: addresses 0 to 7 (15) are those of the first
/// matrix. Undefined if it is not in shared memory.
Bits row_address(const Form& form, const MovedMatrices& matrices, const FragmentElement& element,
                 const ExchangedValues& lanes, Effects& effects) {
  const Bits& address = lanes.value(element.copy * matrices.layout.rows() + element.row);
  if (space_of(form) == StateSpace::generic)
    effects.use(
        use_of_operand(Misuse::matrix_outside_of_shared, ~is_in_window(StateSpace::shared_cta, address)));
  return address;
}

/// A weak access to a part of a row, whose address must be aligned to its size.
Access access_to(const Form& form, unsigned byte) {
  Access access;
  access.space = space_of(form);
  if (byte == 0) access.alignment = bytes_of_row;
  return access;
}

/// The bits from `first` on of the row at an address: one access, if they are a scalar in memory.
Bits read_bits(const Form& form, const Bits& row, unsigned first, unsigned width, Effects& effects) {
  const unsigned low = first / 8, high = (first + width + 7) / 8, bytes = high - low;
  const unsigned unit = (bytes == 2 || bytes == 4) && low % bytes == 0 ? bytes : 1;
  Bits value;
  for (unsigned byte = low; byte < high; byte += unit) {
    const Bits part = effects.read(access_to(form, byte), row + Bits(row.width(), byte), 8 * unit);
    value = value.width() == 0 ? part : concat(part, value);
  }
  return value.extract(first % 8, width);
}

unsigned registers_in(const Operand& operand) {
  const auto* vector = std::get_if<Operand::Vector>(&operand.is);
  return vector == nullptr ? 1 : static_cast<unsigned>(vector->elements.size());
}

/// Items of `width` bits as registers.
Results registers_of(const std::vector<Bits>& items) {
  Results registers;
  Bits packed;
  for (const Bits& item : items) {
    packed = packed.width() == 0 ? item : concat(item, packed);
    if (packed.width() < register_bits) continue;
    registers.push_back(packed);
    packed = {};
  }
  return registers;
}

}  // namespace

unsigned own_lane(const ExchangedValues& lanes) { return static_cast<unsigned>(lanes.own.to_u64()); }

Results await_warp(const Form& form, const Operands& x, std::span<const Bits> registers, Effects& effects,
                   std::function<Results(const ExchangedValues&)> after) {
  return await_group(form, x, ThreadGroup::warp, registers, effects, std::move(after));
}

Results await_group(const Form& form, const Operands& x, ThreadGroup group, std::span<const Bits> registers,
                    Effects& effects, std::function<Results(const ExchangedValues&)> after) {
  Exchange exchange{form.spelling, std::nullopt, registers, group};
  if (group == ThreadGroup::warp) exchange.members = Bits(lanes_per_warp, 0xffff'ffff);
  const Misuse misuse = group == ThreadGroup::warp ? Misuse::incomplete_warp : Misuse::incomplete_warpgroup;
  const bool has_results = !form.operands.empty() && form.operands[0].is_destination;
  const unsigned results = has_results ? registers_in(x.written[0]) : 0;
  return effects.await_exchange(
      exchange, [&effects, misuse, results, after = std::move(after)](const ExchangedValues& threads) {
        Bits all = Bits::boolean(true);
        bool are_known = true;
        for (std::size_t rank = 0; rank < threads.threads(); ++rank) {
          const Bits& takes_part = threads.takes_part(rank);
          if (takes_part.is_true()) continue;
          all = all & takes_part;
          are_known = are_known && !takes_part.is_false();
        }
        if (!all.is_true()) effects.use(use_of_operand(misuse, ~all));
        if (are_known) return after(threads);
        Results unspecified;
        for (unsigned i = 0; i < results; ++i) unspecified.push_back(effects.unspecified(64));
        return unspecified;
      });
}

Results load_matrices(const Form& form, const Operands& x, Effects& effects) {
  const unsigned registers = registers_in(x.written[0]);
  return await_warp(
      form, x, std::span(&x["p"], 1), effects, [&form, &effects, registers](const ExchangedValues& lanes) {
        const MovedMatrices& matrices = moved_matrices(form);
        std::vector<Bits> items;
        for (const Run& run : runs_of(matrices, own_lane(lanes), registers)) {
          const Bits row = row_address(form, matrices, run.first, lanes, effects);
          const unsigned width = matrices.memory_bits;
          const Bits read = read_bits(form, row, run.first.column * width, run.count * width, effects);
          for (unsigned i = 0; i < run.count; ++i)
            items.push_back(read.extract(i * width, width).zero_extend(matrices.item_bits));
        }
        return registers_of(items);
      });
}

Results store_matrices(const Form& form, const Operands& x, Effects& effects) {
  std::vector<Bits> given = {x["p"]};
  given.insert(given.end(), x.elements.begin(), x.elements.end());
  return await_warp(form, x, given, effects, [&form, &effects](const ExchangedValues& lanes) {
    const MovedMatrices& matrices = moved_matrices(form);
    const unsigned lane = own_lane(lanes), width = matrices.item_bits;
    const unsigned registers = fragment_registers(form, "r");
    for (const Run& run : runs_of(matrices, lane, registers)) {
      const Bits row = row_address(form, matrices, run.first, lanes, effects);
      const unsigned in_register = matrices.items_of_register(), byte = run.first.column * width / 8;
      const Bits& source = lanes.value(lane, 1 + run.item / in_register);
      effects.write(access_to(form, byte), row + Bits(row.width(), byte),
                    source.extract(run.item % in_register * width, run.count * width));
    }
    return Results();
  });
}

Results transpose_matrix(const Form& form, const Operands& x, Effects& effects) {
  return await_warp(form, x, std::span(&x.a, 1), effects, [](const ExchangedValues& lanes) {
    static const FragmentLayout layout("c1 c2 r0 r1 r2", "c0");
    const auto item = [&](unsigned number) {
      const FragmentElement element = layout.element_at(own_lane(lanes), number);
      const FragmentPlace source = layout.place_of(element.column, element.row);
      return lanes.value(source.lane).extract(16 * source.item, 16);
    };
    return Results(concat(item(1), item(0)));
  });
}

}  // namespace ptxmc
