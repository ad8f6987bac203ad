#include "src/litmus/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "semantics/spelling.hpp"

namespace ptxmc {

namespace {

namespace syntax = litmus_syntax;

/// Resolves the names of conditions.
class Resolver {
 public:
  Resolver(const std::vector<Thread>& threads, const MemoryLayout& memory, const SourceText& source,
           Mistakes& mistakes)
      : threads_(threads), memory_(memory), source_(source), mistakes_(mistakes) {}

  /// A wrong term is reported and becomes a constant.
  FinalTerm term(const syntax::Term& written) const {
    FinalTerm result;
    mistakes_.collect([&] { result = resolved(written); });
    return result;
  }

  Proposition proposition(const syntax::Proposition& written) const {
    Proposition result = without_negation(written);
    if (!written.is_negated) return result;
    Proposition negated;
    negated.kind = Proposition::Kind::negation;
    negated.operands.push_back(std::move(result));
    return negated;
  }

 private:
  FinalTerm resolved(const syntax::Term& written) const {
    FinalTerm term;
    switch (written.kind) {
      case syntax::Term::Kind::number:
        term.constant = static_cast<std::int64_t>(written.number.bits);
        break;
      case syntax::Term::Kind::thread_register:
        return thread_register(written.thread_register);
      case syntax::Term::Kind::place: {
        const auto element = memory_.find(written.place, std::nullopt);
        memory_.require_scalar(written.place, element);
        term.kind = FinalTerm::Kind::memory;
        term.variable = element.variable;
        term.element = element.element;
        break;
      }
    }
    return term;
  }

  FinalTerm thread_register(const syntax::ThreadRegister& written) const {
    const std::string name = fmt::format("P{}", written.thread.number);
    const auto thread = std::find_if(threads_.begin(), threads_.end(),
                                     [&](const Thread& candidate) { return candidate.name == name; });
    if (thread == threads_.end())
      throw InputError(source_.file(), written.thread.where,
                       fmt::format("found thread '{}', expected one of {} to {}", name, threads_.front().name,
                                   threads_.back().name));
    const std::string wanted = written.name.text.substr(written.name.text.starts_with('%') ? 1 : 0);
    const auto found = std::find(thread->register_names.begin(), thread->register_names.end(), wanted);
    if (found == thread->register_names.end())
      throw InputError(source_.file(), written.name.where,
                       fmt::format("found '{}', expected a register that {} uses{}", written.name.text, name,
                                   did_you_mean(wanted, thread->register_names)));
    FinalTerm term;
    term.kind = FinalTerm::Kind::thread_register;
    term.thread = static_cast<int>(thread - threads_.begin());
    term.register_id = static_cast<RegisterId>(found - thread->register_names.begin());
    return term;
  }

  Proposition without_negation(const syntax::Proposition& written) const {
    using Kind = syntax::Proposition::Kind;
    Proposition result;
    switch (written.kind) {
      case Kind::truth:
        return result;
      case Kind::compare:
        result.kind = Proposition::Kind::compare;
        result.comparison = comparison(written.comparison);
        result.left = term(written.left);
        result.right = term(written.right);
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

  const std::vector<Thread>& threads_;
  const MemoryLayout& memory_;
  const SourceText& source_;
  Mistakes& mistakes_;
};

}  // namespace

Question translate_question(const syntax::File& file, const std::vector<Thread>& threads,
                            const MemoryLayout& memory, const SourceText& source, Mistakes& mistakes) {
  const Resolver resolver(threads, memory, source, mistakes);
  Question question;
  if (file.quantifier == "~exists") question.quantifier = Quantifier::not_exists;
  if (file.quantifier == "forall") question.quantifier = Quantifier::forall;
  question.condition = resolver.proposition(file.condition);
  if (file.filter) question.filter = resolver.proposition(*file.filter);
  for (const syntax::Term& location : file.locations) question.locations.push_back(resolver.term(location));
  return question;
}

}  // namespace ptxmc
