#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat/checked_model.hpp"
#include "semantics/language/source_text.hpp"

/// The syntax trees of the cat language, before names are resolved.
namespace ptxmc::cat::syntax {

struct Binding;
struct MatchCase;

struct Expression {
  enum class Form : std::uint8_t {
    name,         ///< `text`
    universe,     ///< `_`
    empty,        ///< `0` or `{}`
    tag,          ///< `'text`
    unite,        ///< `|`; this and the next four take two or more operands
    sequence,     ///< `;`
    subtract,     ///< `\`, from the left
    intersect,    ///< `&`
    product,      ///< `*`
    complement,   ///< `~`
    inverse,      ///< `^-1`
    optional,     ///< `?`
    closure,      ///< `+`
    star,         ///< `*`
    identity,     ///< `[S]`
    application,  ///< `text(operands)`
    let_in,       ///< `let bindings in operand`
    attempt,      ///< `try operand with operand`
    match,        ///< `match operand with cases end`
  };
  Form form = Form::empty;
  std::string text;
  std::vector<Expression> operands;
  std::vector<Binding> bindings;
  bool is_recursive = false;  ///< let_in: `let rec`
  std::vector<MatchCase> cases;
  Place place;
};

/// `name = value`, `name(parameters) = value`, `name parameter = value`.
struct Binding {
  std::string name;
  std::optional<std::vector<std::string>> parameters;
  Expression value;
  Place place;
};

/// `|| 'tag -> value`; without a tag: `|| _ -> value`.
struct MatchCase {
  std::optional<std::string> tag;
  Expression value;
};

struct Statement {
  enum class Form : std::uint8_t {
    let,
    with_from,  ///< one binding: the name chosen, what it is chosen from
    test,
    show,       ///< bindings: names (after `as`, else the expression's text) and values
    unshow,     ///< bindings without values
    include,    ///< `text`: the file
    enumerate,  ///< `enum …`: declares `tags`
  };
  Form form = Form::let;
  std::vector<Binding> bindings;
  bool is_recursive = false;  ///< let: `let rec`
  Test::Form test = Test::Form::empty;
  bool negated = false;           ///< test
  bool is_flag = false;           ///< test
  std::string text;               ///< test: the name after `as`, else the text of the test
  Expression expression;          ///< test
  std::vector<std::string> tags;  ///< enumerate
  Place place;
};

struct File {
  std::string architecture;  ///< the bare word at its beginning
  std::string title;
  std::vector<Statement> statements;
};

/// Throws InputError and Unsupported. `file` is the file index of all places.
File read(const SourceText&, std::uint32_t file);

}  // namespace ptxmc::cat::syntax
