#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "src/litmus/input_errors.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/placements.hpp"

namespace ptxmc {

/// The variables of a test in memory. Each has a separate address, a multiple of 4096. A generic alias has a
/// separate address for the location of its target; an alias through another proxy has the address of its
/// target. A `.shared` variable has one instance for each CTA.
class MemoryLayout {
 public:
  /// Mistakes: duplicate names, unknown types and proxies, values that do not fit.
  MemoryLayout(const litmus_syntax::File&, const SourceText&, const std::vector<Cta>&, Mistakes&);

  /// Whether the initial block or an earlier use declares the name.
  bool declares(const std::string& name) const { return by_name_.contains(name); }

  /// The names of all variables; those of shared variables without their CTA.
  std::vector<std::string> names() const;

  /// Declares a variable of 64 bits that holds 0.
  void declare_undeclared(const std::string& name);

  struct Element {
    int variable = 0;  ///< index into variables()
    int element = 0;
    std::uint64_t address = 0;
  };

  /// The element that a place denotes in a thread of a CTA, which uses its CTA's instances of shared
  /// variables. Without a CTA the place must name the instance. Throws InputError: unknown variable, no such
  /// element, no such instance.
  Element find(const litmus_syntax::Place&, std::optional<std::size_t> cta) const;

  /// Throws InputError if the place is an array without an index.
  void require_scalar(const litmus_syntax::Place&, const Element&) const;

  /// The value in an initialisation, of 64 bits: an integer or an address.
  /// Throws InputError for a floating-point number, and as find does.
  Bits integer_of(const litmus_syntax::InitialValue&, std::optional<std::size_t> cta) const;
  /// As wide as the format: a number. Throws InputError for an address, and for more bits than the format
  /// has.
  Bits float_of(const litmus_syntax::InitialValue&, FloatFormat) const;

  const std::vector<Variable>& variables() const { return variables_; }

  const Variable& variable(const Element& element) const {
    return variables_[static_cast<std::size_t>(element.variable)];
  }

 private:
  /// A declared name: one variable, or one instance for each CTA.
  struct Declared {
    bool is_shared = false;
    std::vector<std::size_t> instances;
  };

  void declare(const litmus_syntax::VariableDeclaration&);
  void declare(const litmus_syntax::AliasDeclaration&);
  void initialise(const litmus_syntax::VariableDeclaration&);
  Bits element_of(const Variable&, const litmus_syntax::InitialValue&, std::optional<std::size_t> cta) const;
  void require_new(const litmus_syntax::Name&) const;
  void require_count(const litmus_syntax::VariableDeclaration&) const;
  std::size_t add(Variable);
  std::size_t instance(const litmus_syntax::Place&, const Declared&, std::optional<std::size_t> cta) const;
  [[noreturn]] void fail(SourcePosition, const std::string&) const;

  std::string file_;
  const std::vector<Cta>& ctas_;
  std::vector<Variable> variables_;
  std::map<std::string, Declared> by_name_;
  std::vector<std::pair<std::size_t, std::size_t>> aliases_;  ///< each after its target: they show its values
  std::uint64_t next_address_ = page;

  static constexpr std::uint64_t page = 4096;
};

}  // namespace ptxmc
