#include "semantics/language/type.hpp"

#include <array>

namespace ptxmc {

namespace {

struct Named {
  Modifier modifier;
  Type type;
};

constexpr auto bits = Type::Kind::bits;
constexpr auto unsigned_integer = Type::Kind::unsigned_integer;
constexpr auto signed_integer = Type::Kind::signed_integer;
constexpr auto floating = Type::Kind::floating;
constexpr auto packed = Type::Kind::packed;
constexpr auto opaque = Type::Kind::opaque;

constexpr Named named_types[] = {
    {".pred", {Type::Kind::predicate, 1}},
    {".b1", {bits, 1}},
    {".b2", {bits, 2}},
    {".b4", {bits, 4}},
    {".b8", {bits, 8}},
    {".b16", {bits, 16}},
    {".b32", {bits, 32}},
    {".b64", {bits, 64}},
    {".b128", {bits, 128}},
    {".u2", {unsigned_integer, 2}},
    {".u4", {unsigned_integer, 4}},
    {".u8", {unsigned_integer, 8}},
    {".u16", {unsigned_integer, 16}},
    {".u32", {unsigned_integer, 32}},
    {".u64", {unsigned_integer, 64}},
    {".s2", {signed_integer, 2}},
    {".s4", {signed_integer, 4}},
    {".s8", {signed_integer, 8}},
    {".s16", {signed_integer, 16}},
    {".s32", {signed_integer, 32}},
    {".s64", {signed_integer, 64}},
    {".f16", {floating, 16, 1, FloatFormat::f16}},
    {".f32", {floating, 32, 1, FloatFormat::f32}},
    {".f64", {floating, 64, 1, FloatFormat::f64}},
    {".bf16", {floating, 16, 1, FloatFormat::bf16}},
    {".tf32", {floating, 32, 1, FloatFormat::tf32}},
    {".e4m3", {floating, 8, 1, FloatFormat::e4m3}},
    {".e5m2", {floating, 8, 1, FloatFormat::e5m2}},
    {".e2m3", {floating, 6, 1, FloatFormat::e2m3}},
    {".e3m2", {floating, 6, 1, FloatFormat::e3m2}},
    {".e2m1", {floating, 4, 1, FloatFormat::e2m1}},
    {".ue8m0", {floating, 8, 1, FloatFormat::ue8m0}},
    {".ue4m3", {floating, 8}},
    {".u16x2", {packed, 32, 2}},
    {".s16x2", {packed, 32, 2}},
    {".f16x2", {packed, 32, 2, FloatFormat::f16}},
    {".bf16x2", {packed, 32, 2, FloatFormat::bf16}},
    {".f32x2", {packed, 64, 2, FloatFormat::f32}},
    {".e4m3x2", {packed, 16, 2, FloatFormat::e4m3}},
    {".e5m2x2", {packed, 16, 2, FloatFormat::e5m2}},
    {".e2m3x2", {packed, 16, 2, FloatFormat::e2m3}},
    {".e3m2x2", {packed, 16, 2, FloatFormat::e3m2}},
    {".e2m1x2", {packed, 8, 2, FloatFormat::e2m1}},
    {".ue8m0x2", {packed, 16, 2, FloatFormat::ue8m0}},
    {".e4m3x4", {packed, 32, 4, FloatFormat::e4m3}},
    {".e5m2x4", {packed, 32, 4, FloatFormat::e5m2}},
    {".e2m3x4", {packed, 32, 4, FloatFormat::e2m3}},
    {".e3m2x4", {packed, 32, 4, FloatFormat::e3m2}},
    {".e2m1x4", {packed, 16, 4, FloatFormat::e2m1}},
    {".texref", {opaque, 64}},
    {".samplerref", {opaque, 64}},
    {".surfref", {opaque, 64}},
};

constexpr auto types_by_modifier = [] {
  std::array<Type, Modifier::count> types{};
  for (const Named& named : named_types) types[named.modifier.index()] = named.type;
  return types;
}();

}  // namespace

Type type_of(Modifier modifier) { return types_by_modifier[modifier.index()]; }

Type widened(Type type) {
  type.width *= 2;
  return type;
}

}  // namespace ptxmc
