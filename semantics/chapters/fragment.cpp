#include "semantics/chapters/fragment.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace ptxmc {

namespace {

/// The properties of an instruction's matrices that its modifiers give.
struct Matrices {
  MatrixShape shape;
  std::vector<Modifier> types;  ///< in the order written
  char moved = 0;               ///< 'a' of `wmma.load.a`
};

/// `.m16n8k16`
std::optional<MatrixShape> shape_named(std::string_view text) {
  MatrixShape shape;
  for (const auto& [letter, value] : {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
    if (text.size() < 2 || text[0] != letter) return std::nullopt;
    const char* const end = text.data() + text.size();
    const auto [after, error] = std::from_chars(text.data() + 1, end, *value);
    if (error != std::errc{}) return std::nullopt;
    text = {after, static_cast<std::size_t>(end - after)};
  }
  return text.empty() ? std::optional(shape) : std::nullopt;
}

Matrices matrices_of(const Form& form) {
  Matrices matrices;
  const std::string_view spelling = form.spelling;
  for (std::size_t dot = spelling.find('.'); dot < spelling.size();) {
    const std::size_t next = std::min(spelling.find('.', dot + 1), spelling.size());
    const std::string_view text = spelling.substr(dot, next - dot);
    dot = next;
    if (const auto shape = shape_named(text.substr(1))) matrices.shape = *shape;
    if (text == ".a" || text == ".b" || text == ".c" || text == ".d") matrices.moved = text[1];
    const auto modifier = Modifier::find(text);
    if (modifier && type_of(*modifier).kind != Type::Kind::none) matrices.types.push_back(*modifier);
  }
  return matrices;
}

/// The type of operand a, b, c or d. `wmma.mma….dtype.ctype` multiplies .f16; the other products name all
/// four types, and instructions that move matrices name one.
Modifier type_in(const std::vector<Modifier>& types, char operand) {
  if (types.size() == 1) return types[0];
  if (types.size() == 2) return operand == 'd' ? types[0] : operand == 'c' ? types[1] : Modifier(".f16");
  if (types.size() == 3 && operand == 'c') operand = 'd';  // wgmma
  return types[operand == 'd' ? 0 : operand == 'a' ? 1 : operand == 'b' ? 2 : 3];
}

/// The number of registers of 32 bits (64 for .f64) that each of `threads` needs for its share.
unsigned share(unsigned elements, unsigned bits, unsigned threads) {
  return elements * bits / (threads * (bits == 64 ? 64 : 32));
}

unsigned mma_registers(const Form& form, char operand) {
  const auto [shape, types, moved] = matrices_of(form);
  if (types.size() < 4) return 0;
  const unsigned elements = operand == 'a'   ? shape.m * shape.k / (is_sparse(form) ? 2 : 1)
                            : operand == 'b' ? shape.k * shape.n
                                             : shape.m * shape.n;
  // § 9.7.14.5.1: four such products at once, one for each quad pair.
  const unsigned products = form.has(".m8n8k4") && types[1] == Modifier(".f16") ? 4 : 1;
  return share(products * elements, held_bits(form, type_in(types, operand)), 32);
}

unsigned wmma_registers(const Form& form, char operand) {
  const auto [shape, types, moved] = matrices_of(form);
  if (types.empty()) return 0;
  if (operand == 'r') operand = moved;
  const Modifier type = type_in(types, operand);
  const bool is_factor = operand == 'a' || operand == 'b';
  if (is_factor && type == Modifier(".f16")) return 8;  // § 9.7.14.4.1: every element is held twice
  const unsigned elements = operand == 'a'   ? shape.m * shape.k
                            : operand == 'b' ? shape.k * shape.n
                                             : shape.m * shape.n;
  return share(elements, type_of(type).width, 32);
}

unsigned wgmma_registers(const Form& form, std::string_view operand) {
  const auto [shape, types, moved] = matrices_of(form);
  if (types.empty()) return 0;
  if (operand == "d") return share(shape.m * shape.n, type_of(types[0]).width, 128);
  return operand == "a" ? 4 : 0;
}

/// `.x4`
unsigned repetitions(const Form& form) {
  if (form.has(".x128")) return 128;
  if (form.has(".x64")) return 64;
  if (form.has(".x32")) return 32;
  if (form.has(".x16")) return 16;
  if (form.has(".x8")) return 8;
  if (form.has(".x4")) return 4;
  return form.has(".x2") ? 2 : 1;
}

}  // namespace

MatrixShape matrix_shape(const Form& form) { return matrices_of(form).shape; }

Modifier matrix_type(const Form& form, char operand) { return type_in(matrices_of(form).types, operand); }

char moved_matrix(const Form& form) { return matrices_of(form).moved; }

bool is_sparse(const Form& form) { return form.has(".sp") || form.has(".sp::ordered_metadata"); }

/// § 9.7.14.5: elements of 4 and 6 bits are held in 8 bits, except in kinds that only support 4 bits.
unsigned held_bits(const Form& form, Modifier type) {
  const unsigned width = type_of(type).width;
  if (type_of(type).kind != Type::Kind::floating || width >= 8) return width;
  return form.has(".kind::mxf4") || form.has(".kind::mxf4nvf4") ? 4 : 8;
}

unsigned fragment_registers(const Form& form, std::string_view operand) {
  const std::string_view opcode = form.line->opcode;
  const bool is_factor_or_sum = operand == "a" || operand == "b" || operand == "c" || operand == "d";
  if (opcode == "mma") return is_factor_or_sum ? mma_registers(form, operand[0]) : 0;
  if (opcode == "wmma") return is_factor_or_sum || operand == "r" ? wmma_registers(form, operand[0]) : 0;
  if (opcode == "wgmma") return wgmma_registers(form, operand);
  if (operand != "r") return 0;
  if (opcode == "ldmatrix" || opcode == "stmatrix") return repetitions(form) * (form.has(".m16n16") ? 2 : 1);
  if (opcode != "tcgen05") return 0;
  return repetitions(form) * (form.has(".16x256b") ? 4 : form.has(".16x128b") ? 2 : 1);
}

}  // namespace ptxmc
