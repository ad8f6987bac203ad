#include "semantics/chapters/tensor_memory_access.hpp"

#include <vector>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/fragment.hpp"
#include "semantics/chapters/fragment_layout.hpp"
#include "semantics/chapters/shared_matrix.hpp"
#include "semantics/chapters/warp_matrix.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/language/tensor_memory.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

constexpr unsigned warps_of_group = 4, half_cell = 16;

/// § 9.7.16.2.3.1: which cell a register of a lane of the warp is, counted from the address. The rows are
/// lanes of tensor memory; the copy is the second half of `.16x32bx2`.
const FragmentLayout& layout_of_shape(const Form& form) {
  static const FragmentLayout of_32x32b{"r0 r1 r2 r3 r4", "c0 c1 c2 c3 c4 c5 c6"};
  static const FragmentLayout of_16x64b{"r3 c0 r0 r1 r2", "c1 c2 c3 c4 c5 c6 c7"};
  static const FragmentLayout of_16x128b{"c0 c1 r0 r1 r2", "r3 c2 c3 c4 c5 c6 c7"};
  static const FragmentLayout of_16x256b{"c1 c2 r0 r1 r2", "c0 r3 c3 c4 c5 c6 c7"};
  static const FragmentLayout of_16x32bx2{"r0 r1 r2 r3 m0", "c0 c1 c2 c3 c4 c5 c6"};
  if (form.has(".16x64b")) return of_16x64b;
  if (form.has(".16x128b")) return of_16x128b;
  if (form.has(".16x256b")) return of_16x256b;
  return form.has(".16x32bx2") ? of_16x32bx2 : of_32x32b;
}

bool has_half_cells(const Form& form) { return form.has(".pack::16b") || form.has(".unpack::16b"); }

/// The place of a register of tcgen05.ld or tcgen05.st, from the address of the instruction.
Bits cell_of_register(const Form& form, const Bits& address, unsigned lane, unsigned number,
                      std::uint64_t split) {
  const FragmentElement at = layout_of_shape(form).element_at(lane, number);
  const unsigned columns = at.column * (has_half_cells(form) ? 2 : 1);
  return tensor_address_behind(address, at.row, columns + (at.copy == 0 ? 0 : static_cast<unsigned>(split)));
}

/// Undefined unless all threads give the same value.
void use_as_same(const ExchangedValues& lanes, Effects& effects) {
  Bits differ = Bits::boolean(false);
  for (std::size_t rank = 0; rank < lanes.threads(); ++rank)
    differ = differ | ~equal(lanes.value(rank), lanes.value(own_lane(lanes)));
  if (!differ.is_false()) effects.use(use_of_operand(Misuse::different_tensor_operands, differ));
}

/// § 9.7.16.7.1: each warp of a warpgroup has a quarter of the lanes.
void use_lanes(const Form& form, const Bits& address, Effects& effects) {
  const unsigned warp = effects.thread_number() / lanes_per_warp % warps_of_group;
  const Bits lane = address.extract(16, 16), first(16, warp * lanes_per_warp);
  const unsigned rows = layout_of_shape(form).rows();
  const Bits is_own =
      less_equal_unsigned(first, lane) & less_equal_unsigned(lane, first + Bits(16, lanes_per_warp - rows));
  if (!is_own.is_true()) effects.use(use_of_operand(Misuse::lanes_of_other_warp, ~is_own));
  const Bits is_aligned = is_zero(lane.extract(0, 4));
  if (!is_aligned.is_true()) effects.use(use_of_operand(Misuse::tensor_alignment, ~is_aligned));
}

/// The number of registers from `first` on, at most four, that are beside each other in a lane of tensor
/// memory.
unsigned adjacent_registers(const Form& form, unsigned lane, unsigned first, unsigned registers) {
  if (has_half_cells(form)) return 1;
  const FragmentLayout& layout = layout_of_shape(form);
  const FragmentElement at = layout.element_at(lane, first);
  unsigned count = 1;
  while (count < 4 && first + count < registers) {
    const FragmentElement next = layout.element_at(lane, first + count);
    if (next.row != at.row || next.column != at.column + count) break;
    ++count;
  }
  return count == 3 ? 2 : count;  // an access has 32, 64 or 128 bits
}

Results load_registers(const Form& form, const Bits& address, unsigned lane, std::uint64_t split,
                       Effects& effects) {
  const unsigned registers = fragment_registers(form, "r");
  const Bits rank = effects.cta_rank();
  Results results;
  for (unsigned i = 0; i < registers;) {
    const Bits cell = cell_of_register(form, address, lane, i, split);
    if (has_half_cells(form)) {
      const Bits low = read_cells(cell, cell_bits, rank, effects);
      const Bits high = read_cells(tensor_address_behind(cell, 0, 1), cell_bits, rank, effects);
      results.push_back(concat(high.extract(0, half_cell), low.extract(0, half_cell)));
      ++i;
      continue;
    }
    const unsigned count = adjacent_registers(form, lane, i, registers);
    const Bits cells = read_cells(cell, count * cell_bits, rank, effects);
    for (unsigned k = 0; k < count; ++k) results.push_back(cells.extract(k * cell_bits, cell_bits));
    i += count;
  }
  return results;
}

void store_registers(const Form& form, const Bits& address, unsigned lane, std::uint64_t split,
                     const Values& registers, Effects& effects) {
  const Bits rank = effects.cta_rank();
  const auto count_of = static_cast<unsigned>(registers.size());
  for (unsigned i = 0; i < count_of;) {
    const Bits cell = cell_of_register(form, address, lane, i, split);
    if (has_half_cells(form)) {
      // § 9.7.16.7.2: only the lower halves of the cells are given.
      for (unsigned half = 0; half < 2; ++half)
        write_cells(tensor_address_behind(cell, 0, half),
                    concat(effects.unspecified(half_cell), registers[i].extract(half * half_cell, half_cell)),
                    rank, effects);
      ++i;
      continue;
    }
    const unsigned count = adjacent_registers(form, lane, i, count_of);
    Bits cells = registers[i];
    for (unsigned k = 1; k < count; ++k) cells = concat(registers[i + k], cells);
    write_cells(cell, cells, rank, effects);
    i += count;
  }
}

std::uint64_t split_of(const Operands& x) {
  const Bits& split = x["immHalfSplitoff"];
  return split.width() == 0 ? 0 : known(split);
}

Access access_to_cells(unsigned width) {
  Access access;
  access.proxy = Proxy::async;
  access.space = StateSpace::tensor;
  access.is_copy = true;
  (void)width;
  return access;
}

}  // namespace

Bits tensor_address_behind(const Bits& address, unsigned lanes, unsigned columns) {
  return concat(address.extract(16, 16) + Bits(16, lanes), address.extract(0, 16) + Bits(16, columns));
}

Bits read_cells(const Bits& address, unsigned width, const Bits& rank, Effects& effects) {
  const Bits cell = effects.address_in_cta(tensor_cell_address(address), rank);
  if (width <= cell_bits) return effects.read(access_to_cells(width), cell, width);
  Bits value;
  for (unsigned at = 0; at < width; at += cell_bits) {
    const Bits part = effects.read(access_to_cells(width), cell + Bits(64, at / 8), cell_bits);
    value = at == 0 ? part : concat(part, value);
  }
  return value;
}

void write_cells(const Bits& address, const Bits& value, const Bits& rank, Effects& effects) {
  const Bits cell = effects.address_in_cta(tensor_cell_address(address), rank);
  for (unsigned at = 0; at < value.width(); at += cell_bits)
    effects.write(access_to_cells(value.width()), cell + Bits(64, at / 8), value.extract(at, cell_bits));
}

void use_cta_group(const Form& form, Effects& effects) {
  if (!form.has(".cta_group::2")) return;
  const Bits last = effects.cta_rank() | Bits(32, 1);
  const Bits is_missing = less_equal_unsigned(Bits(32, effects.ctas_of_cluster()), last);
  if (!is_missing.is_false()) effects.use(use_of_operand(Misuse::no_peer_cta, is_missing));
}

std::vector<Bits> ranks_of_cta_group(const Form& form, Effects& effects) {
  const Bits own = effects.cta_rank();
  if (!form.has(".cta_group::2")) return {own};
  const Bits even = own & Bits(32, ~std::uint32_t{1});
  return {even, even | Bits(32, 1)};
}

namespace {

/// Orders what the lanes of the warp have performed before what they perform from here on.
Results meet_in_warp(Effects& effects, std::function<Results()> after) {
  effects.begin_next_part();
  const Barrier barrier = {.group = Barrier::Group::warp,
                           .aligned = true,
                           .id = Bits(lanes_per_warp, 0xffff'ffff),
                           .count = {},
                           .predicate = {}};
  return effects.await_barrier(barrier, [&effects, after = std::move(after)](const Bits&) {
    effects.begin_next_part();
    return after();
  });
}

}  // namespace

/// The first lane allocates and writes the address, in order with the accesses of all lanes before and
/// behind: § 9.7.16.5.1, "maintain same-address ordering".
Results allocate_tensor_columns(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  const Bits columns = x["nCols"].resize_unsigned(32), place = x["dst"];
  const unsigned ctas = form.has(".cta_group::2") ? 2 : 1;
  const StateSpace space = space_of(form);
  return await_warp(
      form, x, std::span(&columns, 1), effects,
      [&effects, columns, place, ctas, space](const ExchangedValues& lanes) {
        use_as_same(lanes, effects);
        if (space == StateSpace::generic)
          effects.use(
              use_of_operand(Misuse::matrix_outside_of_shared, ~is_in_window(StateSpace::shared_cta, place)));
        const bool is_first = own_lane(lanes) == 0;
        const auto meet = [&effects] { return meet_in_warp(effects, [] { return Results(); }); };
        return meet_in_warp(effects, [&effects, columns, place, ctas, space, is_first, meet] {
          if (!is_first) return meet();
          return effects.allocate_tensor_memory(columns, ctas,
                                                [&effects, place, space, meet](const Bits& address) {
                                                  Access access;
                                                  access.space = space;
                                                  effects.write(access, place, address);
                                                  return meet();
                                                });
        });
      });
}

Results free_tensor_columns(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  const Bits columns = x["nCols"].resize_unsigned(32), address = x["taddr"].resize_unsigned(32);
  const unsigned ctas = form.has(".cta_group::2") ? 2 : 1;
  const Bits both = concat(columns, address);
  return await_warp(form, x, std::span(&both, 1), effects,
                    [&effects, columns, address, ctas](const ExchangedValues& lanes) {
                      use_as_same(lanes, effects);
                      if (own_lane(lanes) == 0) effects.free_tensor_memory(address, columns, ctas);
                      return Results();
                    });
}

Results end_tensor_allocations(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  return await_warp(form, x, {}, effects, [&effects](const ExchangedValues&) {
    effects.end_tensor_allocations();
    return Results();
  });
}

Results load_from_tensor_memory(const Form& form, const Operands& x, Effects& effects) {
  const Bits address = x["taddr"].resize_unsigned(32);
  const std::uint64_t split = split_of(x);
  return await_warp(form, x, std::span(&address, 1), effects,
                    [&form, &effects, address, split](const ExchangedValues& lanes) {
                      use_as_same(lanes, effects);
                      use_lanes(form, address, effects);
                      return effects.start_with_results(
                          {.group = AsyncGroup::tensor_load},
                          [&form, address, split, lane = own_lane(lanes)](Effects& performing) {
                            return load_registers(form, address, lane, split, performing);
                          });
                    });
}

Results store_to_tensor_memory(const Form& form, const Operands& x, Effects& effects) {
  const Bits address = x["taddr"].resize_unsigned(32);
  const std::uint64_t split = split_of(x);
  return await_warp(form, x, std::span(&address, 1), effects,
                    [&form, &effects, address, split, registers = x.elements](const ExchangedValues& lanes) {
                      use_as_same(lanes, effects);
                      use_lanes(form, address, effects);
                      effects.start(
                          {.group = AsyncGroup::tensor_store},
                          [&form, address, split, registers, lane = own_lane(lanes)](Effects& performing) {
                            store_registers(form, address, lane, split, registers, performing);
                          });
                      return Results();
                    });
}

Results wait_for_tensor_accesses(const Form& form, const Operands& x, Effects& effects) {
  const AsyncGroup group = form.has(".wait::ld") ? AsyncGroup::tensor_load : AsyncGroup::tensor_store;
  return await_warp(form, x, {}, effects, [&effects, group](const ExchangedValues&) {
    effects.commit_group(group);
    effects.wait_group(group, 0, false);
    return Results();
  });
}

namespace {

/// § 9.7.16.8.2: the rows of the source are copied to lanes, perhaps to several.
struct CopiedShape {
  unsigned rows = 128, bytes_of_row = 16;
  std::vector<unsigned> quarters_of_first = {}, quarters_of_second = {};  ///< by 32 rows, if they are few
};

CopiedShape copied_shape(const Form& form) {
  if (form.has(".128x256b")) return {.bytes_of_row = 32};
  if (form.has(".128x128b")) return {};
  if (form.has(".32x128b")) return {.rows = 32, .quarters_of_first = {0, 1, 2, 3}};
  if (form.has(".64x128b"))
    return form.has(".warpx2::02_13")
               ? CopiedShape{.rows = 64, .quarters_of_first = {0, 2}, .quarters_of_second = {1, 3}}
               : CopiedShape{.rows = 64, .quarters_of_first = {0, 1}, .quarters_of_second = {2, 3}};
  throw UnhandledEffect("a copy of four rows, of which the manual does not say the lanes");
}

/// The lanes of tensor memory to which a row is copied.
std::vector<unsigned> lanes_of_row(const CopiedShape& shape, unsigned row) {
  if (shape.quarters_of_first.empty()) return {row};
  std::vector<unsigned> lanes;
  for (const unsigned quarter : row < lanes_per_warp ? shape.quarters_of_first : shape.quarters_of_second)
    lanes.push_back(quarter * lanes_per_warp + row % lanes_per_warp);
  return lanes;
}

}  // namespace

Results copy_to_tensor_memory(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  if (form.has(".b8x16"))
    throw UnhandledEffect("decompression, of which the manual does not say the place of the bits");
  const CopiedShape shape = copied_shape(form);
  const SharedMatrix source(x["s-desc"], SharedMatrix::Chapter::tcgen05, 8, true);
  const Bits address = x["taddr"].resize_unsigned(32);
  const std::vector<Bits> ranks = ranks_of_cta_group(form, effects);
  effects.start({.group = AsyncGroup::tensor_operation}, [=](Effects& performing) {
    const Bits own = performing.cta_rank();
    const unsigned step = source.adjacent();  // bytes
    for (unsigned row = 0; row < shape.rows; ++row)
      for (unsigned byte = 0; byte < shape.bytes_of_row; byte += step) {
        const Bits from = performing.address_in_cta(source.address_of({row, byte}), own);
        const Bits unit = read_words(StateSpace::shared_cta, from.zero_extend(64), step * 8, performing);
        for (const unsigned lane : lanes_of_row(shape, row))
          for (const Bits& rank : ranks)
            write_cells(tensor_address_behind(address, lane, byte / tensor_cell_bytes), unit, rank,
                        performing);
      }
  });
  return {};
}

Results shift_tensor_memory(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  const Bits is_aligned = is_zero(x["taddr"].resize_unsigned(32).extract(16, 5));
  if (!is_aligned.is_true()) effects.use(use_of_operand(Misuse::tensor_alignment, ~is_aligned));
  if (is_aligned.is_false()) return {};
  throw UnhandledEffect("a shift of rows, of which the manual does not say the direction");
}

Results fence_tensor_memory(const Form& form, const Operands&, Effects& effects) {
  effects.fence_tensor_operations(form.spelling.ends_with("before_thread_sync"));
  return {};
}

/// § 9.7.16.11.1: one arrival, when the earlier operations of the thread are complete, at the mbarrier at
/// this address in each CTA of the mask.
Results commit_tensor_operations(const Form& form, const Operands& x, Effects& effects) {
  use_cta_group(form, effects);
  Access access;
  access.sem = Sem::release;
  access.scope = Scope::cluster;
  access.space = form.has(".shared::cluster") ? StateSpace::shared_cluster : StateSpace::generic;
  access.is_reduction = true;
  access.mbarrier = MbarrierAccess::operation;
  std::vector<Bits> places;
  if (form.has(".multicast::cluster")) {
    const std::uint64_t mask = known(x["ctaMask"]);
    for (unsigned rank = 0; rank < 16; ++rank)
      if ((mask >> rank & 1) != 0) places.push_back(effects.address_in_cta(x["mbar"], Bits(32, rank)));
  } else {
    places.push_back(x["mbar"]);
  }
  // Each signal is an operation of its own: nothing orders one before the other.
  for (const Bits& place : places)
    effects.start({.follows = AsyncGroup::tensor_operation}, [access, place](Effects& performing) {
      update_mbarrier(access, place, {.step = {.arrivals = Bits(32, 1), .may_complete = true}}, performing);
    });
  return {};
}

}  // namespace ptxmc
