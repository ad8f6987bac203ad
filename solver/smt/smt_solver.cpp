#include "solver/smt/smt_solver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "solver/limits/memory_limit.hpp"
#include "solver/smt/smt_terms.hpp"

namespace ptxmc {
namespace {

using Clock = std::chrono::steady_clock;

/// Loads the library of Z3, unless this program or library is linked with it. Throws std::runtime_error if it
/// is missing.
void load_z3() {
  if (dlsym(RTLD_DEFAULT, "Z3_mk_config") != nullptr) return;
  static void* const library = dlopen(PTXMC_Z3_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (!library) throw std::runtime_error(fmt::format("Z3 cannot be loaded: {}", dlerror()));
}

std::unique_ptr<z3::context> new_context() {
  load_z3();
  return std::make_unique<z3::context>();
}

/// Interrupts Z3 when the work is interrupted or the process has more memory than the limit of this thread:
/// Z3 checks for neither, and `memory_max_size` limits only its own memory.
class Watch {
 public:
  Watch(z3::context& context, const std::atomic<bool>* interrupted, std::atomic<bool>& is_out_of_memory)
      : context_(context),
        interrupted_(interrupted),
        memory_bytes_(MemoryLimit::bytes()),
        is_out_of_memory_(is_out_of_memory) {
    if (interrupted_ || memory_bytes_ != 0) thread_ = std::thread([this] { look_until_done(); });
  }
  ~Watch() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void look_until_done() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      if (memory_bytes_ != 0 && needs_more_than(memory_bytes_)) is_out_of_memory_ = true;
      if (is_out_of_memory_ || (interrupted_ && interrupted_->load())) context_.interrupt();
      wake_.wait_for(lock, std::chrono::milliseconds(20));
    }
  }

  z3::context& context_;
  const std::atomic<bool>* interrupted_;
  const std::uint64_t memory_bytes_;
  std::atomic<bool>& is_out_of_memory_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

/// A context of Z3. Contexts are reused, since creating one takes longer than a small test. A context that
/// has run out of memory is not reused.
class Context {
 public:
  Context() : context_(take_free()) {
    if (!context_) context_ = new_context();
  }
  ~Context() {
    if (is_broken_) return;
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(context_));
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  z3::context& operator*() { return *context_; }
  void set_broken() { is_broken_ = true; }

 private:
  static std::unique_ptr<z3::context> take_free() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<z3::context> context = std::move(free_.back());
    free_.pop_back();
    return context;
  }

  static std::mutex mutex_;
  static std::vector<std::unique_ptr<z3::context>> free_;  // at most as many as solvers existed at one time
  std::unique_ptr<z3::context> context_;
  bool is_broken_ = false;
};

std::mutex Context::mutex_;
std::vector<std::unique_ptr<z3::context>> Context::free_;

}  // namespace

struct SmtSolver::Conversation {
  Conversation(const Limits& limits, FloatingPoint floating_point, std::shared_ptr<Context> used)
      : limits(limits),
        used_context(std::move(used)),
        context(**used_context),
        terms(context),
        solver(context, "QF_FD"),
        rounds(floating_point == FloatingPoint::by_examples ? 12 : 0) {}

  /// Adds a condition to all solvers.
  void assert_always(const z3::expr& condition) {
    asserted.push_back(condition);
    solver.add(condition);
    if (exact) exact->add(condition);
  }

  z3::expr translate(const Bits& condition) {
    const z3::expr result = terms.translate(condition);
    for (const z3::expr& bound : terms.take_bounds()) assert_always(bound);
    return result;
  }

  /// A literal that is equivalent to a condition, since assumptions of Z3 must be literals.
  z3::expr literal(const Bits& condition) {
    const std::uint32_t number = condition.term()->number;
    const auto known = literals.find(number);
    if (known != literals.end()) return known->second;
    const z3::expr formula = translate(condition);
    const z3::expr name = context.bool_const(("a" + std::to_string(number)).c_str());
    assert_always(z3::implies(name, formula));
    literals.emplace(number, name);
    return name;
  }

  /// Whether time is left.
  bool set_time_limit(z3::solver& asked) {
    constexpr unsigned unlimited = 0xffffffff;
    if (limits.timeout_seconds <= 0 && !times.deadline && !times.had_deadline) return true;
    double left = std::numeric_limits<double>::infinity();
    const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    if (limits.timeout_seconds > 0) left = limits.timeout_seconds - seconds(Clock::now() - times.start);
    if (times.deadline) left = std::min(left, seconds(*times.deadline - Clock::now()));
    if (left <= 0) return false;
    z3::params parameters(context);
    parameters.set("timeout",
                   left * 1000 < unlimited - 1 ? static_cast<unsigned>(left * 1000) + 1 : unlimited);
    asked.set(parameters);
    return true;
  }

  std::string explain(const std::string& z3_reason) const {
    if (limits.interrupted && limits.interrupted->load()) return "interrupted";
    if (is_out_of_memory || z3_reason.find("memory") != std::string::npos) return "memory limit";
    if (z3_reason.find("timeout") != std::string::npos || z3_reason.find("canceled") != std::string::npos)
      return "timeout";
    return "solver: " + z3_reason;
  }

  Result ask(z3::solver& asked, z3::expr_vector& conditions) {
    model.reset();
    if (!set_time_limit(asked)) reason = "timeout";
    if (limits.interrupted && limits.interrupted->load()) reason = "interrupted";
    if (!reason.empty()) return Result::unknown;
    const z3::check_result result = asked.check(conditions);
    if (result == z3::unsat) return Result::unsatisfiable;
    if (result == z3::sat) {
      model.emplace(asked.get_model());
      return Result::satisfiable;
    }
    reason = explain(asked.reason_unknown());
    if (times.deadline && reason == "timeout") begin_again(asked);
    return Result::unknown;
  }

  /// Z3 goes on from where it gave up, and may need minutes for a question that is easy by itself.
  void begin_again(const z3::solver& asked) {
    if (&asked == &solver) {
      solver = z3::solver(context, "QF_FD");
      for (const z3::expr& condition : asserted) solver.add(condition);
    } else {
      exact.reset();
      defined = 0;
    }
  }

  /// Circuits of floating-point operations are hard for Z3 and seldom matter. At first their results are
  /// unconstrained. If a result in Z3's assignment is wrong for its operands, the correct result for these
  /// operands is added as an example, and Z3 is asked again.
  Result decide(z3::expr_vector& conditions) {
    for (unsigned round = 0; round < rounds; ++round) {
      const Result result = ask(solver, conditions);
      if (result != Result::satisfiable) return result;
      const std::optional<z3::expr> same_operands = learn_examples();
      if (!same_operands) return result;
      z3::expr_vector tried(context);
      for (const z3::expr& condition : conditions) tried.push_back(condition);
      tried.push_back(*same_operands);
      if (ask(solver, tried) == Result::satisfiable && !learn_examples()) return Result::satisfiable;
    }
    return ask(exact_solver(), conditions);
  }

  /// Adds examples for wrong results in Z3's model. Returns a literal that keeps the operands of all
  /// operations; empty if no result is wrong.
  std::optional<z3::expr> learn_examples() {
    if (terms.float_operations().empty()) return std::nullopt;
    Substitution values = model_values();
    if (std::ranges::all_of(terms.float_operations(),
                            [&](const FloatOperation& operation) { return is_right(operation, values); }))
      return std::nullopt;
    const z3::expr same_operands = new_literal();
    for (const FloatOperation& operation : terms.float_operations()) {
      const z3::expr operands = operands_are(*operation.term, values);
      assert_always(z3::implies(same_operands, operands));
      if (!is_right(operation, values))
        assert_always(z3::implies(operands, operation.result == number(operation, values)));
    }
    return same_operands;
  }

  /// The result of an operation, computed by semantics/.
  z3::expr number(const FloatOperation& operation, Substitution& values) {
    const Bits result = values.apply(Bits(operation.term));
    return terms.constant(result.width(), result.value());
  }

  bool is_right(const FloatOperation& operation, Substitution& values) {
    return z3::eq(model->eval(operation.result, true), number(operation, values));
  }

  z3::expr operands_are(const Term& operation, Substitution& values) {
    z3::expr all = context.bool_val(true);
    for (unsigned i = 0; i < operation.arity(); ++i) {
      const Bits operand(operation.operands[i]);
      const Bits value = values.apply(operand);
      all = all && terms.translate(operand) == terms.constant(value.width(), value.value());
    }
    return all;
  }

  z3::expr new_literal() {
    return z3::to_expr(context, Z3_mk_fresh_const(context, "same", context.bool_sort()));
  }

  Substitution model_values() {
    Substitution values;
    for (VariableId id = 0; id < terms.variables().size(); ++id)
      if (const auto& variable = terms.variables()[id]) values.set(id, value(id, width_of(*variable)));
    for (const auto& [term, variable] : terms.approximations())
      values.replace(Bits(term), value(variable, term->width));
    return values;
  }

  static unsigned width_of(const z3::func_decl& variable) {
    return variable.range().is_bool() ? 1 : variable.range().bv_size();
  }

  /// The solver in which floating-point operations are defined by Z3's theory.
  z3::solver& exact_solver() {
    if (terms.float_operations().empty()) return solver;
    if (!exact) {
      exact.emplace(context, "QF_FD");
      for (const z3::expr& condition : asserted) exact->add(condition);
    }
    for (; defined < terms.float_operations().size(); ++defined)
      exact->add(terms.definition(terms.float_operations()[defined]));
    return *exact;
  }

  /// The value in Z3's model. A variable that does not occur in the formulas may have any value.
  Bits value(VariableId id, unsigned width) const {
    const auto& variables = terms.variables();
    if (id >= variables.size() || !variables[id] || !model->has_interp(*variables[id])) return Bits(width, 0);
    const z3::expr value = model->get_const_interp(*variables[id]);
    if (width == 1) return Bits::boolean(value.is_true());
    u128 result = 0;
    for (unsigned low = 0; low < width; low += 64) {
      const unsigned high = std::min(low + 63, width - 1);
      const auto part = value.extract(high, low).simplify();
      result |= static_cast<u128>(part.get_numeral_uint64()) << low;
    }
    return Bits(width, result);
  }

  Limits limits;
  struct Times {
    Clock::time_point start = Clock::now();
    std::optional<Clock::time_point> deadline = {};  // of the checks until limit_checks
    bool had_deadline = false;
  };
  Times times;
  std::shared_ptr<Context> used_context;
  z3::context& context;
  SmtTerms terms;
  std::vector<z3::expr> asserted;
  z3::solver solver;                // all conditions except the definitions of floating-point operations
  std::optional<z3::solver> exact;  // all conditions
  std::size_t defined = 0;          // number of operations defined in `exact`
  unsigned rounds;                  // remaining rounds in which examples are added
  std::map<std::uint32_t, z3::expr> literals;  // by number of the term
  std::optional<z3::model> model;
  std::atomic<bool> is_out_of_memory = false;  // during a check
  std::string failure;  // the error of a failed addition, after which no answer is valid
  std::string reason;
};

SmtSolver::SmtSolver(const Limits& limits, FloatingPoint floating_point, const SmtSolver* beside) {
  if (limits.memory_bytes > 0) {
    load_z3();
    z3::set_param("memory_max_size", static_cast<int>(limits.memory_bytes >> 20));
  }
  conversation_ = std::make_unique<Conversation>(
      limits, floating_point,
      beside != nullptr ? beside->conversation_->used_context : std::make_shared<Context>());
}

SmtSolver::~SmtSolver() = default;

void SmtSolver::add(const Bits& condition) {
  if (condition.is_true()) return;
  try {
    conversation_->assert_always(conversation_->translate(condition));
  } catch (const z3::exception& error) {
    conversation_->failure = conversation_->explain(error.msg());
    conversation_->used_context->set_broken();
  }
}

SmtSolver::Result SmtSolver::check(std::span<const Bits> assumptions) {
  Conversation& c = *conversation_;
  c.reason = c.failure;
  c.is_out_of_memory = false;
  const Watch watch(c.context, c.limits.interrupted, c.is_out_of_memory);
  try {
    z3::expr_vector conditions(c.context);
    for (const Bits& assumption : assumptions) {
      if (assumption.is_false()) return Result::unsatisfiable;
      if (!assumption.is_true()) conditions.push_back(c.literal(assumption));
    }
    return c.decide(conditions);
  } catch (const z3::exception& error) {
    c.reason = c.explain(error.msg());
    c.used_context->set_broken();
    return Result::unknown;
  }
}

void SmtSolver::limit_checks(double seconds) {
  Conversation& c = *conversation_;
  c.times.had_deadline = c.times.had_deadline || seconds > 0;
  c.times.deadline.reset();
  if (seconds > 0)
    c.times.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

const std::string& SmtSolver::reason() const { return conversation_->reason; }

Bits SmtSolver::value(VariableId id, unsigned width) const { return conversation_->value(id, width); }

}  // namespace ptxmc
