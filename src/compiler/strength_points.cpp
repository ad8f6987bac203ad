#include "src/compiler/strength_points.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "semantics/language/form.hpp"
#include "src/compiler/annotated_instruction.hpp"

namespace ptxmc {
namespace {

/// The fences of proxies that the memory of a program may need.
std::set<std::string> proxy_fences(const Program& program) {
  std::set<std::string> result;
  for (const Variable& variable : program.memory) {
    if (variable.proxy == Proxy::texture) result.insert("fence.proxy.texture");
    if (variable.proxy == Proxy::surface) result.insert("fence.proxy.surface");
    if (variable.proxy == Proxy::constant) result.insert("fence.proxy.constant");
    if (variable.proxy == Proxy::generic && variable.address != variable.location)
      result.insert("fence.proxy.alias");
  }
  return result;
}

std::string level_name(Strength strength, bool is_fence) {
  if (strength.ordering == Ordering::none) return is_fence ? "none" : "weak";
  return text_of(strength);
}

/// Whether memory or another thread may be involved: fences have an effect only between such instructions.
bool separates_fences(const Instruction& instruction) {
  const std::string& opcode = instruction.form->line->opcode;
  if (is_private_access(instruction)) return false;
  return has_effects(instruction) && opcode != "bra" && opcode != "fence" && opcode != "membar" &&
         opcode != "exit" && opcode != "ret" && opcode != "trap" && !only_waits(instruction);
}

enum class Direction { weaker, stronger };

class Points {
 public:
  Points(const Program& program, const StrengthCosts& costs, const DistinctScopes& scopes,
         Direction direction)
      : program_(program),
        costs_(costs),
        direction_(direction),
        scopes_(scopes),
        proxy_fences_(proxy_fences(program)) {}

  std::vector<StrengthPoint> all() {
    for (thread_ = 0; thread_ < program_.threads.size(); ++thread_) {
      find_jump_targets();
      bool has_effect_before = false, has_fence_before = false;
      const auto& code = program_.threads[thread_].code;
      for (at_ = 0; at_ < code.size(); ++at_) {
        if (targets_.contains(at_)) has_fence_before = false;
        const auto annotation = annotation_of(code[at_]);
        if (annotation && annotation->kind == Annotation::Kind::fence) {
          has_fence_before |= !code[at_].guard;
        } else if (separates_fences(code[at_])) {
          if (has_effect_before && direction_ == Direction::stronger) add_gap(has_fence_before);
          has_effect_before = true;
          has_fence_before = false;
        }
        if (annotation) add_annotation(*annotation);
        if (proxy_fences_.contains(code[at_].form->spelling)) add_proxy_fence();
      }
    }
    return std::move(points_);
  }

 private:
  const Instruction& here() const { return program_.threads[thread_].code[at_]; }

  void find_jump_targets() {
    targets_.clear();
    for (const Instruction& instruction : program_.threads[thread_].code)
      for (const Operand& operand : instruction.operands)
        if (const auto* label = std::get_if<Operand::Label>(&operand.is)) targets_.insert(label->target);
  }

  StrengthPoint new_point(bool is_inserted, bool is_fence) const {
    StrengthPoint point;
    point.thread = thread_;
    point.thread_name = program_.threads[thread_].name;
    point.instruction = at_;
    point.is_inserted = is_inserted;
    point.is_fence = is_fence;
    point.where = here().where;
    point.written = here().text;
    return point;
  }

  /// The strengths on the side of the direction, weaker ones first.
  std::vector<Strength> strengths(const std::vector<Ordering>& orderings, Strength given) const {
    const auto is_asked = [&](Strength strength) {
      return direction_ == Direction::weaker ? is_weaker_or_equal(strength, given)
                                             : is_weaker_or_equal(given, strength);
    };
    std::set<Scope> scopes(scopes_.scopes.begin(), scopes_.scopes.end());
    if (scopes_.keeps_system && given.scope == Scope::sys) scopes.clear();
    if (given.ordering != Ordering::none) scopes.insert(given.scope);
    std::vector<Strength> result;
    for (const Ordering ordering : orderings)
      for (const Scope scope : scopes) {
        const Strength strength{ordering, ordering == Ordering::none ? Scope::none : scope};
        if (is_asked(strength) && std::ranges::find(result, strength) == result.end())
          result.push_back(strength);
      }
    return result;
  }

  void add(StrengthPoint point) {
    if (!has_bounds(point)) return;
    point.given = direction_ == Direction::weaker ? point.levels.size() - 1 : 0;
    points_.push_back(std::move(point));
  }

  void add_annotation(const Annotation& annotation) {
    const bool is_fence = annotation.kind == Annotation::Kind::fence;
    const std::vector<Ordering> orderings = orderings_of(annotation.kind);
    if (std::ranges::find(orderings, annotation.strength.ordering) == orderings.end())
      return;  // `red.acquire` of the litmus dialect
    StrengthPoint point = new_point(false, is_fence);
    for (const Strength strength : strengths(orderings, annotation.strength)) {
      PointLevel level{strength, level_name(strength, is_fence), {}, cost_of(costs_, strength, is_fence)};
      const bool is_absent = is_fence && strength.ordering == Ordering::none;
      if (strength == annotation.strength)
        level.made = here();
      else if (!is_absent)
        level.made = with_strength(here(), annotation, strength);
      if (is_absent || level.made) point.levels.push_back(std::move(level));
    }
    add(std::move(point));
  }

  void add_gap(bool has_fence) {
    add_proxy_gaps();
    if (has_fence) return;
    StrengthPoint point = new_point(true, true);
    for (const Strength strength : strengths(orderings_of(Annotation::Kind::fence), {})) {
      PointLevel level{strength, level_name(strength, true), {}, cost_of(costs_, strength, true)};
      if (strength.ordering != Ordering::none) {
        level.made = fence_spelled(fence_spelling(strength), here().where);
        if (!level.made) continue;
      }
      point.levels.push_back(std::move(level));
    }
    add(std::move(point));
    add_proxy_gaps();
  }

  /// A fence of a proxy may have to stand before a releasing fence, or behind an acquiring one.
  void add_proxy_gaps() {
    for (const std::string& spelling : proxy_fences_) {
      StrengthPoint point = new_point(true, true);
      point.levels.push_back({{}, "none", {}, 0});
      if (auto fence = fence_spelled(spelling, here().where))
        point.levels.push_back({{Ordering::acq_rel, Scope::cta}, spelling, std::move(fence), costs_.fence});
      add(std::move(point));
    }
  }

  void add_proxy_fence() {
    if (direction_ == Direction::stronger) return;
    StrengthPoint point = new_point(false, true);
    point.levels.push_back({{}, "none", {}, 0});
    point.levels.push_back({{Ordering::acq_rel, Scope::cta}, here().form->spelling, here(), costs_.fence});
    add(std::move(point));
  }

  const Program& program_;
  const StrengthCosts& costs_;
  const Direction direction_;
  const DistinctScopes& scopes_;
  const std::set<std::string> proxy_fences_;
  std::size_t thread_ = 0;
  Target at_ = 0;
  std::set<Target> targets_;
  std::vector<StrengthPoint> points_;
};

}  // namespace

DistinctScopes distinct_scopes(const Program& program) {
  const auto includes_same = [&](int Placement::*narrow, int Placement::*wide) {
    return std::ranges::all_of(program.threads, [&](const Thread& a) {
      return std::ranges::all_of(program.threads, [&](const Thread& b) {
        return a.placement.*wide != b.placement.*wide || a.placement.*narrow == b.placement.*narrow;
      });
    });
  };
  const bool has_one_gpu = std::ranges::all_of(program.threads, [&](const Thread& thread) {
    return thread.placement.gpu == program.threads.front().placement.gpu;
  });
  std::vector<Scope> result = {Scope::cta};
  if (!includes_same(&Placement::cta, &Placement::cluster)) result.push_back(Scope::cluster);
  if (!includes_same(&Placement::cluster, &Placement::gpu)) result.push_back(Scope::gpu);
  if (!has_one_gpu) result.push_back(Scope::sys);
  return {result};
}

std::vector<StrengthPoint> points_to_weaken(const Program& program, const StrengthCosts& costs) {
  return points_to_weaken(program, costs, distinct_scopes(program));
}

std::vector<StrengthPoint> points_to_weaken(const Program& program, const StrengthCosts& costs,
                                            const DistinctScopes& scopes) {
  return Points(program, costs, scopes, Direction::weaker).all();
}

std::vector<StrengthPoint> points_to_strengthen(const Program& program, const StrengthCosts& costs) {
  return points_to_strengthen(program, costs, distinct_scopes(program));
}

std::vector<StrengthPoint> points_to_strengthen(const Program& program, const StrengthCosts& costs,
                                                const DistinctScopes& scopes) {
  return Points(program, costs, scopes, Direction::stronger).all();
}

bool has_bounds(const StrengthPoint& point) {
  if (point.levels.size() < 2) return false;
  const LevelOrder order = lattice_of({point}).front();
  const std::size_t last = point.levels.size() - 1;
  for (std::size_t level = 0; level <= last; ++level)
    if (!order.is_weaker_or_equal(0, level) || !order.is_weaker_or_equal(level, last)) return false;
  return true;
}

StrengthLattice lattice_of(const std::vector<StrengthPoint>& points) {
  StrengthLattice result;
  for (const StrengthPoint& point : points)
    result.emplace_back(point.levels.size(), [&](std::size_t a, std::size_t b) {
      return is_weaker_or_equal(point.levels[a].strength, point.levels[b].strength);
    });
  return result;
}

int cost_of(const std::vector<StrengthPoint>& points, const Assignment& assignment) {
  int sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    sum += static_cast<int>(points[i].levels[assignment[i]].cost) -
           static_cast<int>(points[i].levels[points[i].given].cost);
  return sum;
}

Program with_levels(const Program& program, const std::vector<StrengthPoint>& points,
                    const Assignment& assignment) {
  Program result = program;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const auto& written = program.threads[thread].code;
    auto& code = result.threads[thread].code;
    code.clear();
    std::vector<Target> moved;
    for (Target at = 0; at < written.size(); ++at) {
      moved.push_back(static_cast<Target>(code.size()));
      std::optional<Instruction> own = written[at];
      for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].thread != thread || points[i].instruction != at) continue;
        const auto& made = points[i].levels[assignment[i]].made;
        if (!points[i].is_inserted)
          own = made;
        else if (made)
          code.push_back(*made);
      }
      if (own) code.push_back(std::move(*own));
    }
    moved.push_back(static_cast<Target>(code.size()));
    for (Instruction& instruction : code)
      for (Operand& operand : instruction.operands)
        if (auto* label = std::get_if<Operand::Label>(&operand.is)) label->target = moved.at(label->target);
  }
  return result;
}

}  // namespace ptxmc
