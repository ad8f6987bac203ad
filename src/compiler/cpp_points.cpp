#include "src/compiler/cpp_points.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "src/compiler/cpp_operation.hpp"
#include "src/litmus/c_instructions.hpp"

namespace ptxmc {
namespace {

constexpr const char* blanks_in_line = " \t\r";

/// What a weak compare-and-swap reads before it fails for no reason belongs to its attempt.
bool accesses_memory(const Instruction& instruction) {
  if (is_weak_failure(instruction)) return false;
  return instruction.form->definition->section == "C++" || instruction.form->spelling.starts_with("bar.");
}

/// Whether a new statement may begin behind the lines before this one.
bool follows_statement(const std::vector<std::string>& lines, std::size_t line) {
  while (line > 0) {
    const std::string& before = lines[--line];
    const std::size_t last = before.find_last_not_of(blanks_in_line);
    if (last == std::string::npos) continue;
    return before.find("//") == std::string::npos &&
           (before[last] == ';' || before[last] == '{' || before[last] == '}');
  }
  return false;
}

/// Where the statement begins that contains the access, if that is in the line of the access.
std::optional<std::size_t> statement_begin(const std::vector<std::string>& lines, SourcePosition access) {
  const std::string& line = lines[access.line - 1];
  const std::size_t at = access.column - 1;
  const std::size_t before = at == 0 ? std::string::npos : line.find_last_of(";{}", at - 1);
  const std::size_t begin =
      line.find_first_not_of(blanks_in_line, before == std::string::npos ? 0 : before + 1);
  const std::string_view skipped = std::string_view(line).substr(begin, at - begin);
  // The condition of a statement, an operand that is evaluated under a condition, a branch.
  if (skipped.find_first_of("()?&|/") != std::string_view::npos) return std::nullopt;
  for (const std::string_view word : {"else", "do "})
    if (skipped.find(word) != std::string_view::npos) return std::nullopt;
  if (before == std::string::npos && !follows_statement(lines, access.line - 1)) return std::nullopt;
  return begin;
}

class CppPoints {
 public:
  CppPoints(const LitmusTest& test, std::string_view text, const StrengthCosts& costs, bool is_stronger)
      : test_(test), text_(text), lines_(lines_of(text)), costs_(costs), is_stronger_(is_stronger) {
    for (const Scope scope : distinct_scopes(test.program).scopes) scopes_.insert(scope);
    bool has_narrow_scope = false;
    for (const Thread& thread : test.program.threads)
      for (const Instruction& instruction : thread.code)
        if (const auto operation = cpp_operation(instruction))
          has_narrow_scope |= operation->strength.scope != Scope::sys;
    if (!has_narrow_scope) scopes_ = {Scope::sys};
  }

  std::vector<StrengthPoint> all() {
    for (thread_ = 0; thread_ < test_.program.threads.size(); ++thread_) {
      bool has_access_before = false, has_fence_before = false;
      const auto& code = test_.program.threads[thread_].code;
      for (at_ = 0; at_ < code.size(); ++at_) {
        const auto operation = cpp_operation(code[at_]);
        if (operation && operation->is_fence) {
          has_fence_before = true;
        } else if (accesses_memory(code[at_])) {
          if (is_stronger_ && has_access_before && !has_fence_before) add_gap();
          has_access_before = true;
          has_fence_before = false;
        }
        if (operation) add_operation(*operation);
      }
    }
    return std::move(points_);
  }

 private:
  const Instruction& here() const { return test_.program.threads[thread_].code[at_]; }

  /// Whether the text of the instruction stands where its position says.
  bool is_in_one_line() const {
    const SourcePosition where = here().where;
    return where.line > 0 && where.line <= lines_.size() && where.column > 0 &&
           where.column <= lines_[where.line - 1].size() &&
           std::string_view(lines_[where.line - 1]).substr(where.column - 1).starts_with(here().text);
  }

  StrengthPoint new_point(bool is_inserted, bool is_fence) const {
    StrengthPoint point;
    point.thread = thread_;
    point.thread_name = test_.program.threads[thread_].name;
    point.instruction = at_;
    point.is_inserted = is_inserted;
    point.is_fence = is_fence;
    point.where = here().where;
    point.written = here().text;
    return point;
  }

  void add_level(StrengthPoint& point, Strength strength, std::optional<std::string> made) const {
    PointLevel level{strength, cpp_strength_name(strength), {}, cost_of(costs_, strength, point.is_fence)};
    if (made) {
      level.made = here();
      level.made->text = std::move(*made);
    }
    point.levels.push_back(std::move(level));
  }

  std::set<Scope> scopes_beside(Strength given) const {
    if (given.scope == Scope::sys) return {Scope::sys};
    std::set<Scope> result = scopes_;
    result.insert(given.scope);
    return result;
  }

  void add_operation(const CppOperation& operation) {
    if (!is_in_one_line()) return;
    const Strength given = operation.strength;
    StrengthPoint point = new_point(false, operation.is_fence);
    for (const Ordering ordering : operation.orderings) {
      if (ordering == Ordering::none && !is_stronger_) {
        add_level(point, {}, std::nullopt);
        continue;
      }
      for (const Scope scope : scopes_beside(given)) {
        const Strength strength{ordering, scope};
        const bool is_asked =
            is_stronger_ ? is_weaker_or_equal(given, strength) : is_weaker_or_equal(strength, given);
        if (!is_asked) continue;
        auto made = strength == given ? here().text : with_cpp_strength(here().text, given, strength);
        if (made) add_level(point, strength, std::move(made));
      }
    }
    add(std::move(point));
  }

  void add_gap() {
    const SourcePosition where = here().where;
    if (!is_in_one_line()) return;
    const auto begin = statement_begin(lines_, where);
    if (!begin || !gaps_.emplace(where.line, *begin).second) return;
    StrengthPoint point = new_point(true, true);
    add_level(point, {}, std::nullopt);
    for (const Ordering ordering : {Ordering::acquire, Ordering::release, Ordering::acq_rel, Ordering::sc})
      for (const Scope scope : scopes_) add_level(point, {ordering, scope}, cpp_fence({ordering, scope}));
    add(std::move(point));
  }

  /// Adds a point with those of its levels that can be read.
  void add(StrengthPoint point) {
    const auto given = is_stronger_ ? point.levels.front() : point.levels.back();
    std::erase_if(point.levels, [&](const PointLevel& level) {
      if (level.strength == given.strength) return false;
      StrengthPoint alone = point;
      alone.given = 1;
      alone.levels = {level, given};
      try {
        parse_litmus(with_edits(text_, cpp_edits(text_, {alone}, {0})), test_.file);
        return false;
      } catch (const InputError&) {
        return true;
      } catch (const Unsupported&) {
        return true;
      }
    });
    if (!has_bounds(point)) return;
    point.given = is_stronger_ ? 0 : point.levels.size() - 1;
    points_.push_back(std::move(point));
  }

  const LitmusTest& test_;
  const std::string_view text_;
  const std::vector<std::string> lines_;
  const StrengthCosts& costs_;
  const bool is_stronger_;
  std::set<Scope> scopes_;
  std::set<std::pair<std::uint32_t, std::size_t>> gaps_;
  std::size_t thread_ = 0;
  Target at_ = 0;
  std::vector<StrengthPoint> points_;
};

/// A line with changes, made from its end to its beginning.
class EditedLine {
 public:
  explicit EditedLine(const std::vector<std::string>& lines, std::uint32_t line)
      : lines_(lines), text_(lines[line - 1]) {}

  void apply(const StrengthPoint& point, const std::optional<Instruction>& made) {
    const std::size_t at = point.where.column - 1;
    if (point.is_inserted) return insert(point, made->text);
    if (made) {
      text_.replace(at, point.written.size(), made->text);
      return;
    }
    std::size_t end = text_.find(';', at + point.written.size());
    end = end == std::string::npos ? at + point.written.size() : end + 1;
    text_.erase(at, std::min(text_.find_first_not_of(blanks_in_line, end), text_.size()) - at);
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> result = inserted_;
    if (text_.find_first_not_of(blanks_in_line) != std::string::npos) result.push_back(text_);
    return result;
  }

 private:
  void insert(const StrengthPoint& point, const std::string& fence) {
    const std::size_t begin = statement_begin(lines_, point.where).value_or(0);
    const std::string indent = text_.substr(0, begin);
    if (indent.find_first_not_of(blanks_in_line) == std::string::npos)
      inserted_.insert(inserted_.begin(), indent + fence + ";");
    else
      text_.insert(begin, fence + "; ");
  }

  const std::vector<std::string>& lines_;
  std::string text_;
  std::vector<std::string> inserted_;
};

}  // namespace

std::vector<StrengthPoint> cpp_points(const LitmusTest& test, std::string_view text,
                                      const StrengthCosts& costs, bool is_stronger) {
  return CppPoints(test, text, costs, is_stronger).all();
}

std::vector<LineEdit> cpp_edits(std::string_view text, const std::vector<StrengthPoint>& points,
                                const Assignment& assignment) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_line;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (assignment[i] != points[i].given) by_line[points[i].where.line].push_back(i);
  const std::vector<std::string> lines = lines_of(text);
  std::vector<LineEdit> edits;
  for (auto& [line, changed] : by_line) {
    // From right to left, and a fence that is inserted before an operation behind a change of the operation.
    std::ranges::sort(changed, [&](std::size_t a, std::size_t b) {
      return std::pair(points[a].where.column, !points[a].is_inserted) >
             std::pair(points[b].where.column, !points[b].is_inserted);
    });
    EditedLine edited(lines, line);
    for (const std::size_t i : changed) edited.apply(points[i], points[i].levels[assignment[i]].made);
    edits.push_back({line, edited.lines()});
  }
  return edits;
}

}  // namespace ptxmc
