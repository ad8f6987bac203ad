#include "src/kernel/unfolding/any_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "solver/limits/event_limit.hpp"
#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/threads/thread_proofs.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/unfolding/unfolded_thread.hpp"

namespace ptxmc::kernel {

namespace {

/// How often another size is tried after one that has no finding.
constexpr unsigned most_other_sizes = 8;

/// The values that a candidate gives to the open sizes of a launch.
struct ChosenSize {
  std::array<std::uint32_t, 3> grid = {}, block = {};
  std::vector<Bits> scalars;  ///< by parameter: a scalar on which a length depends; otherwise width 0

  std::uint64_t threads() const { return volume(grid) * volume(block); }
};

class AnySize {
 public:
  AnySize(const Launch& launch, const std::vector<LaunchProperty>& properties, const cat::Model& model,
          const DecideOptions& options, const CheckOne& check_one)
      : launch_(launch), open_(properties), model_(model), options_(options), check_one_(check_one) {}

  CheckedLaunch run() {
    static_cast<OpenedLaunch&>(result_) = open_launch_of_any_size(launch_);
    launch_ = result_.launch;
    result_.answer.engine = by_one_thread;
    std::string reason;
    try {
      decide();
      reason = reason_;
    } catch (const TooManyEvents& over) {
      reason = over.what();
    } catch (const Unsupported& unsupported) {
      reason = unsupported.where.line == 0
                   ? fmt::format("unsupported: {}", unsupported.what())
                   : fmt::format("unsupported: {} (line {})", unsupported.what(), unsupported.where.line);
    } catch (const OutOfTime& out) {
      reason = out.what();
    }
    for (const LaunchProperty property : open_) result_.answer.unknown.emplace(property, reason);
    std::ranges::stable_sort(result_.answer.findings, {}, &LaunchFinding::property);
    return std::move(result_);
  }

 private:
  void decide() {
    if (!can_stand_for_threads(model_)) throw Unsupported("a launch of any size under this model", {});
    unfolded_ = unfold_open_thread(*result_.loaded, launch_, *result_.graph, options_);
    result_.assumed_zero = unfolded_->assumed_zero;
    for (const Event& event : unfolded_->thread.structure.events)
      if (!event.condition.is_false()) result_.executed.push_back(event.instruction);
    for (unsigned round = 0; round < most_other_sizes && !open_.empty(); ++round) {
      const ThreadsAnswer answer = ask();
      std::erase_if(open_, [&](LaunchProperty property) { return answer.excluded.contains(property); });
      reason_ = answer.not_excluded.empty() ? "no execution of a launch of any size was found that shows it"
                                            : answer.not_excluded;
      if (open_.empty() || !show(answer.candidates)) break;
    }
  }

  /// Asks in a part of the time, so that candidates can be shown.
  ThreadsAnswer ask() {
    constexpr double part = 0.5, most_seconds = 240;
    const double left = TimeLimit::seconds_left();
    ThreadsAnswer answer;
    try {
      const TimeLimit limit(left > 0 ? std::min(part * left, most_seconds) : most_seconds,
                            options_.interrupted);
      decide_by_threads(unfolded_->thread, open_, options_, *result_.graph, answer);
    } catch (const OutOfTime& out) {
      answer.not_excluded = out.what();
    }
    if (!launch_.final_condition.empty()) answer.excluded.erase(LaunchProperty::assertion);
    return answer;
  }

  /// Whether something new is known: a finding, or a size without one.
  bool show(const std::vector<OpenCandidate>& candidates) {
    std::vector<ChosenSize> sizes;
    for (const OpenCandidate& candidate : candidates) sizes.push_back(size_of(candidate));
    std::ranges::stable_sort(sizes, {}, &ChosenSize::threads);
    bool is_new = false;
    for (const ChosenSize& size : sizes) {
      if (open_.empty()) return true;
      const Bits is_this = has_size(size);
      if (std::ranges::any_of(tried_, [&](const Bits& one) { return identical(one, is_this); })) continue;
      tried_.push_back(is_this);
      is_new = try_size(size) || is_new;
      if (!result_.answer.findings.empty() && !options_.all_findings) return false;
    }
    return is_new;
  }

  bool try_size(const ChosenSize& size) {
    DecideOptions options = options_;
    options.timeout_seconds = TimeLimit::seconds_left();
    auto checked = std::make_unique<CheckedLaunch>(check_one_(launch_of(size), open_, options));
    if (checked->answer.findings.empty()) {
      if (!checked->answer.unknown.empty()) return false;
      unfolded_->thread.assumption = unfolded_->thread.assumption & ~has_size(size);
      return true;
    }
    for (LaunchFinding& finding : checked->answer.findings) {
      add_sizes(finding.inputs, size);
      std::erase(open_, finding.property);
      result_.answer.findings.push_back(std::move(finding));
    }
    result_.at_sizes.push_back(std::move(checked));
    return true;
  }

  bool decides_a_size(const Bits& scalar) const {
    return scalar.width() != 0 && std::ranges::any_of(unfolded_->thread.open_sizes, [&](const Bits& size) {
             return identical(size, scalar);
           });
  }

  ChosenSize size_of(const OpenCandidate& candidate) const {
    ChosenSize result{candidate.grid, candidate.block, {}};
    const std::vector<Bits>& inputs = unfolded_->thread.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      result.scalars.push_back(decides_a_size(inputs[i]) ? candidate.inputs[i] : Bits());
    return result;
  }

  Launch launch_of(const ChosenSize& size) const {
    Launch result = launch_;
    result.open_grid = result.open_block = {};
    result.grid = size.grid;
    result.block = size.block;
    for (std::size_t i = 0; i < size.scalars.size(); ++i)
      if (size.scalars[i].width() != 0)
        std::get<ScalarParameter>(result.parameters[i].is).value = size.scalars[i].to_u64();
    return result;
  }

  Bits has_size(const ChosenSize& size) const {
    const OpenThread& thread = unfolded_->thread;
    Bits result = Bits::boolean(true);
    for (std::size_t i = 0; i < 3; ++i)
      result = result & equal(thread.nctaid[i], Bits(32, size.grid[i])) &
               equal(thread.ntid[i], Bits(32, size.block[i]));
    for (std::size_t i = 0; i < size.scalars.size(); ++i)
      if (size.scalars[i].width() != 0) result = result & equal(thread.inputs[i], size.scalars[i]);
    return result;
  }

  /// Findings name the sizes behind their inputs.
  void add_sizes(Inputs& inputs, const ChosenSize& size) const {
    const Type u32 = type_of(*Modifier::find(".u32"));
    for (std::size_t i = 0; i < size.scalars.size(); ++i)
      if (size.scalars[i].width() != 0)
        inputs.push_back({launch_.parameters[i].name,
                          std::get<ScalarParameter>(launch_.parameters[i].is).element.type, size.scalars[i]});
    for (std::size_t i = 0; i < 3; ++i)
      if (launch_.open_block[i])
        inputs.push_back({fmt::format("block.{}", "xyz"[i]), u32, Bits(32, size.block[i])});
    for (std::size_t i = 0; i < 3; ++i)
      if (launch_.open_grid[i])
        inputs.push_back({fmt::format("grid.{}", "xyz"[i]), u32, Bits(32, size.grid[i])});
  }

  Launch launch_;
  std::vector<LaunchProperty> open_;
  const cat::Model& model_;
  const DecideOptions& options_;
  const CheckOne& check_one_;
  CheckedLaunch result_;
  std::unique_ptr<UnfoldedThread> unfolded_;
  std::vector<Bits> tried_;
  std::string reason_;  // why properties are open
};

}  // namespace

CheckedLaunch check_any_size(const Launch& launch, const std::vector<LaunchProperty>& properties,
                             const cat::Model& model, const DecideOptions& options,
                             const CheckOne& check_one) {
  const Stopwatch stopwatch;
  const TimeLimit limit(options.timeout_seconds, options.interrupted);
  const MemoryLimit memory(options.memory_bytes);
  CheckedLaunch result = AnySize(launch, properties, model, options, check_one).run();
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace ptxmc::kernel
