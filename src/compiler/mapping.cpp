#include "src/compiler/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/source_text.hpp"
#include "semantics/language/text_file.hpp"
#include "src/embedded_texts.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {
namespace {

template <class Meaning, std::size_t count>
using Names = std::array<std::pair<std::string_view, Meaning>, count>;

constexpr Names<OperationKind, 5> kinds = {{{"load", OperationKind::load},
                                            {"store", OperationKind::store},
                                            {"rmw", OperationKind::rmw},
                                            {"cas", OperationKind::cas},
                                            {"fence", OperationKind::fence}}};
constexpr Names<Ordering, 5> ordering_words = {{{"relaxed", Ordering::relaxed},
                                                {"acquire", Ordering::acquire},
                                                {"release", Ordering::release},
                                                {"acq_rel", Ordering::acq_rel},
                                                {"seq_cst", Ordering::sc}}};
constexpr Names<Scope, 4> scopes = {
    {{"block", Scope::cta}, {"cluster", Scope::cluster}, {"device", Scope::gpu}, {"system", Scope::sys}}};

template <class Table>
auto find(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, [](const auto& row) { return row.first; });
  using Meaning = decltype(found->second);
  return found == table.end() ? std::nullopt : std::optional<std::remove_cv_t<Meaning>>(found->second);
}

template <class Table, class Meaning>
std::string_view name_in(const Table& table, Meaning meaning) {
  const auto found = std::ranges::find(table, meaning, [](const auto& row) { return row.second; });
  return found == table.end() ? "" : found->first;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':';
}

struct WordAt {
  std::string text;
  std::size_t at = 0;
};

/// A rule as written.
struct WrittenRule {
  OperationKind kind = OperationKind::load;
  Ordering order = Ordering::relaxed;
  std::optional<Scope> scope;  ///< empty: the variable
  std::string variable;
  std::vector<WordAt> code;
  std::size_t at = 0, code_at = 0;
};

/// Replaces each modifier that is the variable by a scope.
std::string with_scope(const std::string& spelling, const std::string& variable, Scope scope) {
  std::string result;
  for (std::size_t begin = 0; begin <= spelling.size();) {
    const std::size_t end = std::min(spelling.find('.', begin), spelling.size());
    const std::string part = spelling.substr(begin, end - begin);
    if (begin > 0) result += '.';
    const bool is_membar = spelling.starts_with("membar");
    if (variable.empty() || part != variable)
      result += part;
    else if (is_membar)  // its levels are .cta, .gl, .sys: PTX ISA 8.7 § 9.7.13.4
      result += scope == Scope::sys ? "sys" : scope == Scope::cta ? "cta" : "gl";
    else
      result += modifier_of(scope).substr(1);
    begin = end + 1;
  }
  return result;
}

std::string_view opcode_of(std::string_view spelling) { return spelling.substr(0, spelling.find('.')); }

bool is_access(std::string_view opcode) { return opcode == "ld" || opcode == "st" || opcode == "atom"; }

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : source_(file, std::string(text)) {}

  Mapping read() {
    Mapping mapping;
    mapping.file = source_.file();
    while (skip_to_rule()) add(mapping, rule());
    if (mapping.rules.empty()) throw source_.expected(at_, "a rule such as `load seq_cst S => ld.acquire.S`");
    require_all_orders(mapping);
    return mapping;
  }

 private:
  const std::string& text() const { return source_.text(); }
  bool is_at_end() const { return at_ >= text().size(); }

  void skip_blanks() {
    while (!is_at_end() && (text()[at_] == ' ' || text()[at_] == '\t' || text()[at_] == '\r')) ++at_;
    if (!is_at_end() && text()[at_] == '#') at_ = std::min(text().find('\n', at_), text().size());
  }

  /// Whether another rule follows.
  bool skip_to_rule() {
    for (skip_blanks(); !is_at_end() && text()[at_] == '\n'; skip_blanks()) ++at_;
    return !is_at_end();
  }

  WordAt word(std::string_view expected) {
    skip_blanks();
    const std::size_t first = at_;
    while (!is_at_end() && is_word(text()[at_])) ++at_;
    if (at_ == first) throw source_.expected(first, expected);
    return {text().substr(first, at_ - first), first};
  }

  [[noreturn]] void fail(const WordAt& found, const std::string& expected) const {
    throw InputError(source_.file(), source_.position(found.at),
                     fmt::format("found '{}', expected {}", found.text, expected));
  }

  WrittenRule rule() {
    WrittenRule result;
    const WordAt kind = word("load, store, rmw, cas or fence");
    result.at = kind.at;
    const auto known = find(kinds, kind.text);
    if (!known) fail(kind, "load, store, rmw, cas or fence");
    result.kind = *known;
    read_order(result);
    read_scope(result);
    skip_blanks();
    if (text().compare(at_, 2, "=>") != 0) throw source_.expected(at_, "'=>'");
    at_ += 2;
    read_code(result);
    return result;
  }

  void read_order(WrittenRule& rule) {
    std::string allowed;
    for (const Ordering order : orders_of(rule.kind))
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", cpp_name_of(order));
    const std::string expected = fmt::format("an order of a {}: {}", name_of(rule.kind), allowed);
    const WordAt written = word(expected);
    const auto order = find(ordering_words, written.text);
    const auto possible = orders_of(rule.kind);
    if (!order || std::ranges::find(possible, *order) == possible.end()) fail(written, expected);
    rule.order = *order;
  }

  void read_scope(WrittenRule& rule) {
    constexpr const char* expected = "a scope: block, cluster, device, system, or a variable such as S";
    const WordAt written = word(expected);
    rule.scope = find(scopes, written.text);
    if (rule.scope) return;
    const bool is_variable = std::isupper(static_cast<unsigned char>(written.text.front())) != 0 &&
                             written.text.find('.') == std::string::npos;
    if (!is_variable) fail(written, expected);
    rule.variable = written.text;
  }

  void read_code(WrittenRule& rule) {
    skip_blanks();
    rule.code_at = at_;
    for (bool is_first = true;; is_first = false) {
      const WordAt instruction = word("an instruction such as ld.acquire.S, or nothing");
      if (instruction.text != "nothing" || !is_first) rule.code.push_back(instruction);
      skip_blanks();
      if (is_at_end() || text()[at_] == '\n') break;
      if (text()[at_] != ';' || (instruction.text == "nothing" && is_first))
        throw source_.expected(at_, "';' or the end of the line");
      ++at_;
    }
    const auto accesses = std::ranges::count_if(
        rule.code, [](const WordAt& written) { return is_access(opcode_of(written.text)); });
    const bool is_right = accesses == (rule.kind == OperationKind::fence ? 0 : 1);
    if (is_right) return;
    throw InputError(source_.file(), source_.position(rule.code_at),
                     fmt::format("found {} accesses, expected {}", accesses,
                                 rule.kind == OperationKind::fence ? "only fences for a fence"
                                                                   : "one for this operation"));
  }

  void add(Mapping& mapping, const WrittenRule& written) const {
    for (const auto& [name, scope] : scopes) {
      if (written.scope && *written.scope != scope) continue;
      const MappingRule* const known = mapping.rule(written.kind, written.order, scope);
      if (known != nullptr)
        throw InputError(source_.file(), source_.position(written.at),
                         fmt::format("found a second rule for `{} {} {}`, expected one",
                                     name_of(written.kind), cpp_name_of(written.order), name));
      MappingRule rule{written.kind, written.order, scope, {}};
      for (const WordAt& word : written.code) rule.code.push_back(instruction(written, word, scope));
      mapping.rules.push_back(std::move(rule));
    }
  }

  MappedInstruction instruction(const WrittenRule& rule, const WordAt& written, Scope scope) const {
    const std::string_view opcode = opcode_of(written.text);
    MappedInstruction result;
    result.text = with_scope(written.text, rule.variable, scope);
    result.is_access = is_access(opcode);
    const bool fits = !result.is_access
                          ? opcode == "fence" || opcode == "membar"
                          : opcode == "atom" || (opcode == "ld" && rule.kind == OperationKind::load) ||
                                (opcode == "st" && rule.kind == OperationKind::store);
    if (!fits)
      fail(written, fmt::format("an instruction of a {}: fence{}", name_of(rule.kind),
                                rule.kind == OperationKind::load    ? ", ld or atom"
                                : rule.kind == OperationKind::store ? ", st or atom"
                                : rule.kind == OperationKind::fence ? ""
                                                                    : " or atom"));
    const std::string column = column_text(result, {rule.kind, "r0", "x"});
    const std::string test =
        "PTX rule\n{ x = 0; }\n P0@cta 0,cluster 0,gpu 0 ;\n " + column + " ;\nexists (true)\n";
    try {
      const LitmusTest read = parse_litmus(test, source_.file());
      result.annotation = annotation_of(read.program.threads.front().code.front());
    } catch (const InputError& error) {
      throw InputError(source_.file(), source_.position(written.at), error.what());
    }
    return result;
  }

  void require_all_orders(const Mapping& mapping) const {
    for (const MappingRule& known : mapping.rules)
      for (const Ordering order : orders_of(known.kind)) {
        const auto is_for_order = [&](const MappingRule& rule) {
          return rule.kind == known.kind && rule.order == order;
        };
        if (std::ranges::none_of(mapping.rules, is_for_order))
          throw InputError(
              source_.file(), source_.position(text().size()),
              fmt::format("found no rule for `{0} {1}`, expected one, as another order of {0} has one",
                          name_of(known.kind), cpp_name_of(order)));
      }
  }

  SourceText source_;
  std::size_t at_ = 0;
};

bool is_at_most(const MappedInstruction& a, const MappedInstruction& b) {
  if (a.text == b.text) return true;
  return a.annotation && b.annotation && a.annotation->kind == b.annotation->kind &&
         a.annotation->rest == b.annotation->rest &&
         is_weaker_or_equal(a.annotation->strength, b.annotation->strength);
}

}  // namespace

bool is_weaker_or_equal(const MappedCode& a, const MappedCode& b) {
  std::size_t next = 0;
  for (const MappedInstruction& instruction : a) {
    while (next < b.size() && !is_at_most(instruction, b[next])) ++next;
    if (next++ == b.size()) return false;
  }
  return true;
}

const MappingRule* Mapping::rule(OperationKind kind, Ordering order, Scope scope) const {
  const auto found = std::ranges::find_if(rules, [&](const MappingRule& known) {
    return known.kind == kind && known.order == order && known.scope == scope;
  });
  return found == rules.end() ? nullptr : &*found;
}

bool Mapping::compiles(OperationKind kind) const {
  return std::ranges::find(rules, kind, &MappingRule::kind) != rules.end();
}

Mapping parse_mapping(std::string_view text, const std::string& file) { return Reader(text, file).read(); }

Mapping read_mapping(const std::string& file_or_name) {
  std::error_code error;
  if (!std::filesystem::exists(file_or_name, error))
    for (const EmbeddedText& embedded : embedded_mappings())
      if (embedded.file_name == file_or_name + ".mapping")
        return parse_mapping(embedded.text, std::string(embedded.file_name));
  return parse_mapping(text_of_input(file_or_name, "a mapping"), file_or_name);
}

std::vector<Ordering> orders_of(OperationKind kind) {
  using enum Ordering;
  switch (kind) {
    case OperationKind::load:
      return {relaxed, acquire, sc};
    case OperationKind::store:
      return {relaxed, release, sc};
    case OperationKind::fence:
      return {acquire, release, acq_rel, sc};
    case OperationKind::rmw:
    case OperationKind::cas:
      break;
  }
  return {relaxed, acquire, release, acq_rel, sc};
}

std::string_view name_of(OperationKind kind) { return name_in(kinds, kind); }
std::string_view cpp_name_of(Ordering order) { return name_in(ordering_words, order); }
std::string_view cpp_name_of(Scope scope) { return name_in(scopes, scope); }
std::optional<Scope> scope_called(std::string_view cpp_name) { return find(scopes, cpp_name); }

std::string column_text(const MappedInstruction& instruction, const MappedOperands& operands) {
  if (!instruction.is_access) return instruction.text;
  const auto& [kind, result, location, value, expected] = operands;
  const std::string_view opcode = opcode_of(instruction.text);
  if (opcode == "ld") return fmt::format("{} {}, {}", instruction.text, result, location);
  if (opcode == "st") return fmt::format("{} {}, {}", instruction.text, location, value);
  switch (kind) {
    case OperationKind::load:  // it writes what it reads
      return fmt::format("{}.or {}, {}, 0", instruction.text, result, location);
    case OperationKind::store:
      return fmt::format("{}.exch unused, {}, {}", instruction.text, location, value);
    case OperationKind::cas:
      return fmt::format("{}.cas {}, {}, {}, {}", instruction.text, result, location, expected, value);
    default:
      return fmt::format("{}.exch {}, {}, {}", instruction.text, result, location, value);
  }
}

}  // namespace ptxmc
