#pragma once

#include <boost/spirit/home/x3.hpp>

#include "semantics/language/nesting.hpp"

namespace ptxmc {

/// The exception that a grammar throws when its text nests too deeply.
template <class Iterator>
struct NestedTooDeeply {
  Iterator where;
};

/// Under this tag the parse context holds, by std::ref, the number of open levels.
struct nesting_tag;

template <class Subject>
struct NestedDirective : boost::spirit::x3::unary_parser<Subject, NestedDirective<Subject>> {
  using base_type = boost::spirit::x3::unary_parser<Subject, NestedDirective<Subject>>;
  static const bool is_pass_through_unary = true;
  static const bool handles_container = Subject::handles_container;
  constexpr explicit NestedDirective(const Subject& subject) : base_type(subject) {}

  template <class Iterator, class Context, class RuleContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext& rule_context,
             Attribute& attribute) const {
    unsigned& levels = boost::spirit::x3::get<nesting_tag>(context).get();
    const NestingLevel level(levels, [&](const auto&) { throw NestedTooDeeply<Iterator>{first}; });
    return this->subject.parse(first, last, context, rule_context, attribute);
  }
};

/// `nested[parser]` is one level of nesting. Every recursive rule contains one.
struct {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return NestedDirective<typename boost::spirit::x3::extension::as_parser<Subject>::value_type>(
        boost::spirit::x3::as_parser(subject));
  }
} inline constexpr nested;

/// The parser with a counter of levels that starts at 0.
template <class Parser>
auto with_nesting(unsigned& levels, const Parser& parser) {
  return boost::spirit::x3::with<nesting_tag>(std::ref(levels))[parser];
}

}  // namespace ptxmc

// The name of the parser in messages.
template <class Subject>
struct boost::spirit::x3::get_info<ptxmc::NestedDirective<Subject>> {
  using result_type = std::string;
  std::string operator()(const ptxmc::NestedDirective<Subject>& parser) const { return what(parser.subject); }
};
