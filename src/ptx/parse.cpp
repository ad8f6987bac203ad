#include "src/ptx/parse.hpp"

#include <fmt/format.h>

#include <charconv>

#include "src/ptx/parse_debug.hpp"
#include "src/ptx/parse_declaration.hpp"
#include "src/ptx/parse_function.hpp"
#include "src/ptx/parse_instruction.hpp"

namespace ptxmc::syntax {

namespace {

/// Parses one module.
class ModuleParser {
 public:
  ModuleParser(Module& module, Diagnostics& diagnostics)
      : module_(module), diagnostics_(diagnostics), tokens_(*module.source), mnemonics_(module.mnemonics) {}

  void parse() {
    if (!report_errors([&] { parse_head(); })) skip_statement(0);
    while (!tokens_.at_end()) {
      const int depth = tokens_.depth();
      const bool was_read = report_errors([&] { parse_statement(); });
      if (!was_read) skip_statement(depth);
    }
  }

 private:
  /// Parses a part and reports an error. Returns false if there was one.
  bool report_errors(const auto& parse_part) {
    try {
      parse_part();
    } catch (const InputError& error) {
      diagnostics_.error(error.where, error.what());
      return false;
    }
    return true;
  }

  /// `.version`, `.target` and `.address_size` begin every module, in this order.
  void parse_head() {
    if (!tokens_.next_is(".version")) tokens_.fail("'.version', with which every module begins");
    tokens_.take();
    parse_version();
    if (!tokens_.next_is(".target")) tokens_.fail("'.target', which follows '.version'");
    parse_target();
    if (tokens_.accept(".address_size")) parse_address_size();
  }

  void parse_version() {
    const Token number = tokens_.peek();
    unsigned major = 0, minor = 0;
    const char* const end = number.text.data() + number.text.size();
    const auto dot = std::from_chars(number.text.data(), end, major);
    const bool has_major = number.kind == TokenKind::number && dot.ec == std::errc{} && dot.ptr == end;
    const std::string_view fraction = tokens_.peek_second().text;
    const char* const fraction_end = fraction.data() + fraction.size();
    const bool has_minor = fraction.starts_with('.') &&
                           std::from_chars(fraction.data() + 1, fraction_end, minor).ptr == fraction_end;
    if (!has_major || !has_minor || fraction.size() != 2 || major > 100)
      tokens_.fail("a version, such as 8.7");
    tokens_.take();
    tokens_.take();
    module_.version = major * 10 + minor;
    if (module_.version > newest_version)
      diagnostics_.note(
          module_.position(number.text),
          fmt::format("PTX ISA {}.{} is newer than 9.0, by which the module is judged", major, minor));
  }

  void parse_target() {
    const std::string_view first = tokens_.take().text;
    Target target;
    do target.names.push_back(tokens_.expect_name("a target, such as sm_90"));
    while (tokens_.accept(','));
    target.text = tokens_.text_since(first);
    module_.statements.push_back({std::move(target)});
  }

  void parse_address_size() {
    const std::string_view size = tokens_.peek().text;
    const std::uint64_t bits = tokens_.expect_integer("32 or 64");
    if (bits != 32 && bits != 64) tokens_.fail_at(size, "32 or 64");
    module_.address_size = static_cast<unsigned>(bits);
  }

  void parse_statement() {
    const Linkage linkage = parse_linkage(tokens_);
    if (tokens_.next_is(".entry") || tokens_.next_is(".func"))
      add(parse_function(tokens_, mnemonics_, linkage, diagnostics_));
    else if (linkage != Linkage::none || space_named(tokens_.peek().text))
      add(parse_declaration(tokens_, linkage));
    else
      parse_other();
  }

  void parse_other() {
    if (tokens_.next_is(".target")) return parse_target();
    if (tokens_.next_is(".file")) return add(parse_file(tokens_));
    if (tokens_.next_is(".loc")) return add(parse_location(tokens_));
    if (tokens_.next_is(".section")) return add(parse_section(tokens_));
    if (tokens_.next_is(".pragma")) return add(parse_pragma(tokens_));
    if (tokens_.next_is(".alias")) return add(parse_alias());
    if (tokens_.next_is('@') && tokens_.peek_second().text == "@") return add(parse_dwarf_line(tokens_));
    tokens_.fail("a directive such as '.entry', '.func' or '.global'");
  }

  Alias parse_alias() {
    const std::string_view first = tokens_.take().text;
    Alias alias;
    alias.alias.text = tokens_.expect_name("the alias of a function");
    tokens_.expect(',');
    alias.aliasee.text = tokens_.expect_name("the name of a function");
    alias.text = tokens_.text_since(first);
    tokens_.expect(';');
    return alias;
  }

  void add(auto&& statement) { module_.statements.push_back({std::move(statement)}); }

  /// Skips the wrong statement: past its `;`, or past its body if it has one.
  void skip_statement(int depth) {
    while (!tokens_.at_end() && !begins_statement()) {
      const bool ends_body = tokens_.next_is('}');
      const bool may_end = ends_body || tokens_.next_is(';');
      tokens_.take();
      if (!may_end || tokens_.depth() > depth) continue;
      if (ends_body) tokens_.accept(';');
      return;
    }
  }

  bool begins_statement() const {
    return tokens_.next_is(".entry") || tokens_.next_is(".func") || tokens_.next_is(".visible") ||
           tokens_.next_is(".extern") || tokens_.next_is(".weak") || tokens_.next_is(".target");
  }

  Module& module_;
  Diagnostics& diagnostics_;
  TokenStream tokens_;
  MnemonicTable mnemonics_;
};

}  // namespace

SourcePosition Module::position(std::string_view part) const {
  const std::string_view text = source->text();
  const std::less<const char*> before;
  if (before(part.data(), text.data()) || before(text.data() + text.size(), part.data())) return {};
  return source->position(static_cast<std::size_t>(part.data() - text.data()));
}

Module parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
  Module module;
  module.source = std::move(source);
  ModuleParser(module, diagnostics).parse();
  return module;
}

}  // namespace ptxmc::syntax
