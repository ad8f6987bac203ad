#include "src/litmus/c_atomics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "src/litmus/c_words.hpp"

namespace ptxmc {

namespace {

using c_syntax::Expression;

/// An operation as the names of functions contain it.
struct Operation {
  std::string_view name;
  AtomicCall::Kind kind;
  std::size_t values;  ///< besides the object
  std::string_view update = {};
};

constexpr std::array<Operation, 16> operations = {
    {{"load", AtomicCall::Kind::load, 0},
     {"store", AtomicCall::Kind::store, 1},
     {"exchange", AtomicCall::Kind::update, 1, "exch"},
     {"fetch_add", AtomicCall::Kind::update, 1, "add"},
     {"fetch_sub", AtomicCall::Kind::update, 1, "sub"},
     {"fetch_and", AtomicCall::Kind::update, 1, "and"},
     {"fetch_or", AtomicCall::Kind::update, 1, "or"},
     {"fetch_xor", AtomicCall::Kind::update, 1, "xor"},
     {"fetch_min", AtomicCall::Kind::update, 1, "min"},
     {"fetch_max", AtomicCall::Kind::update, 1, "max"},
     {"compare_exchange_strong", AtomicCall::Kind::compare_exchange, 2},
     {"compare_exchange_weak", AtomicCall::Kind::compare_exchange, 2},
     {"wait", AtomicCall::Kind::wait, 1},
     {"notify_one", AtomicCall::Kind::notify, 0},
     {"notify_all", AtomicCall::Kind::notify, 0},
     {"init", AtomicCall::Kind::init, 1}}};

/// CUDA's own functions: relaxed, at device scope.
constexpr std::array<Operation, 9> cuda_operations = {{{"Add", AtomicCall::Kind::update, 1, "add"},
                                                       {"Sub", AtomicCall::Kind::update, 1, "sub"},
                                                       {"Exch", AtomicCall::Kind::update, 1, "exch"},
                                                       {"Min", AtomicCall::Kind::update, 1, "min"},
                                                       {"Max", AtomicCall::Kind::update, 1, "max"},
                                                       {"And", AtomicCall::Kind::update, 1, "and"},
                                                       {"Or", AtomicCall::Kind::update, 1, "or"},
                                                       {"Xor", AtomicCall::Kind::update, 1, "xor"},
                                                       {"CAS", AtomicCall::Kind::compare_exchange, 2}}};

template <class Table>
const Operation* find(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Operation::name);
  return found == table.end() ? nullptr : &*found;
}

const char* name_of(Sem order) {
  switch (order) {
    case Sem::weak:
      return "no order";
    case Sem::relaxed:
      return "memory_order_relaxed";
    case Sem::acquire:
      return "memory_order_acquire";
    case Sem::release:
      return "memory_order_release";
    case Sem::acq_rel:
      return "memory_order_acq_rel";
    case Sem::sc:
      break;
  }
  return "memory_order_seq_cst";
}

/// The order of a failure if one order is given for both: [atomics.types.operations].
Sem failure_of(Sem success) {
  if (success == Sem::acq_rel) return Sem::acquire;
  return success == Sem::release ? Sem::relaxed : success;
}

/// The arguments of a call behind the object, in their order.
class Arguments {
 public:
  Arguments(const Expression& call, std::size_t first, const SourceText& source)
      : call_(call), next_(first), source_(source) {}

  bool are_left() const { return next_ < call_.operands.size(); }

  const Expression& take(std::string_view what) {
    if (!are_left()) throw error(call_.last - 1, fmt::format("found ')', expected {} before it", what));
    return call_.operands[next_++];
  }

  std::optional<Sem> order() {
    if (!are_left() || !memory_order(call_.operands[next_].text)) return std::nullopt;
    place_of_order_ = call_.operands[next_].first;
    return memory_order(call_.operands[next_++].text);
  }

  std::optional<c_syntax::AtomicScope> scope() {
    if (!are_left()) return std::nullopt;
    const auto result = memory_scope(call_.operands[next_].text);
    if (result) ++next_;
    return result;
  }

  void require_end(std::string_view expected) const {
    if (are_left())
      throw error(call_.operands[next_].first,
                  fmt::format("found '{}', expected {}", text_of(call_.operands[next_]), expected));
  }

  void require_order(Sem order, std::initializer_list<Sem> allowed, std::string_view operation) const {
    if (std::find(allowed.begin(), allowed.end(), order) != allowed.end()) return;
    std::string names;
    for (const Sem sem : allowed) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(sem));
    throw error(place_of_order_,
                fmt::format("found {}, expected one of {} for {}", name_of(order), names, operation));
  }

  InputError error(std::size_t offset, const std::string& message) const {
    return InputError(source_.file(), source_.position(offset), message);
  }

 private:
  std::string text_of(const Expression& expression) const {
    return source_.text().substr(expression.first, expression.last - expression.first);
  }

  const Expression& call_;
  std::size_t next_;
  const SourceText& source_;
  std::size_t place_of_order_ = 0;
};

void check_orders(const AtomicCall& call, const Arguments& arguments) {
  switch (call.kind) {
    case AtomicCall::Kind::load:
    case AtomicCall::Kind::wait:
      return arguments.require_order(call.order, {Sem::relaxed, Sem::acquire, Sem::sc}, "a load");
    case AtomicCall::Kind::store:
      return arguments.require_order(call.order, {Sem::relaxed, Sem::release, Sem::sc}, "a store");
    case AtomicCall::Kind::compare_exchange:
      return arguments.require_order(call.failure, {Sem::relaxed, Sem::acquire, Sem::sc}, "a failure");
    default:
      return;
  }
}

/// Orders and scope behind the values: `order`, `order, failure order`, each followed by a scope.
void read_orders(AtomicCall& call, Arguments& arguments, bool is_required) {
  const auto order = arguments.order();
  if (!order && is_required) {
    arguments.require_end("an order such as memory_order_acquire");
    arguments.take("an order such as memory_order_acquire");
  }
  call.order = order.value_or(Sem::sc);
  call.failure = failure_of(call.order);
  if (order && call.kind == AtomicCall::Kind::compare_exchange)
    call.failure = arguments.order().value_or(call.failure);
  check_orders(call, arguments);
  call.scope = arguments.scope();
  arguments.require_end("a scope such as memory_scope_device, or ')'");
}

AtomicCall call_of(const Operation& operation) {
  AtomicCall call;
  call.kind = operation.kind;
  call.operation = operation.update;
  call.is_weak = operation.name == "compare_exchange_weak";
  return call;
}

/// A function of C++ or C11, or a member function; the object is the first operand of both.
AtomicCall standard_call(const Operation& operation, const Expression& expression, bool is_explicit,
                         const SourceText& source) {
  AtomicCall call = call_of(operation);
  Arguments arguments(expression, 0, source);
  call.object = &arguments.take("an atomic object");
  call.object_is_pointer = expression.kind == Expression::Kind::call;
  for (std::size_t i = 0; i < operation.values; ++i) call.values.push_back(&arguments.take("a value"));
  if (call.kind == AtomicCall::Kind::notify || call.kind == AtomicCall::Kind::init)
    arguments.require_end("')'");
  else
    read_orders(call, arguments, is_explicit);
  return call;
}

AtomicCall fence(const Expression& expression, const SourceText& source) {
  AtomicCall call;
  call.kind = AtomicCall::Kind::fence;
  Arguments arguments(expression, 0, source);
  read_orders(call, arguments, true);
  if (call.order == Sem::relaxed) call.kind = AtomicCall::Kind::no_fence;
  return call;
}

/// `__threadfence()`, `__syncthreads()`
std::optional<AtomicCall> call_without_arguments(const Expression& expression, const SourceText& source) {
  constexpr std::array<std::pair<std::string_view, Scope>, 3> fences = {
      {{"__threadfence", Scope::gpu},
       {"__threadfence_block", Scope::cta},
       {"__threadfence_system", Scope::sys}}};
  AtomicCall call;
  const auto found = std::ranges::find(fences, expression.text, [](const auto& row) { return row.first; });
  if (found != fences.end()) {
    call.kind = AtomicCall::Kind::fence;
    call.scope = found->second;
  } else if (expression.text == "__nanosleep") {
    call.kind = AtomicCall::Kind::no_fence;
    Arguments arguments(expression, 0, source);
    arguments.take("a number of nanoseconds");
    arguments.require_end("')'");
    return call;
  } else if (expression.text == "__syncthreads") {
    call.kind = AtomicCall::Kind::barrier;
  } else {
    return std::nullopt;
  }
  Arguments(expression, 0, source).require_end("')'");
  return call;
}

/// `atomicAdd_block(x, 1)`
std::optional<AtomicCall> cuda_call(const Expression& expression, const SourceText& source) {
  std::string_view name = expression.text;
  if (!name.starts_with("atomic") || expression.kind != Expression::Kind::call) return std::nullopt;
  Scope scope = Scope::gpu;
  if (name.ends_with("_block")) scope = Scope::cta;
  if (name.ends_with("_system")) scope = Scope::sys;
  name = name.substr(0, name.find('_'));
  name.remove_prefix(std::string_view("atomic").size());
  const Operation* operation = find(cuda_operations, name);
  if (operation == nullptr) return std::nullopt;
  AtomicCall call = call_of(*operation);
  call.returns_old = true;
  call.order = call.failure = Sem::relaxed;
  call.scope = scope;
  Arguments arguments(expression, 0, source);
  call.object = &arguments.take("a pointer");
  for (std::size_t i = 0; i < operation->values; ++i) call.values.push_back(&arguments.take("a value"));
  arguments.require_end("')'");
  return call;
}

/// `__atomic_compare_exchange_n(x, &r, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)`
AtomicCall builtin_compare_exchange(const Expression& expression, const SourceText& source) {
  AtomicCall call;
  call.kind = AtomicCall::Kind::compare_exchange;
  Arguments arguments(expression, 0, source);
  call.object = &arguments.take("a pointer");
  for (const char* what : {"the address of the expected value", "a value"})
    call.values.push_back(&arguments.take(what));
  const Expression& weak = arguments.take("true or false");
  if (weak.kind != Expression::Kind::number)
    throw arguments.error(weak.first, "found an expression, expected true or false");
  call.is_weak = weak.number != 0;
  read_orders(call, arguments, true);
  return call;
}

/// `__atomic_fetch_add(x, 1, __ATOMIC_RELAXED)` of GCC and clang.
std::optional<AtomicCall> builtin_call(const Expression& expression, const SourceText& source) {
  std::string_view name = expression.text;
  constexpr std::string_view prefix = "__atomic_";
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (name == "thread_fence") return fence(expression, source);
  if (name == "compare_exchange_n") return builtin_compare_exchange(expression, source);
  if (name.ends_with("_n")) name.remove_suffix(2);
  const Operation* operation = find(operations, name);
  if (operation == nullptr) return std::nullopt;
  return standard_call(*operation, expression, true, source);
}

Expression number(std::uint64_t value) {
  Expression result;
  result.text = std::to_string(value);
  result.number = value;
  return result;
}

/// `atomic_flag_test_and_set`, `atomic_flag_clear`: an exchange with 1, a store of 0.
std::optional<AtomicCall> flag_call(const Expression& expression, const SourceText& source) {
  static const Expression clear = number(0), set = number(1);
  std::string_view name = expression.text;
  const bool is_member = expression.kind == Expression::Kind::member_call;
  constexpr std::string_view prefix = "atomic_flag_";
  if (!is_member && !name.starts_with(prefix)) return std::nullopt;
  if (!is_member) name.remove_prefix(prefix.size());
  const bool is_explicit = name.ends_with("_explicit");
  if (is_explicit) name.remove_suffix(std::string_view("_explicit").size());
  if (name != "test_and_set" && name != "clear") return std::nullopt;
  AtomicCall call;
  call.kind = name == "clear" ? AtomicCall::Kind::store : AtomicCall::Kind::update;
  call.operation = "exch";
  call.values = {name == "clear" ? &clear : &set};
  Arguments arguments(expression, 0, source);
  call.object = &arguments.take("an atomic_flag");
  call.object_is_pointer = !is_member;
  read_orders(call, arguments, is_explicit);
  return call;
}

/// `b->arrive()`, `b->arrive_and_wait()`, `b->arrive_and_drop()` of a barrier.
std::optional<AtomicCall> arrival(const Expression& expression, const SourceText& source) {
  constexpr std::array<std::pair<std::string_view, AtomicCall::Kind>, 3> arrivals = {
      {{"arrive", AtomicCall::Kind::arrive},
       {"arrive_and_wait", AtomicCall::Kind::arrive_and_wait},
       {"arrive_and_drop", AtomicCall::Kind::arrive_and_drop}}};
  const auto found = std::ranges::find(arrivals, expression.text, [](const auto& row) { return row.first; });
  if (found == arrivals.end() || expression.kind != Expression::Kind::member_call) return std::nullopt;
  AtomicCall call;
  call.kind = found->second;
  Arguments arguments(expression, 0, source);
  call.object = &arguments.take("a barrier");
  call.object_is_pointer = false;
  arguments.require_end("')'");
  return call;
}

}  // namespace

std::optional<AtomicCall> atomic_call(const Expression& expression, const SourceText& source) {
  std::string_view name = expression.text;
  if (auto call = flag_call(expression, source)) return call;
  if (auto call = arrival(expression, source)) return call;
  if (expression.kind == Expression::Kind::member_call) {
    const Operation* operation = find(operations, name);
    if (operation == nullptr || operation->kind == AtomicCall::Kind::init) return std::nullopt;
    return standard_call(*operation, expression, false, source);
  }
  if (auto call = call_without_arguments(expression, source)) return call;
  if (auto call = cuda_call(expression, source)) return call;
  if (auto call = builtin_call(expression, source)) return call;
  if (!name.starts_with("atomic_")) return std::nullopt;
  name.remove_prefix(std::string_view("atomic_").size());
  const bool is_explicit = name.ends_with("_explicit");
  if (is_explicit) name.remove_suffix(std::string_view("_explicit").size());
  if (name == "thread_fence") return fence(expression, source);
  if (name == "signal_fence") {
    AtomicCall call;
    call.kind = AtomicCall::Kind::no_fence;
    return call;
  }
  const Operation* operation = find(operations, name);
  if (operation == nullptr) return std::nullopt;
  return standard_call(*operation, expression, is_explicit, source);
}

}  // namespace ptxmc
