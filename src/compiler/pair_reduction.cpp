#include "src/compiler/pair_reduction.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "semantics/language/diagnostic.hpp"
#include "src/compiler/cpp_points.hpp"
#include "src/compiler/litmus_edits.hpp"
#include "src/compiler/needed_orders.hpp"
#include "src/compiler/strength_points.hpp"
#include "src/compiler/test_outline.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {
namespace {

/// The code with one thing less: a statement, the condition around statements, an `else`.
std::vector<OutlineCode> smaller_codes(const OutlineCode& code) {
  std::vector<OutlineCode> result;
  const auto add_with = [&](std::size_t i, const OutlineCode& instead) {
    OutlineCode smaller(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(i));
    smaller.insert(smaller.end(), instead.begin(), instead.end());
    smaller.insert(smaller.end(), code.begin() + static_cast<std::ptrdiff_t>(i) + 1, code.end());
    result.push_back(std::move(smaller));
  };
  for (std::size_t i = 0; i < code.size(); ++i) {
    const OutlineStatement& statement = code[i];
    add_with(i, {});
    if (!statement.label.empty() && !statement.text.empty()) {
      OutlineStatement label, instruction = statement;
      label.label = std::exchange(instruction.label, "");
      add_with(i, {label});
      add_with(i, {instruction});
    }
    if (!statement.has_body) continue;
    add_with(i, statement.body);
    if (!statement.otherwise.empty()) add_with(i, statement.otherwise);
    for (OutlineCode OutlineStatement::*part : {&OutlineStatement::body, &OutlineStatement::otherwise})
      for (OutlineCode& inner : smaller_codes(statement.*part)) {
        OutlineStatement smaller = statement;
        smaller.*part = std::move(inner);
        add_with(i, {smaller});
      }
  }
  return result;
}

std::size_t fences_in(const OutlineCode& code) {
  std::size_t count = 0;
  for (const OutlineStatement& statement : code) {
    const bool is_fence = statement.text.find("fence") != std::string::npos ||
                          statement.text.find("membar") != std::string::npos;
    count += fences_in(statement.body) + fences_in(statement.otherwise) + (is_fence ? 1 : 0);
  }
  return count;
}

/// Both tests, read; with the texts of which they are the outlines.
struct Outlines {
  TestOutline source, target;

  PairTexts texts() const { return {text_of(source), text_of(target)}; }
};

const OutlineThread* thread_called(const TestOutline& outline, const std::string& name) {
  const auto found = std::ranges::find(outline.threads, name, &OutlineThread::name);
  return found == outline.threads.end() ? nullptr : &*found;
}

void set_code(TestOutline& outline, const std::string& thread, OutlineCode code) {
  std::ranges::find(outline.threads, thread, &OutlineThread::name)->code = std::move(code);
}

/// The numbers of accesses of a test by kind and location.
using AccessCounts = std::map<std::pair<Annotation::Kind, std::string>, int>;

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The variables whose names stand in a text.
std::string locations_in(std::string_view text, const Program& program) {
  std::string result;
  for (const Variable& variable : program.memory)
    for (std::size_t at = text.find(variable.name); at != std::string_view::npos;
         at = text.find(variable.name, at + 1)) {
      const std::size_t end = at + variable.name.size();
      if ((at > 0 && is_of_name(text[at - 1])) || (end < text.size() && is_of_name(text[end]))) continue;
      result += variable.name + " ";
      break;
    }
  return result;
}

AccessCounts accesses_in(const std::string& text) {
  const LitmusTest test = parse_litmus(text, "smaller");
  AccessCounts counts;
  for (const Thread& thread : test.program.threads)
    for (const OrderedAccess& access : orders_of(thread, test.language).accesses)
      ++counts[{access.kind == Annotation::Kind::reduction ? Annotation::Kind::atomic : access.kind,
                locations_in(access.text, test.program)}];
  return counts;
}

AccessCounts removed(const std::string& from, const std::string& to) {
  AccessCounts counts = accesses_in(from);
  for (const auto& [kind, count] : accesses_in(to)) counts[kind] -= count;
  std::erase_if(counts, [](const auto& of_kind) { return of_kind.second == 0; });
  return counts;
}

class Reducer {
 public:
  Reducer(PairTexts pair, const StillDiffers& still_differs, bool is_of_order)
      : still_differs_(still_differs), is_of_order_(is_of_order) {
    result_.pair = std::move(pair);
  }

  PairReduction reduced() {
    // The condition, comments and layout are no part of a comparison.
    accept(outlines().texts());
    while (drop_thread() || drop_statement() || drop_location() || weaken_source() || weaken_target()) {
    }
    return std::move(result_);
  }

 private:
  Outlines outlines() const {
    return {outline_of(result_.pair.source, "source"), outline_of(result_.pair.target, "target")};
  }

  /// Takes the pair if it still differs.
  bool accept(PairTexts pair) {
    if (pair == result_.pair) return false;
    ++result_.tried;
    try {
      if (!still_differs_(pair)) return false;
    } catch (const InputError&) {  // it has a name that is not declared any more, a jump without its label
      return false;
    } catch (const Unsupported&) {
      return false;
    }
    result_.pair = std::move(pair);
    return true;
  }

  bool drop_thread() {
    const Outlines all = outlines();
    for (const OutlineThread& thread : all.source.threads) {
      Outlines smaller = all;
      for (TestOutline* side : {&smaller.source, &smaller.target})
        std::erase_if(side->threads, [&](const OutlineThread& other) { return other.name == thread.name; });
      if (!smaller.source.threads.empty() && !smaller.target.threads.empty() && accept(smaller.texts()))
        return true;
    }
    return false;
  }

  /// Both sides lose the same accesses, so that each access of the target keeps that of the source which it
  /// stands for.
  bool loses_same_accesses(const PairTexts& smaller) const {
    try {
      const AccessCounts lost = removed(result_.pair.source, smaller.source);
      return lost == removed(result_.pair.target, smaller.target) && (is_of_order_ || !lost.empty());
    } catch (const InputError&) {
      return false;
    } catch (const Unsupported&) {
      return false;
    }
  }

  /// Drops something of a thread in the source, in the target, or in both. Fences of the target stay, see
  /// weaken_target.
  bool drop_statement() {
    const Outlines all = outlines();
    for (const OutlineThread& of_source : all.source.threads) {
      const OutlineThread* const of_target = thread_called(all.target, of_source.name);
      if (of_target == nullptr) continue;
      std::vector<OutlineCode> sources = smaller_codes(of_source.code);
      std::vector<OutlineCode> targets = smaller_codes(of_target->code);
      std::erase_if(targets,
                    [&](const OutlineCode& code) { return fences_in(code) < fences_in(of_target->code); });
      sources.push_back(of_source.code);
      targets.push_back(of_target->code);
      for (const OutlineCode& source : sources)
        for (const OutlineCode& target : targets) {
          Outlines smaller = all;
          set_code(smaller.source, of_source.name, source);
          set_code(smaller.target, of_source.name, target);
          const PairTexts texts = smaller.texts();
          if (loses_same_accesses(texts) && accept(texts)) return true;
        }
    }
    return false;
  }

  bool drop_location() {
    const Outlines all = outlines();
    std::set<std::string> names;
    for (const TestOutline* side : {&all.source, &all.target}) {
      for (const std::string& entry : side->initial) names.insert(declared_name(entry));
      for (const OutlineThread& thread : side->threads)
        for (const std::string& parameter : thread.parameters) names.insert(declared_name(parameter));
    }
    for (const std::string& name : names) {
      const auto declares = [&](const std::string& entry) { return declared_name(entry) == name; };
      Outlines smaller = all;
      for (TestOutline* side : {&smaller.source, &smaller.target}) {
        std::erase_if(side->initial, declares);
        for (OutlineThread& thread : side->threads) std::erase_if(thread.parameters, declares);
      }
      if (accept(smaller.texts())) return true;
      for (std::size_t t = 0; t < all.source.threads.size(); ++t) {
        Outlines unused = all;
        std::erase_if(unused.source.threads[t].parameters, declares);
        if (accept(unused.texts())) return true;
      }
    }
    return false;
  }

  /// The text with one annotation weaker, if the text can be edited so.
  static std::optional<std::string> with_level(const LitmusTest& test, const std::string& text,
                                               const std::vector<StrengthPoint>& points, std::size_t point,
                                               std::size_t level) {
    Assignment assignment;
    for (const StrengthPoint& one : points) assignment.push_back(static_cast<std::uint8_t>(one.given));
    assignment[point] = static_cast<std::uint8_t>(level);
    if (test.language == Language::cpp) return with_edits(text, cpp_edits(text, points, assignment));
    const auto edits = litmus_edits(test, text, points, assignment);
    return edits ? std::optional(with_edits(text, *edits)) : std::nullopt;
  }

  bool weaken_source() {
    const std::string& text = result_.pair.source;
    const LitmusTest test = parse_litmus(text, "source");
    const auto points = test.language == Language::cpp ? cpp_points(test, text, {}, false)
                                                       : points_to_weaken(test.program, {});
    const StrengthLattice lattice = lattice_of(points);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (const std::uint8_t level : lattice[i].just_below(points[i].given))
        if (const auto weaker = with_level(test, text, points, i, level))
          if (accept({*weaker, result_.pair.target})) return true;
    return false;
  }

  bool weaken_target() {
    const std::string& text = result_.pair.target;
    const LitmusTest source = parse_litmus(result_.pair.source, "source");
    const LitmusTest target = parse_litmus(text, "target");
    if (target.language == Language::cpp) return false;
    const auto points = points_to_weaken(target.program, {});
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Thread& thread = target.program.threads[points[i].thread];
      const auto same = std::ranges::find(source.program.threads, thread.name, &Thread::name);
      if (same == source.program.threads.end()) continue;
      const ThreadOrders needed = orders_of(*same, source.language);
      const ThreadOrders given = orders_of(thread, target.language);
      const OrderPlace place = place_of(thread, points[i].instruction);
      for (std::size_t level = 0; level < points[i].given; ++level) {
        if (!is_enough(needed, given, place, points[i].levels[level].strength)) continue;
        const auto weaker = with_level(target, text, points, i, level);
        if (weaker && accept({result_.pair.source, *weaker})) return true;
      }
    }
    return false;
  }

  const StillDiffers& still_differs_;
  const bool is_of_order_;
  PairReduction result_;
};

}  // namespace

PairReduction reduce_pair(PairTexts pair, const StillDiffers& still_differs, bool is_of_order) {
  return Reducer(std::move(pair), still_differs, is_of_order).reduced();
}

}  // namespace ptxmc
