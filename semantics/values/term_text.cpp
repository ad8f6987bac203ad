#include <algorithm>
#include <array>
#include <cctype>

#include "semantics/values/bits.hpp"
#include "semantics/values/float_text.hpp"

// Terms can be 100,000 levels deep, and with shared subterms they can represent huge trees. So nothing here
// recurses, and a shared term is written once, under a name.
namespace ptxmc {

namespace {

/// A part of the text of a term: letters, or an operand still to be written.
struct Piece {
  std::string text;
  const Term* operand = nullptr;
  bool as_formula = false;  ///< SMT-LIB: sort Bool is required
};
using Pieces = std::vector<Piece>;

Piece letters(std::string text) { return {.text = std::move(text)}; }
Piece operand(const Term& t, unsigned index) { return {.text = {}, .operand = t.operands[index]}; }
Piece formula(const Term& t, unsigned index) {
  return {.text = {}, .operand = t.operands[index], .as_formula = true};
}

/// The subterms of a term in the order of writing: operands before their users.
struct Outline {
  struct Node {
    unsigned uses = 0;
    std::uint64_t tree_size = 1;  // number of nodes without sharing, at most 2^32
    unsigned level = 0;           // nesting depth of named terms in it
    bool named = false;
  };
  std::vector<const Term*> terms;
  NumberMap<Node> nodes;

  bool is_named(const Term* t) const { return nodes.find(t->number)->named; }
};

Outline outline_of(const Term* root) {
  Outline outline;
  std::vector<const Term*> open = {root};
  while (!open.empty()) {
    const Term* t = open.back();
    open.pop_back();
    if (outline.nodes[t->number].uses++ > 0) continue;
    outline.terms.push_back(t);
    open.insert(open.end(), t->operands, t->operands + t->arity());
  }
  std::ranges::sort(outline.terms, {}, &Term::number);
  for (const Term* t : outline.terms) {
    Outline::Node& node = outline.nodes[t->number];
    for (unsigned i = 0; i < t->arity(); ++i) {
      const Outline::Node& below = *outline.nodes.find(t->operands[i]->number);
      node.tree_size = std::min(node.tree_size + below.tree_size, std::uint64_t{1} << 32);
    }
  }
  return outline;
}

/// Names every term that is used more than once, and determines their nesting.
void name_shared(Outline& outline) {
  for (const Term* t : outline.terms) {
    Outline::Node& node = outline.nodes[t->number];
    node.named = node.uses > 1 && t->arity() > 0;
    for (unsigned i = 0; i < t->arity(); ++i) {
      const Outline::Node& below = *outline.nodes.find(t->operands[i]->number);
      node.level = std::max(node.level, below.level + (below.named ? 1 : 0));
    }
  }
}

/// Writes a term in the notation that `pieces_of` gives for one node, with named operands as names.
template <class PiecesOf, class NameOf>
void write(std::string& out, Pieces first, PiecesOf pieces_of, NameOf name_of) {
  Pieces open(std::make_move_iterator(first.rbegin()), std::make_move_iterator(first.rend()));
  while (!open.empty()) {
    const Piece piece = std::move(open.back());
    open.pop_back();
    if (piece.operand == nullptr) {
      out += piece.text;
      continue;
    }
    if (const auto name = name_of(piece); !name.empty()) {
      out += name;
      continue;
    }
    Pieces inner = pieces_of(*piece.operand, piece.as_formula);
    open.insert(open.end(), std::make_move_iterator(inner.rbegin()), std::make_move_iterator(inner.rend()));
  }
}

std::string digits(u128 value, unsigned base, unsigned least_count) {
  std::string text;
  for (; value != 0 || text.size() < least_count; value /= base)
    text += "0123456789abcdef"[static_cast<unsigned>(value % base)];
  std::ranges::reverse(text);
  return text;
}

// ---- readable text ----

std::string constant_text(const Bits& x) { return "0x" + digits(x.value(), 16, 1); }

const char* infix_symbol(Operator op) {
  switch (op) {
    case Operator::bit_and:
      return " & ";
    case Operator::bit_or:
      return " | ";
    case Operator::bit_xor:
      return " ^ ";
    case Operator::add:
      return " + ";
    case Operator::subtract:
      return " - ";
    case Operator::multiply:
      return " * ";
    case Operator::divide_unsigned:
      return " /u ";
    case Operator::remainder_unsigned:
      return " %u ";
    case Operator::divide_signed:
      return " /s ";
    case Operator::remainder_signed:
      return " %s ";
    case Operator::shift_left:
      return " << ";
    case Operator::shift_right_unsigned:
      return " >>u ";
    case Operator::shift_right_signed:
      return " >>s ";
    case Operator::concat:
      return " ++ ";
    case Operator::equal:
      return " == ";
    case Operator::less_unsigned:
      return " <u ";
    case Operator::less_equal_unsigned:
      return " <=u ";
    case Operator::less_signed:
      return " <s ";
    case Operator::less_equal_signed:
      return " <=s ";
    default:
      return nullptr;
  }
}

// A constant part of a concatenation is written with all its digits, which show its width.
Piece concat_part(const Term& t, unsigned index) {
  const Term& part = *t.operands[index];
  if (part.op != Operator::constant) return operand(t, index);
  return letters(part.width % 4 == 0 ? "0x" + digits(part.value, 16, part.width / 4)
                                     : "0b" + digits(part.value, 2, part.width));
}

Pieces float_call(const Term& t) {
  Pieces call = {letters(float_function_name(t) + "("), operand(t, 0)};
  for (unsigned i = 1; i < t.arity(); ++i) {
    call.push_back(letters(", "));
    call.push_back(operand(t, i));
  }
  call.push_back(letters(")"));
  return call;
}

Pieces readable(const Term& t) {
  switch (t.op) {
    case Operator::constant:
      return {letters(constant_text(Bits(&t)))};
    case Operator::variable:
      return {letters(t.graph->variable_name(t.variable))};
    case Operator::bit_not:
      return {letters("~"), operand(t, 0)};
    case Operator::negate:
      return {letters("-"), operand(t, 0)};
    case Operator::zero_extend:
      return {letters("zext" + std::to_string(t.width) + "("), operand(t, 0), letters(")")};
    case Operator::sign_extend:
      return {letters("sext" + std::to_string(t.width) + "("), operand(t, 0), letters(")")};
    case Operator::extract: {
      const std::string high = std::to_string(t.low + t.width - 1), low = std::to_string(t.low);
      return {operand(t, 0), letters(t.width == 1 ? "[" + low + "]" : "[" + high + ":" + low + "]")};
    }
    case Operator::concat:
      return {letters("("), concat_part(t, 0), letters(" ++ "), concat_part(t, 1), letters(")")};
    case Operator::ite:
      return {letters("ite("), operand(t, 0), letters(", "), operand(t, 1),
              letters(", "),   operand(t, 2), letters(")")};
    default:
      break;
  }
  if (is_float_operator(t.op)) return float_call(t);
  return {letters("("), operand(t, 0), letters(infix_symbol(t.op)), operand(t, 1), letters(")")};
}

// ---- SMT-LIB ----

std::string smtlib_constant(unsigned width, u128 value) {
  return width % 4 == 0 ? "#x" + digits(value, 16, width / 4) : "#b" + digits(value, 2, width);
}

const char* smtlib_function(Operator op) {
  switch (op) {
    case Operator::bit_not:
      return "bvnot";
    case Operator::bit_and:
      return "bvand";
    case Operator::bit_or:
      return "bvor";
    case Operator::bit_xor:
      return "bvxor";
    case Operator::negate:
      return "bvneg";
    case Operator::add:
      return "bvadd";
    case Operator::subtract:
      return "bvsub";
    case Operator::multiply:
      return "bvmul";
    case Operator::divide_unsigned:
      return "bvudiv";
    case Operator::remainder_unsigned:
      return "bvurem";
    case Operator::divide_signed:
      return "bvsdiv";
    case Operator::remainder_signed:
      return "bvsrem";
    case Operator::shift_left:
      return "bvshl";
    case Operator::shift_right_unsigned:
      return "bvlshr";
    case Operator::shift_right_signed:
      return "bvashr";
    case Operator::concat:
      return "concat";
    case Operator::equal:
      return "=";
    case Operator::less_unsigned:
      return "bvult";
    case Operator::less_equal_unsigned:
      return "bvule";
    case Operator::less_signed:
      return "bvslt";
    case Operator::less_equal_signed:
      return "bvsle";
    default:
      fail_check("no SMT-LIB function of two operands");
  }
}

bool is_comparison(Operator op) { return op >= Operator::equal && op <= Operator::less_equal_signed; }

Piece extension_by(const char* function, unsigned bits) {
  return letters("((_ " + std::string(function) + " " + std::to_string(bits) + ") ");
}

Piece extraction(unsigned high, unsigned low) {
  return letters("((_ extract " + std::to_string(high) + " " + std::to_string(low) + ") ");
}

// SMT-LIB requires amounts with the width of the value. The narrower of the two is extended, and the result
// is truncated.
Pieces smtlib_shift(const Term& t) {
  const unsigned value_width = t.width, amount_width = t.operands[1]->width;
  const Piece function = letters("(" + std::string(smtlib_function(t.op)) + " ");
  if (amount_width == value_width)
    return {function, operand(t, 0), letters(" "), operand(t, 1), letters(")")};
  if (amount_width < value_width)
    return {function,      operand(t, 0),
            letters(" "),  extension_by("zero_extend", value_width - amount_width),
            operand(t, 1), letters("))")};
  const char* extension = t.op == Operator::shift_right_signed ? "sign_extend" : "zero_extend";
  return {extraction(value_width - 1, 0),
          function,
          extension_by(extension, amount_width - value_width),
          operand(t, 0),
          letters(") "),
          operand(t, 1),
          letters("))")};
}

/// An operation of the theory of floating-point numbers: the text before, between and after its operands.
Pieces smtlib_float(const Term& t) {
  const FloatText text = float_smtlib(t);
  Pieces call = {letters(text.before)};
  for (unsigned i = 0; i < t.arity(); ++i) {
    call.push_back(letters(text.before_operand));
    call.push_back(operand(t, i));
    call.push_back(letters(text.after_operand));
  }
  call.push_back(letters(text.after));
  return call;
}

Pieces smtlib(const Term& t, bool as_formula) {
  if (as_formula && !is_comparison(t.op))
    return {letters("(= "), Piece{.text = {}, .operand = &t}, letters(" #b1)")};
  switch (t.op) {
    case Operator::constant:
      return {letters(smtlib_constant(t.width, t.value))};
    case Operator::variable:
      return {letters(smtlib_symbol(*t.graph, t.variable))};
    case Operator::bit_not:
    case Operator::negate:
      return {letters("(" + std::string(smtlib_function(t.op)) + " "), operand(t, 0), letters(")")};
    case Operator::extract:
      return {extraction(t.low + t.width - 1, t.low), operand(t, 0), letters(")")};
    case Operator::zero_extend:
      return {extension_by("zero_extend", t.width - t.operands[0]->width), operand(t, 0), letters(")")};
    case Operator::sign_extend:
      return {extension_by("sign_extend", t.width - t.operands[0]->width), operand(t, 0), letters(")")};
    case Operator::shift_left:
    case Operator::shift_right_unsigned:
    case Operator::shift_right_signed:
      return smtlib_shift(t);
    case Operator::ite:
      return {letters("(ite "), formula(t, 0), letters(" "), operand(t, 1),
              letters(" "),     operand(t, 2), letters(")")};
    default:
      break;
  }
  if (is_float_operator(t.op)) return smtlib_float(t);
  const std::string function = smtlib_function(t.op);
  Pieces call = {letters("(" + function + " "), operand(t, 0), letters(" "), operand(t, 1), letters(")")};
  if (is_comparison(t.op) && !as_formula) {
    call.insert(call.begin(), letters("(ite "));
    call.push_back(letters(" #b1 #b0)"));
  }
  return call;
}

std::string name_in_let(const Term* t) { return "?" + std::to_string(t->number); }

// Terms that do not contain each other share a `let`, which keeps the nesting of lets small.
std::vector<std::vector<const Term*>> named_by_level(const Outline& outline) {
  std::vector<std::vector<const Term*>> levels;
  for (const Term* t : outline.terms) {
    const Outline::Node& node = *outline.nodes.find(t->number);
    if (!node.named) continue;
    if (levels.size() <= node.level) levels.resize(node.level + 1);
    levels[node.level].push_back(t);
  }
  return levels;
}

/// Whether a name is a plain SMT-LIB symbol without another meaning. (Names that start with ? are used for
/// lets, names with ! for making names unique.)
bool is_plain_symbol(const std::string& name) {
  static constexpr std::array reserved = {"let",      "exists", "forall",      "match",       "par",
                                          "as",       "true",   "false",       "not",         "and",
                                          "or",       "xor",    "concat",      "ite",         "extract",
                                          "distinct", "repeat", "zero_extend", "sign_extend", "_"};
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name[0] != '.' &&
         std::ranges::all_of(name, is_plain) && !name.starts_with("bv") && !name.starts_with("rotate_") &&
         std::ranges::find(reserved, name) == reserved.end();
}

}  // namespace

std::string to_string(const Bits& x) {
  // Nodes; larger terms are written with names for shared subterms.
  static constexpr std::uint64_t readable_size = 200;
  check(x.width() != 0, "no value has no text");
  if (x.is_constant()) return constant_text(x);

  Outline outline = outline_of(x.term());
  if (outline.nodes.find(x.term()->number)->tree_size > readable_size) name_shared(outline);
  std::string text;
  const auto name = [](const Term* t) { return "t" + std::to_string(t->number); };
  const auto pieces_of = [](const Term& t, bool) { return readable(t); };
  const auto name_of = [&](const Piece& p) { return outline.is_named(p.operand) ? name(p.operand) : ""; };
  for (const Term* t : outline.terms) {
    if (!outline.is_named(t)) continue;
    text += "let " + name(t) + " = ";
    write(text, readable(*t), pieces_of, name_of);
    text += "; ";
  }
  write(text, readable(*x.term()), pieces_of, name_of);
  return text;
}

std::string to_smtlib(const Bits& x) {
  check(x.width() != 0, "no value has no text");
  if (x.is_constant()) return smtlib_constant(x.width(), x.value());

  Outline outline = outline_of(x.term());
  name_shared(outline);
  std::string text;
  const auto name_of = [&](const Piece& p) -> std::string {
    if (!outline.is_named(p.operand)) return "";
    return p.as_formula ? "(= " + name_in_let(p.operand) + " #b1)" : name_in_let(p.operand);
  };
  const auto levels = named_by_level(outline);
  for (const auto& level : levels) {
    text += "(let (";
    for (const Term* t : level) {
      text += "(" + name_in_let(t) + " ";
      write(text, smtlib(*t, false), smtlib, name_of);
      text += ")";
    }
    text += ") ";
  }
  write(text, smtlib(*x.term(), false), smtlib, name_of);
  return text + std::string(levels.size(), ')');
}

std::string smtlib_symbol(const TermGraph& graph, VariableId variable) {
  std::string name = graph.variable_name(variable);
  if (is_plain_symbol(name) && graph.is_first_of_name(variable)) return name;
  for (char& c : name)
    if (c == '|' || c == '\\' || std::isprint(static_cast<unsigned char>(c)) == 0) c = '_';
  return "|" + name + "!" + std::to_string(variable) + "|";
}

}  // namespace ptxmc
