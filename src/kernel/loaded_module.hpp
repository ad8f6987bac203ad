#pragma once

#include <map>
#include <unordered_map>

#include "semantics/address_windows.hpp"
#include "semantics/prepared_instruction.hpp"
#include "src/kernel/memory.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// A variable that each call of a function has in memory.
struct FunctionVariable {
  enum class Kind : std::uint8_t {
    entry_parameter,  ///< of a kernel: constant
    parameter,        ///< of a function, or its result
    passed,           ///< to a call in the body, or back: declared in .param there
    local,
  };
  syntax::SymbolId symbol = syntax::no_symbol;
  Kind kind = Kind::local;
  std::uint64_t address = 0;  ///< in its state space

  /// PTX ISA 8.7 § 5.1.6.4: in .param are the parameters of kernels only, other ones are in .local.
  StateSpace space() const { return kind == Kind::entry_parameter ? StateSpace::param : StateSpace::local; }
  std::uint64_t generic_address() const { return window_of(space()) + address; }
};

/// What an engine may do with an instruction besides running its rule, or in its place.
enum class Treatment : std::uint8_t { rule, call, stack, integer_division };

/// A function as it runs at one depth of calls: every depth has its own places for parameters and local
/// variables, as if a loader had put it there.
struct LoadedFunction {
  const syntax::Function* function = nullptr;
  syntax::LoweredFunction lowered;
  std::vector<FunctionVariable> variables;  ///< of each state space by address; those of the header first
  std::vector<Treatment> treatments;        ///< of each instruction
  std::vector<PreparedInstruction> prepared;
  std::unordered_map<Target, const syntax::LoweredCall*> calls;
  std::vector<RegisterId> clocks;  ///< registers that change by themselves
};

/// A checked module with addresses for what it declares: PTX ISA 8.7 chapter 5, § 7.1.
class LoadedModule {
 public:
  static constexpr std::uint64_t function_window = 0x0500'0000'0000'0000;
  static constexpr unsigned most_calls = 1024;

  LoadedModule(const syntax::Module&, std::uint32_t dynamic_shared);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const syntax::Module& module() const { return module_; }
  /// Null when there is none with a body.
  const syntax::Function* find_function(std::string_view name) const;
  const syntax::Function* function_at(std::uint64_t address) const;
  /// The definition of a function, also by an alias (§ 11.2.3); where there is none, its declaration.
  const syntax::Function& declared(syntax::SymbolId) const;
  /// Functions that have addresses, defined ones as their definitions.
  std::vector<std::pair<const syntax::Function*, std::uint64_t>> functions() const;

  /// As a CTA with this rank has it in its cluster: addresses of shared variables are those of the CTA.
  /// Valid as long as the module. Throws Unsupported.
  const LoadedFunction& load(const syntax::Function&, unsigned depth, std::uint32_t rank = 0);

  /// Global and constant variables with their initial values.
  AddressSpace global, constant;
  /// What each CTA has of shared memory: addresses and sizes.
  AddressSpace shared;

 private:
  void declare(const syntax::Declaration&);
  void declare_variable(syntax::SymbolId, const syntax::Declaration&);
  void declare_shared_of(const syntax::Block&);
  void initialize(const syntax::Declarator&, const syntax::Declaration&);
  void write_initial(Allocation&, std::uint64_t& offset, const syntax::Initializer&, const Type&);
  std::uint64_t address_of(syntax::SymbolId) const;
  void place(const syntax::Declaration&, FunctionVariable::Kind, LoadedFunction&, std::uint64_t& next) const;
  void place_header(LoadedFunction&, std::uint64_t& next) const;
  void place_variables(const syntax::Block&, LoadedFunction&, std::uint64_t& next) const;

  const syntax::Module& module_;
  std::uint32_t dynamic_shared_;
  std::vector<syntax::SymbolId> dynamic_;  // arrays without a size: all begin where the others end
  std::unordered_map<syntax::SymbolId, std::uint64_t> addresses_;
  std::unordered_map<syntax::SymbolId, syntax::SymbolId> aliases_;
  std::map<std::tuple<const syntax::Function*, unsigned, std::uint32_t>, LoadedFunction> loaded_;
};

}  // namespace ptxmc::kernel
