// compare_with_z3 SPELLINGS [SECONDS]: another reader of what rules mean. So many spellings of every syntax
// line that computes, atomic updates of memory included, on random and edge operands: the value of its term
// is, for Z3, what the rule computes of numbers. Z3 may take SECONDS for each (2), and may refuse none.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt/solve_terms.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/semantics/run_instruction.hpp"

using namespace ptxmc;

namespace {

enum class Result { agree, differ, too_long, refused };

bool has_approximation(const Bits& x) {
  if (x.is_constant()) return false;
  std::vector<const Term*> open = {x.term()};
  NumberMap<bool> seen;
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    if (std::exchange(seen[term->number], true)) continue;
    if (term->op == Operator::float_approximate) return true;
    open.insert(open.end(), term->operands, term->operands + term->arity());
  }
  return false;
}

std::string text_of(std::span<const Bits> values) {
  std::string text;
  for (const Bits& value : values) text += (text.empty() ? "" : ", ") + to_string(value);
  return text;
}

/// Memory is one source more: read-modify-writes find it, and what they write are results.
class UpdatedMemory final : public NoEffects {
 public:
  explicit UpdatedMemory(Bits memory) : memory_(std::move(memory)) {}
  Bits read_modify_write(const Access&, const Bits&, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const Bits old = memory_.extract(0, width);
    const Update next = update(old);
    written_.insert(written_.end(), {next.value, next.happens});
    return old;
  }
  std::vector<Bits> and_written(std::vector<Bits> results) const {
    results.insert(results.end(), written_.begin(), written_.end());
    return results;
  }

 private:
  Bits memory_;
  std::vector<Bits> written_;
};

/// What a form computes; the last source is memory.
std::vector<Bits> results_of(const Form& form, const std::vector<Bits>& sources) {
  UpdatedMemory memory(sources.back());
  const std::vector<Bits> results = test::run(form, sources, memory);
  return memory.and_written(results);
}

/// What Z3 makes of the terms. An approximation may be anything within its bound: Z3 is given what was
/// computed, and finds a contradiction (an exception) when that lies outside.
std::vector<Bits> solve(const std::vector<Bits>& terms, std::vector<Bits> unknowns, std::vector<Bits> numbers,
                        const std::vector<Bits>& computed) {
  if (std::ranges::any_of(terms, has_approximation)) {
    unknowns.insert(unknowns.end(), terms.begin(), terms.end());
    numbers.insert(numbers.end(), computed.begin(), computed.end());
  }
  return solve_terms(terms, unknowns, numbers);
}

Result check(const Form& form, std::mt19937_64& random, double seconds) {
  constexpr unsigned widest = 128;
  TermGraph graph;
  auto [numbers, unknowns] = test::random_sources(form, graph, random);
  numbers.emplace_back(widest, test::random_operand(random, widest));
  unknowns.push_back(graph.variable(widest, "memory"));
  const std::vector<Bits> computed = results_of(form, numbers);
  const std::vector<Bits> terms = results_of(form, unknowns);
  const auto report = [&, &numbers = numbers](std::string_view what) {
    fmt::print("{} of {}: {}\n", form.spelling, text_of(numbers), what);
  };
  try {
    const TimeLimit limit(seconds, nullptr);
    const std::vector<Bits> solved = solve(terms, unknowns, numbers, computed);
    if (std::ranges::equal(computed, solved, [](const Bits& a, const Bits& b) { return identical(a, b); }))
      return Result::agree;
    report(fmt::format("{} computed, {} by Z3", text_of(computed), text_of(solved)));
    return Result::differ;
  } catch (const OutOfTime& out) {
    report(out.what());
    return out.what() == std::string_view("timeout") ? Result::too_long : Result::refused;
  } catch (const std::logic_error& contradiction) {
    report(contradiction.what());
    return Result::differ;
  }
}

/// Reads nothing but registers, constants, and memory through them.
bool may_compute(const Form& form, const std::vector<OperandShape>& shapes) {
  return form.definition->rule && form.definition->flow == Flow::next &&
         std::ranges::none_of(shapes, [](const OperandShape& shape) {
           return shape.kind == OperandShape::Kind::label || shape.kind == OperandShape::Kind::list;
         });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: compare_with_z3 SPELLINGS [SECONDS]\n");
    return 2;
  }
  const std::size_t most = std::strtoull(argv[1], nullptr, 10);
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 2;
  std::mt19937_64 random(11);
  std::map<Result, std::uint64_t> count;
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(*entry, line, most, [&](const std::string& spelling, const auto& shapes) {
        const Match match = ptx().match(spelling, shapes);
        if (!match) throw std::logic_error(spelling + ": " + match.error);
        if (!may_compute(*match.form, shapes)) return;
        try {
          ++count[check(*match.form, random, seconds)];
        } catch (const UnexpectedEffect&) {  // more than a computation
        } catch (const Unsupported&) {       // a size that must be known
        }
      });
  fmt::print("{} spellings agree, {} differ, {} took too long, Z3 refused {}\n", count[Result::agree],
             count[Result::differ], count[Result::too_long], count[Result::refused]);
  return count[Result::differ] + count[Result::refused] == 0 ? 0 : 1;
}
