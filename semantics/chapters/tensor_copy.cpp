// PTX ISA 8.7 § 9.7.9.25.5 and § 9.7.9.26: copies of tensors, and changes of tensor maps.
#include <algorithm>

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/chapters/float_form.hpp"
#include "semantics/language/address_windows.hpp"
#include "semantics/language/chapters.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/language/tensor_map.hpp"

namespace ptxmc {

namespace {

constexpr std::size_t tensor_map_words = tensor_map_bytes / 8;

std::uint64_t known_field(const TensorMap& map, TensorMapField field) {
  if (!map.field(field).is_constant()) throw UnhandledEffect("a tensor map whose fields are not known");
  return map.field(field).to_u64();
}

/// The type of the elements of a tensor. Throws UnhandledEffect for those that a copy converts.
Type element_type(const TensorMap& map) {
  const std::string_view name = tensor_element_types.at(known_field(map, elemtype_field) % 16).name;
  const auto modifier = Modifier::find(name);
  if (!modifier || name == ".tf32" || name.starts_with(".b4") || name.starts_with(".b6"))
    throw UnhandledEffect("a tensor whose elements a copy converts");
  return type_of(*modifier);
}

/// Of each dimension of a box, in the interface of the CUDA driver that makes tensor maps.
constexpr std::uint64_t most_box_elements = 256;

/// The part of a tensor that one operation accesses, in tile mode: § 5.5.3.
struct Tile {
  Bits global_address;
  unsigned rank = 1;
  std::array<std::uint64_t, most_tensor_dimensions> size{};    ///< of the tensor, in elements
  std::array<std::uint64_t, most_tensor_dimensions> stride{};  ///< of the tensor, in bytes
  std::array<std::uint64_t, most_tensor_dimensions> count{};   ///< of the elements accessed, by dimension
  std::array<std::uint64_t, most_tensor_dimensions> step{};    ///< between them: the traversal strides
  Type element;
  Swizzle swizzle = Swizzle::none;
  bool fills_with_nan = false;

  std::uint64_t element_bytes() const { return element.width / 8; }
  std::uint64_t row_bytes() const { return count[0] * element_bytes(); }
  std::uint64_t bytes() const {
    std::uint64_t product = element_bytes();
    for (unsigned i = 0; i < rank; ++i) product *= count[i];
    return product;
  }
};

Tile tile_of(const TensorMap& map, unsigned rank) {
  if (!map.is_valid().is_true()) throw UnhandledEffect("memory that is not known to hold a tensor map");
  if (known_field(map, rank_field) + 1 != rank)
    throw UnhandledEffect("a tensor map of another number of dimensions");
  if (known_field(map, interleave_layout_field) != 0) throw UnhandledEffect("an interleaved layout");
  Tile tile;
  tile.global_address = map.field(global_address_field);
  tile.rank = rank;
  tile.element = element_type(map);
  try {
    tile.swizzle =
        swizzle_of(known_field(map, swizzle_mode_field), known_field(map, swizzle_atomicity_field));
  } catch (const std::out_of_range&) {
    throw UnhandledEffect("swizzle modes that do not go together");
  }
  tile.fills_with_nan = known_field(map, fill_mode_field) != 0;
  for (unsigned i = 0; i < rank; ++i) {
    tile.size[i] = known_field(map, global_dim_field(i));
    tile.stride[i] = i == 0 ? tile.element_bytes() : known_field(map, global_stride_field(i - 1));
    // § 5.5.3.2: without interleaving, the traversal stride of dimension 0 is 1.
    tile.step[i] = i == 0 ? 1 : std::max<std::uint64_t>(1, known_field(map, element_stride_field(i)));
    tile.count[i] = (known_field(map, box_dim_field(i)) + tile.step[i] - 1) / tile.step[i];
    if (tile.count[i] == 0 || tile.count[i] > most_box_elements)
      throw UnhandledEffect("a box with a dimension of no or more than 256 elements");
  }
  return tile;
}

using TensorCoordinates = std::array<std::int64_t, most_tensor_dimensions>;

/// Neighbouring elements of one row of a tile that are copied together.
struct TensorPiece {
  Bits global_address;
  std::uint64_t offset = 0;  ///< in the tile as it is in shared memory before swizzling, in bytes
  unsigned bytes = 0;
  bool is_inside = false;  ///< of the tensor: § 5.5.3.3
};

/// Calls `visit` for each piece of the tile at these coordinates, `offset` bytes behind the start in shared
/// memory. Elements of less than 4 bytes are taken together where they are aligned and on the same side of
/// the border.
template <class Visit>
void for_each_piece(const Tile& tile, const TensorCoordinates& start, std::uint64_t offset, Visit visit) {
  const auto is_inside = [&](unsigned dimension, std::int64_t coordinate) {
    return coordinate >= 0 && static_cast<std::uint64_t>(coordinate) < tile.size[dimension];
  };
  const std::uint64_t size = tile.element_bytes(), group = std::max<std::uint64_t>(1, 4 / size);
  const std::uint64_t rows = tile.bytes() / tile.row_bytes();
  for (std::uint64_t row = 0; row < rows; ++row) {
    bool row_is_inside = true;
    Bits address = tile.global_address;
    std::uint64_t rest = row;
    for (unsigned i = 1; i < tile.rank; ++i) {
      const auto coordinate = start[i] + static_cast<std::int64_t>(rest % tile.count[i] * tile.step[i]);
      rest /= tile.count[i];
      row_is_inside = row_is_inside && is_inside(i, coordinate);
      address = address + Bits(64, static_cast<std::uint64_t>(coordinate) * tile.stride[i]);
    }
    const bool is_aligned = start[0] % static_cast<std::int64_t>(group) == 0;
    for (std::uint64_t at = 0; at < tile.count[0];) {
      const auto coordinate = start[0] + static_cast<std::int64_t>(at);
      const auto last = coordinate + static_cast<std::int64_t>(group) - 1;
      const bool together = is_aligned && at % group == 0 && is_inside(0, coordinate) == is_inside(0, last);
      const std::uint64_t elements = together ? group : 1;
      visit(TensorPiece{address + Bits(64, static_cast<std::uint64_t>(coordinate) * size),
                        offset + row * tile.row_bytes() + at * size, static_cast<unsigned>(elements * size),
                        row_is_inside && is_inside(0, coordinate)});
      at += elements;
    }
  }
}

/// The tiles that an instruction accesses: one, or a row for each of four coordinates
/// (§ 5.5.3.4, `.tile::gather4` and `.tile::scatter4`).
std::vector<TensorCoordinates> tile_starts(const Form& form, const Operands& x) {
  std::vector<std::int64_t> numbers;
  const auto add = [&](const Bits& coordinate) {
    if (!coordinate.is_constant()) throw UnhandledEffect("coordinates that are not known");
    numbers.push_back(static_cast<std::int32_t>(coordinate.to_u64()));
  };
  for (std::size_t i = 0; i < x.elements.size(); ++i) add(x.elements[i]);
  if (x.elements.size() == 0) add(x["tensorCoords"]);
  std::vector<TensorCoordinates> starts;
  if (form.has(".tile::gather4") || form.has(".tile::scatter4")) {
    for (std::size_t i = 1; i < numbers.size(); ++i) starts.push_back({numbers[0], numbers[i]});
  } else {
    std::copy(numbers.begin(), numbers.end(), starts.emplace_back().begin());
  }
  return starts;
}

unsigned rank_of(const Form& form) {
  constexpr Modifier ranks[] = {".1d", ".2d", ".3d", ".4d", ".5d"};
  const auto* rank = std::ranges::find_if(ranks, [&](const Modifier& name) { return form.has(name); });
  return static_cast<unsigned>(rank - std::begin(ranks)) + 1;
}

/// The tile mode alone: the others rearrange the elements.
void check_mode(const Form& form) {
  if (form.has(".im2col") || form.has(".im2col::w") || form.has(".im2col::w::128") ||
      form.has(".im2col_no_offs"))
    throw UnhandledEffect("im2col mode");
}

/// Calls `use` with the tile that the tensor map at an address describes. The operation reads the map through
/// the tensormap proxy: § 9.7.9.25.5.2.
template <class Use>
void with_tile(const Bits& map, unsigned rank, Effects& strand, const Use& use) {
  Access access;
  access.proxy = Proxy::tensormap;
  access.is_copy = true;
  std::array<Bits, tensor_map_words> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = strand.read(access, map + Bits(64, 8 * i), 64);
  strand.for_each_content(words, [&](std::span<const Bits> known) {
    use(tile_of(TensorMap(known.first<tensor_map_words>()), rank));
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
Bits fill_value(const Tile& tile, unsigned width, Effects& effects) {
  if (!tile.fills_with_nan) return Bits(width, 0);
  if (!tile.element.is_float()) throw UnhandledEffect("a fill with NaN of elements that are integers");
  Bits value;
  for (unsigned at = 0; at < width; at += tile.element.width) {
    const FloatFormat format = *tile.element.format;
    const Bits element = effects.unspecified(tile.element.width) | quiet_nan(format);
    value = at == 0 ? element : concat(element, value);
  }
  return value;
}

/// The place in shared memory of a piece. A piece of 8 bytes stays together under every swizzle.
Bits shared_address(const Tile& tile, const Bits& address, const TensorPiece& piece) {
  return swizzled(tile.swizzle, address + Bits(64, piece.offset));
}

constexpr std::uint8_t tile_alignment = 16;  // bytes: § 5.5.3.1

/// Copies the tile from global memory. Returns the number of bytes written, fills included.
std::uint64_t load_tile(const Tile& tile, const std::vector<TensorCoordinates>& starts, const AsyncPlace& to,
                        Effects& strand) {
  std::uint64_t offset = 0;
  for (const TensorCoordinates& start : starts) {
    for_each_piece(tile, start, offset, [&](const TensorPiece& piece) {
      const Access read = copy_access(StateSpace::global);
      Access write = copy_access(to.space);
      if (piece.offset == 0) write.alignment = tile_alignment;
      const unsigned width = piece.bytes * 8;
      const Bits value =
          piece.is_inside ? strand.read(read, piece.global_address, width) : fill_value(tile, width, strand);
      strand.write(write, shared_address(tile, to.address, piece), value);
    });
    offset += tile.bytes();
  }
  return offset;
}

/// Elements outside of the tensor are not written.
void store_tile(const Tile& tile, const std::vector<TensorCoordinates>& starts, const AsyncPlace& from,
                Effects& strand) {
  std::uint64_t offset = 0;
  for (const TensorCoordinates& start : starts) {
    for_each_piece(tile, start, offset, [&](const TensorPiece& piece) {
      if (!piece.is_inside) return;
      const Bits value =
          strand.read(copy_access(from.space), shared_address(tile, from.address, piece), piece.bytes * 8);
      strand.write(copy_access(StateSpace::global), piece.global_address, value);
    });
    offset += tile.bytes();
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
  const unsigned rank = rank_of(form);
  const Bits map = x["tensorMap"];
  const std::vector<TensorCoordinates> starts = tile_starts(form, x);
  const auto start = [&](const Bits& destination, const Bits& mbarrier) {
    effects.start({}, [=](Effects& strand) {
      with_tile(map, rank, strand, [&](const Tile& tile) {
        const std::uint64_t bytes = load_tile(tile, starts, {space, destination}, strand);
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
  check_mode(form);
  if (!form.has(".bulk_group")) return load_tensor(form, x, effects);
  const unsigned rank = rank_of(form);
  const Bits map = x["tensorMap"];
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]};
  const std::vector<TensorCoordinates> starts = tile_starts(form, x);
  effects.start({.group = AsyncGroup::bulk}, [=](Effects& strand) {
    with_tile(map, rank, strand, [&](const Tile& tile) { store_tile(tile, starts, from, strand); });
  });
}

/// The update of an element by a reduction. The types of § 9.7.9.25.5.3 are taken for those of
/// § 9.7.9.25.4.2, since the table of the former has no cells.
Update reduction(const Form& form, const Tile& tile, const Bits& address, const Bits& value,
                 const Bits& old) {
  if (!tile.element.is_float()) return integer_reduction(form, tile.element.is_signed(), value, old);
  if (form.has(".add")) return float_addition(*tile.element.format, StateSpace::global, address, value, old);
  const bool is_selection = form.has(".min") || form.has(".max");
  if (!is_selection || tile.element.width != 16)
    throw UnhandledEffect("a reduction for which elements of this floating-point type are no operands");
  return {form.has(".min") ? float_minimum(form, tile.element, old, value)
                           : float_maximum(form, tile.element, old, value)};
}

/// § 9.7.9.25.5.3: weak reads of the source; the reduction of each element is .relaxed.gpu.
void reduce_tile(const Form& form, const Tile& tile, const TensorCoordinates& start, const AsyncPlace& from,
                 Effects& strand) {
  for_each_piece(tile, start, 0, [&](const TensorPiece& piece) {
    if (!piece.is_inside) return;
    Access update;
    update.proxy = Proxy::async;
    update.sem = Sem::relaxed;
    update.scope = Scope::gpu;
    update.space = StateSpace::global;
    update.is_reduction = true;
    const Bits values =
        strand.read(copy_access(from.space), shared_address(tile, from.address, piece), piece.bytes * 8);
    const unsigned width = tile.element.width;
    for (unsigned at = 0; at < values.width(); at += width) {
      const Bits address = piece.global_address + Bits(64, at / 8);
      strand.read_modify_write(update, address, width, [&](const Bits& old) {
        return reduction(form, tile, address, values.extract(at, width), old);
      });
    }
  });
}

void reduce_tensor(const Form& form, const Operands& x, Effects& effects) {
  check_mode(form);
  const Bits map = x["tensorMap"];
  const AsyncPlace from{StateSpace::shared_cta, x["srcMem"]};
  const TensorCoordinates start = tile_starts(form, x).front();
  effects.start({.group = AsyncGroup::bulk}, [=, &form](Effects& strand) {
    with_tile(map, rank_of(form), strand,
              [&](const Tile& tile) { reduce_tile(form, tile, start, from, strand); });
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

constexpr Rule no_effect([](const Form&, const Operands&) -> Results { return {}; });

constexpr Definition definitions[] = {
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
     no_effect},

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

std::span<const Definition> tensor_copies() { return definitions; }

}  // namespace ptxmc
