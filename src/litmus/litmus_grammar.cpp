// The syntax of litmus files, and of those of NVIDIA's mixed-proxy tool. Actions put what was parsed into the
// members of the rule's value.
#include "semantics/language/nesting_grammar.hpp"
#include "semantics/values/bits.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/numbers.hpp"
#include "src/litmus/nvlitmus_syntax.hpp"

// The name in messages of a parser that is not a rule.
namespace boost::spirit::x3 {

template <typename Subject, typename Action>
struct get_info<action<Subject, Action>> {
  std::string operator()(const action<Subject, Action>& parser) const { return what(parser.subject); }
};

template <typename Subject>
struct get_info<raw_directive<Subject>> {
  std::string operator()(const raw_directive<Subject>& parser) const { return what(parser.subject); }
};

template <typename Left, typename Right>
struct get_info<sequence<Left, Right>> {
  std::string operator()(const sequence<Left, Right>& parser) const { return what(parser.left); }
};

template <typename Left, typename Right>
struct get_info<alternative<Left, Right>> {
  std::string operator()(const alternative<Left, Right>& parser) const {
    return what(parser.left) + " or " + what(parser.right);
  }
};

}  // namespace boost::spirit::x3

namespace ptxmc::litmus_syntax {

namespace {

namespace x3 = boost::spirit::x3;
using x3::eoi;
using x3::lexeme;
using x3::lit;
using x3::raw;
// x3::digit and similar parsers assert that a byte is at most 0x7f; these return false for other bytes.
using x3::ascii::alnum;
using x3::ascii::alpha;
using x3::ascii::digit;
using x3::ascii::graph;
using x3::ascii::space;
using x3::ascii::xdigit;
using Iterator = std::string::const_iterator;

// ---- actions ----

template <auto member>
const auto set = [](auto& context) { x3::_val(context).*member = std::move(x3::_attr(context)); };

template <auto member, auto value>
const auto make = [](auto& context) { x3::_val(context).*member = value; };

template <auto member>
const auto append =
    [](auto& context) { (x3::_val(context).*member).push_back(std::move(x3::_attr(context))); };

const auto become = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };

struct source_tag;

/// The position of a part of the text.
template <typename Context>
std::size_t offset_of(Iterator first, const Context& context) {
  const SourceText& source = x3::get<source_tag>(context);
  return static_cast<std::size_t>(first - source.text().begin());
}

/// For `raw[…]`: the matched text and its position.
template <auto member>
const auto set_text = [](auto& context) {
  const SourceText& source = x3::get<source_tag>(context);
  const auto& range = x3::_attr(context);
  (x3::_val(context).*member).assign(range.begin(), range.end());
  x3::_val(context).where = source.position(offset_of(range.begin(), context));
};

const auto become_text = [](auto& context) {
  x3::_val(context).assign(x3::_attr(context).begin(), x3::_attr(context).end());
};

/// For `raw[…]`: the place of the matched text.
template <class Context>
Part part_of(const Context& context) {
  const auto& range = x3::_attr(context);
  return {offset_of(range.begin(), context), offset_of(range.end(), context)};
}

template <auto member>
const auto set_part = [](auto& context) { x3::_val(context).*member = part_of(context); };

template <auto member>
const auto append_part = [](auto& context) { (x3::_val(context).*member).push_back(part_of(context)); };

/// The current position.
const auto here = x3::raw[!x3::eoi][([](auto& context) {
  const SourceText& source = x3::get<source_tag>(context);
  x3::_val(context).where = source.position(offset_of(x3::_attr(context).begin(), context));
})];

// ---- the rules, with their names in messages ----

const x3::rule<class name_tag, Name> name{"a name"};
const x3::rule<class opcode_tag, Name> opcode{"an instruction"};
const x3::rule<class number_tag, Number> number{"a number"};
const x3::rule<class float_number_tag, Number> float_number{"a floating-point number"};
const x3::rule<class value_tag, Number> value{"a number"};
const x3::rule<class thread_name_tag, ThreadName> thread_name{"a thread such as P0"};
const x3::rule<class thread_register_tag, ThreadRegister> thread_register{"a register such as P0:r0"};
const x3::rule<class place_tag, Place> place{"a location"};
const x3::rule<class code_place_tag, Place> code_place{"a location"};
const x3::rule<class addend_tag, Number> addend{"a number of bytes"};
const x3::rule<class initial_value_tag, InitialValue> initial_value{"a number or a location"};
const x3::rule<class register_initialisation_tag, RegisterInitialisation> register_initialisation{
    "the initial value of a register"};
const x3::rule<class alias_tag, AliasDeclaration> alias{"an alias"};
const x3::rule<class type_tag, Name> type{"a type such as u32"};
const x3::rule<class variable_tag, VariableDeclaration> variable{"'}' or an initial value such as x = 0"};
const x3::rule<class cpp_variable_tag, VariableDeclaration> cpp_variable{
    "'}' or an initial value such as x = 0"};
const x3::rule<class parentheses_tag> parentheses{"'('"};
const x3::rule<class braces_tag> braces{"'{'"};
const x3::rule<class entry_end_tag> entry_end{"';' or '}'"};
const x3::rule<class thread_header_tag, ThreadHeader> thread_header{"a thread such as P0@cta 0,gpu 0"};
const x3::rule<class scalar_operand_tag, Operand> scalar_operand{"an operand"};
const x3::rule<class address_tag, Operand> address{"an address"};
const x3::rule<class operand_tag, Operand> operand{"an operand"};
const x3::rule<class guard_tag, Guard> guard{"a guard"};
const x3::rule<class instruction_tag, Instruction> instruction{"an instruction"};
const x3::rule<class label_tag, Name> label{"a label"};
const x3::rule<class cell_end_tag, Name> cell_end{"'|' or ';'"};
const x3::rule<class cell_tag, Cell> cell{"an instruction"};
const x3::rule<class term_tag, Term> term{"a register, a location or a number"};
const x3::rule<class comparison_tag, std::string> comparison{"a comparison such as '=='"};
const x3::rule<class compare_tag, Proposition> compare{"a comparison"};
const x3::rule<class closing_tag> closing{"'/\\', '\\/' or ')'"};
const x3::rule<class header_end_tag> header_end{"'|' or ';'"};
const x3::rule<class end_of_file_tag> end_of_file{"'/\\', '\\/' or the end of the file"};
const x3::rule<class quantifier_tag, std::string> quantifier{"exists, ~exists or forall"};
const x3::rule<class string_tag, std::string> string{"a string"};
const x3::rule<class test_name_tag, Name> test_name{"a name for the test"};
const x3::rule<class filter_tag, Proposition> filter{"a filter"};
const x3::rule<class file_tag, File> file{"a litmus test"};
const x3::rule<class positive_tag, Proposition> positive{"a condition"};
const x3::rule<class literal_tag, Proposition> literal{"a condition"};
const x3::rule<class conjunction_tag, Proposition> conjunction{"a condition"};
const x3::rule<class disjunction_tag, Proposition> disjunction{"a condition"};

// ---- words ----

const auto word_begin = x3::char_("A-Za-z_$%");
const auto word_character = x3::char_("A-Za-z0-9_$");

/// `keyword("'cta'")` matches this word, and no longer word that begins with it.
const auto keyword = [](const char* quoted) {
  const std::string_view word(quoted + 1, std::string_view(quoted).size() - 2);
  return x3::rule<class keyword_tag>{quoted} = lexeme[x3::string(std::string(word)) >> !word_character];
};

const auto word = lexeme[word_begin >> *word_character];

const auto name_def = raw[word][set_text<&Name::text>];

const auto opcode_def =
    raw[lexeme[x3::char_("A-Za-z_") >> *(x3::char_("A-Za-z0-9_.") | lit("::"))]][set_text<&Name::text>];

std::uint64_t to_bits(std::string_view digits, unsigned base, bool negative, const SourceText& source,
                      std::size_t offset) {
  const u128 limit = base == 16 ? ~std::uint64_t{0} : (u128{1} << 63) - (negative ? 0 : 1);
  u128 value = 0;
  for (const char digit : digits) {
    value = value * base + static_cast<unsigned>(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
    if (value > limit)
      throw source.expected(offset,
                            base == 16 ? "a number of at most 64 bits" : "a number from -2^63 to 2^63 - 1");
  }
  return negative ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

const auto set_bits = [](auto& context) {
  const SourceText& source = x3::get<source_tag>(context);
  const auto& range = x3::_attr(context);
  std::string_view digits(&*range.begin(), static_cast<std::size_t>(range.size()));
  const bool negative = digits.front() == '-';
  if (negative) digits.remove_prefix(1);
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  const std::size_t offset = offset_of(range.begin(), context);
  x3::_val(context).where = source.position(offset);
  x3::_val(context).bits = to_bits(digits, hexadecimal ? 16 : 10, negative, source, offset);
  if (hexadecimal) x3::_val(context).notation = Number::Notation::hexadecimal;
};

const auto number_def =
    raw[lexeme[-lit('-') >> ((lit('0') >> x3::char_("xX") >> +xdigit) | +digit) >> !word_character]]
       [set_bits];

/// PTX ISA 8.7 § 4.5.2. A suffix `f` is that of C: the nearest number of single precision.
const auto set_float_bits = [](auto& context) {
  const SourceText& source = x3::get<source_tag>(context);
  const auto& range = x3::_attr(context);
  const std::size_t offset = offset_of(range.begin(), context);
  x3::_val(context).where = source.position(offset);
  const auto number = float_number_of({&*range.begin(), static_cast<std::size_t>(range.size())});
  if (!number) throw source.expected(offset, "a number in the range of its type");
  x3::_val(context).bits = number->bits;
  x3::_val(context).notation = number->notation;
};

const auto exponent = x3::char_("eE") >> -x3::char_("+-") >> +digit;
const auto decimal_float =
    (((+digit >> '.' >> *digit) | ('.' >> +digit)) >> -exponent) | (+digit >> exponent);
const auto exact_float = lit('0') >> ((x3::char_("fF") >> x3::repeat(8)[xdigit]) |
                                      (x3::char_("dD") >> x3::repeat(16)[xdigit]));

const auto float_number_def =
    raw[lexeme[(exact_float | (-lit('-') >> decimal_float >> -x3::char_("fF"))) >> !word_character]]
       [set_float_bits];

const auto value_def = float_number[become] | number[become];

const auto set_thread_number = [](auto& context) { x3::_val(context).number = x3::_attr(context).bits; };

const auto thread_name_def = here >> lexeme[-lit('P') >> &digit >> number[set_thread_number]];

const auto thread_register_def =
    thread_name[set<&ThreadRegister::thread>] >> ':' > name[set<&ThreadRegister::name>];

const auto place_def = *(&(word >> ':') >> name[append<&Place::instance>] >> ':') >>
                       name[set<&Place::variable>] >> -('[' > number[set<&Place::element>] > ']');

/// A place in code: a colon after a name would make it a label.
const auto code_place_def = name[set<&Place::variable>] >> -('[' > number[set<&Place::element>] > ']');

const auto addend_def = (lit('+') > number[become]) | (&lit('-') > number[become]);

// ---- initial state ----

const auto initial_value_def = value[set<&InitialValue::number>] |
                               (place[set<&InitialValue::place>] >> -addend[set<&InitialValue::number>] >>
                                x3::eps[make<&InitialValue::kind, InitialValue::Kind::address>]);

const auto initial_register_value = '=' > initial_value[set<&RegisterInitialisation::value>];
const auto register_initialisation_def =
    thread_register[set<&RegisterInitialisation::target>] >
    ((':' > type[set<&RegisterInitialisation::type>] > -initial_register_value) | initial_register_value);

const auto alias_def = name[set<&AliasDeclaration::name>] >> '@' > name[set<&AliasDeclaration::proxy>] >
                       keyword("'aliases'") > name[set<&AliasDeclaration::target>];

const auto type_def = -lit('.') >> raw[lexeme[alpha >> +alnum]][set_text<&Name::text>];

const auto initial_values = '=' > ((lit('{')[make<&VariableDeclaration::has_list, true>] >
                                    initial_value[append<&VariableDeclaration::values>] >
                                    *(',' > initial_value[append<&VariableDeclaration::values>]) > '}') |
                                   initial_value[append<&VariableDeclaration::values>]);

const auto variable_def = -lexeme[lit(".shared") >> space][make<&VariableDeclaration::is_shared, true>] >>
                          name[set<&VariableDeclaration::name>] >>
                          -(':' > type[set<&VariableDeclaration::type>] >>
                            -('[' > number[set<&VariableDeclaration::elements>] > ']')) >>
                          -initial_values;

/// `int x = 0`, `[x] = 0`, `x = 0`
const auto cpp_variable_def = -keyword("'__shared__'")[make<&VariableDeclaration::is_shared, true>] >>
                              -raw[+(word >> &word_begin)][set_part<&VariableDeclaration::cpp_type>] >>
                              (('[' > name[set<&VariableDeclaration::name>] > ']') |
                               name[set<&VariableDeclaration::name>]) >>
                              -('[' > number[set<&VariableDeclaration::elements>] > ']') >> -initial_values;

const auto entry_end_def = lit(';') | &lit('}');

// ---- code ----

const auto thread_header_def = thread_name[set<&ThreadHeader::name>] >>
                               -('@' > x3::eps[make<&ThreadHeader::is_placed, true>] >
                                 -(keyword("'warp'") > number[set<&ThreadHeader::warp>] > ',') >
                                 keyword("'cta'") > number[set<&ThreadHeader::cta>] > ',' >
                                 -(keyword("'cluster'") > number[set<&ThreadHeader::cluster>] > ',') >
                                 keyword("'gpu'") > number[set<&ThreadHeader::gpu>] >
                                 -(',' > keyword("'grid'") > number[set<&ThreadHeader::grid>]));

const auto scalar_operand_def = here >>
                                ((value[set<&Operand::number>] >>
                                  x3::eps[make<&Operand::kind, Operand::Kind::number>]) |
                                 (-lit('!')[make<&Operand::is_negated, true>] >>
                                  code_place[set<&Operand::place>] >> -addend[set<&Operand::number>]));

const auto address_def = (number[set<&Operand::number>] >> x3::eps[make<&Operand::has_place, false>]) |
                         (code_place[set<&Operand::place>] >> -addend[set<&Operand::number>]);

const auto set_address = [](auto& context) {
  const SourcePosition where = x3::_val(context).where;
  x3::_val(context) = x3::_attr(context);
  x3::_val(context).where = where;
  x3::_val(context).kind = Operand::Kind::address;
};

const auto operand_def =
    (here >> '[' > address[set_address] > ']') |
    (here >> lit('{')[make<&Operand::kind, Operand::Kind::vector>] >
     scalar_operand[append<&Operand::elements>] > *(',' > scalar_operand[append<&Operand::elements>]) > '}') |
    scalar_operand[become];

const auto guard_def = lit('@') > -lit('!')[make<&Guard::is_negated, true>] > name[set<&Guard::predicate>];

const auto instruction_def =
    raw[((guard[set<&Instruction::guard>] > opcode[set<&Instruction::opcode>]) |
         opcode[set<&Instruction::opcode>]) >>
        -(operand[append<&Instruction::operands>] > *(',' > operand[append<&Instruction::operands>]))]
       [set_text<&Instruction::text>];

const auto label_def = name[become] >> ':';

const auto cell_end_def = raw[x3::char_("|;")][set_text<&Name::text>];

const auto cell_def =
    *label[append<&Cell::labels>] >> -instruction[set<&Cell::instruction>] > cell_end[set<&Cell::end>];

// ---- condition ----

const auto term_def = here >> ((thread_register[set<&Term::thread_register>] >>
                                x3::eps[make<&Term::kind, Term::Kind::thread_register>]) |
                               value[set<&Term::number>] |
                               ((('[' >> place[set<&Term::place>] > ']') | place[set<&Term::place>]) >>
                                x3::eps[make<&Term::kind, Term::Kind::place>]));

const auto comparison_def = raw[lit("==") | "!=" | "<>" | "<=" | ">=" | '=' | '<' | '>'][become_text];

const auto negate = [](auto& context) { x3::_val(context).is_negated = !x3::_val(context).is_negated; };

const auto compare_def = term[set<&Proposition::left>] > comparison[set<&Proposition::comparison>] >
                         term[set<&Proposition::right>] >
                         x3::eps[make<&Proposition::kind, Proposition::Kind::compare>];

const auto become_or_negate = [](auto& context) {
  const bool negated = x3::_val(context).is_negated;
  x3::_val(context) = x3::_attr(context);
  x3::_val(context).is_negated ^= negated;
};

const auto positive_def = ('(' > nested[disjunction][become] > closing) | keyword("'true'") |
                          keyword("'false'")[negate] | compare[become];
const auto literal_def = *((lit('~') | '!' | keyword("'not'"))[negate]) > positive[become_or_negate];
const auto closing_def = lit(')');
const auto conjunction_def = literal[append<&Proposition::operands>] >>
                             *((lit("/\\") | "&&") > literal[append<&Proposition::operands>]) >>
                             x3::eps[make<&Proposition::kind, Proposition::Kind::conjunction>];
const auto disjunction_def = conjunction[append<&Proposition::operands>] >>
                             *((lit("\\/") | "||") > conjunction[append<&Proposition::operands>]) >>
                             x3::eps[make<&Proposition::kind, Proposition::Kind::disjunction>];

// ---- the file ----

const auto quantifier_def = (keyword("'exists'") >> x3::attr(std::string("exists")))[become] |
                            (lit('~') >> keyword("'exists'") >> x3::attr(std::string("~exists")))[become] |
                            (keyword("'forall'") >> x3::attr(std::string("forall")))[become];

const auto starts_condition =
    keyword("'exists'") | '~' | keyword("'forall'") | keyword("'filter'") | keyword("'locations'");

const auto string_def = lexeme['"' >> raw[*(x3::char_ - '"')][become_text] >> '"'];

const auto test_name_def = raw[lexeme[+(graph - x3::char_("{\""))]][set_text<&Name::text>];

const auto filter_def = keyword("'filter'") > disjunction[become];

const auto append_location = append<&File::locations>;
const auto locations = keyword("'locations'") > '[' >
                       *((!lit(']')) > term[append_location] > -x3::char_(";,")) > ']';

const auto starts_thread = lexeme[-lit('P') >> +digit] >> '@';
const auto entry =
    (&(lexeme[-lit('P') >> +digit] >> ':') > register_initialisation[append<&File::registers>]) |
    (&(word >> '@') > alias[append<&File::aliases>]) | (x3::eps > variable[append<&File::variables>]);
const auto cpp_entry =
    (&(lexeme[-lit('P') >> +digit] >> ':') > register_initialisation[append<&File::registers>]) |
    (x3::eps > cpp_variable[append<&File::variables>]);
const auto initial_state = [](const auto& one_entry) {
  return lit('{') > *(lit(';') | ((!(lit('}') | starts_thread | eoi)) >> one_entry > entry_end)) > '}';
};

const auto code = thread_header[append<&File::threads>] >
                  *('|' > thread_header[append<&File::threads>]) > header_end
                  > x3::eps[make<&File::has_header, true>] >
                  *((!(starts_condition | eoi)) >> cell[append<&File::cells>]);

/// The function of a thread, which a parser of C++ reads (c_parser.hpp).
const auto parentheses_def = '(' > *(nested[parentheses] | (x3::char_ - x3::char_("(){}"))) > ')';
const auto braces_def = '{' > *(nested[braces] | (x3::char_ - x3::char_("{}"))) > '}';
const auto function =
    thread_header[append<&File::threads>] > raw[parentheses > braces][append_part<&File::functions>];
const auto functions = function > *((!(starts_condition | eoi)) >> function);

const auto header_end_def = lit(';');
const auto end_of_file_def = eoi;

const auto aside = filter[set<&File::filter>] | locations;
const auto test_header = test_name[set<&File::name>] > *string[append<&File::documentation>];
const auto ptx_test = keyword("'PTX'") > test_header > initial_state(entry) > code;
const auto cpp_test = keyword("'C'")[make<&File::is_cpp, true>] > test_header >
                      initial_state(cpp_entry) > functions;
const auto file_def = x3::eps > (ptx_test | cpp_test) > *aside
                      > quantifier[set<&File::quantifier>] > disjunction[set<&File::condition>] > *aside
                      > end_of_file;

BOOST_SPIRIT_DEFINE(name, opcode, number, float_number, value, thread_name, thread_register, place,
                    code_place, addend, initial_value, register_initialisation, alias, type, variable,
                    cpp_variable, parentheses, braces, entry_end, thread_header, header_end, scalar_operand,
                    address, operand, guard, instruction, label, cell_end, cell, term, comparison, compare,
                    closing, positive, literal, conjunction, disjunction, quantifier, string, test_name,
                    filter, end_of_file, file)

// ---- NVIDIA's format ----

namespace nv = nvlitmus_syntax;

const x3::rule<class nv_declaration_tag, nv::Declaration> nv_declaration{"a declaration such as .global x"};
const x3::rule<class nv_aliases_tag> nv_aliases{"'virtually aliases' or ';'"};
const x3::rule<class nv_thread_tag, nv::ThreadCode> nv_thread{"a thread such as d0.b0.t0"};
const x3::rule<class nv_statement_tag, nv::Statement> nv_statement{"an instruction or '}'"};
const x3::rule<class nv_condition_end_tag> nv_condition_end{"'&&', '||' or ')'"};
const x3::rule<class nv_question_tag, nv::Question> nv_question{"assert, permit or check"};
const x3::rule<class nv_end_tag> nv_end{"a declaration, a thread, assert, permit or check"};
const x3::rule<class nv_file_tag, nv::File> nv_file{"a test"};

const auto nv_aliases_def = lexeme[lit("virtually") >> +space >> "aliases" >> !word_character];

const auto nv_declaration_def =
    lit('.') > name[set<&nv::Declaration::space>] >
    -(&lit('.') > type[set<&nv::Declaration::type>]) > name[set<&nv::Declaration::name>] >
    -(('=' > value[set<&nv::Declaration::value>]) |
      ((!lit(';')) >> x3::eps > nv_aliases > name[set<&nv::Declaration::target>])) > ';';

const auto nv_statement_def = instruction[set<&nv::Statement::instruction>] >
                              -("==" > value[set<&nv::Statement::read>]) > ';';

const auto nv_thread_def =
    lexeme['d' >> number[set<&nv::ThreadCode::device>] >> ".b" >> number[set<&nv::ThreadCode::block>] >>
           ".t" >> number[set<&nv::ThreadCode::thread>]] > '{' >
    *(lit(';') | ((!lit('}')) > nv_statement[append<&nv::ThreadCode::statements>])) > '}';

const auto nv_condition_end_def = lit(')');

const auto nv_question_def = &(keyword("'assert'") | keyword("'permit'") | keyword("'check'")) >>
                             name[set<&nv::Question::kind>] > '(' >
                             disjunction[set<&nv::Question::condition>] > nv_condition_end >
                             keyword("'as'") > name[set<&nv::Question::name>] > ';';

const auto nv_end_def = eoi;

const auto nv_file_def =
    *(nv_declaration[append<&nv::File::declarations>] | nv_thread[append<&nv::File::threads>] |
      nv_question[append<&nv::File::questions>] | lit(';')) > nv_end;

BOOST_SPIRIT_DEFINE(nv_declaration, nv_aliases, nv_thread, nv_statement, nv_condition_end, nv_question,
                    nv_end, nv_file)

/// The part around a position, between two characters that end parts; empty if it is blank or the position is
/// before `begin`.
std::optional<Part> part_around(const std::string& text, std::size_t begin, std::size_t place,
                                const char* ends) {
  if (place < begin || begin == 0) return std::nullopt;
  const std::size_t before = place == 0 ? std::string::npos : text.find_last_of(ends, place - 1);
  const std::size_t first = std::max(begin, before == std::string::npos ? 0 : before + 1);
  const std::size_t last = std::min(text.find_first_of(ends, place), text.size());
  if (text.find_first_not_of(" \t\r\n", first) >= last) return std::nullopt;
  return Part{first, last};
}

/// Whether the part begins like the header of the code, so that the end of the initial state is missing.
bool names_thread(const std::string& text, const Part& part) {
  constexpr const char* blanks = " \t\r\n";
  std::size_t at = text.find_first_not_of(blanks, part.first);
  if (text[at] == 'P') ++at;
  const std::size_t end = text.find_first_not_of("0123456789", at);
  return end > at && text.find_first_not_of(blanks, end) == text.find('@', end);
}

/// The part to skip, so that parsing can continue after an error.
std::optional<Part> part_to_leave_out(const File& read, const std::string& text, std::size_t place) {
  if (!read.quantifier.empty()) return std::nullopt;
  if (read.has_header) return part_around(text, text.find(';', text.find('}')) + 1, place, "|;");
  if (!read.threads.empty()) return std::nullopt;
  const auto entry = part_around(text, text.find('{') + 1, place, "{;}");
  return entry && !names_thread(text, *entry) ? entry : std::nullopt;
}
std::optional<Part> part_to_leave_out(const nvlitmus_syntax::File&, const std::string&, std::size_t) {
  return std::nullopt;
}

/// Parses the whole text with a rule.
template <class Value, class Rule>
Value parse_all(const SourceText& source, const Rule& rule, const char* expected) {
  const auto begin = source.text().begin(), end = source.text().end();
  Iterator at = begin;
  Value result;
  try {
    unsigned levels = 0;
    const auto grammar = with_nesting(levels, x3::with<source_tag>(std::cref(source))[rule]);
    if (x3::phrase_parse(at, end, grammar, space, result)) return result;
    throw source.expected(0, expected);
  } catch (const NestedTooDeeply<Iterator>& nesting) {
    const auto offset = static_cast<std::size_t>(nesting.where - begin);
    throw InputError(source.file(), source.position(offset), nesting_error());
  } catch (const x3::expectation_failure<Iterator>& failure) {
    auto where = failure.where();
    while (where != end && std::isspace(static_cast<unsigned char>(*where))) ++where;
    const auto place = static_cast<std::size_t>(where - begin);
    throw SyntaxError(source.expected(place, failure.which()),
                      part_to_leave_out(result, source.text(), place));
  }
}

}  // namespace

File parse(const SourceText& source) { return parse_all<File>(source, file, "'PTX' or 'C'"); }

}  // namespace ptxmc::litmus_syntax

namespace ptxmc::nvlitmus_syntax {

File parse(const SourceText& source) {
  return litmus_syntax::parse_all<File>(source, litmus_syntax::nv_file, "a test");
}

}  // namespace ptxmc::nvlitmus_syntax
