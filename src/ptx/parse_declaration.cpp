#include "src/ptx/parse_declaration.hpp"

#include <array>
#include <limits>

#include "semantics/language/type.hpp"

namespace ptxmc::syntax {

namespace {

struct NamedSpace {
  std::string_view word;
  Space space;
};
constexpr std::array<NamedSpace, 8> spaces = {{{".reg", Space::reg},
                                               {".sreg", Space::sreg},
                                               {".const", Space::constant},
                                               {".global", Space::global},
                                               {".local", Space::local},
                                               {".param", Space::param},
                                               {".shared", Space::shared},
                                               {".tex", Space::tex}}};

/// The parser only rejects 0, which means "not given"; checking rejects other numbers that are not powers of
/// two.
std::uint32_t expect_alignment(TokenStream& tokens) {
  const std::string_view number = tokens.peek().text;
  const auto alignment = static_cast<std::uint32_t>(tokens.expect_integer("an alignment in bytes", 1u << 31));
  if (alignment == 0) tokens.fail_at(number, "a power of two");
  return alignment;
}

/// `.ptr`, after its word, with the space and alignment that belong to it.
PointerAttribute parse_pointer(TokenStream& tokens) {
  PointerAttribute pointer;
  if (const auto space = space_named(tokens.peek().text)) {
    pointer.space = space;
    tokens.take();
  }
  if (tokens.accept(".align")) pointer.alignment = expect_alignment(tokens);
  return pointer;
}

/// The number of elements of `.v2`, `.v4`, `.v8`, or 0.
std::uint8_t vector_elements(std::string_view word) {
  if (word.size() != 3 || !word.starts_with(".v")) return 0;
  return word[2] == '2' || word[2] == '4' || word[2] == '8' ? static_cast<std::uint8_t>(word[2] - '0') : 0;
}

std::optional<Modifier> type_named(std::string_view word) {
  const auto modifier = Modifier::find(word);
  if (!modifier || type_of(*modifier).kind == Type::Kind::none) return std::nullopt;
  return modifier;
}

/// Words between the state space and the name, in the order of § 5.1.6.3, § 5.4.2, § 5.4.5 and § 5.4.8:
/// alignment and attributes, vector, type, `.ptr`.
void parse_qualifiers(TokenStream& tokens, Declaration& declaration) {
  for (bool has_more = true; has_more;) {
    if (tokens.accept(".align"))
      declaration.alignment = expect_alignment(tokens);
    else if (tokens.accept(".attribute"))
      declaration.attributes = parse_attributes(tokens);
    else
      has_more = false;
  }
  if (const auto elements = vector_elements(tokens.peek().text); elements != 0) {
    declaration.elements = elements;
    tokens.take();
  }
  declaration.type = type_named(tokens.peek().text);
  if (!declaration.type) tokens.fail("a type");
  tokens.take();
  if (tokens.accept(".ptr")) declaration.pointer = parse_pointer(tokens);
}

/// `addr_mode_0 = clamp_to_border`, after the member.
MemberValue parse_member(TokenStream& tokens, std::string_view member) {
  tokens.expect('=');
  if (tokens.at_constant()) return {member, tokens.expect_constant()};
  return {member, tokens.expect_name("a value of the member")};
}

Constant expect_integer_constant(TokenStream& tokens, std::string_view what) {
  const std::string_view first = tokens.peek().text;
  const Constant constant = tokens.expect_constant();
  if (!constant.is_integer()) tokens.fail_at(first, what);
  return constant;
}

/// `v`, `generic(v)`, either with `+ 4`: PTX ISA 8.7 § 5.4.4.
AddressValue parse_address_value(TokenStream& tokens) {
  AddressValue address;
  address.base.text = tokens.expect_name("a variable or function");
  if (address.base.text == "generic" && tokens.accept('(')) {
    address.is_generic = true;
    address.base.text = tokens.expect_name("a variable or function");
    tokens.expect(')');
  }
  if (tokens.next_is('+')) address.offset = expect_integer_constant(tokens, "an integer offset").to_signed();
  return address;
}

/// `0xFF00(v)`, after the mask: a byte of an address, or of a constant, which is evaluated.
Initializer parse_masked(TokenStream& tokens, std::uint64_t mask, std::string_view text) {
  unsigned shift = 0;
  while (shift < 64 && mask >> shift != 0xff) shift += 8;
  if (shift == 64 || mask != std::uint64_t{0xff} << shift)
    tokens.fail_at(text, "a mask of one whole byte, such as 0xFF00");
  tokens.expect('(');
  Initializer value;
  if (tokens.at_constant()) {
    const Constant whole = expect_integer_constant(tokens, "an integer or an address");
    value.is = Constant::of_signed(static_cast<std::int64_t>((whole.bits & mask) >> shift));
  } else {
    AddressValue address = parse_address_value(tokens);
    address.mask = mask;
    value.is = address;
  }
  tokens.expect(')');
  return value;
}

Initializer parse_initializer(TokenStream& tokens);

/// `{ … }`, after its brace.
Initializer parse_initializer_list(TokenStream& tokens) {
  ConstantList constants;
  InitializerList list;
  bool only_constants = true;
  for (bool has_more = !tokens.next_is('}'); has_more; has_more = tokens.accept(',')) {
    Initializer element = parse_initializer(tokens);
    const auto* constant = std::get_if<Constant>(&element.is);
    if (only_constants && constant != nullptr) {
      constants.elements.push_back(*constant);
    } else {
      if (only_constants)
        for (const Constant& earlier : constants.elements) list.elements.push_back({earlier, {}});
      only_constants = false;
      list.elements.push_back(std::move(element));
    }
  }
  tokens.expect('}');
  constants.elements.shrink_to_fit();
  if (only_constants) return {std::move(constants), {}};
  return {std::move(list), {}};
}

Initializer parse_unpositioned_initializer(TokenStream& tokens) {
  if (tokens.accept('{')) return parse_initializer_list(tokens);
  if (tokens.at_constant()) {
    const std::string_view first = tokens.peek().text;
    const Constant constant = tokens.expect_constant();
    if (!tokens.next_is('(')) return {constant, {}};
    return parse_masked(tokens, constant.bits, first);
  }
  if (tokens.peek().kind != TokenKind::identifier) tokens.fail("an initial value");
  const Token second = tokens.peek_second();
  if (second.kind == TokenKind::punctuation && second.text[0] == '=')
    return {parse_member(tokens, tokens.expect_name("a member")), {}};
  return {parse_address_value(tokens), {}};
}

Initializer parse_initializer(TokenStream& tokens) {
  const NestingLevel level = tokens.nested();
  const std::string_view first = tokens.peek().text;
  Initializer initializer = parse_unpositioned_initializer(tokens);
  initializer.text = tokens.text_since(first);
  return initializer;
}

std::vector<Dimension> parse_dimensions(TokenStream& tokens) {
  std::vector<Dimension> dimensions;
  while (tokens.accept('[')) {
    Dimension dimension;
    if (!tokens.next_is(']')) dimension = expect_integer_constant(tokens, "an integer size").bits;
    tokens.expect(']');
    dimensions.push_back(dimension);
  }
  return dimensions;
}

/// A parameter of a prototype may have the name `_` (§ 11.3.3); checking rejects it elsewhere.
Declarator parse_declarator(TokenStream& tokens) {
  Declarator declarator;
  declarator.name.text = tokens.expect_name_or_sink("the name of a variable");
  if (tokens.accept('<')) {
    declarator.count = static_cast<std::uint32_t>(
        tokens.expect_integer("how many there are", std::numeric_limits<std::uint32_t>::max()));
    tokens.expect('>');
  }
  declarator.dimensions = parse_dimensions(tokens);
  if (tokens.accept('=')) declarator.initializer = parse_initializer(tokens);
  return declarator;
}

Declaration parse_head(TokenStream& tokens, Linkage linkage) {
  Declaration declaration;
  declaration.linkage = linkage;
  const auto space = space_named(tokens.peek().text);
  if (!space) tokens.fail("a state space");
  declaration.space = *space;
  tokens.take();
  parse_qualifiers(tokens, declaration);
  return declaration;
}

Declaration parse_parameter(TokenStream& tokens) {
  const std::string_view first = tokens.peek().text;
  Declaration parameter = parse_head(tokens, Linkage::none);
  parameter.declarators.push_back(parse_declarator(tokens));
  parameter.text = tokens.text_since(first);
  return parameter;
}

}  // namespace

Linkage parse_linkage(TokenStream& tokens) {
  if (tokens.accept(".extern")) return Linkage::external;
  if (tokens.accept(".visible")) return Linkage::visible;
  if (tokens.accept(".weak")) return Linkage::weak;
  if (tokens.accept(".common")) return Linkage::common;
  return Linkage::none;
}

std::optional<Space> space_named(std::string_view word) {
  for (const NamedSpace& named : spaces)
    if (named.word == word) return named.space;
  return std::nullopt;
}

std::string_view name_of(Space space) { return spaces[static_cast<std::size_t>(space)].word; }

Declaration parse_declaration(TokenStream& tokens, Linkage linkage) {
  const std::string_view first = tokens.peek().text;
  Declaration declaration = parse_head(tokens, linkage);
  do declaration.declarators.push_back(parse_declarator(tokens));
  while (tokens.accept(','));
  declaration.text = tokens.text_since(first);
  tokens.expect(';');
  return declaration;
}

std::vector<Declaration> parse_parameters(TokenStream& tokens) {
  std::vector<Declaration> parameters;
  if (!tokens.accept('(')) return parameters;
  if (tokens.accept(')')) return parameters;
  do parameters.push_back(parse_parameter(tokens));
  while (tokens.accept(','));
  tokens.expect(')');
  return parameters;
}

std::vector<Attribute> parse_attributes(TokenStream& tokens) {
  std::vector<Attribute> attributes;
  tokens.expect('(');
  do {
    Attribute attribute{tokens.expect(TokenKind::word, "an attribute").text, std::nullopt};
    if (tokens.accept('(')) {
      const std::uint64_t high = tokens.expect_integer("an integer");
      tokens.expect(',');
      attribute.uuid = {high, tokens.expect_integer("an integer")};
      tokens.expect(')');
    }
    attributes.push_back(attribute);
  } while (tokens.accept(','));
  tokens.expect(')');
  return attributes;
}

}  // namespace ptxmc::syntax
