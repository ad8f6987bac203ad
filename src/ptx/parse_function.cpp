#include "src/ptx/parse_function.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "src/ptx/parse_debug.hpp"
#include "src/ptx/parse_declaration.hpp"

namespace ptxmc::syntax {

namespace {

/// Directives between the header of a function and its body, with their maximum number of values: PTX ISA 8.7
/// § 11.4 and § 11.7, and what later versions added.
struct KnownDirective {
  std::string_view word;
  unsigned least = 0;
  unsigned most = 0;
};
constexpr std::array<KnownDirective, 12> known_directives = {{{".maxntid", 1, 3},
                                                              {".reqntid", 1, 3},
                                                              {".minnctapersm", 1, 1},
                                                              {".maxnctapersm", 1, 1},
                                                              {".maxnreg", 1, 1},
                                                              {".noreturn"},
                                                              {".reqnctapercluster", 1, 3},
                                                              {".explicitcluster"},
                                                              {".maxclusterrank", 1, 1},
                                                              {".blocksareclusters"},
                                                              {".abi_preserve", 1, 1},
                                                              {".abi_preserve_control", 1, 1}}};

FunctionDirective parse_directive(TokenStream& tokens) {
  const auto known = std::find_if(known_directives.begin(), known_directives.end(),
                                  [&](const KnownDirective& d) { return tokens.next_is(d.word); });
  if (known == known_directives.end()) tokens.fail("a directive of the function, its body or ';'");
  FunctionDirective directive{tokens.take().text, {}};
  if (known->most == 0) return directive;
  do
    directive.values.push_back(
        tokens.expect_integer("an integer", std::numeric_limits<std::uint32_t>::max()));
  while (directive.values.size() < known->most && tokens.accept(','));
  return directive;
}

/// Parses the statements of one body.
class BodyParser {
 public:
  BodyParser(TokenStream& tokens, MnemonicTable& mnemonics, Diagnostics& diagnostics)
      : tokens_(tokens), mnemonics_(mnemonics), diagnostics_(diagnostics) {}

  Block parse_block() {
    const NestingLevel level = tokens_.nested();
    Block block{tokens_.peek().text, {}};
    tokens_.expect('{');
    const auto first = static_cast<std::ptrdiff_t>(statements_.size());
    while (!at_end_of_block()) parse_statement();
    block.statements.assign(std::make_move_iterator(statements_.begin() + first),
                            std::make_move_iterator(statements_.end()));
    statements_.erase(statements_.begin() + first, statements_.end());
    tokens_.expect('}');
    return block;
  }

 private:
  /// The end of the block; also true if a function begins here, since then a brace is missing.
  bool at_end_of_block() const {
    return tokens_.next_is('}') || tokens_.at_end() || tokens_.next_is(".entry") || tokens_.next_is(".func");
  }

  void parse_statement() {
    const int depth = tokens_.depth();
    try {
      statements_.push_back(parse_any());
    } catch (const InputError& error) {
      diagnostics_.error(error.where, error.what());
      tokens_.skip_statement(depth);
    }
  }

  Statement parse_any() {
    if (tokens_.next_is('{')) return {parse_block()};
    if (tokens_.next_is('@')) return guarded_instruction();
    if (tokens_.peek().kind == TokenKind::word) return parse_directive_statement();
    if (at_label()) return parse_labelled();
    return {parse_instruction(tokens_, mnemonics_, std::nullopt)};
  }

  bool at_label() const {
    const bool may_be_opcode_only = tokens_.peek().text.find('.') == std::string_view::npos;
    return may_be_opcode_only && tokens_.peek_second().text == ":";
  }

  Statement guarded_instruction() {
    const auto guard = parse_guard(tokens_);
    return {parse_instruction(tokens_, mnemonics_, guard)};
  }

  /// A label, or a labelled list or prototype: `t: .branchtargets L1, L2;`
  Statement parse_labelled() {
    const Name label{tokens_.expect_name("a label")};
    tokens_.expect(':');
    if (tokens_.next_is(".branchtargets") || tokens_.next_is(".calltargets")) return {parse_targets(label)};
    if (tokens_.accept(".callprototype")) return {parse_prototype(label)};
    return {Label{label}};
  }

  Targets parse_targets(const Name& label) {
    Targets targets{tokens_.take().text == ".calltargets", label, {}};
    do {
      Targets::Target target{{tokens_.expect_name("a target")}, std::nullopt, {}};
      if (tokens_.accept('<')) {
        target.count = static_cast<std::uint32_t>(
            tokens_.expect_integer("how many there are", std::numeric_limits<std::uint32_t>::max()));
        tokens_.expect('>');
      }
      targets.targets.push_back(target);
    } while (tokens_.accept(','));
    tokens_.expect(';');
    return targets;
  }

  Prototype parse_prototype(const Name& label) {
    Prototype prototype{label, parse_parameters(tokens_), {}, false};
    if (!tokens_.accept("_")) tokens_.fail("'_' in place of the function's name");
    prototype.parameters = parse_parameters(tokens_);
    while (tokens_.peek().kind == TokenKind::word) {
      if (tokens_.next_is(".noreturn")) prototype.is_noreturn = true;
      parse_directive(tokens_);
    }
    tokens_.expect(';');
    return prototype;
  }

  Statement parse_directive_statement() {
    if (tokens_.next_is(".loc")) return {parse_location(tokens_)};
    if (tokens_.next_is(".pragma")) return {parse_pragma(tokens_)};
    return {parse_declaration(tokens_, Linkage::none)};
  }

  TokenStream& tokens_;
  MnemonicTable& mnemonics_;
  Diagnostics& diagnostics_;
  /// Statements of all open blocks, so that each block allocates no more than it needs.
  std::vector<Statement> statements_;
};

}  // namespace

bool Function::has(std::string_view directive) const {
  return std::any_of(directives.begin(), directives.end(),
                     [&](const FunctionDirective& d) { return d.text == directive; });
}

Pragma parse_pragma(TokenStream& tokens) {
  const std::string_view first = tokens.take().text;
  Pragma pragma;
  do pragma.strings.push_back(tokens.expect(TokenKind::string, "a string").text);
  while (tokens.accept(','));
  pragma.text = tokens.text_since(first);
  tokens.expect(';');
  return pragma;
}

Function parse_function(TokenStream& tokens, MnemonicTable& mnemonics, Linkage linkage,
                        Diagnostics& diagnostics) {
  Function function;
  function.linkage = linkage;
  function.is_entry = tokens.next_is(".entry");
  function.text = tokens.take().text;
  if (tokens.accept(".attribute")) function.attributes = parse_attributes(tokens);
  if (!function.is_entry) function.returns = parse_parameters(tokens);
  function.name.text = tokens.expect_name("the name of a function");
  function.parameters = parse_parameters(tokens);
  while (tokens.peek().kind == TokenKind::word) {
    if (tokens.accept(".attribute"))
      function.attributes = parse_attributes(tokens);
    else if (tokens.next_is(".pragma"))
      function.pragmas.push_back(parse_pragma(tokens));
    else
      function.directives.push_back(parse_directive(tokens));
  }
  if (tokens.next_is('{'))
    function.body = BodyParser(tokens, mnemonics, diagnostics).parse_block();
  else
    tokens.expect(';');
  return function;
}

}  // namespace ptxmc::syntax
