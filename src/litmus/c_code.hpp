#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "semantics/language/instruction_set.hpp"
#include "semantics/values/values.hpp"
#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// A value of an expression: a register of 64 bits that holds it, extended as its type says, or a constant.
struct CValue {
  Operand operand;
  c_syntax::CType type;

  bool is_constant() const { return std::holds_alternative<Operand::Immediate>(operand.is); }
  std::uint64_t constant() const { return std::get<Operand::Immediate>(operand.is).value.to_u64(); }
};

CValue constant_value(std::uint64_t, const c_syntax::CType&);

/// Builds the code of a thread. It knows what is certain about the values of registers: a value that does not
/// depend on what was read (`x * 0`, `x ^ x`) is a constant, so that it has no dependency. C++ has only
/// dependencies of meaning, PTX also those of syntax.
class CCode {
 public:
  explicit CCode(Thread& thread) : thread_(thread) {}

  /// What instructions get as their position and text.
  void set_source(SourcePosition where, std::string text);

  RegisterId add_register(const std::string& name, std::uint64_t initial = 0);

  /// The register's value; a constant if it is known.
  CValue value_of(RegisterId, const c_syntax::CType&) const;
  void assign(RegisterId, const CValue&);

  /// A computation of PTX without effects, `add.s32`.
  CValue compute(const std::string& spelling, std::vector<Operand> sources, const c_syntax::CType&);
  CValue converted(const CValue&, const c_syntax::CType& to);

  /// The value as it is now, although its register may change.
  CValue copy(const CValue& value) { return compute("mov.b64", {value.operand}, value.type); }
  /// Whether two values are certainly equal.
  bool are_same(const CValue&, const CValue&) const;
  /// One of two values of a type, by a predicate.
  CValue chosen(const Operand& predicate, const CValue& yes, const CValue& no) {
    return compute("selp.b64", {yes.operand, no.operand, predicate}, yes.type);
  }

  /// A test of PTX, `setp.lt.s32`: a predicate, or a constant.
  Operand test(const std::string& spelling, std::vector<Operand> sources);
  /// A predicate that is true if a weak compare-and-swap fails for no reason.
  Operand weak_failure();
  /// 1 or 0 of type int.
  CValue truth(const Operand& predicate);

  /// An operation on memory, of the table of C++.
  void access(const std::string& spelling, std::vector<Operand>);
  CValue access_with_result(const std::string& spelling, std::vector<Operand> sources,
                            const c_syntax::CType&);
  /// An operation of PTX with effects: a fence, a barrier.
  void effect(const std::string& spelling, std::vector<Operand>);
  std::size_t accesses() const { return accesses_; }  ///< so far

  // ---- branches ----

  using Jump = std::size_t;  ///< an instruction that jumps to a place not known yet
  Jump jump();
  /// Jumps if the predicate has this value.
  Jump jump_if(const Operand& predicate, bool value);
  Target here() const { return static_cast<Target>(thread_.code.size()); }
  void set_target(Jump, Target);
  void jump_to(Target target) { set_target(jump(), target); }

  using Knowledge = std::vector<Bits>;
  const Knowledge& knowledge() const { return known_; }
  void restore(Knowledge known) { known_ = std::move(known); }
  /// Keeps what is known on both ways to this place.
  void join(const Knowledge& other);
  /// Where control comes from a place that is not known yet.
  void forget();

 private:
  RegisterId temporary(unsigned width);
  void add(const Form&, std::vector<Operand>, std::optional<Guard> = {});
  Instruction made(const InstructionSet&, const std::string& spelling, std::vector<Operand>) const;

  Thread& thread_;
  Knowledge known_;  ///< by register: a value, or a term over unknowns
  /// Owns the unknowns; shared, so that knowledge may be copied.
  std::shared_ptr<TermGraph> graph_ = std::make_shared<TermGraph>();
  SourcePosition where_;
  std::string text_;
  std::size_t accesses_ = 0;
  unsigned temporaries_ = 0;
};

}  // namespace ptxmc
