#include "src/ptx/parse_instruction.hpp"

#include <fmt/format.h>

namespace ptxmc::syntax {

namespace {

/// Appends operands separated by commas, up to and including the closing character.
void parse_operands_until(TokenStream& tokens, char closing, std::vector<Operand>& operands) {
  do operands.push_back(parse_operand(tokens));
  while (tokens.accept(','));
  tokens.expect(closing);
}

Name expect_name(TokenStream& tokens, std::string_view what) { return {tokens.expect_name(what)}; }

bool at_name(const Token& token) { return token.kind == TokenKind::identifier && token.text != "WARP_SZ"; }

/// `a[4]`, `a[%r1]`, `a[%r1+4]`, `a[%r1-4]`, after its name: § 6.4.2.
ArrayElement parse_index(TokenStream& tokens, Name array) {
  ArrayElement element{array, {}};
  tokens.expect('[');
  const std::string_view first = tokens.peek().text;
  if (at_name(tokens.peek())) {
    const Name base = expect_name(tokens, "a register");
    const bool has_offset = tokens.next_is('+') || tokens.next_is('-');
    if (has_offset)
      element.index.push_back({Address{base, tokens.expect_constant(), false, false}, {}});
    else
      element.index.push_back({NameOperand{base, {}, NameOperand::Prefix::none}, {}});
  } else {
    if (!tokens.at_constant()) tokens.fail("a register or a constant as index");
    element.index.push_back({tokens.expect_constant(), {}});
  }
  element.index.front().text = tokens.text_since(first);
  tokens.expect(']');
  return element;
}

/// An operand that begins with an identifier: a name, `a+4`, `a[4]`, `_`.
Operand parse_named(TokenStream& tokens, NameOperand::Prefix prefix) {
  const std::string_view text = tokens.take().text;
  if (text == "_") return {Sink{}, text};
  const auto dot = std::min(text.find('.'), text.size());
  const NameOperand named{{text.substr(0, dot)}, text.substr(dot), prefix};
  if (prefix == NameOperand::Prefix::none && named.selector.empty()) {
    if (tokens.next_is('[')) return {parse_index(tokens, named.name), {}};
    if (tokens.next_is('+')) return {Address{named.name, tokens.expect_constant(), false, false}, {}};
    if (tokens.next_is('-')) tokens.fail(fmt::format("'+' before an offset, as in {}+-4", text));
  }
  return {named, {}};
}

/// `[…]`, `[…].unified`: PTX ISA 8.7 § 6.4.1.
Operand parse_address(TokenStream& tokens) {
  tokens.expect('[');
  const std::string_view first_text = tokens.peek().text;
  Operand first = parse_operand(tokens);
  if (tokens.accept(',')) {
    CompositeAddress composite{{std::move(first)}, false};
    parse_operands_until(tokens, ']', composite.parts);
    composite.is_unified = tokens.accept(".unified");
    return {std::move(composite), {}};
  }
  tokens.expect(']');
  const bool is_unified = tokens.accept(".unified");
  if (const auto* constant = std::get_if<Constant>(&first.is))
    return {Address{std::nullopt, *constant, true, is_unified}, {}};
  if (auto* address = std::get_if<Address>(&first.is); address != nullptr && !address->in_brackets)
    return {Address{address->base, address->offset, true, is_unified}, {}};
  if (const auto* named = std::get_if<NameOperand>(&first.is);
      named != nullptr && named->selector.empty() && named->prefix == NameOperand::Prefix::none)
    return {Address{named->name, std::nullopt, true, is_unified}, {}};
  tokens.fail_at(first_text, "an address such as [a], [a+4] or [4]");
}

Operand parse_single(TokenStream& tokens) {
  if (tokens.next_is('[')) return parse_address(tokens);
  if (tokens.accept('{')) {
    Vector vector;
    parse_operands_until(tokens, '}', vector.elements);
    return {std::move(vector), {}};
  }
  if (at_name(tokens.peek())) return parse_named(tokens, NameOperand::Prefix::none);
  if (tokens.next_is('!') && at_name(tokens.peek_second())) {
    tokens.take();
    return parse_named(tokens, NameOperand::Prefix::negation);
  }
  if (tokens.next_is('-') && at_name(tokens.peek_second())) {
    tokens.take();
    return parse_named(tokens, NameOperand::Prefix::minus);
  }
  if (!tokens.at_constant()) tokens.fail("an operand");
  return {tokens.expect_constant(), {}};
}

Operand parse_arguments(TokenStream& tokens) {
  const std::string_view first = tokens.peek().text;
  Arguments arguments;
  tokens.expect('(');
  if (!tokens.accept(')')) parse_operands_until(tokens, ')', arguments.list);
  return {std::move(arguments), tokens.text_since(first)};
}

/// The opcode and the following tokens that begin with a dot, with or without blanks in between.
MnemonicId parse_mnemonic(TokenStream& tokens, MnemonicTable& mnemonics) {
  const std::string_view opcode = tokens.expect(TokenKind::identifier, "an instruction or directive").text;
  std::vector<std::string_view> more;
  while (tokens.peek().kind == TokenKind::word) more.push_back(tokens.take().text);
  return mnemonics.intern(opcode, more);
}

}  // namespace

MnemonicId MnemonicTable::intern(std::string_view first_piece,
                                 const std::vector<std::string_view>& more_pieces) {
  std::string spelling(first_piece);
  for (const std::string_view piece : more_pieces) spelling += piece;
  const auto next = static_cast<MnemonicId>(mnemonics_.size());
  const auto [found, is_new] = ids_.try_emplace(spelling, next);
  if (!is_new) return found->second;
  Mnemonic mnemonic{std::move(spelling), first_piece.substr(0, first_piece.find('.')), {}};
  const auto split = [&](std::string_view piece) {
    for (auto dot = piece.find('.'); dot != std::string_view::npos;) {
      const auto next_dot = piece.find('.', dot + 1);
      mnemonic.modifiers.push_back(piece.substr(dot, next_dot - dot));
      dot = next_dot;
    }
  };
  split(first_piece);
  for (const std::string_view piece : more_pieces) split(piece);
  mnemonics_.push_back(std::move(mnemonic));
  return next;
}

std::optional<Guard> parse_guard(TokenStream& tokens) {
  if (!tokens.accept('@')) return std::nullopt;
  const bool negated = tokens.accept('!');
  return Guard{expect_name(tokens, "a predicate register"), negated};
}

Operand parse_operand(TokenStream& tokens) {
  const NestingLevel level = tokens.nested();
  const std::string_view first = tokens.peek().text;
  Operand operand = parse_single(tokens);
  operand.text = tokens.text_since(first);
  if (!tokens.accept('|')) return operand;
  Pair pair{{std::move(operand)}};
  pair.both.push_back(parse_operand(tokens));
  return {std::move(pair), tokens.text_since(first)};
}

Instruction parse_instruction(TokenStream& tokens, MnemonicTable& mnemonics, std::optional<Guard> guard) {
  const std::string_view first = tokens.peek().text;
  Instruction instruction;
  instruction.guard = guard;
  instruction.mnemonic = parse_mnemonic(tokens, mnemonics);
  std::vector<Operand> operands;
  operands.reserve(4);
  const bool is_call = first.substr(0, first.find('.')) == "call";
  if (tokens.next_is('}')) tokens.fail("';'");
  if (!tokens.next_is(';')) {
    do operands.push_back(is_call && tokens.next_is('(') ? parse_arguments(tokens) : parse_operand(tokens));
    while (tokens.accept(','));
  }
  instruction.text = tokens.text_since(first);
  if (!tokens.next_is(';')) tokens.fail("',' or ';'");
  tokens.take();
  instruction.operands.assign(std::make_move_iterator(operands.begin()),
                              std::make_move_iterator(operands.end()));  // allocates no more than needed
  return instruction;
}

}  // namespace ptxmc::syntax
