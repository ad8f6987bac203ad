#include "src/compiler/annotated_instruction.hpp"

#include <algorithm>
#include <string_view>

#include "semantics/language/form.hpp"
#include "src/litmus/spelling.hpp"

namespace ptxmc {
namespace {

using Kind = Annotation::Kind;

std::optional<Kind> kind_of(std::string_view opcode) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, opcode) != words.end();
  };
  if (is_one_of({"ld", "tld", "suld", "cold"})) return Kind::load;
  if (is_one_of({"st", "sust"})) return Kind::store;
  if (is_one_of({"atom", "suatom"})) return Kind::atomic;
  if (is_one_of({"red", "sured"})) return Kind::reduction;
  if (is_one_of({"fence", "membar"})) return Kind::fence;
  return std::nullopt;
}

/// `membar.gl` as a fence; other membars, those of proxies, have no annotation.
std::optional<Annotation> membar(std::string_view modifiers) {
  Annotation result;
  result.kind = Kind::fence;
  result.opcode = "fence";
  const Scope scope = modifiers == ".gl" ? Scope::gpu : scope_named(modifiers);
  if (scope == Scope::none || modifiers == ".gpu" || modifiers == ".cluster") return std::nullopt;
  result.strength = {Ordering::sc, scope};
  return result;
}

bool is_annotation(std::string_view modifier) {
  return modifier == ".weak" || ordering_named(modifier) != Ordering::none ||
         scope_named(modifier) != Scope::none;
}

/// The modifiers of an opcode: ".relaxed", ".gpu", ".add".
std::vector<std::string_view> modifiers_in(std::string_view opcode) {
  std::vector<std::string_view> result;
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos;) {
    const std::size_t next = opcode.find('.', at + 1);
    result.push_back(opcode.substr(at, next - at));
    at = next;
  }
  return result;
}

/// The modifiers as written, without order and scope: the dialect leaves types out.
std::string written_rest(std::string_view opcode) {
  std::string rest;
  for (const std::string_view modifier : modifiers_in(opcode))
    if (!is_annotation(modifier)) rest += modifier;
  return rest;
}

}  // namespace

std::pair<std::size_t, std::size_t> opcode_range(std::string_view text, std::size_t begin) {
  if (begin < text.size() && text[begin] == '@') begin = text.find_first_of(" \t", begin);
  begin = std::min(text.find_first_not_of(" \t", begin), text.size());
  return {begin, std::min(text.find_first_of(" \t;", begin), text.size())};
}

std::vector<Ordering> orderings_of(Kind kind) {
  using enum Ordering;
  switch (kind) {
    case Kind::load:
      return {none, relaxed, acquire};
    case Kind::store:
      return {none, relaxed, release};
    case Kind::atomic:
      return {relaxed, acquire, release, acq_rel};
    case Kind::reduction:
      return {relaxed, release};
    case Kind::fence:
      return {none, acquire, release, acq_rel, sc};
  }
  return {};
}

bool is_private_access(const Instruction& instruction) {
  const auto modifiers = modifiers_in(instruction.form->spelling);
  return std::ranges::any_of(modifiers, [](std::string_view modifier) {
    return modifier.starts_with(".param") || modifier == ".local" || modifier == ".const";
  });
}

std::optional<Annotation> annotation_of(const Instruction& instruction) {
  const std::string_view spelling = instruction.form->spelling;
  const std::size_t dot = std::min(spelling.find('.'), spelling.size());
  const auto kind = kind_of(spelling.substr(0, dot));
  if (!kind) return std::nullopt;
  if (spelling.starts_with("membar")) return membar(spelling.substr(dot));
  Annotation result;
  result.kind = *kind;
  result.opcode = spelling.substr(0, dot);
  if (is_private_access(instruction)) return std::nullopt;
  for (const std::string_view modifier : modifiers_in(spelling)) {
    if (modifier == ".volatile" || modifier == ".mmio" || modifier == ".async" || modifier == ".nc")
      return std::nullopt;
    if (const Ordering named = ordering_named(modifier); named != Ordering::none)
      result.strength.ordering = named;
    else if (const Scope scope = scope_named(modifier); scope != Scope::none)
      result.strength.scope = scope;
    else if (modifier != ".weak")
      result.rest += modifier;
  }
  if (*kind == Kind::fence) {
    if (!result.rest.empty() || result.strength.scope == Scope::none) return std::nullopt;
    if (result.strength.ordering == Ordering::none) result.strength.ordering = Ordering::acq_rel;
  }
  if (*kind == Kind::atomic || *kind == Kind::reduction) {
    if (result.strength.ordering == Ordering::none) result.strength.ordering = Ordering::relaxed;
    if (result.strength.scope == Scope::none) result.strength.scope = Scope::gpu;
  }
  return result;
}

std::optional<Instruction> with_strength(const Instruction& instruction, const Annotation& annotation,
                                         Strength strength) {
  const std::string modifiers =
      std::string(modifier_of(strength.ordering)) + std::string(modifier_of(strength.scope));
  const bool is_weak = strength.ordering == Ordering::none;
  const std::string opcode = annotation.opcode + (is_weak ? ".weak" : modifiers);
  std::vector<OperandShape> shapes;
  for (std::size_t i = 0; i < instruction.operands.size(); ++i)
    if (i >= instruction.form->operands.size() || !instruction.form->operands[i].is_hidden)
      shapes.push_back(shape_of(instruction.operands[i]));
  const Match match = match_instruction(opcode + annotation.rest, shapes);
  if (!match) return std::nullopt;
  Instruction result = instruction;
  result.form = match.form;
  const auto [begin, end] = opcode_range(instruction.text, 0);
  result.text = instruction.text.substr(0, begin) + opcode +
                (annotation.kind == Kind::fence
                     ? ""
                     : written_rest(std::string_view(instruction.text).substr(begin, end - begin))) +
                instruction.text.substr(end);
  return result;
}

std::optional<Instruction> fence_spelled(const std::string& spelling, SourcePosition where) {
  const Match match = match_instruction(spelling, {});
  if (!match) return std::nullopt;
  Instruction result;
  result.form = match.form;
  result.where = where;
  result.text = spelling;
  return result;
}

std::string fence_spelling(Strength strength) { return "fence." + text_of(strength); }

}  // namespace ptxmc
