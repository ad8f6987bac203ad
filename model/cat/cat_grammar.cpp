#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "model/cat/cat_comments.hpp"
#include "model/cat/cat_syntax.hpp"
#include "semantics/language/nesting_grammar.hpp"

// The name of a parser in error messages: an action is named like its subject, a list like its element.
namespace boost::spirit::x3 {

template <class Subject, class Action>
struct get_info<action<Subject, Action>> {
  using result_type = std::string;
  std::string operator()(const action<Subject, Action>& parser) const { return what(parser.subject); }
};

template <class Element, class Separator>
struct get_info<list<Element, Separator>> {
  using result_type = std::string;
  std::string operator()(const list<Element, Separator>& parser) const { return what(parser.left); }
};

}  // namespace boost::spirit::x3

namespace ptxmc::cat::syntax {

namespace {

namespace x3 = boost::spirit::x3;
using Iterator = const char*;
using Form = Expression::Form;

/// The context of the grammar's actions.
struct Reading {
  const SourceText& source;
  std::uint32_t file;
  Iterator begin;

  std::size_t offset(Iterator at) const { return static_cast<std::size_t>(at - begin); }
  Place place(Iterator at) const { return {file, source.position(offset(at))}; }
};

struct reading_tag;

template <class Context>
Reading& reading(const Context& context) {
  return x3::get<reading_tag>(context).get();
}

/// A piece of the text on one line, each run of blanks as one.
std::string one_line(Iterator first, Iterator last) {
  std::string result;
  for (; first != last; ++first) {
    const bool blank = std::isspace(static_cast<unsigned char>(*first)) != 0;
    if (!blank)
      result += *first;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

// --- Building trees -------------------------------------------------------------------------------------

Expression unary(Form form, Expression operand, Place place) {
  Expression result;
  result.form = form;
  result.place = place;
  result.operands.push_back(std::move(operand));
  return result;
}

/// Infix operators, the loosest first (herd7's manual).
constexpr std::array precedence = {Form::unite, Form::sequence, Form::subtract, Form::intersect,
                                   Form::product};

/// Builds a tree from operands and the operators between them.
Expression group(std::span<Expression> operands, std::span<const Form> operators, std::size_t level = 0) {
  if (operators.empty()) return std::move(operands.front());
  while (std::ranges::find(operators, precedence.at(level)) == operators.end()) ++level;
  Expression result;
  result.form = precedence.at(level);
  result.place = operands.front().place;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= operators.size(); ++i) {
    if (i < operators.size() && operators[i] != result.form) continue;
    const std::size_t count = i - first;
    result.operands.push_back(
        group(operands.subspan(first, count + 1), operators.subspan(first, count), level + 1));
    first = i + 1;
  }
  return result;
}

/// `operand operator operand …` as parsed.
struct Infix {
  std::vector<Expression> operands;
  std::vector<Form> operators;
};

// --- Actions --------------------------------------------------------------------------------------------

/// Applies `what` to the value of the rule and the attribute of the current parser.
template <class Change>
auto change(Change what) {
  return [what](auto& context) { what(x3::_val(context), x3::_attr(context)); };
}

const auto form = [](Form form) {
  return x3::eps[change([form](auto& value, auto&) { value.form = form; })];
};
const auto set = change([](auto& value, auto& attribute) { value = std::move(attribute); });
const auto text = change([](auto& value, auto& attribute) { value.text = std::move(attribute); });
const auto recursive = change([](auto& value, auto&) { value.is_recursive = true; });
const auto add_operand =
    change([](auto& value, auto& operand) { value.operands.push_back(std::move(operand)); });
const auto add_binding =
    change([](auto& value, auto& binding) { value.bindings.push_back(std::move(binding)); });
const auto add = change([](auto& value, auto& element) { value.push_back(std::move(element)); });

constexpr auto apply_postfix = [](auto& context) {
  Expression& operand = x3::_val(context);
  std::size_t depth = 1;
  for (const Expression* e = &operand; e->operands.size() == 1; e = &e->operands.front()) ++depth;
  if (depth > deepest_nesting) throw NestedTooDeeply<Iterator>{x3::_where(context).begin()};
  const Place place = operand.place;
  operand = unary(x3::_attr(context), std::move(operand), place);
};

/// Rejects constructs of cat that ptxmc does not support.
const auto refused = [](auto parser, const char* what) {
  return x3::omit[x3::raw[parser][([what](auto& context) {
    const Reading& state = reading(context);
    throw Unsupported(fmt::format("{} in the model {}", what, state.source.file()),
                      state.place(x3::_attr(context).begin()).where);
  })]];
};

/// Records the position at which the value of the rule begins.
const auto here = x3::eps[(
    [](auto& context) { x3::_val(context).place = reading(context).place(x3::_where(context).begin()); })];

// --- Words ----------------------------------------------------------------------------------------------

/// The reserved words of cat, including unsupported ones.
struct Reserved : x3::symbols<x3::unused_type> {
  Reserved() {
    for (const char* word : {"acyclic",     "and",          "as",
                             "assert",      "begin",        "call",
                             "default",     "do",           "else",
                             "empty",       "end",          "enum",
                             "flag",        "forall",       "from",
                             "fun",         "if",           "in",
                             "include",     "let",          "match",
                             "rec",         "requires",     "show",
                             "then",        "try",          "unshow",
                             "with",        "yield",        "withinit",
                             "withco",      "procedure",    "irreflexive",
                             "withoutco",   "withsc",       "withoutsc",
                             "withoutinit", "instructions", "undefined_unless"})
      add(word);
  }
} const reserved;

struct InfixSymbols : x3::symbols<Form> {
  InfixSymbols() {
    add("|", Form::unite)(";", Form::sequence)("\\", Form::subtract)("&", Form::intersect)("*",
                                                                                           Form::product);
  }
} const infix_symbol;

struct PostfixSymbols : x3::symbols<Form> {
  PostfixSymbols() {
    add("?", Form::optional)("^-1", Form::inverse)("+", Form::closure)("^+", Form::closure)("^*", Form::star);
  }
} const postfix_symbol;

const auto letter = x3::ascii::alpha;
const auto word_character = x3::ascii::alnum | x3::char_("_.-");

const auto keyword = [](const char* word) {
  return x3::rule<struct keyword_class>{word} = x3::lexeme[x3::lit(word) >> !word_character];
};
const auto universe_sign = x3::lexeme['_' >> !word_character];
const auto zero = x3::lexeme['0' >> !word_character];
const auto bar = x3::lit("||");
const x3::rule<struct name_class, std::string> name = "a name";
const x3::rule<struct tag_class, std::string> tag = "a tag";
const x3::rule<struct quoted_class, std::string> quoted = "a string";

const auto name_def =
    x3::lexeme[!(reserved >> !word_character) >> letter >> *word_character >> -x3::char_('\'')];
const auto tag_def = x3::lexeme['\'' >> letter >> *word_character];
const auto quoted_def = x3::lexeme['"' >> *(x3::char_ - '"') >> '"'];

// --- Expressions ----------------------------------------------------------------------------------------

constexpr const char* a_value = "a set or a relation";
const x3::rule<struct expression_class, Expression> expression = a_value;
const x3::rule<struct block_class, Expression> block = a_value;
const x3::rule<struct infix_class, Infix> infix = a_value;
const x3::rule<struct negation_class, Expression> negation = a_value;
const x3::rule<struct postfixed_class, Expression> postfixed = a_value;
const x3::rule<struct primary_class, Expression> primary = a_value;
const x3::rule<struct argument_class, Expression> bare_argument = a_value;
const x3::rule<struct match_case_class, MatchCase> match_case = "a tag or _";
const x3::rule<struct binding_class, Binding> binding = "a name";
const x3::rule<struct parameters_class, std::vector<std::string>> parameters = "a parameter";

const auto expression_def =
    nested[block[set] |
           infix[change([](auto& value, Infix& read) { value = group(read.operands, read.operators); })]];

const auto infix_operator = !bar >> !refused(x3::lit("++"), "the operator ++") >> infix_symbol;
const auto infix_def =
    negation[add_operand] >>
    *(infix_operator[change([](auto& value, Form form) { value.operators.push_back(form); })] >
      negation[add_operand]);

const auto negation_def = here >>
                          (('~' >> form(Form::complement) > nested[negation][add_operand]) | postfixed[set]);

/// `*` is a product if an operand follows, otherwise a closure.
const auto simple_begins = name | tag | universe_sign | zero | x3::char_("([{");
const auto operand_begins = x3::omit[simple_begins | (+x3::lit('~') >> simple_begins)];
const auto postfix_operator = x3::rule<struct postfix_class, Form>{"a postfix operator"} =
    (!x3::lit("++") >> postfix_symbol) | ('*' >> !operand_begins >> x3::attr(Form::star));
const auto postfixed_def = primary[set] >> *postfix_operator[apply_postfix];

const auto primary_def =
    here >> ((name[text] >> form(Form::name) >>
              -((('(' > -(expression[add_operand] % ',') > ')') | bare_argument[add_operand]) >>
                form(Form::application))) |
             (universe_sign >> form(Form::universe)) | (zero >> form(Form::empty)) |
             ('{' >> (refused(!x3::lit('}'), "a set written by its elements") | '}') >> form(Form::empty)) |
             (tag[text] >> form(Form::tag)) | ('[' > expression[add_operand] > ']' > form(Form::identity)) |
             ('(' > expression[set] > -refused(x3::lit(','), "a tuple") > ')'));

const auto bare_argument_def = here >> ((name[text] >> form(Form::name)) | (tag[text] >> form(Form::tag)) |
                                        (universe_sign >> form(Form::universe)));

const auto bindings = -keyword("rec")[recursive] > (binding[add_binding] % keyword("and"));

const auto block_def =
    here >>
    ((keyword("let") > bindings > keyword("in") > expression[add_operand] > form(Form::let_in)) |
     (keyword("try") > expression[add_operand] > keyword("with") > expression[add_operand] >
      form(Form::attempt)) |
     (keyword("match") > expression[add_operand] > keyword("with") > -bar >
      (match_case[change([](auto& value, auto& element) { value.cases.push_back(std::move(element)); })] %
       bar) > keyword("end") > form(Form::match)) |
     refused(keyword("fun"), "'fun'") | refused(keyword("if"), "'if'"));

const auto match_case_def =
    (tag[change([](auto& value, auto& tag) { value.tag = std::move(tag); })] | universe_sign |
     refused(name | x3::char_("{("), "'match' on a set")) > "->" >
    expression[change([](auto& value, auto& result) { value.value = std::move(result); })];

const auto binding_name = change([](auto& value, auto& name) { value.name = std::move(name); });
const auto binding_value = change([](auto& value, auto& bound) { value.value = std::move(bound); });
const auto binding_def =
    here >> name[binding_name] >>
    -parameters[change([](auto& value, auto& names) { value.parameters = std::move(names); })] > '=' >
    expression[binding_value];
const auto parameters_def = ('(' > -(name[add] % ',') > ')') | name[add];

// --- Statements -----------------------------------------------------------------------------------------

struct TestForms : x3::symbols<Test::Form> {
  TestForms() {
    add("acyclic", Test::Form::acyclic)("irreflexive", Test::Form::irreflexive)("empty", Test::Form::empty);
  }
} const test_form;

const x3::rule<struct statement_class, Statement> statement = "a statement";
const x3::rule<struct test_class, Statement> test = "a test";
const x3::rule<struct condition_class, Test::Form> condition = "acyclic, irreflexive or empty";
const x3::rule<struct chosen_class, Binding> chosen = "a name";
const x3::rule<struct shown_class, Binding> shown = "a set or a relation";
const x3::rule<struct hidden_class, Binding> hidden = "a name";

const auto condition_def = x3::lexeme[test_form >> !word_character];
const auto negated = change([](auto& value, auto&) { value.negated = !value.negated; });
const auto flagged = change([](auto& value, auto&) { value.is_flag = true; });
const auto set_test = change([](auto& value, Test::Form form) { value.test = form; });
const auto tilde = '~' >> x3::eps[negated];
/// `undefined_unless` flags the executions that fail its test.
const auto test_def =
    here >>
    x3::raw[((keyword("flag") >> x3::eps[flagged] > -tilde > condition[set_test]) |
             (keyword("undefined_unless") >> x3::eps[flagged] >> x3::eps[negated] > -tilde >
              condition[set_test]) |
             (tilde > condition[set_test]) | condition[set_test]) >
            expression[change([](auto& value, auto& tested) { value.expression = std::move(tested); })] >
            -(keyword("as") > name[text])][change([](auto& value, auto& range) {
      if (value.text.empty()) value.text = one_line(range.begin(), range.end());
    })];

const auto chosen_def = here >> name[binding_name] > keyword("from") > expression[binding_value];
const auto shown_def = here >> x3::raw[expression[binding_value]][change([](auto& value, auto& range) {
                         value.name = one_line(range.begin(), range.end());
                       })] >>
                       -(keyword("as") > name[binding_name]);
const auto hidden_def = here >> name[binding_name];

using SForm = Statement::Form;
const auto statement_form = [](SForm form) {
  return x3::eps[change([form](auto& value, auto&) { value.form = form; })];
};
const auto add_tag = change([](auto& value, auto& tag) { value.tags.push_back(std::move(tag)); });
const auto statement_def =
    here >>
    ((keyword("let") > bindings > statement_form(SForm::let)) | (test[set] >> statement_form(SForm::test)) |
     (keyword("with") > chosen[add_binding] > statement_form(SForm::with_from)) |
     (keyword("show") > (shown[add_binding] % ',') > statement_form(SForm::show)) |
     (keyword("unshow") > (hidden[add_binding] % ',') > statement_form(SForm::unshow)) |
     (keyword("include") > quoted[text] > statement_form(SForm::include)) |
     (keyword("enum") > x3::omit[name] > '=' > -bar > (tag[add_tag] % bar) >
      statement_form(SForm::enumerate)) |
     refused(keyword("procedure"), "'procedure'") | refused(keyword("call"), "'call'") |
     refused(keyword("forall"), "'forall'") | refused(keyword("instructions"), "'instructions'") |
     refused(keyword("default"), "'default'") | refused(keyword("assert"), "'assert'") |
     refused(keyword("requires"), "'requires'") | refused(keyword("withco"), "'withco'") |
     refused(keyword("withoutco"), "'withoutco'") | refused(keyword("withinit"), "'withinit'") |
     refused(keyword("withoutinit"), "'withoutinit'") | refused(keyword("withsc"), "'withsc'") |
     refused(keyword("withoutsc"), "'withoutsc'"));

constexpr const char* a_statement = "let, acyclic, irreflexive, empty, flag, with, show, unshow or include";
const x3::rule<struct end_class> end = a_statement;
const auto end_def = x3::eoi;
const x3::rule<struct file_class, File> file = "a model";
const auto file_def =
    x3::eps >> -name[change([](auto& value, auto& word) { value.architecture = std::move(word); })] >>
    -quoted[change([](auto& value, auto& title) { value.title = std::move(title); })] >>
    *statement[change([](auto& value, auto& read) { value.statements.push_back(std::move(read)); })] > end;

BOOST_SPIRIT_DEFINE(name, tag, quoted, expression, block, infix, negation, postfixed, primary, bare_argument,
                    match_case, binding, parameters, statement, test, condition, chosen, shown, hidden, end,
                    file)

}  // namespace

File read(const SourceText& source, std::uint32_t file_index) {
  const std::string text = without_comments(source);
  const Iterator begin = text.data();
  const Iterator end_of_text = begin + text.size();
  Reading state{source, file_index, begin};
  File result;
  Iterator at = begin;
  try {
    unsigned levels = 0;
    const auto parser = with_nesting(levels, x3::with<reading_tag>(std::ref(state))[file]);
    if (!x3::phrase_parse(at, end_of_text, parser, x3::ascii::space, result))
      throw std::logic_error("the grammar of cat refuses without a reason");
  } catch (const NestedTooDeeply<Iterator>& nesting) {
    throw InputError(source.file(), state.place(nesting.where).where, nesting_error());
  } catch (const x3::expectation_failure<Iterator>& failure) {
    std::size_t offset = state.offset(failure.where());
    while (offset < text.size() && std::isspace(static_cast<unsigned char>(text[offset]))) ++offset;
    const std::string what = failure.which();
    throw source.expected(offset, reserved.find(what) ? "'" + what + "'" : what);
  }
  if (result.architecture.empty() && result.title.empty() && result.statements.empty())
    throw InputError(source.file(), {1, 1}, fmt::format("the model is empty, expected {}", a_statement));
  return result;
}

}  // namespace ptxmc::cat::syntax
