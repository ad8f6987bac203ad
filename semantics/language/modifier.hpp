#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace ptxmc {

/// Every modifier of PTX ISA 6.0 to 8.7 § 9.7 and of the litmus dialect, one for each spelling: `.lo` is the
/// same modifier in `mul.lo` and as a comparison operator. Text after `::` belongs to the modifier.
// clang-format off
inline constexpr std::string_view modifier_spellings[] = {
    // Fundamental and packed types (§ 5.2)
    ".pred", ".b1", ".b2", ".b4", ".b8", ".b16", ".b32", ".b64", ".b128", ".b1024", ".u2", ".u4", ".u8",
    ".u16", ".u32", ".u64", ".s2", ".s4", ".s8", ".s16", ".s32", ".s64", ".f16", ".f32", ".f64", ".u16x2",
    ".s16x2", ".f16x2", ".f32x2",
    // Alternate floating-point formats (§ 5.2.3)
    ".bf16", ".bf16x2", ".tf32", ".e4m3", ".e4m3x2", ".e4m3x4", ".e5m2", ".e5m2x2", ".e5m2x4", ".e2m3",
    ".e2m3x2", ".e2m3x4", ".e3m2", ".e3m2x2", ".e3m2x4", ".e2m1", ".e2m1x2", ".e2m1x4", ".ue8m0",
    ".ue8m0x2", ".ue4m3", ".b8x16", ".b6x16_p32", ".b4x16_p64",
    // Opaque types (§ 5.3)
    ".texref", ".samplerref", ".surfref",
    // Vectors
    ".v2", ".v4", ".v8",
    // Rounding, saturation, arithmetic
    ".rn", ".rz", ".rm", ".rp", ".rna", ".rs", ".rni", ".rzi", ".rmi", ".rpi", ".ftz", ".noftz", ".sat",
    ".satfinite", ".relu", ".approx", ".full", ".oob", ".cc", ".hi", ".lo", ".wide", ".NaN", ".xorsign",
    ".abs", ".shiftamt", ".clamp", ".wrap", ".finite", ".infinite", ".number", ".notanumber", ".normal",
    ".subnormal", ".pack", ".shr7", ".shr15", ".po",
    // Comparison and Boolean operators (§ 9.3.1)
    ".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".ls", ".hs", ".equ", ".neu", ".ltu", ".leu", ".gtu", ".geu",
    ".num", ".nan", ".and", ".or", ".xor", ".not",
    // Shifts and permutations
    ".l", ".r", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16",
    // State spaces (§ 5.1)
    ".const", ".global", ".local", ".param", ".param::entry", ".param::func", ".shared", ".shared::cta",
    ".shared::cluster", ".tensormap", ".to",
    // Memory consistency (§ 8)
    ".weak", ".volatile", ".mmio", ".relaxed", ".acquire", ".release", ".acq_rel", ".sc", ".cta",
    ".cluster", ".gpu", ".gl", ".sys", ".proxy", ".alias", ".async", ".async::generic",
    ".tensormap::generic", ".sync_restrict::shared::cta", ".sync_restrict::shared::cluster",
    ".mbarrier_init",
    // Caches (§ 9.7.9.1, § 9.7.9.2)
    ".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt", ".nc", ".unified", ".L1", ".L2", ".L1::evict_normal",
    ".L1::evict_unchanged", ".L1::evict_first", ".L1::evict_last", ".L1::no_allocate", ".L2::cache_hint",
    ".L2::64B", ".L2::128B", ".L2::256B", ".L2::evict_normal", ".L2::evict_unchanged", ".L2::evict_first",
    ".L2::evict_last", ".range", ".fractional", ".cvt",
    // Atomic operations and reductions
    ".add", ".inc", ".dec", ".min", ".max", ".cas", ".exch", ".popc", ".red", ".ld_reduce", ".st",
    ".acc::f16", ".acc::f32",
    // Barriers and warps
    ".sync", ".arrive", ".wait", ".aligned", ".warp", ".up", ".down", ".bfly", ".idx", ".all", ".any",
    ".uni", ".ballot", ".launch_dependents",
    // mbarrier and asynchronous copies
    ".init", ".inval", ".expect_tx", ".complete_tx", ".arrive_drop", ".noComplete", ".noinc", ".test_wait",
    ".try_wait", ".pending_count", ".parity", ".mbarrier", ".mbarrier::complete_tx::bytes",
    ".mbarrier::arrive::one", ".bulk", ".bulk_group", ".commit_group", ".wait_group", ".wait_all", ".read",
    ".reduce", ".prefetch", ".tensor", ".multicast::cluster", ".multicast::cluster::all", ".cp_mask",
    ".cta_group::1", ".cta_group::2", ".tile", ".tile::gather4", ".tile::scatter4", ".im2col", ".im2col::w",
    ".im2col::w::128", ".im2col_no_offs", ".cp_fenceproxy", ".try_cancel", ".query_cancel", ".is_canceled",
    ".get_first_ctaid", ".get_first_ctaid::x", ".get_first_ctaid::y", ".get_first_ctaid::z",
    // tensormap.replace
    ".replace", ".global_address", ".rank", ".box_dim", ".global_dim", ".global_stride", ".element_stride",
    ".elemtype", ".interleave_layout", ".swizzle_mode", ".swizzle_atomicity", ".fill_mode",
    // Textures and surfaces
    ".1d", ".2d", ".3d", ".4d", ".5d", ".a1d", ".a2d", ".cube", ".acube", ".2dms", ".a2dms", ".base",
    ".level", ".grad", ".a", ".b", ".c", ".d", ".g", ".p", ".trap", ".zero", ".width", ".height", ".depth",
    ".channel_data_type", ".channel_order", ".normalized_coords", ".array_size", ".num_mipmap_levels",
    ".num_samples", ".memory_layout", ".force_unnormalized_coords", ".filter_mode", ".addr_mode_0",
    ".addr_mode_1", ".addr_mode_2",
    // Matrices
    ".load", ".store", ".mma", ".mma_async", ".row", ".col", ".trans", ".sp", ".sp::ordered_metadata",
    ".x1", ".x2", ".x4", ".x8", ".x16", ".x32", ".x64", ".x128", ".m8n8", ".m8n16", ".m16n8", ".m16n16",
    ".m8n8k4", ".m8n8k16", ".m8n8k32", ".m8n8k128", ".m8n32k16", ".m16n8k4", ".m16n8k8", ".m16n8k16",
    ".m16n8k32", ".m16n8k64", ".m16n8k128", ".m16n8k256", ".m16n16k8", ".m16n16k16", ".m32n8k16",
    ".block_scale", ".kind::f16", ".kind::tf32", ".kind::f8f6f4", ".kind::i8", ".kind::mxf4",
    ".kind::mxf4nvf4", ".kind::mxf8f6f4", ".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X",
    // wgmma
    ".m64n8k8", ".m64n16k8", ".m64n24k8", ".m64n32k8", ".m64n40k8", ".m64n48k8", ".m64n56k8", ".m64n64k8",
    ".m64n72k8", ".m64n80k8", ".m64n88k8", ".m64n96k8", ".m64n104k8", ".m64n112k8", ".m64n120k8",
    ".m64n128k8", ".m64n136k8", ".m64n144k8", ".m64n152k8", ".m64n160k8", ".m64n168k8", ".m64n176k8",
    ".m64n184k8", ".m64n192k8", ".m64n200k8", ".m64n208k8", ".m64n216k8", ".m64n224k8", ".m64n232k8",
    ".m64n240k8", ".m64n248k8", ".m64n256k8", ".m64n8k16", ".m64n16k16", ".m64n24k16", ".m64n32k16",
    ".m64n40k16", ".m64n48k16", ".m64n56k16", ".m64n64k16", ".m64n72k16", ".m64n80k16", ".m64n88k16",
    ".m64n96k16", ".m64n104k16", ".m64n112k16", ".m64n120k16", ".m64n128k16", ".m64n136k16", ".m64n144k16",
    ".m64n152k16", ".m64n160k16", ".m64n168k16", ".m64n176k16", ".m64n184k16", ".m64n192k16", ".m64n200k16",
    ".m64n208k16", ".m64n216k16", ".m64n224k16", ".m64n232k16", ".m64n240k16", ".m64n248k16", ".m64n256k16",
    ".m64n8k32", ".m64n16k32", ".m64n24k32", ".m64n32k32", ".m64n40k32", ".m64n48k32", ".m64n56k32",
    ".m64n64k32", ".m64n72k32", ".m64n80k32", ".m64n88k32", ".m64n96k32", ".m64n104k32", ".m64n112k32",
    ".m64n120k32", ".m64n128k32", ".m64n136k32", ".m64n144k32", ".m64n152k32", ".m64n160k32", ".m64n168k32",
    ".m64n176k32", ".m64n184k32", ".m64n192k32", ".m64n200k32", ".m64n208k32", ".m64n216k32", ".m64n224k32",
    ".m64n232k32", ".m64n240k32", ".m64n248k32", ".m64n256k32", ".m64n8k64", ".m64n16k64", ".m64n24k64",
    ".m64n32k64", ".m64n40k64", ".m64n48k64", ".m64n56k64", ".m64n64k64", ".m64n72k64", ".m64n80k64",
    ".m64n88k64", ".m64n96k64", ".m64n104k64", ".m64n112k64", ".m64n120k64", ".m64n128k64", ".m64n136k64",
    ".m64n144k64", ".m64n152k64", ".m64n160k64", ".m64n168k64", ".m64n176k64", ".m64n184k64", ".m64n192k64",
    ".m64n200k64", ".m64n208k64", ".m64n216k64", ".m64n224k64", ".m64n232k64", ".m64n240k64", ".m64n248k64",
    ".m64n256k64", ".m64n8k256", ".m64n16k256", ".m64n24k256", ".m64n32k256", ".m64n48k256", ".m64n64k256",
    ".m64n80k256", ".m64n96k256", ".m64n112k256", ".m64n128k256", ".m64n144k256", ".m64n160k256",
    ".m64n176k256", ".m64n192k256", ".m64n208k256", ".m64n224k256", ".m64n240k256", ".m64n256k256",
    // tcgen05
    ".alloc", ".dealloc", ".relinquish_alloc_permit", ".ld", ".cp", ".shift", ".commit", ".ws", ".ashift",
    ".fence", ".fence::before_thread_sync", ".fence::after_thread_sync", ".wait::ld", ".wait::st",
    ".pack::16b", ".unpack::16b", ".16x64b", ".16x128b", ".16x256b", ".16x32bx2", ".32x32b", ".128x256b",
    ".4x256b", ".128x128b", ".64x128b", ".32x128b", ".warpx2::02_13", ".warpx2::01_23", ".warpx4",
    ".collector::a::fill", ".collector::a::use", ".collector::a::lastuse", ".collector::a::discard",
    ".collector::b0::fill", ".collector::b0::use", ".collector::b0::lastuse", ".collector::b0::discard",
    ".collector::b1::fill", ".collector::b1::use", ".collector::b1::lastuse", ".collector::b1::discard",
    ".collector::b2::fill", ".collector::b2::use", ".collector::b2::lastuse", ".collector::b2::discard",
    ".collector::b3::fill", ".collector::b3::use", ".collector::b3::lastuse", ".collector::b3::discard",
    // Miscellaneous
    ".mask",
    // Only in the litmus dialect
    ".sub", ".mul", ".div", ".generic", ".constant", ".texture", ".surface",
};
// clang-format on

/// A modifier of an opcode: `.wide`. Written as a literal, it is looked up at compile time.
class Modifier {
 public:
  static constexpr std::size_t count = std::size(modifier_spellings);

  consteval Modifier(const char* spelling) : index_(position(spelling)) {
    if (index_ == count) throw std::logic_error("no such modifier");
  }

  /// The modifier with this spelling, dot included, if PTX has it.
  static std::optional<Modifier> find(std::string_view spelling);

  constexpr std::string_view spelling() const { return modifier_spellings[index_]; }
  constexpr std::uint16_t index() const { return index_; }

  friend constexpr bool operator==(Modifier, Modifier) = default;

 private:
  constexpr explicit Modifier(std::uint16_t index) : index_(index) {}

  static constexpr std::uint16_t position(std::string_view spelling) {
    std::uint16_t i = 0;
    while (i < count && modifier_spellings[i] != spelling) ++i;
    return i;
  }

  std::uint16_t index_;
};

class ModifierSet {
 public:
  bool has(Modifier m) const { return bits_[m.index()]; }
  void add(Modifier m) { bits_[m.index()] = true; }

 private:
  std::bitset<Modifier::count> bits_;
};

}  // namespace ptxmc
