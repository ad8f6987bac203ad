#include "instruction_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "semantics/chapters/coordinates.hpp"
#include "semantics/chapters/fragment.hpp"

namespace ptxmc::test {

namespace {

constexpr std::string_view independent_textures = ", texmode_independent";

using Kind = OperandShape::Kind;
using Link = OperandPattern::Link;

/// Writes the operands of one instruction. Registers are of bit-size types, which agree with every type of
/// their size (PTX ISA 8.7 § 9.4), and each has another number, up to a few.
class OperandWriter {
 public:
  OperandWriter(const Form& form, std::span<const OperandShape> shapes) : form_(form), shapes_(shapes) {}

  std::string write() {
    std::string text;
    for (at_ = 0; at_ < shapes_.size(); ++at_) {
      const bool in_brackets = shapes_[at_].link == Link::bracket;
      const bool opens = !in_brackets && at_ + 1 < shapes_.size() && shapes_[at_ + 1].link == Link::bracket;
      const bool closes =
          in_brackets && (at_ + 1 == shapes_.size() || shapes_[at_ + 1].link != Link::bracket);
      text += at_ == 0 ? " " : shapes_[at_].link == Link::pipe ? "|" : ", ";
      text += opens ? "[" + object() : operand();
      if (closes) text += "]";
    }
    return text;
  }

 private:
  const FormOperand& place() const { return form_.operands[at_]; }
  std::string_view name() const { return place().pattern->name; }

  std::string operand() {
    const OperandShape& shape = shapes_[at_];
    std::string text = shape.negated ? "!" : shape.has_minus ? "-" : "";
    if (shape.kind == Kind::address) return "[" + address() + "]" + (form_.has(".unified") ? ".unified" : "");
    if (shape.kind == Kind::immediate) return immediate();
    if (shape.kind == Kind::sink) return "_";
    if (shape.kind == Kind::label) return "L";
    const bool is_texture = form_.line->opcode == "tex" || form_.line->opcode == "tld4";
    if (is_texture && name() == "b") return "sampler";
    if (const unsigned count = coordinate_count(form_, *place().pattern).registers)
      return registers(count, name() == "im2colInfo" ? 16 : 32);
    if (shape.kind == Kind::vector || is_fragment()) return vector(shape.elements);
    text += register_of_width(width_of(place().type));
    return shape.selector.empty() ? text : text + "." + shape.selector;
  }

  bool is_fragment() const { return fragment_registers(form_, name()) != 0; }

  std::string register_of_width(unsigned width) {
    const unsigned number = 1 + next_++ % 7;
    if (width == 1) return fmt::format("%p{}", number);
    if (width <= 16) return fmt::format("%h{}", number);
    if (width <= 32) return fmt::format("%r{}", number);
    return fmt::format("{}{}", width <= 64 ? "%rd" : "%q", number);
  }
  static unsigned width_of(Type type) { return type.width == 0 ? 32 : type.width; }

  std::string registers(unsigned count, unsigned width) {
    std::vector<std::string> list;
    for (unsigned i = 0; i < count; ++i) list.push_back(register_of_width(width));
    return fmt::format("{{{}}}", fmt::join(list, ", "));
  }

  std::string vector(unsigned elements) {
    if (const unsigned fragment = fragment_registers(form_, name()))
      return registers(fragment, form_.has(".f64") ? 64 : 32);
    if (name() == "byte-id-a" || name() == "byte-id-b") return "{0, 0}";
    if (form_.line->opcode == "mov") return registers(elements, form_.width() / elements);
    if (name() == "disable-output-lane") return registers(form_.has(".cta_group::2") ? 8 : 4, 32);
    const unsigned texels = form_.has(".v2") ? 2 : form_.has(".v4") ? 4 : elements;
    return registers(std::max(elements, texels), width_of(place().type));
  }

  /// What a composite address begins with.
  std::string object() const {
    const std::string& opcode = form_.line->opcode;
    if (opcode == "tex" || opcode == "tld4") return "texture";
    return opcode == "cp" ? "%rd8" : "surface";
  }

  std::string address() const {
    const std::string& opcode = form_.line->opcode;
    if (opcode == "txq") return form_.line->text.find(".squery") != std::string::npos ? "sampler" : "texture";
    if (opcode == "suq") return "surface";
    if (opcode == "tcgen05" && name().find("tmem") + name().find("taddr") != 2 * std::string::npos)
      return "%r9";
    if (name() == "mbar" || name() == "mbarrier" || is_in_shared_memory()) return "%r9";
    if (form_.has(".local")) return "in_local";
    if (form_.has(".const")) return "in_const";
    if (form_.has(".param") || form_.has(".param::entry")) return "parameter";
    return form_.has(".param::func") ? "parameter" : "%rd9";
  }

  /// Copies have two state spaces, that of the destination first.
  bool is_in_shared_memory() const {
    const std::string& text = form_.spelling;
    const std::size_t shared = text.find(".shared"), global = text.find(".global");
    if (shared == std::string::npos) return false;
    if (global == std::string::npos) return true;
    const bool is_destination = name().starts_with("dst");
    return is_destination == (shared < global);
  }

  std::string immediate() const {
    const Immediates& allowed = place().pattern->immediates;
    if (!allowed.listed.empty()) return std::to_string(allowed.listed.front());
    if (allowed.is_range)
      return std::to_string(std::max<std::int64_t>(allowed.lowest, allowed.step > 1 ? allowed.step : 0));
    return "0";
  }

  const Form& form_;
  std::span<const OperandShape> shapes_;
  std::size_t at_ = 0;
  unsigned next_ = 0;
};

}  // namespace

std::string instruction_text(const Form& form, std::span<const OperandShape> shapes) {
  const std::string operands = OperandWriter(form, shapes).write();
  std::string spelling = form.spelling;
  if (form.has(".unified")) spelling.resize(spelling.rfind(".unified"));  // stands behind the address
  return spelling + operands + ";";
}

std::string module_text(std::string_view version, std::string_view target,
                        std::span<const std::string> instructions) {
  return fmt::format(R"(.version {}
.target {}
.address_size 64
.global .align 16 .b8 in_global[256];
.const .align 16 .b8 in_const[256];
.global .texref texture;
{}
.global .surfref surface;
.visible .entry kernel(.param .align 16 .b8 parameter[256])
{{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<20>; .reg .f32 %f<10>; .reg .f64 %d<10>;
  .reg .b64 %rd<10>;
  .reg .b128 %q<8>;
  .shared .align 16 .b8 in_shared[256];
  .local .align 16 .b8 in_local[256];
targets: .branchtargets L;
L:
  bar.sync 0;
{}
  ret;
}}
)",
                     version, target,
                     target.ends_with(independent_textures) ? ".global .samplerref sampler;" : "",
                     fmt::join(instructions, "\n"));
}

}  // namespace ptxmc::test
