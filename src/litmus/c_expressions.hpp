#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/litmus/c_atomics.hpp"
#include "src/litmus/c_code.hpp"

namespace ptxmc {

/// An object: a local variable in a register, or memory.
struct CObject {
  std::optional<RegisterId> local;
  Operand address = {Operand::Sink{}};  ///< of memory: a constant or a register
  c_syntax::CType type;
};

/// The meaning of a name in a function: a local variable, a pointer to a variable of the test, or a
/// reference.
struct CMeaning {
  c_syntax::CType type;
  std::optional<RegisterId> local;
  Operand address = {Operand::Sink{}};  ///< of the variable, otherwise
};

/// Lowers the expressions of a function.
class CExpressions {
 public:
  using Lookup = std::function<const CMeaning*(const std::string& name)>;

  /// `memory`: the variables of the test, to which pointers may lead.
  CExpressions(CCode& code, const SourceText& source, const std::vector<Variable>& memory, Lookup lookup)
      : code_(code), source_(source), memory_(memory), lookup_(std::move(lookup)) {}

  CValue value(const c_syntax::Expression&);
  /// The same without the result.
  void run(const c_syntax::Expression& expression) { value_or_none(expression); }
  /// A condition: a predicate, or a constant of width 1.
  Operand condition(const c_syntax::Expression&);
  CObject object(const c_syntax::Expression&);
  /// An object that is no barrier.
  CObject integer(const c_syntax::Expression&);

  [[noreturn]] void fail(const c_syntax::Expression&, const std::string& expected) const;
  void set_source(const c_syntax::Expression&);

  /// This compare_exchange_weak may be read as the strong one: that it fails for no reason has no effect.
  void may_be_strong(const c_syntax::Expression& weak) { strong_ = &weak; }

 private:
  std::optional<CValue> value_or_none(const c_syntax::Expression&);
  CValue name(const c_syntax::Expression&);
  CValue unary(const c_syntax::Expression&);
  CValue binary(const c_syntax::Expression&);
  CValue arithmetic(const c_syntax::Expression&, std::string_view op, CValue, CValue);
  CValue shift(std::string_view op, const CValue&, const CValue&);
  CValue pointer_sum(const c_syntax::Expression&, std::string_view op, const CValue&, const CValue&);
  CValue conditional(const c_syntax::Expression&);
  CValue logical(const c_syntax::Expression&);
  CValue assignment(const c_syntax::Expression&);
  CValue step(const c_syntax::Expression&, bool returns_old);
  CValue updated(const c_syntax::Expression&, const CObject&, std::string_view op, const CValue&,
                 bool returns_old);
  CValue cast(const c_syntax::Expression&);
  Operand comparison(const c_syntax::Expression&);

  CValue read(const CObject&, Sem, std::optional<Scope>);
  CValue read(const CObject& object);
  void write(const CObject&, const CValue&, Sem, std::optional<Scope>);
  void write(const CObject&, const CValue&);
  std::optional<CValue> call(const c_syntax::Expression&);
  std::optional<CValue> perform(const c_syntax::Expression&, const AtomicCall&);
  CValue compare_exchange(const c_syntax::Expression&, const AtomicCall&, const CObject&);
  void wait_for_change(const CValue& from, const std::function<CValue()>& read_again);
  /// What a compare-and-swap reads, and whether it succeeds.
  struct Swap {
    CValue old, succeeds;
  };
  Swap strong_swap(const AtomicCall&, const CObject&, const CValue& expected, const CValue& desired);
  Swap weak_swap(const AtomicCall&, const CObject&, const CValue& expected, const CValue& desired);
  void fence(const AtomicCall&);
  std::optional<CValue> use_barrier(const c_syntax::Expression&, const AtomicCall&, const CObject&);
  CObject atomic_object(const AtomicCall&);
  void refuse_unsequenced(const c_syntax::Expression&, std::size_t before, std::size_t between) const;
  void require_inside(const c_syntax::Expression&, const Operand& pointer, const Operand& sum,
                      std::uint64_t last) const;
  void require_defined(const c_syntax::Expression&, std::string_view op, const CValue& right,
                       unsigned width) const;

  CCode& code_;
  const SourceText& source_;
  const std::vector<Variable>& memory_;
  Lookup lookup_;
  const c_syntax::Expression* strong_ = nullptr;
};

}  // namespace ptxmc
