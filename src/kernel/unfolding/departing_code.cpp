#include "src/kernel/unfolding/departing_code.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "semantics/values/arithmetic.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc::kernel {

namespace {

/// The set of lanes: those in `others`, as far as they exist, and the own one.
Bits with_own(const Bits& others, DepartingCodes::Lanes lanes) {
  const auto bit = [&](unsigned lane) {
    if (lane == lanes.own) return Bits::boolean(true);
    return (lanes.all >> lane & 1) != 0 ? others.extract(lane, 1) : Bits::boolean(false);
  };
  Bits result = bit(0);
  for (unsigned lane = 1; lane < lanes_per_warp; ++lane) result = concat(bit(lane), result);
  return result;
}

}  // namespace

/// Executes the code on all paths. Any effect that departing code does not have is an UnhandledEffect.
class DepartingCodes::Reader final : Effects {
 public:
  Reader(DepartingCodes& codes, const FunctionBody& body, Lanes lanes)
      : codes_(codes),
        body_(body),
        lanes_(lanes),
        active_(with_own(codes.active_, lanes)),
        together_(with_own(codes.together_, lanes)) {}

  std::optional<DepartingCode> read(Target activemask, const std::vector<Bits>& registers) try {
    before_ = registers;
    enter(activemask, {Bits::boolean(true), registers, false});
    while (!has_ended()) {
      auto next = waiting_.extract(waiting_.begin());
      path_ = std::move(next.mapped().second);
      step(next.mapped().first);
    }
    result_.end = waiting_.begin()->second.first;
    result_.registers = std::move(waiting_.begin()->second.second.registers);
    return codes_.is_impossible(is_wrong()) ? std::optional(std::move(result_)) : std::nullopt;
  } catch (const UnhandledEffect&) {
    return std::nullopt;
  } catch (const Unsupported&) {
    return std::nullopt;
  }

 private:
  struct Path {
    Bits condition;
    std::vector<Bits> registers;
    bool has_released = false;  // a fence
  };

  // ---- paths ----

  /// Whether all paths are at one instruction, behind which nothing depends on the other lanes and the
  /// counter.
  bool has_ended() const {
    if (!counts_ || waiting_.size() != 1) return false;
    const auto& [node, path] = waiting_.begin()->second;
    const auto& live = body_.live[node];
    for (RegisterId id = 0; id < path.registers.size(); ++id)
      if (live[id] && !path.registers[id].is_constant() && !identical(path.registers[id], before_[id]))
        return false;
    return true;
  }

  void enter(Target node, Path path) {
    const auto [there, is_new] = waiting_.try_emplace(body_.flow.position(node), node, path);
    if (is_new) return;
    Path& into = there->second.second;
    for (std::size_t i = 0; i < into.registers.size(); ++i)
      into.registers[i] = ite(into.condition, into.registers[i], path.registers[i]);
    into.has_released = into.has_released && path.has_released;
    into.condition = into.condition | path.condition;
  }

  void leave(Target from, Target to, Path path) {
    if (body_.flow.is_back_edge(from, to)) throw UnhandledEffect();
    enter(to, std::move(path));
  }

  void step(Target node) {
    if (node >= body_.code.size()) throw UnhandledEffect();
    instruction_ = &body_.code[node];
    if (instruction_->guard) {
      const Bits& predicate = path_.registers[instruction_->guard->predicate];
      const Bits holds = instruction_->guard->negated ? ~predicate : predicate;
      if (!holds.is_true()) {
        Path skipped = path_;
        skipped.condition = skipped.condition & ~holds;
        leave(node, node + 1, std::move(skipped));
      }
      if (holds.is_false()) return;
      path_.condition = path_.condition & holds;
    }
    Target next = node + 1;
    target_ = &next;
    execute(*instruction_, path_.registers, *this);
    leave(node, next, std::move(path_));
  }

  // ---- what is proved ----

  /// The condition that the code does anything else than to depart or to join: of the lanes that are
  /// together, only the lowest one changes the counter, by their number; an mbarrier is only invalidated
  /// where a departure makes the counter zero.
  Bits is_wrong() const {
    const Bits below(lanes_per_warp, (std::uint64_t{1} << lanes_.own) - 1);
    const Bits is_lowest = is_zero(together_ & below);
    const Bits size = population_count(together_).resize_unsigned(lanes_per_warp);
    if (result_.joins)
      return (*counts_ ^ is_lowest) | ~equal(left_, codes_.count_ + size) | invalidates_ |
             Bits::boolean(has_fence_);
    return (*counts_ ^ is_lowest) | ~equal(left_ + size, codes_.count_) |
           (invalidates_ & ~(is_lowest & is_zero(left_)));
  }

  // ---- effects ----

  ExchangedValues exchange(const Exchange& exchange) override {
    const std::string_view opcode = instruction_->form->line->opcode;
    const bool is_mask = opcode == "activemask" && !has_mask_;
    const bool is_match = opcode == "match" && instruction_->form->has(".any") && has_mask_ && !has_name_ &&
                          identical(*exchange.members, active_) && exchange.values[0].is_constant();
    if (!is_mask && !is_match) throw UnhandledEffect();
    has_mask_ = true;
    has_name_ = is_match;
    if (is_match) result_.name = exchange.values[0].to_u64();
    const Bits& taking_part = is_match ? together_ : active_;
    ExchangedValues values(lanes_per_warp, exchange.values.size());
    values.own = Bits(32, lanes_.own);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      values.add(lane, exchange.values, taking_part.extract(lane, 1));
    return values;
  }

  void fence(const Fence& fence) override {
    has_fence_ = true;
    const bool releases = fence.sem == Sem::sc || fence.sem == Sem::acq_rel || fence.sem == Sem::release;
    if (!fence.is_proxy_fence && releases && fence.restriction == Fence::Restriction::none)
      path_.has_released = true;
  }

  Bits read_modify_write(const Access& access, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const bool releases = path_.has_released || access.sem == Sem::acq_rel;
    const bool acquires = access.sem == Sem::acquire || access.sem == Sem::acq_rel;
    const bool is_mbarrier = access.mbarrier != MbarrierAccess::none;
    result_.joins = access.sem == Sem::relaxed && !has_fence_;
    if (!has_name_ || counts_ || is_mbarrier || !((releases && acquires) || result_.joins) ||
        !address.is_constant() || width != lanes_per_warp)
      throw UnhandledEffect();
    const Update updated = update(codes_.count_);
    if (!updated.happens.is_true()) throw UnhandledEffect();
    result_.counter = {access, address};
    left_ = updated.value;
    counts_ = path_.condition;
    return codes_.count_;
  }

  void write(const Access& access, const Bits& address, const Bits&) override {
    if (access.mbarrier != MbarrierAccess::inval || !address.is_constant()) throw UnhandledEffect();
    result_.objects.push_back({access, address});
    invalidates_ = invalidates_ | path_.condition;
  }

  Bits unspecified(unsigned width) override { return codes_.graph_.variable(width, "unspecified"); }
  void jump(Target target) override { *target_ = target; }

  Bits read(const Access&, const Bits&, unsigned) override { throw UnhandledEffect(); }
  void exit() override { throw UnhandledEffect(); }
  void trap() override { throw UnhandledEffect(); }
  void launch_dependents() override { throw UnhandledEffect(); }
  void wait(const Wait&) override { throw UnhandledEffect(); }
  void learn_response(const Bits&) override { throw UnhandledEffect(); }
  std::uint32_t ctas_of_cluster() override { throw UnhandledEffect(); }
  Bits cta_rank() override { throw UnhandledEffect(); }

  DepartingCodes& codes_;
  const FunctionBody& body_;
  const Lanes lanes_;
  const Bits active_, together_;
  std::vector<Bits> before_;
  std::map<unsigned, std::pair<Target, Path>> waiting_;  // by position in the order of the code
  Path path_;                                            // the current one
  const Instruction* instruction_ = nullptr;
  Target* target_ = nullptr;
  bool has_mask_ = false, has_name_ = false, has_fence_ = false;
  std::optional<Bits> counts_;               // the condition that it changes the counter
  Bits left_;                                // in the counter, afterwards
  Bits invalidates_ = Bits::boolean(false);  // the condition
  DepartingCode result_;
};

DepartingCodes::DepartingCodes(TermGraph& graph)
    : graph_(graph),
      active_(graph.variable(lanes_per_warp, "active")),
      together_(graph.variable(lanes_per_warp, "together")),
      count_(graph.variable(lanes_per_warp, "count")) {}

std::optional<DepartingCode> DepartingCodes::read(const FunctionBody& body, Target activemask,
                                                  const std::vector<Bits>& registers, Lanes lanes) {
  return Reader(*this, body, lanes).read(activemask, registers);
}

bool DepartingCodes::is_impossible(const Bits& condition) {
  if (condition.is_constant()) return condition.is_false();
  const auto [known, is_new] = known_.try_emplace(condition.term(), false);
  if (is_new) {
    constexpr double most_seconds = 2;
    SmtSolver solver({.timeout_seconds = most_seconds});
    known->second = solver.check({&condition, 1}) == SmtSolver::Result::unsatisfiable;
  }
  return known->second;
}

}  // namespace ptxmc::kernel
