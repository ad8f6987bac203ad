#include "solver/smt_solver.hpp"

// Z3 is loaded when it is first used, for to load it takes half of what a small question takes without it:
// its functions are weak, so that the program starts without them (cmake/libraries.cmake).
#define Z3_API __attribute__((weak, visibility("default")))
#include <dlfcn.h>
#include <fmt/format.h>
#include <z3++.h>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "semantics/approximation.hpp"
#include "semantics/float_operations.hpp"

namespace ptxmc {
namespace {

using Clock = std::chrono::steady_clock;

/// Makes the functions of Z3 those of the library. Throws std::runtime_error without it.
void load_z3() {
  static void* const library = dlopen(PTXMC_Z3_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (!library) throw std::runtime_error(fmt::format("Z3 cannot be loaded: {}", dlerror()));
}

std::unique_ptr<z3::context> new_context() {
  load_z3();
  return std::make_unique<z3::context>();
}

/// Passes an interruption on to Z3, which looks at nothing else while it works.
class InterruptWatch {
 public:
  InterruptWatch(z3::context& context, const std::atomic<bool>* interrupted) {
    if (!interrupted) return;
    thread_ = std::thread([this, &context, interrupted] {
      std::unique_lock lock(mutex_);
      while (!done_) {
        if (interrupted->load()) context.interrupt();
        wake_.wait_for(lock, std::chrono::milliseconds(20));
      }
    });
  }
  ~InterruptWatch() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

/// A context of Z3 that this thread uses again: making one costs more than a small test. One that has run
/// out of memory is not used again.
class Context {
 public:
  Context() : context_(free_ ? std::move(free_) : new_context()) {}
  ~Context() {
    if (!is_broken_ && !free_) free_ = std::move(context_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  z3::context& operator*() { return *context_; }
  void set_broken() { is_broken_ = true; }

 private:
  static thread_local std::unique_ptr<z3::context> free_;
  std::unique_ptr<z3::context> context_;
  bool is_broken_ = false;
};

thread_local std::unique_ptr<z3::context> Context::free_;

}  // namespace

struct SmtSolver::Conversation {
  explicit Conversation(const Limits& limits)
      : limits(limits), start(Clock::now()), context(*own_context), solver(context, "QF_FD") {}

  // Width 1 is Bool, every other width a bit-vector.

  z3::expr translate(const Bits& bits) {
    if (bits.is_constant()) return constant(bits.width(), bits.value());
    translate_below(bits.term());
    return *translated[bits.term()->number];
  }

  z3::expr constant(unsigned width, u128 value) {
    if (width == 1) return context.bool_val(value != 0);
    const auto low = context.bv_val(static_cast<std::uint64_t>(value), std::min(width, 64U));
    if (width <= 64) return low;
    return z3::concat(context.bv_val(static_cast<std::uint64_t>(value >> 64), width - 64), low);
  }

  /// Operands first, without recursion: terms may be deep.
  void translate_below(const Term* root) {
    std::vector<const Term*> work{root};
    while (!work.empty()) {
      const Term* term = work.back();
      if (term->number >= translated.size()) translated.resize(term->number + 1);
      if (translated[term->number]) {
        work.pop_back();
        continue;
      }
      const std::size_t before = work.size();
      for (unsigned i = 0; i < term->arity(); ++i) {
        const Term* operand = term->operands[i];
        if (operand->number >= translated.size() || !translated[operand->number]) work.push_back(operand);
      }
      if (work.size() != before) continue;
      translated[term->number] = translate_node(*term);
      work.pop_back();
    }
  }

  z3::expr operand(const Term& term, unsigned i) { return *translated[term.operands[i]->number]; }

  z3::expr as_vector(const z3::expr& e) {
    return e.is_bool() ? z3::ite(e, context.bv_val(1, 1), context.bv_val(0, 1)) : e;
  }

  z3::expr as_natural(const z3::expr& e) {
    return e.is_bv() && e.get_sort().bv_size() == 1 ? e == context.bv_val(1, 1) : e;
  }

  z3::expr translate_node(const Term& term) {
    switch (term.op) {
      case Operator::constant:
        return constant(term.width, term.value);
      case Operator::variable:
        return variable(term.variable, term.width);
      case Operator::ite:
        return z3::ite(operand(term, 0), operand(term, 1), operand(term, 2));
      case Operator::equal:
        return operand(term, 0) == operand(term, 1);
      default:
        return term.width == 1 && operand(term, 0).is_bool() ? translate_boolean(term)
                                                             : as_natural(translate_vector(term));
    }
  }

  z3::expr translate_boolean(const Term& term) {
    switch (term.op) {
      case Operator::bit_not:
        return !operand(term, 0);
      case Operator::bit_and:
        return operand(term, 0) && operand(term, 1);
      case Operator::bit_or:
        return operand(term, 0) || operand(term, 1);
      case Operator::bit_xor:
        return operand(term, 0) != operand(term, 1);
      default:
        return as_natural(translate_vector(term));
    }
  }

  z3::expr translate_vector(const Term& term) {
    const z3::expr a = as_vector(operand(term, 0));
    const auto b = [&] { return as_vector(operand(term, 1)); };
    switch (term.op) {
      case Operator::bit_not:
        return ~a;
      case Operator::bit_and:
        return a & b();
      case Operator::bit_or:
        return a | b();
      case Operator::bit_xor:
        return a ^ b();
      case Operator::negate:
        return -a;
      case Operator::add:
        return a + b();
      case Operator::subtract:
        return a - b();
      case Operator::multiply:
        return a * b();
      case Operator::divide_unsigned:
        return z3::udiv(a, b());
      case Operator::remainder_unsigned:
        return z3::urem(a, b());
      case Operator::divide_signed:
        return a / b();
      case Operator::remainder_signed:
        return z3::srem(a, b());
      case Operator::shift_left:
      case Operator::shift_right_unsigned:
      case Operator::shift_right_signed:
        return translate_shift(term.op, a, b());
      case Operator::concat:
        return z3::concat(a, b());
      case Operator::extract:
        return a.extract(term.low + term.width - 1, term.low);
      case Operator::zero_extend:
        return z3::zext(a, term.width - a.get_sort().bv_size());
      case Operator::sign_extend:
        return z3::sext(a, term.width - a.get_sort().bv_size());
      case Operator::less_unsigned:
        return z3::ult(a, b());
      case Operator::less_equal_unsigned:
        return z3::ule(a, b());
      case Operator::less_signed:
        return a < b();
      case Operator::less_equal_signed:
        return a <= b();
      default:
        return translate_float(term, a);
    }
  }

  // ---- floating point: Z3's theory, with bit-vectors outside ----

  z3::expr expr(Z3_ast ast) { return z3::to_expr(context, ast); }

  z3::sort float_sort(FloatFormat format) {
    const FloatLayout layout = layout_of(format);
    return context.fpa_sort(layout.exponent, layout.precision());
  }

  z3::expr as_float(FloatFormat format, const z3::expr& bits) {
    return expr(Z3_mk_fpa_to_fp_bv(context, bits, float_sort(format)));
  }

  /// The standard leaves the bits of a NaN open; ours is the canonical one.
  z3::expr as_bits(FloatFormat format, const z3::expr& number) {
    const Bits nan = canonical_nan(format);
    return z3::ite(expr(Z3_mk_fpa_is_nan(context, number)), constant(nan.width(), nan.value()),
                   expr(Z3_mk_fpa_to_ieee_bv(context, number)));
  }

  z3::expr rounding_mode(Rounding rounding) {
    switch (rounding) {
      case Rounding::nearest_even:
        return expr(Z3_mk_fpa_rne(context));
      case Rounding::nearest_away:
        return expr(Z3_mk_fpa_rna(context));
      case Rounding::toward_zero:
        return expr(Z3_mk_fpa_rtz(context));
      case Rounding::downward:
        return expr(Z3_mk_fpa_rtn(context));
      case Rounding::upward:
        return expr(Z3_mk_fpa_rtp(context));
    }
    throw std::logic_error("a rounding mode without translation to Z3");
  }

  z3::expr translate_float(const Term& term, const z3::expr& a) {
    use_floating_point();
    const z3::expr mode = rounding_mode(term.rounding);
    const z3::sort sort = float_sort(term.format);
    const auto bits = [&](Z3_ast number) { return as_bits(term.format, expr(number)); };
    const auto x = [&](unsigned i) { return as_float(term.format, as_vector(operand(term, i))); };
    switch (term.op) {
      case Operator::float_add:
        return bits(Z3_mk_fpa_add(context, mode, x(0), x(1)));
      case Operator::float_multiply:
        return bits(Z3_mk_fpa_mul(context, mode, x(0), x(1)));
      case Operator::float_divide:
        return bits(Z3_mk_fpa_div(context, mode, x(0), x(1)));
      case Operator::float_multiply_add:
        return bits(Z3_mk_fpa_fma(context, mode, x(0), x(1), x(2)));
      case Operator::float_square_root:
        return bits(Z3_mk_fpa_sqrt(context, mode, x(0)));
      case Operator::float_round_to_integral:
        return bits(Z3_mk_fpa_round_to_integral(context, mode, x(0)));
      case Operator::float_convert:
        return bits(Z3_mk_fpa_to_fp_float(context, mode, as_float(term.from, a), sort));
      case Operator::float_from_unsigned:
        return bits(Z3_mk_fpa_to_fp_unsigned(context, mode, a, sort));
      case Operator::float_from_signed:
        return bits(Z3_mk_fpa_to_fp_signed(context, mode, a, sort));
      case Operator::float_to_unsigned:
        return to_integer(term, x(0), false);
      case Operator::float_to_signed:
        return to_integer(term, x(0), true);
      case Operator::float_approximate:
        return approximation(term);
      default:
        throw std::logic_error("a term without translation to Z3");
    }
  }

  /// 2^power as a number of the format; infinite where it has none so large.
  z3::expr power_of_2(FloatFormat format, unsigned power, bool is_negative) {
    const double value = std::ldexp(is_negative ? -1.0 : 1.0, static_cast<int>(power));
    const z3::expr number = expr(Z3_mk_fpa_numeral_double(context, value, float_sort(FloatFormat::f64)));
    return expr(Z3_mk_fpa_to_fp_float(context, rounding_mode(Rounding::nearest_even), number,
                                      float_sort(format)))
        .simplify();
  }

  /// Rounded, then clamped to the integers of the width; NaN is 0.
  z3::expr to_integer(const Term& term, const z3::expr& number, bool is_signed) {
    const unsigned width = term.width;
    const u128 highest = (u128{1} << (is_signed ? width - 1 : width)) - 1;
    const z3::expr integer = expr(Z3_mk_fpa_round_to_integral(context, rounding_mode(term.rounding), number));
    const z3::expr toward_zero = rounding_mode(Rounding::toward_zero);
    const z3::expr bits = expr(is_signed ? Z3_mk_fpa_to_sbv(context, toward_zero, integer, width)
                                         : Z3_mk_fpa_to_ubv(context, toward_zero, integer, width));
    const z3::expr above = power_of_2(term.format, is_signed ? width - 1 : width, false);
    const z3::expr below =
        is_signed ? expr(Z3_mk_fpa_leq(context, integer, power_of_2(term.format, width - 1, true)))
                  : expr(Z3_mk_fpa_is_negative(context, integer));
    return z3::ite(
        expr(Z3_mk_fpa_is_nan(context, number)), constant(width, 0),
        z3::ite(below, constant(width, is_signed ? ~highest : 0),
                z3::ite(expr(Z3_mk_fpa_geq(context, integer, above)), constant(width, highest), bits)));
  }

  /// Any value within the bound of the manual.
  z3::expr approximation(const Term& term) {
    const Bits value = term.graph->variable(term.width, "approximation");
    const z3::expr result = translate(value);
    solver.add(translate(within_bound(term, value)));
    return result;
  }

  /// The solver of finite domains knows no floating-point numbers.
  void use_floating_point() {
    if (has_floating_point) return;
    has_floating_point = true;
    z3::solver general(context);
    general.add(solver.assertions());
    solver = general;
  }

  z3::expr translate_shift(Operator op, const z3::expr& value, const z3::expr& amount) {
    const unsigned width = value.get_sort().bv_size();
    const unsigned amount_width = amount.get_sort().bv_size();
    // In the wider of the two widths no amount is lost, and what is shifted in is right.
    const unsigned wide = std::max(width, amount_width);
    const z3::expr by = z3::zext(amount, wide - amount_width);
    const z3::expr what =
        op == Operator::shift_right_signed ? z3::sext(value, wide - width) : z3::zext(value, wide - width);
    const z3::expr shifted = op == Operator::shift_left             ? z3::shl(what, by)
                             : op == Operator::shift_right_unsigned ? z3::lshr(what, by)
                                                                    : z3::ashr(what, by);
    return wide == width ? shifted : shifted.extract(width - 1, 0);
  }

  z3::expr variable(VariableId id, unsigned width) {
    const z3::symbol name = context.int_symbol(static_cast<int>(id));
    const z3::expr result = context.constant(name, width == 1 ? context.bool_sort() : context.bv_sort(width));
    if (id >= variables.size()) variables.resize(id + 1);
    variables[id] = result.decl();
    return result;
  }

  /// A literal that stands for a condition: assumptions of Z3 are literals.
  z3::expr literal(const Bits& condition) {
    const std::uint32_t number = condition.term()->number;
    const auto known = literals.find(number);
    if (known != literals.end()) return known->second;
    const z3::expr formula = translate(condition);
    const z3::expr name = context.bool_const(("a" + std::to_string(number)).c_str());
    solver.add(z3::implies(name, formula));
    literals.emplace(number, name);
    return name;
  }

  bool set_time_limit() {
    if (limits.timeout_seconds <= 0) return true;
    const double left = limits.timeout_seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0) return false;
    z3::params parameters(context);
    parameters.set("timeout", static_cast<unsigned>(left * 1000) + 1);
    solver.set(parameters);
    return true;
  }

  std::string explain(const std::string& z3_reason) const {
    if (limits.interrupted && limits.interrupted->load()) return "interrupted";
    if (z3_reason.find("memory") != std::string::npos) return "memory limit";
    if (z3_reason.find("timeout") != std::string::npos || z3_reason.find("canceled") != std::string::npos)
      return "timeout";
    return "solver: " + z3_reason;
  }

  Limits limits;
  Clock::time_point start;
  Context own_context;
  z3::context& context;
  z3::solver solver;
  bool has_floating_point = false;
  std::vector<std::optional<z3::expr>> translated;      // by number of the term
  std::vector<std::optional<z3::func_decl>> variables;  // by id: those that the solver knows
  std::map<std::uint32_t, z3::expr> literals;           // by number of the term
  std::optional<z3::model> model;
  std::string failure;  // of an addition: no later answer can be trusted
  std::string reason;
};

SmtSolver::SmtSolver(const Limits& limits) {
  if (limits.memory_bytes > 0) {
    load_z3();
    z3::set_param("memory_max_size", static_cast<int>(limits.memory_bytes >> 20));
  }
  conversation_ = std::make_unique<Conversation>(limits);
}

SmtSolver::~SmtSolver() = default;

void SmtSolver::add(const Bits& condition) {
  if (condition.is_true()) return;
  try {
    conversation_->solver.add(conversation_->translate(condition));
  } catch (const z3::exception& error) {
    conversation_->failure = conversation_->explain(error.msg());
    conversation_->own_context.set_broken();
  }
}

SmtSolver::Result SmtSolver::check(std::span<const Bits> assumptions) {
  Conversation& c = *conversation_;
  c.model.reset();
  c.reason = c.failure;
  if (c.reason.empty() && !c.set_time_limit()) c.reason = "timeout";
  if (c.limits.interrupted && c.limits.interrupted->load()) c.reason = "interrupted";
  if (!c.reason.empty()) return Result::unknown;
  const InterruptWatch watch(c.context, c.limits.interrupted);
  try {
    z3::expr_vector conditions(c.context);
    for (const Bits& assumption : assumptions) {
      if (assumption.is_false()) return Result::unsatisfiable;
      if (!assumption.is_true()) conditions.push_back(c.literal(assumption));
    }
    const z3::check_result result = c.solver.check(conditions);
    if (result == z3::unsat) return Result::unsatisfiable;
    if (result == z3::sat) {
      c.model.emplace(c.solver.get_model());
      return Result::satisfiable;
    }
    c.reason = c.explain(c.solver.reason_unknown());
  } catch (const z3::exception& error) {
    c.reason = c.explain(error.msg());
    c.own_context.set_broken();
  }
  return Result::unknown;
}

const std::string& SmtSolver::reason() const { return conversation_->reason; }

Bits SmtSolver::value(VariableId id, unsigned width) const {
  Conversation& c = *conversation_;
  // What the solver has never heard of can have any value.
  if (id >= c.variables.size() || !c.variables[id] || !c.model->has_interp(*c.variables[id]))
    return Bits(width, 0);
  const z3::expr value = c.model->get_const_interp(*c.variables[id]);
  if (width == 1) return Bits::boolean(value.is_true());
  u128 result = 0;
  for (unsigned low = 0; low < width; low += 64) {
    const unsigned high = std::min(low + 63, width - 1);
    const auto part = value.extract(high, low).simplify();
    result |= static_cast<u128>(part.get_numeral_uint64()) << low;
  }
  return Bits(width, result);
}

}  // namespace ptxmc
