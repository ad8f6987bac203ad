#include "semantics/language/notation.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "semantics/language/notation_scanner.hpp"

namespace ptxmc {

namespace {

Modifier known_modifier(const NotationScanner& scanner, const std::string& spelling) {
  const auto modifier = Modifier::find(spelling);
  if (!modifier) scanner.fail("a modifier instead of `" + spelling + "`");
  return *modifier;
}

/// The braces after a modifier: `.shared{::cta, ::cluster}` is three modifiers.
std::vector<std::string> with_subqualifiers(NotationScanner& scanner, const std::string& modifier) {
  std::vector<std::string> spellings = {modifier};
  if (!scanner.accept("{::")) return spellings;
  do {
    scanner.accept("::");
    spellings.push_back(modifier + "::" + scanner.name());
  } while (scanner.accept(","));
  scanner.expect("}");
  return spellings;
}

bool has_single_colon(std::string_view statement) {
  for (std::size_t i = 0; i < statement.size(); ++i)
    if (statement[i] == ':' && (i == 0 || statement[i - 1] != ':') && !statement.substr(i).starts_with("::"))
      return true;
  return false;
}

struct Definitions {
  std::map<std::string, std::vector<ModifierSequence>, std::less<>> roles;
  std::map<std::string, std::vector<std::string>, std::less<>> opcodes;
  std::map<std::string, Immediates, std::less<>> constants;
  std::map<std::string, Immediates, std::less<>> ranges;
  std::map<std::string, std::vector<OperandType>, std::less<>> types;
  std::map<std::string, std::vector<std::string>, std::less<>> selectors;
  std::set<std::string, std::less<>> sinks;
};

ModifierSequence modifier_sequence(NotationScanner& scanner) {
  ModifierSequence sequence;
  while (scanner.next_is(".")) sequence.push_back(known_modifier(scanner, scanner.modifier()));
  return sequence;
}

/// `.a, .b{::c}, d`: the last is the modifier `.d`, as the manual writes comparison operators.
std::vector<ModifierSequence> role_choices(NotationScanner& scanner) {
  std::vector<ModifierSequence> choices;
  scanner.expect("{");
  do {
    if (!scanner.next_is(".")) {
      choices.push_back({known_modifier(scanner, "." + scanner.name())});
      continue;
    }
    const std::string first = scanner.modifier();
    for (const std::string& spelling : with_subqualifiers(scanner, first))
      choices.push_back({known_modifier(scanner, spelling)});
    for (Modifier next : modifier_sequence(scanner)) choices.back().push_back(next);
  } while (scanner.accept(","));
  scanner.expect("}");
  return choices;
}

bool is_selector_role(std::string_view name) { return name.ends_with("sel") || name == ".mask"; }

std::vector<std::string> selector_choices(NotationScanner& scanner) {
  std::vector<std::string> choices;
  scanner.expect("{");
  do choices.push_back(scanner.modifier().substr(1));
  while (scanner.accept(","));
  scanner.expect("}");
  return choices;
}

void define_role(NotationScanner scanner, Definitions& definitions) {
  std::vector<std::string> names;
  while (scanner.next_is(".")) {
    names.push_back(scanner.modifier());
    scanner.expect("=");
  }
  if (is_selector_role(names.at(0))) {
    const auto choices = selector_choices(scanner);
    for (const std::string& name : names) definitions.selectors[name] = choices;
    return;
  }
  const auto choices = role_choices(scanner);
  for (const std::string& name : names) definitions.roles[name] = choices;
}

int signed_number(NotationScanner& scanner) {
  const bool is_negative = scanner.accept("-");
  const int magnitude = static_cast<int>(scanner.number());
  return is_negative ? -magnitude : magnitude;
}

/// `{ 4, 8, 16 }`, `{ 0..15 }`, `{ 24..256 by 8 }`, `{ 0.. by 32 }`, `(0, 1]`
Immediates immediates(NotationScanner& scanner) {
  Immediates set;
  if (scanner.accept("(")) {
    scanner.expect("0,");
    scanner.expect("1]");
    set.is_fraction = true;
    return set;
  }
  scanner.expect("{");
  const int first = signed_number(scanner);
  if (scanner.accept("..")) {
    set.is_range = true;
    set.lowest = first;
    set.highest = scanner.next_is("by") ? std::numeric_limits<std::int64_t>::max() : signed_number(scanner);
    if (scanner.accept("by")) set.step = static_cast<int>(scanner.number());
  } else {
    set.listed.push_back(first);
    while (scanner.accept(",")) set.listed.push_back(signed_number(scanner));
  }
  scanner.expect("}");
  if (!scanner.at_end()) scanner.fail("`;`");
  return set;
}

/// `vop = { vadd, vsub }`, `cp-size = { 4, 8, 16 }`
void define_choices_of_name(NotationScanner scanner, Definitions& definitions) {
  const std::string name = scanner.name();
  scanner.expect("=");
  if (scanner.next_is_number()) {
    definitions.constants[name] = immediates(scanner);
    return;
  }
  scanner.expect("{");
  do definitions.opcodes[name].push_back(scanner.name());
  while (scanner.accept(","));
  scanner.expect("}");
}

/// `a, b in { 0..15 }`
void define_ranges(NotationScanner scanner, Definitions& definitions) {
  std::vector<std::string> names;
  do names.push_back(scanner.name());
  while (scanner.accept(","));
  scanner.expect("in");
  const Immediates set = immediates(scanner);
  for (const std::string& name : names) definitions.ranges[name] = set;
}

/// `d, p or _`
void define_sinks(NotationScanner scanner, Definitions& definitions) {
  do definitions.sinks.insert(scanner.name());
  while (scanner.accept(","));
  scanner.expect("or");
  scanner.expect("_");
  if (!scanner.at_end()) scanner.fail("`;`");
}

void define_operand_types(NotationScanner scanner, Definitions& definitions) {
  std::vector<std::string> names;
  do names.push_back(scanner.name());
  while (scanner.accept(","));
  scanner.expect(":");
  OperandType type;
  type.may_be_vector = scanner.accept("{");
  if (scanner.accept("2")) {
    scanner.expect("*");
    type.widened = true;
  }
  const std::string spelling = scanner.modifier();
  if (!spelling.empty()) {
    const auto modifier = Modifier::find(spelling);
    const bool fixed = modifier && type_of(*modifier).kind != Type::Kind::none;
    type.source = fixed ? OperandType::Source::fixed : OperandType::Source::role;
    if (fixed) type.fixed = type_of(*modifier);
    type.role = spelling;
  }
  if (type.may_be_vector) scanner.expect("}");
  if (!scanner.at_end()) scanner.fail("`;`");
  for (const std::string& name : names) definitions.types[name].push_back(type);
}

FormFilter form_filter(NotationScanner& scanner) {
  FormFilter filter;
  if (!scanner.next_is(".") && !scanner.next_is("(")) filter.opcode = scanner.name();
  filter.modifiers = modifier_sequence(scanner);
  if (scanner.accept("(")) {
    filter.operand = scanner.name();
    scanner.expect(")");
  }
  return filter;
}

std::vector<FormFilter> form_filters(NotationScanner& scanner) {
  std::vector<FormFilter> filters;
  do filters.push_back(form_filter(scanner));
  while (scanner.accept(","));
  if (!scanner.at_end()) scanner.fail("`;`");
  return filters;
}

/// `PTX 7.8`
PtxVersion version(NotationScanner& scanner) {
  scanner.expect("PTX");
  const unsigned major = scanner.number();
  scanner.expect(".");
  return static_cast<PtxVersion>(major * 10 + scanner.number());
}

VersionNote version_note(NotationScanner scanner) {
  VersionNote note;
  note.removed = scanner.accept("removed");
  note.ptx = version(scanner);
  while (scanner.accept(",")) {
    scanner.expect("sm_");
    Architecture architecture{static_cast<std::uint16_t>(scanner.number())};
    architecture.exact = scanner.accept("a");
    if (scanner.accept("since")) architecture.since = version(scanner);
    note.targets.push_back(architecture);
  }
  if (scanner.accept(":")) note.forms = form_filters(scanner);
  if (!scanner.at_end()) scanner.fail("`;`");
  return note;
}

/// The parts of a syntax line: modifiers, then operands.
class LineParser {
 public:
  LineParser(std::string_view statement, const Definitions& definitions)
      : scanner_(statement), definitions_(definitions) {
    line_.text = statement;
  }

  SyntaxLine parse() {
    line_.opcode = scanner_.name();
    parse_modifiers();
    if (!scanner_.at_end()) parse_operand(false);
    while (!scanner_.at_end()) {
      if (!scanner_.next_is("{,")) scanner_.expect(",");
      parse_operand(false);
    }
    mark_destinations();
    for (OperandPattern& operand : line_.operands) complete(operand);
    return std::move(line_);
  }

 private:
  bool parse_modifiers() {
    bool found = false;
    while (scanner_.next_is(".") || scanner_.next_is("{.")) {
      found = true;
      if (!scanner_.accept("{")) {
        add_slot(scanner_.modifier(), false);
        continue;
      }
      parse_optional_modifiers();
    }
    return found;
  }

  /// `{.sat}`, `{.hi, .lo}`, `{.xorsign.abs}`, `{.shared{::cta}}`, `{.type}`
  void parse_optional_modifiers() {
    const std::string first = scanner_.modifier();
    if (definitions_.roles.contains(first)) {
      add_slot(first, true);
    } else {
      ModifierSlot slot{"", true, {}};
      for (const std::string& spelling : with_subqualifiers(scanner_, first))
        slot.choices.push_back({known_modifier(scanner_, spelling)});
      for (Modifier next : modifier_sequence(scanner_)) slot.choices.back().push_back(next);
      while (scanner_.accept(",")) slot.choices.push_back(modifier_sequence(scanner_));
      line_.modifiers.push_back(std::move(slot));
    }
    scanner_.expect("}");
  }

  void add_slot(const std::string& name, bool optional) {
    const auto role = definitions_.roles.find(name);
    if (role != definitions_.roles.end()) {
      line_.modifiers.push_back({name, optional, role->second});
      return;
    }
    ModifierSlot slot{"", optional, {}};
    for (const std::string& spelling : with_subqualifiers(scanner_, name))
      slot.choices.push_back({known_modifier(scanner_, spelling)});
    line_.modifiers.push_back(std::move(slot));
  }

  void parse_operand(bool optional) {
    if (scanner_.accept("{,")) {
      parse_operand(true);
      scanner_.expect("}");
      return;
    }
    const std::size_t first = line_.operands.size();
    if (scanner_.accept("{!}")) {
      parse_name(OperandPattern::Kind::value);
      line_.operands.back().negatable = true;
    } else if (scanner_.accept("[")) {
      parse_name(OperandPattern::Kind::address);
      while (scanner_.accept(",")) {
        parse_name(OperandPattern::Kind::value);
        line_.operands.back().link = OperandPattern::Link::bracket;
      }
      scanner_.expect("]");
    } else if (scanner_.accept("(")) {
      parse_name(OperandPattern::Kind::list);
      scanner_.expect(")");
    } else if (const bool may_have_minus = scanner_.accept("{-}"); !may_have_minus && scanner_.accept("{")) {
      parse_vector();
    } else {
      parse_name(OperandPattern::Kind::value);
      line_.operands.back().may_have_minus = may_have_minus;
      parse_second_of_pair();
      parse_selector();
    }
    parse_modifiers();  // `[a]{.unified}`
    for (std::size_t i = first; i < line_.operands.size(); ++i) line_.operands[i].optional |= optional;
  }

  /// `d.dsel`, `a{.asel}`
  void parse_selector() {
    const bool optional = scanner_.next_is("{.");
    if (!optional && !scanner_.next_is(".")) return;
    scanner_.accept("{");
    Selector& selector = line_.operands.back().selector;
    selector.role = scanner_.modifier();
    selector.optional = optional;
    const auto choices = definitions_.selectors.find(selector.role);
    if (choices == definitions_.selectors.end())
      scanner_.fail("a selector instead of `" + selector.role + "`");
    selector.choices = choices->second;
    if (optional) scanner_.expect("}");
  }

  void parse_name(OperandPattern::Kind kind) {
    OperandPattern operand;
    operand.name = scanner_.name();
    operand.kind = kind;
    const bool is_number = std::isdigit(static_cast<unsigned char>(operand.name[0])) != 0;
    if (is_number) operand.immediates.listed = {std::stoi(operand.name)};
    operand.is_constant = is_number || operand.name == "N" || operand.name.starts_with("imm");
    line_.operands.push_back(std::move(operand));
  }

  void parse_second_of_pair() {
    const bool optional = scanner_.accept("[|");
    if (!optional && !scanner_.accept("|")) return;
    parse_name(OperandPattern::Kind::value);
    line_.operands.back().link = OperandPattern::Link::pipe;
    line_.operands.back().optional = optional;
    if (optional) scanner_.expect("]");
  }

  /// `{a, b, e, f}`: one operand, named by its first element; `{a}` is of any length.
  void parse_vector() {
    parse_name(OperandPattern::Kind::vector);
    OperandPattern& operand = line_.operands.back();
    unsigned elements = 1;
    for (; scanner_.accept(","); ++elements) scanner_.name();
    if (elements > 1) operand.elements = elements;
    scanner_.expect("}");
  }

  void mark_destinations() {
    static const std::vector<std::string_view> names = {"d",   "p",     "f",    "r",           "dst",
                                                        "ptr", "state", "pred", "count",       "waitComplete",
                                                        "reg", "xdim",  "_",    "cache-policy"};
    if (line_.operands.empty()) return;
    OperandPattern& first = line_.operands.front();
    if (first.kind == OperandPattern::Kind::address) return;
    if (std::find(names.begin(), names.end(), first.name) == names.end()) return;
    first.is_destination = true;
    if (line_.operands.size() > 1 && line_.operands[1].link == OperandPattern::Link::pipe)
      line_.operands[1].is_destination = true;
  }

  void complete(OperandPattern& operand) const {
    if (operand.name == "tgt" || operand.name == "tlist") operand.kind = OperandPattern::Kind::label;
    if (const auto set = definitions_.constants.find(operand.name); set != definitions_.constants.end()) {
      operand.immediates = set->second;
      operand.is_constant = true;
    }
    if (const auto set = definitions_.ranges.find(operand.name); set != definitions_.ranges.end())
      operand.immediates = set->second;
    operand.may_be_sink =
        operand.is_destination && (operand.name == "_" || definitions_.sinks.contains(operand.name));
    operand.type = type_for(operand);
  }

  OperandType type_for(const OperandPattern& operand) const {
    if (operand.kind == OperandPattern::Kind::label || operand.kind == OperandPattern::Kind::list) return {};
    const bool is_address = operand.kind == OperandPattern::Kind::address;
    if (const auto declared = definitions_.types.find(operand.name); declared != definitions_.types.end())
      for (const OperandType& type : declared->second) {
        const bool is_opaque = type.fixed.kind == Type::Kind::opaque;  // of what is at an address, too
        if ((!is_address || is_opaque) && (type.source != OperandType::Source::role || has_role(type.role)))
          return type;
      }
    if (is_address) return {};
    if (operand.name == "cache-policy") return fixed(".b64");
    if (operand.name == "membermask") return fixed(".b32");
    if (operand.name == "p" || operand.name == "q" || operand.negatable) return fixed(".pred");
    for (const std::string& role : {"." + operand.name + "type", std::string(".type")})
      if (has_role(role)) return {OperandType::Source::role, {}, role, false, false};
    return type_by_order(operand.is_destination);
  }

  /// Type modifiers are in the order of operands (§ 9.4): the first belongs to the destination, the last to
  /// the sources.
  OperandType type_by_order(bool is_destination) const {
    const ModifierSlot* first = nullptr;
    const ModifierSlot* last = nullptr;
    for (const ModifierSlot& slot : line_.modifiers) {
      if (type_of(slot.choices[0][0]).kind == Type::Kind::none) continue;
      if (first == nullptr) first = &slot;
      last = &slot;
    }
    if (first == nullptr) return {};
    const ModifierSlot& slot = is_destination ? *first : *last;
    if (slot.role.empty()) return fixed(slot.choices[0][0]);
    return {OperandType::Source::role, {}, slot.role, false, false};
  }

  static OperandType fixed(Modifier modifier) {
    return {OperandType::Source::fixed, type_of(modifier), std::string(modifier.spelling()), false, false};
  }

  bool has_role(std::string_view role) const {
    return std::any_of(line_.modifiers.begin(), line_.modifiers.end(),
                       [&](const ModifierSlot& slot) { return slot.role == role; });
  }

  NotationScanner scanner_;
  const Definitions& definitions_;
  SyntaxLine line_;
};

/// `a in { 0..15 }`, `fraction in (0, 1]`
bool is_range(std::string_view statement) {
  return statement.find(" in {") != std::string_view::npos ||
         statement.find(" in (") != std::string_view::npos;
}

bool is_syntax_line(std::string_view statement) {
  return statement.find('=') == std::string_view::npos && !has_single_colon(statement) &&
         !statement.starts_with("PTX ") && !statement.starts_with("removed ") &&
         !statement.starts_with("except ") && !is_range(statement) && !statement.ends_with(" or _");
}

void add_lines(Notation& notation, const std::string& statement, const Definitions& definitions) {
  const SyntaxLine line = LineParser(statement, definitions).parse();
  const auto opcodes = definitions.opcodes.find(line.opcode);
  if (opcodes == definitions.opcodes.end()) {
    notation.lines.push_back(line);
    return;
  }
  for (const std::string& opcode : opcodes->second) {
    notation.lines.push_back(line);
    notation.lines.back().opcode = opcode;
    notation.lines.back().text = opcode + line.text.substr(line.opcode.size());
  }
}

}  // namespace

Notation parse_notation(std::string_view text) {
  const std::vector<std::string> statements = statements_of(text);
  Notation notation;
  Definitions definitions;
  for (const std::string& statement : statements) {
    if (is_syntax_line(statement)) continue;
    if (statement.starts_with('.')) {
      define_role(NotationScanner(statement), definitions);
    } else if (statement.starts_with("PTX ") || statement.starts_with("removed ")) {
      notation.versions.push_back(version_note(NotationScanner(statement)));
    } else if (statement.starts_with("except ")) {
      NotationScanner scanner(std::string_view(statement).substr(7));
      notation.exceptions = form_filters(scanner);
    } else if (is_range(statement)) {
      define_ranges(NotationScanner(statement), definitions);
    } else if (statement.ends_with(" or _")) {
      define_sinks(NotationScanner(statement), definitions);
    } else if (statement.find('=') != std::string::npos) {
      define_choices_of_name(NotationScanner(statement), definitions);
    } else {
      define_operand_types(NotationScanner(statement), definitions);
    }
  }
  for (const std::string& statement : statements)
    if (is_syntax_line(statement)) add_lines(notation, statement, definitions);
  return notation;
}

}  // namespace ptxmc
