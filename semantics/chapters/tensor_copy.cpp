// PTX ISA 8.7 § 9.7.9.25.5 and § 9.7.9.26: copies of tensors, and changes of tensor maps.
#include <algorithm>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/chapters/tensor_box.hpp"
#include "semantics/language/address_windows.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"

namespace ptxmc {

namespace {

constexpr std::size_t tensor_map_words = tensor_map_bytes / 8;

/// The type of single elements as operands, without `.ftz`; packed types have none.
std::optional<Type> operand_type(const TensorElementType& type) {
  constexpr std::string_view flushes = ".ftz";
  std::string_view name = type.name;
  if (name.ends_with(flushes)) name.remove_suffix(flushes.size());
  const auto modifier = Modifier::find(name);
  return modifier && type.group == 1 ? std::optional(type_of(*modifier)) : std::nullopt;
}

/// § 9.7.9.25.5.2: where the coordinates and the im2col offsets say that an operation begins. A row for each
/// of four coordinates is `.tile::gather4` and `.tile::scatter4` (§ 5.5.3.4).
TensorPlace place_of(const Form& form, const Operands& x) {
  constexpr Modifier ranks[] = {".1d", ".2d", ".3d", ".4d", ".5d"};
  const auto* rank = std::ranges::find_if(ranks, [&](const Modifier& name) { return form.has(name); });
  const bool has_rows = form.has(".tile::gather4") || form.has(".tile::scatter4");
  TensorPlace place;
  place.rank = static_cast<unsigned>(rank - std::begin(ranks)) + 1;
  if (form.has(".im2col::w") || form.has(".im2col::w::128")) throw UnhandledEffect("im2col::w mode");
  if (form.has(".im2col")) place.mode = TensorMode::im2col;
  if (form.has(".im2col_no_offs")) place.mode = TensorMode::im2col_without_offsets;
  std::vector<Bits> given(x.elements.begin(), x.elements.end());
  const std::size_t coordinates = has_rows ? 5 : place.rank;
  if (given.empty()) given.push_back(x["tensorCoords"]);
  if (x["im2colInfo"].width() != 0) given.push_back(x["im2colInfo"]);
  const std::size_t offsets = place.mode == TensorMode::im2col ? place.rank - 2 : 0;
  if (given.size() != coordinates + offsets)
    throw UnhandledEffect("another number of coordinates or offsets than the tensor has");
  std::vector<std::int64_t> numbers;
  for (const Bits& value : given) {
    if (!value.is_constant()) throw UnhandledEffect("coordinates that are not known");
    const bool is_offset = numbers.size() >= coordinates;
    numbers.push_back(is_offset ? static_cast<std::int64_t>(value.to_u64())
                                : static_cast<std::int32_t>(value.to_u64()));
  }
  for (std::size_t i = 1; has_rows && i < coordinates; ++i) place.starts.push_back({numbers[0], numbers[i]});
  if (!has_rows) std::copy_n(numbers.begin(), coordinates, place.starts.emplace_back().begin());
  std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(coordinates), offsets, place.offsets.begin());
  return place;
}

/// Calls `use` with the elements that an operation accesses by the tensor map at an address. The operation
/// reads the map through the tensormap proxy: § 9.7.9.25.5.2.
template <class Use>
void with_box(const Bits& map, const TensorPlace& place, Effects& strand, const Use& use) {
  Access access;
  access.proxy = Proxy::tensormap;
  access.is_copy = true;
  std::array<Bits, tensor_map_words> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = strand.read(access, map + Bits(64, 8 * i), 64);
  strand.for_each_content(words, [&](std::span<const Bits> known) {
    use(box_of(TensorMap(known.first<tensor_map_words>()), place));
  });
}

Access copy_access(StateSpace space) {
  Access access;
  access.proxy = Proxy::async;
  access.space = space;
  access.is_copy = true;
  return access;
}

/// The bits that every quiet NaN has.
Bits quiet_nan(FloatFormat format) {
  const FloatLayout layout = layout_of(format);
  const std::uint64_t ones = (std::uint64_t{2} << layout.exponent) - 1;
  return Bits(layout.width, ones << (layout.padding + layout.fraction - 1));
}

/// § 5.5.3.3: zero, or a NaN that the manual does not determine further.
Bits fill_value(const TensorBox& box, unsigned width, Effects& effects) {
  if (!box.fills_with_nan) return Bits(width, 0);
  const auto type = operand_type(box.type);
  if (!type || !type->is_float())
    throw UnhandledEffect("a fill with NaN of elements that are no numbers with NaN");
  Bits value;
  for (unsigned at = 0; at < width; at += type->width) {
    const Bits element = effects.unspecified(type->width) | quiet_nan(*type->format);
    value = at == 0 ? element : concat(element, value);
  }
  return value;
}

/// What a copy makes of an element. The manual names the types with `.ftz` and `.tf32` (§ 5.5.1) and does not
/// say whether a copy flushes and rounds: either the element is unchanged, or it becomes what the type says.
Bits copied(const TensorBox& box, const Bits& element, Effects& effects) {
  const auto unless = [&](const Bits& changes, const Bits& changed, const Bits& value) {
    return changes.is_false() ? value : ite(changes & effects.unspecified(1), changed, value);
  };
  constexpr unsigned width = 32, exponent_at = 23, exponent_bits = 8, unused_bits = 13;
  const bool flushes = box.type.name.ends_with(".ftz"), rounds = box.type.name.starts_with(".tf32");
  if (element.width() != width || (!flushes && !rounds)) return element;
  const auto is_zero = [](const Bits& bits) { return equal(bits, Bits(bits.width(), 0)); };
  const Bits exponent = element.extract(exponent_at, exponent_bits);
  Bits result = element;
  if (rounds) {
    // To the number below or above in magnitude, if the element is a finite number that is none of the type.
    const Bits cut = concat(element.extract(unused_bits, width - unused_bits), Bits(unused_bits, 0));
    const Bits is_finite = ~equal(exponent, Bits(exponent_bits, 0xff));
    const Bits is_between = ~is_zero(element.extract(0, unused_bits)) & is_finite;
    result = unless(is_between, cut, result);
    result = unless(is_between, cut + Bits(width, 1u << unused_bits), result);
  }
  if (flushes) {
    const Bits zero = concat(element.bit(width - 1), Bits(width - 1, 0));
    const Bits is_subnormal = is_zero(exponent) & ~is_zero(element.extract(0, exponent_at));
    result = unless(is_subnormal, zero, result);
  }
  return result;
}

/// The place in shared memory of some bytes. 8 bytes stay together under every swizzle.
Bits shared_address(const TensorBox& box, const Bits& address, std::uint64_t offset) {
  return swizzled(box.swizzle, address + Bits(64, offset));
}

constexpr std::uint8_t tile_alignment = 16;  // bytes: § 5.5.3.1
constexpr unsigned packed_bytes = 4;         // of the accesses to packed elements

/// § 5.5.1.1.1: a group of packed elements, and padding that has no value.
void load_packed(const TensorBox& box, const TensorPiece& piece, const AsyncPlace& to, Effects& strand) {
  for (unsigned at = 0; at < piece.shared_bytes; at += packed_bytes) {
    const bool is_padding = at >= piece.global_bytes;
    Access write = copy_access(to.space);
    if (piece.offset + at == 0) write.alignment = tile_alignment;
    write.is_indeterminate = is_padding;
    const Bits value = is_padding ? strand.unspecified(8 * packed_bytes)
                       : !piece.is_inside
                           ? fill_value(box, 8 * packed_bytes, strand)
                           : strand.read(copy_access(StateSpace::global), piece.global_address + Bits(64, at),
                                         8 * packed_bytes);
    strand.write(write, shared_address(box, to.address, piece.offset + at), value);
  }
}

/// Copies elements from global memory. Returns the number of bytes written, fills included.
std::uint64_t load_box(const TensorBox& box, const AsyncPlace& to, Effects& strand) {
  for (const TensorPiece& piece : pieces_of(box)) {
    if (box.type.group > 1) {
      load_packed(box, piece, to, strand);
      continue;
    }
    const unsigned width = piece.global_bytes * 8;
    Access write = copy_access(to.space);
    if (piece.offset == 0) write.alignment = tile_alignment;
    const Bits value =
        piece.is_inside
            ? copied(box, strand.read(copy_access(StateSpace::global), piece.global_address, width), strand)
            : fill_value(box, width, strand);
    strand.write(write, shared_address(box, to.address, piece.offset), value);
  }
  return box.bytes();
}

/// § 5.5.1.1.1: the bits of a group of packed elements in global memory. Of `.b6p2x16` each byte of shared
/// memory has an element of 6 bits.
Bits packed_bits(const TensorBox& box, const TensorPiece& piece, const AsyncPlace& from, Effects& strand) {
  Bits group;
  for (unsigned at = 0; at < piece.shared_bytes; at += packed_bytes) {
    const Bits word = strand.read(copy_access(from.space),
                                  shared_address(box, from.address, piece.offset + at), 8 * packed_bytes);
    group = at == 0 ? word : concat(word, group);
  }
  if (box.type.width == box.type.shared_width) return group;
  const unsigned bits = box.type.width / box.type.group;
  Bits packed = group.extract(0, bits);
  for (unsigned i = 1; i < box.type.group; ++i) packed = concat(group.extract(8 * i, bits), packed);
  return packed;
}

/// Elements outside of the tensor are not written.
void store_box(const TensorBox& box, const AsyncPlace& from, Effects& strand) {
  // § 9.7.9.25.5.1
  if (box.type.name == ".b4x16_p64") throw UnhandledEffect("a copy of .b4x16_p64 to global memory");
  const Access write = copy_access(StateSpace::global);
  for (const TensorPiece& piece : pieces_of(box)) {
    if (!piece.is_inside) continue;
    if (box.type.group > 1) {
      const Bits packed = packed_bits(box, piece, from, strand);
      for (unsigned at = 0; at < piece.global_bytes; at += packed_bytes)
        strand.write(write, piece.global_address + Bits(64, at), packed.extract(8 * at, 8 * packed_bytes));
      continue;
    }
    const Bits value = strand.read(copy_access(from.space), shared_address(box, from.address, piece.offset),
                                   piece.shared_bytes * 8);
    strand.write(write, piece.global_address, copied(box, value, strand));
  }
}

/// The CTA that a multicast signals for one of its destinations. With .cta_group::2 it is the one of the pair
/// whose rank is even or odd as that of the CTA of the mbarrier.
Bits signalled_cta(const Form& form, std::uint64_t destination, const Bits& mbarrier) {
  if (!form.has(".cta_group::2")) return Bits(32, destination);
  return concat(Bits(31, destination / 2), mbarrier.bit(cta_rank_shift));
}

/// § 9.7.9.25.5.2: data and signal go to the same offsets in each CTA of the mask.
void load_tensor(const Form& form, const Operands& x, Effects& effects) {
  const StateSpace space = form.has(".shared::cluster") ? StateSpace::shared_cluster : StateSpace::shared_cta;
  const Bits map = x["tensorMap"];
  const TensorPlace place = place_of(form, x);
  const auto start = [&](const Bits& destination, const Bits& mbarrier) {
    effects.start({}, [=](Effects& strand) {
      with_box(map, place, strand, [&](const TensorBox& box) {
        const std::uint64_t bytes = load_box(box, {space, destination}, strand);
        complete_transactions({space, mbarrier}, Bits(32, bytes), strand);
      });
    });
  };
  if (x["ctaMask"].width() == 0) return start(x["dstMem"], x["mbar"]);
  const std::uint64_t mask = known(x["ctaMask"]);
  for (std::uint64_t cta = 0; cta < 16; ++cta)
    if ((mask >> cta & 1) != 0)
      start(effects.address_in_cta(x["dstMem"], Bits(32, cta)),
            effects.address_in_cta(x["mbar"], signalled_cta(form, cta, x["mbar"])));
}

void copy_tensor(const Form& form, const Operands& x, Effects& effects) {
  if (!form.has(".bulk_group")) return load_tensor(form, x, effects);
  const Bits map = x["tensorMap"];
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]};
  const TensorPlace place = place_of(form, x);
  effects.start({.group = AsyncGroup::bulk}, [=](Effects& strand) {
    with_box(map, place, strand, [&](const TensorBox& box) { store_box(box, from, strand); });
  });
}

/// The type of the elements of a reduction. The types of § 9.7.9.25.5.3 are taken for those of
/// § 9.7.9.25.4.2, since the table of the former has no cells.
Type reduced_type(const TensorElementType& type) {
  const auto operand = operand_type(type);
  if (!operand || type.name.ends_with(".ftz") || type.name == ".tf32")
    throw UnhandledEffect("a reduction of elements of this type");
  return *operand;
}

/// The update of an element by a reduction.
Update reduction(const Form& form, const Type& type, const Bits& address, const Bits& value,
                 const Bits& old) {
  if (!type.is_float()) return integer_reduction(form, type.is_signed(), value, old);
  if (form.has(".add")) return float_addition(*type.format, StateSpace::global, address, value, old);
  const bool is_selection = form.has(".min") || form.has(".max");
  if (!is_selection || type.width != 16)
    throw UnhandledEffect("a reduction for which elements of this floating-point type are no operands");
  return {form.has(".min") ? float_minimum(form, type, old, value) : float_maximum(form, type, old, value)};
}

/// § 9.7.9.25.5.3: weak reads of the source; the reduction of each element is .relaxed.gpu.
void reduce_box(const Form& form, const TensorBox& box, const AsyncPlace& from, Effects& strand) {
  const Type type = reduced_type(box.type);
  for (const TensorPiece& piece : pieces_of(box)) {
    if (!piece.is_inside) continue;
    Access update;
    update.proxy = Proxy::async;
    update.sem = Sem::relaxed;
    update.scope = Scope::gpu;
    update.space = StateSpace::global;
    update.is_reduction = true;
    const Bits values = strand.read(copy_access(from.space), shared_address(box, from.address, piece.offset),
                                    piece.shared_bytes * 8);
    for (unsigned at = 0; at < values.width(); at += type.width) {
      const Bits address = piece.global_address + Bits(64, at / 8);
      strand.read_modify_write(update, address, type.width, [&](const Bits& old) {
        return reduction(form, type, address, values.extract(at, type.width), old);
      });
    }
  }
}

void reduce_tensor(const Form& form, const Operands& x, Effects& effects) {
  const Bits map = x["tensorMap"];
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]};
  const TensorPlace place = place_of(form, x);
  effects.start({.group = AsyncGroup::bulk}, [=, &form](Effects& strand) {
    with_box(map, place, strand, [&](const TensorBox& box) { reduce_box(form, box, from, strand); });
  });
}

/// § 9.7.9.26.
TensorMapField replaced_field(const Form& form, const Operands& x) {
  const auto dimension = [&](std::uint64_t dimensions) {
    const std::uint64_t ord = known(x["ord"]);
    if (ord >= dimensions) throw UnhandledEffect("a stride of a dimension that has none");
    return static_cast<unsigned>(ord);
  };
  if (form.has(".global_address")) return global_address_field;
  if (form.has(".global_stride")) return global_stride_field(dimension(4));
  if (form.has(".global_dim")) return global_dim_field(dimension(5));
  if (form.has(".box_dim")) return box_dim_field(dimension(5));
  if (form.has(".element_stride")) return element_stride_field(dimension(5));
  if (form.has(".rank")) return rank_field;
  if (form.has(".elemtype")) return elemtype_field;
  if (form.has(".interleave_layout")) return interleave_layout_field;
  if (form.has(".swizzle_mode")) return swizzle_mode_field;
  return form.has(".swizzle_atomicity") ? swizzle_atomicity_field : fill_mode_field;
}

/// § 9.7.9.26: a weak operation on the entire object. Each word is read before it is written.
void replace_field(const Form& form, const Operands& x, Effects& effects) {
  Access access;
  access.is_copy = true;
  access.space = space_of(form);
  const TensorMapField field = replaced_field(form, x);
  std::array<Bits, tensor_map_words> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Bits address = x["addr"] + Bits(64, 8 * i);
    words[i] = effects.read(access, address, 64);
    TensorMap map(words);
    if (field.offset / 8 == i) map.set_field(field, x["new_val"].resize_unsigned(field.width));
    effects.begin_next_part();
    effects.write(access, address, map.words()[i]);
    effects.begin_next_part();
  }
  if (TensorMap(words).is_im2col().is_true()) throw UnhandledEffect("a tensor map for another mode");
}

/// § 9.7.13.16: a copy of `size` bytes through the generic proxy, by the warp together: its lowest lane
/// performs it. Each thread has the release pattern towards the tensormap proxy.
Results copy_tensor_map(const Form& form, const Operands& x, Effects& effects) {
  const Bits lane(32, 0);
  const Exchange meeting = {form.spelling, Bits(lanes_per_warp, ~std::uint32_t{0}), std::span(&lane, 1)};
  const Scope scope = scope_of(form);
  const AsyncPlace from{StateSpace::shared_cta, x["src"]}, to{StateSpace::global, x["dst"]};
  return effects.await_exchange(meeting, [=, &effects](const ExchangedValues& lanes) -> Results {
    unsigned lowest = 0;
    while (lowest < lanes_per_warp && lanes.takes_part(lowest).is_false()) ++lowest;
    if (!lanes.takes_part(lowest).is_true()) throw UnhandledEffect("lanes that may have exited");
    if (equal(lanes.own, Bits(32, lowest)).is_true())
      copy_bytes(from, to, tensor_map_bytes, tensor_map_bytes, Proxy::generic, 0, effects);
    effects.begin_next_part();
    Fence fence;
    fence.is_proxy_fence = true;
    fence.sem = Sem::release;
    fence.scope = scope;
    fence.to = Proxy::tensormap;
    effects.fence(fence);
    return {};
  });
}

constexpr Rule prefetch([](const Form&, const Operands&) -> Results { return {}; });

constexpr Definition definitions_of_tensor_copies[] = {
    {"9.7.9.25.5.2", R"(
       cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.mbarrier::complete_tx::bytes{.cta_group}{.level::cache_hint}
           [dstMem], [tensorMap, tensorCoords], [mbar]{, {im2colInfo}}{, cache-policy};
       cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.mbarrier::complete_tx::bytes{.multicast}{.cta_group}{.level::cache_hint}
           [dstMem], [tensorMap, tensorCoords], [mbar]{, {im2colInfo}}{, ctaMask}{, cache-policy};
       cp.async.bulk.tensor.dim.global.shared::cta{.store_mode}.bulk_group{.level::cache_hint}
           [tensorMap, tensorCoords], [srcMem]{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .tile::gather4, .im2col, .im2col::w, .im2col::w::128 };
       .store_mode = { .tile, .tile::scatter4, .im2col_no_offs };
       .cta_group = { .cta_group::1, .cta_group::2 };
       .multicast = { .multicast::cluster };
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};  im2colInfo : .u16;  ctaMask : .b16;
       except .1d.im2col, .2d.im2col, .1d.im2col::w, .2d.im2col::w, .1d.im2col::w::128, .2d.im2col::w::128,
              .1d.im2col_no_offs, .2d.im2col_no_offs,
              .1d.tile::gather4, .3d.tile::gather4, .4d.tile::gather4, .5d.tile::gather4,
              .1d.tile::scatter4, .3d.tile::scatter4, .4d.tile::scatter4, .5d.tile::scatter4;
       PTX 8.0, sm_90;  PTX 8.6, sm_90: .shared::cta.global.mbarrier::complete_tx::bytes;
       PTX 8.6, sm_100: .tile::gather4, .im2col::w;
       PTX 8.6, sm_100a: .shared::cluster.tile::gather4, .shared::cluster.im2col::w;
       PTX 8.6, sm_100a, sm_101a: .tile::scatter4, .im2col::w::128, .cta_group::1, .cta_group::2;)",
     [](const Form& f, const Operands& x, Effects& effects) { copy_tensor(f, x, effects); }},

    {"9.7.9.25.5.3", R"(
       cp.reduce.async.bulk.tensor.dim.global.shared::cta.redOp{.load_mode}.bulk_group{.level::cache_hint}
           [tensorMap, tensorCoords], [srcMem]{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .im2col_no_offs };
       .redOp = { .add, .min, .max, .inc, .dec, .and, .or, .xor };
       except .1d.im2col_no_offs, .2d.im2col_no_offs;
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};
       PTX 8.0, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) { reduce_tensor(f, x, effects); }},

    {"9.7.9.25.5.4", R"(
       cp.async.bulk.prefetch.tensor.dim.L2.global{.load_mode}{.level::cache_hint}
           [tensorMap, tensorCoords]{, {im2colInfo}}{, cache-policy};
       .dim = { .1d, .2d, .3d, .4d, .5d };
       .load_mode = { .tile, .tile::gather4, .im2col, .im2col::w, .im2col::w::128 };
       .level::cache_hint = { .L2::cache_hint };
       tensorCoords : {.s32};  im2colInfo : .u16;
       except .1d.im2col, .2d.im2col, .1d.im2col::w, .2d.im2col::w, .1d.im2col::w::128, .2d.im2col::w::128,
              .1d.tile::gather4, .3d.tile::gather4, .4d.tile::gather4, .5d.tile::gather4;
       PTX 8.0, sm_90;  PTX 8.6, sm_100a, sm_101a: .tile::gather4, .im2col::w, .im2col::w::128;)",
     prefetch},

    {"9.7.9.26", R"(
       tensormap.replace.tile.field1{.ss}.b1024.b64  [addr], new_val;
       tensormap.replace.tile.rank{.ss}.b1024.b32  [addr], new_val;
       tensormap.replace.tile.field2{.ss}.b1024.b32  [addr], ord, new_val;
       tensormap.replace.tile.global_stride{.ss}.b1024.b64  [addr], ord, new_val;
       .field1 = { .global_address };
       .field2 = { .box_dim, .global_dim, .element_stride };
       .ss = { .global, .shared::cta };
       ord = { 0..4 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x, Effects& effects) { replace_field(f, x, effects); }},

    {"9.7.9.26", R"(
       tensormap.replace.tile.elemtype{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..15 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x, Effects& effects) { replace_field(f, x, effects); }},

    {"9.7.9.26", R"(
       tensormap.replace.tile.interleave_layout{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..2 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x, Effects& effects) { replace_field(f, x, effects); }},

    {"9.7.9.26", R"(
       tensormap.replace.tile.swizzle{.ss}.b1024.b32  [addr], new_val;
       .swizzle = { .swizzle_mode, .swizzle_atomicity };
       .ss = { .global, .shared::cta };
       new_val = { 0..3 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;
       PTX 8.6, sm_100a, sm_101a, sm_120a: .swizzle_atomicity;)",
     [](const Form& f, const Operands& x, Effects& effects) { replace_field(f, x, effects); }},

    {"9.7.9.26", R"(
       tensormap.replace.tile.fill_mode{.ss}.b1024.b32  [addr], new_val;
       .ss = { .global, .shared::cta };
       new_val = { 0..1 };
       PTX 8.3, sm_90a, sm_100a, sm_101a, sm_120a;)",
     [](const Form& f, const Operands& x, Effects& effects) { replace_field(f, x, effects); }},

    {"9.7.13.16", R"(
       tensormap.cp_fenceproxy.cp_qualifiers.fence_qualifiers.scope.sync.aligned  [dst], [src], size;
       .cp_qualifiers = { .global.shared::cta };
       .fence_qualifiers = { .tensormap::generic.release };
       .scope = { .cta, .cluster, .gpu, .sys };
       size = { 128 };
       PTX 8.3, sm_90;)",
     [](const Form& f, const Operands& x, Effects& effects) -> Results {
       return copy_tensor_map(f, x, effects);
     }},
};

}  // namespace

std::span<const Definition> tensor_copies() { return definitions_of_tensor_copies; }

}  // namespace ptxmc
