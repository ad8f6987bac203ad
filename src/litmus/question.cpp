#include "src/litmus/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "semantics/language/spelling.hpp"
#include "src/litmus/numbers.hpp"

namespace ptxmc {

namespace {

/// Resolves the names of conditions.
class Resolver {
 public:
  Resolver(const litmus_syntax::File& file, const std::vector<ThreadCode>& threads,
           const MemoryLayout& memory, const SourceText& source, Mistakes& mistakes)
      : threads_(threads), memory_(memory), source_(source), mistakes_(mistakes) {
    find_comparisons(file.condition);
    if (file.filter) find_comparisons(*file.filter);
    find_float_registers();
  }

  /// A wrong term is reported and becomes a constant.
  FinalTerm term(const litmus_syntax::Term& written) const {
    FinalTerm result;
    mistakes_.collect([&] { result = resolved(written); });
    return result;
  }

  Proposition proposition(const litmus_syntax::Proposition& written) const {
    Proposition result = without_negation(written);
    if (!written.is_negated) return result;
    Proposition negated;
    negated.kind = Proposition::Kind::negation;
    negated.operands.push_back(std::move(result));
    return negated;
  }

 private:
  using RegisterPlace = std::pair<std::size_t, std::size_t>;  // thread, register

  [[noreturn]] void fail(SourcePosition where, const std::string& message) const {
    throw InputError(source_.file(), where, message);
  }

  // ---- floating-point registers ----

  void find_comparisons(const litmus_syntax::Proposition& proposition) {
    if (proposition.kind == litmus_syntax::Proposition::Kind::compare)
      comparisons_.emplace_back(&proposition.left, &proposition.right);
    for (const litmus_syntax::Proposition& operand : proposition.operands) find_comparisons(operand);
  }

  /// Those without a declared type that are compared with something of a floating-point type, or with such a
  /// register.
  void find_float_registers() {
    std::map<RegisterPlace, std::vector<RegisterPlace>> compared;
    std::vector<RegisterPlace> next;
    for (const auto& [left, right] : comparisons_) {
      const auto a = undeclared_register(*left), b = undeclared_register(*right);
      if (a && b) {
        compared[*a].push_back(*b);
        compared[*b].push_back(*a);
      }
      if (a && has_float_type(*right)) next.push_back(*a);
      if (b && has_float_type(*left)) next.push_back(*b);
    }
    while (!next.empty()) {
      const RegisterPlace place = next.back();
      next.pop_back();
      if (!float_registers_.insert(place).second) continue;
      const std::vector<RegisterPlace>& others = compared[place];
      next.insert(next.end(), others.begin(), others.end());
    }
  }

  std::optional<RegisterPlace> undeclared_register(const litmus_syntax::Term& written) const {
    if (written.kind != litmus_syntax::Term::Kind::thread_register) return std::nullopt;
    const auto term = resolved_if_right(written);
    if (!term || term->format) return std::nullopt;
    return RegisterPlace(term->thread, term->register_id);
  }

  bool has_float_type(const litmus_syntax::Term& written) const {
    if (written.kind == litmus_syntax::Term::Kind::number) return !written.number.is_integer();
    const auto term = resolved_if_right(written);
    return term && term->format;
  }

  std::optional<FinalTerm> resolved_if_right(const litmus_syntax::Term& written) const {
    try {
      return resolved(written);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  // ---- terms ----

  /// The value of a constant depends on what it is compared with.
  FinalTerm resolved(const litmus_syntax::Term& written) const {
    FinalTerm term;
    switch (written.kind) {
      case litmus_syntax::Term::Kind::number:
        break;
      case litmus_syntax::Term::Kind::thread_register:
        return thread_register(written.thread_register);
      case litmus_syntax::Term::Kind::place: {
        const auto element = memory_.find(written.place, std::nullopt);
        memory_.require_scalar(written.place, element);
        term.kind = FinalTerm::Kind::memory;
        term.variable = element.variable;
        term.element = element.element;
        term.format = memory_.variable(element).format;
        break;
      }
    }
    return term;
  }

  FinalTerm thread_register(const litmus_syntax::ThreadRegister& written) const {
    const std::string name = fmt::format("P{}", written.thread.number);
    const auto code = std::ranges::find(threads_, name, [](const ThreadCode& c) { return c.thread.name; });
    if (code == threads_.end())
      fail(written.thread.where, fmt::format("found thread '{}', expected one of {} to {}", name,
                                             threads_.front().thread.name, threads_.back().thread.name));
    const std::vector<std::string>& names = code->thread.register_names;
    const std::string wanted = written.name.text.substr(written.name.text.starts_with('%') ? 1 : 0);
    const auto found = std::ranges::find(names, wanted);
    if (found == names.end()) {
      std::vector<std::string> written_names;  // those with a % are of intermediate values
      std::ranges::copy_if(names, std::back_inserter(written_names),
                           [](const std::string& each) { return !each.starts_with('%'); });
      fail(written.name.where, fmt::format("found '{}', expected a register that {} uses{}",
                                           written.name.text, name, did_you_mean(wanted, written_names)));
    }
    FinalTerm term;
    term.kind = FinalTerm::Kind::thread_register;
    term.thread = static_cast<int>(code - threads_.begin());
    term.register_id = static_cast<RegisterId>(found - names.begin());
    term.format = code->formats[term.register_id].declared;
    if (!float_registers_.contains(RegisterPlace(term.thread, term.register_id))) return term;
    term.format = code->formats[term.register_id].known();
    if (!term.format)
      fail(written.name.where,
           fmt::format("found '{0}', compared with a floating-point number, expected its type in the initial "
                       "state, as in {1}:{0} : f32",
                       wanted, name));
    return term;
  }

  // ---- comparisons ----

  void set_operands(Proposition& comparison, const litmus_syntax::Proposition& written) const {
    comparison.left = term(written.left);
    comparison.right = term(written.right);
    const auto is_number = [](const litmus_syntax::Term& t) {
      return t.kind == litmus_syntax::Term::Kind::number;
    };
    auto format = is_number(written.left) ? comparison.right.format : comparison.left.format;
    if (is_number(written.left) && is_number(written.right)) {
      const bool are_integers = written.left.number.is_integer() && written.right.number.is_integer();
      if (!are_integers) format = FloatFormat::f64;
    }
    mistakes_.collect([&] {
      if (is_number(written.left)) comparison.left = constant(written.left.number, format);
      if (is_number(written.right)) comparison.right = constant(written.right.number, format);
      if (comparison.left.format != comparison.right.format)
        fail(written.right.where, fmt::format("found {}, expected {} as on the other side",
                                              words_for(comparison.right.format), words_for(format)));
    });
  }

  FinalTerm constant(const litmus_syntax::Number& written, std::optional<FloatFormat> format) const {
    FinalTerm term;
    term.format = format;
    if (!format && !written.is_integer())
      fail(written.where,
           "found a floating-point number, expected an integer: no floating-point type is "
           "declared on the other side");
    const auto value = format ? float_value(*format, written) : Bits(64, written.bits);
    if (!value) fail(written.where, more_bits_than(*format));
    term.constant = value->resize_unsigned(64).to_s64();
    return term;
  }

  static std::string words_for(std::optional<FloatFormat> format) {
    return format ? fmt::format("a value of type {}", name_of(*format)) : "an integer";
  }

  Proposition without_negation(const litmus_syntax::Proposition& written) const {
    using Kind = litmus_syntax::Proposition::Kind;
    Proposition result;
    switch (written.kind) {
      case Kind::truth:
        return result;
      case Kind::compare:
        result.kind = Proposition::Kind::compare;
        result.comparison = comparison(written.comparison);
        set_operands(result, written);
        return result;
      case Kind::conjunction:
      case Kind::disjunction:
        if (written.operands.size() == 1) return proposition(written.operands.front());
        result.kind = written.kind == Kind::conjunction ? Proposition::Kind::conjunction
                                                        : Proposition::Kind::disjunction;
        for (const auto& operand : written.operands) result.operands.push_back(proposition(operand));
        return result;
    }
    return result;
  }

  static Proposition::Comparison comparison(std::string_view text) {
    using Comparison = Proposition::Comparison;
    if (text == "!=" || text == "<>") return Comparison::not_equal;
    if (text == "<") return Comparison::less;
    if (text == "<=") return Comparison::less_equal;
    if (text == ">") return Comparison::greater;
    return text == ">=" ? Comparison::greater_equal : Comparison::equal;
  }

  const std::vector<ThreadCode>& threads_;
  const MemoryLayout& memory_;
  const SourceText& source_;
  Mistakes& mistakes_;
  std::vector<std::pair<const litmus_syntax::Term*, const litmus_syntax::Term*>> comparisons_;
  std::set<RegisterPlace> float_registers_;
};

}  // namespace

Question translate_question(const litmus_syntax::File& file, const std::vector<ThreadCode>& threads,
                            const MemoryLayout& memory, const SourceText& source, Mistakes& mistakes) {
  const Resolver resolver(file, threads, memory, source, mistakes);
  Question question;
  if (file.quantifier == "~exists") question.quantifier = Quantifier::not_exists;
  if (file.quantifier == "forall") question.quantifier = Quantifier::forall;
  question.condition = resolver.proposition(file.condition);
  if (file.filter) question.filter = resolver.proposition(*file.filter);
  for (const litmus_syntax::Term& location : file.locations)
    question.locations.push_back(resolver.term(location));
  return question;
}

}  // namespace ptxmc
