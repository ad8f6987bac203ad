#include "semantics/chapters/instruction_descriptor.hpp"

#include <array>
#include <string_view>

#include "semantics/chapters/fragment.hpp"

namespace ptxmc {

namespace {

/// The types of A and B by their number in the descriptor; empty: there is none.
std::string_view factor_type(TensorKind kind, unsigned number) {
  static constexpr std::array<std::string_view, 8> f16 = {".f16", ".bf16"}, tf32 = {"", "", ".tf32"},
                                                   i8 = {".u8", ".s8"}, e2m1 = {"", ".e2m1"},
                                                   f8f6f4 = {".e4m3", ".e5m2", "", ".e2m3", ".e3m2", ".e2m1"};
  switch (kind) {
    case TensorKind::f16:
      return f16[number];
    case TensorKind::tf32:
      return tf32[number];
    case TensorKind::i8:
      return i8[number];
    case TensorKind::f8f6f4:
    case TensorKind::mxf8f6f4:
      return f8f6f4[number];
    case TensorKind::mxf4:
    case TensorKind::mxf4nvf4:
      return e2m1[number];
  }
  return {};
}

/// The type of D by its number in the descriptor.
std::string_view sum_type(TensorKind kind, unsigned number) {
  if (kind == TensorKind::i8) return number == 2 ? ".s32" : "";
  if (number == 1) return ".f32";
  return number == 0 && (kind == TensorKind::f16 || kind == TensorKind::f8f6f4) ? ".f16" : "";
}

Type type_named(std::string_view name) {
  if (name.empty()) throw UnhandledEffect("an instruction descriptor with types that its kind does not have");
  return type_of(*Modifier::find(name));
}

unsigned dense_k(TensorKind kind) {
  switch (kind) {
    case TensorKind::f16:
      return 16;
    case TensorKind::tf32:
      return 8;
    case TensorKind::f8f6f4:
    case TensorKind::i8:
    case TensorKind::mxf8f6f4:
      return 32;
    case TensorKind::mxf4:
    case TensorKind::mxf4nvf4:
      return 64;
  }
  return 0;
}

bool is_block_scaled(TensorKind kind) {
  return kind == TensorKind::mxf8f6f4 || kind == TensorKind::mxf4 || kind == TensorKind::mxf4nvf4;
}

/// § 9.7.16.2.1.
bool has_shape(const Form& form, TensorKind kind, unsigned m, unsigned n) {
  if (n == 0 || n > 256) return false;
  if (form.has(".ws")) return (m == 32 || m == 64 || m == 128) && (n == 64 || n == 128 || n == 256);
  if (form.has(".cta_group::2")) return (m == 128 || m == 256) && n % (m == 256 ? 16 : 32) == 0;
  if (m == 64 && !is_block_scaled(kind)) return n % 8 == 0;
  return m == 128 && n % (is_block_scaled(kind) ? 8 : 16) == 0;
}

}  // namespace

TensorKind tensor_kind(const Form& form) {
  if (form.has(".kind::f16")) return TensorKind::f16;
  if (form.has(".kind::tf32")) return TensorKind::tf32;
  if (form.has(".kind::f8f6f4")) return TensorKind::f8f6f4;
  if (form.has(".kind::i8")) return TensorKind::i8;
  if (form.has(".kind::mxf8f6f4")) return TensorKind::mxf8f6f4;
  return form.has(".kind::mxf4") ? TensorKind::mxf4 : TensorKind::mxf4nvf4;
}

InstructionDescriptor read_instruction_descriptor(const Form& form, std::uint32_t bits) {
  const auto field = [&](unsigned first, unsigned width) { return bits >> first & ((1U << width) - 1); };
  const TensorKind kind = tensor_kind(form);
  const bool is_scaled = is_block_scaled(kind), is_mxf4 = is_scaled && kind != TensorKind::mxf8f6f4;
  InstructionDescriptor descriptor{.m = field(24, 5) << 4,
                                   .n = field(17, 6) << 3,
                                   .k = dense_k(kind),
                                   .a = type_named(factor_type(kind, field(7, 3))),
                                   .b = type_named(factor_type(kind, field(10, is_mxf4 ? 2 : 3))),
                                   .d = type_named(is_scaled ? ".f32" : sum_type(kind, field(4, 2))),
                                   .is_sparse = field(2, 1) != 0,
                                   .negates_a = field(13, 1) != 0,
                                   .negates_b = field(14, 1) != 0,
                                   .transposes_a = field(15, 1) != 0,
                                   .transposes_b = field(16, 1) != 0};
  if (descriptor.is_sparse != is_sparse(form))
    throw UnhandledEffect(
        "an instruction descriptor for a sparse A with a dense one, or the other way round");
  if (descriptor.is_sparse) descriptor.k *= 2;
  if (is_scaled) {
    descriptor.scale_b = field(4, 2);
    descriptor.scale_a = field(29, 2);
    descriptor.has_ue8m0 = field(23, 1) != 0;
  } else {
    descriptor.sparsity = field(0, 2);
    descriptor.saturates = kind == TensorKind::i8 && field(3, 1) != 0;
  }
  if (!has_shape(form, kind, descriptor.m, descriptor.n))
    throw UnhandledEffect("an instruction descriptor with a shape that its kind does not have");
  return descriptor;
}

}  // namespace ptxmc
