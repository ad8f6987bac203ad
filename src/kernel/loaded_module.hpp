#pragma once

#include <map>
#include <unordered_map>

#include "semantics/prepared_instruction.hpp"
#include "src/kernel/memory.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// A variable of a function that has memory: of each call, or of each CTA.
struct FunctionVariable {
  syntax::SymbolId symbol = syntax::no_symbol;
  std::uint64_t address = 0;
};

/// What an engine may do with an instruction besides running its rule, or in its place.
enum class Treatment : std::uint8_t { rule, call, stack, integer_division };

/// A function as it runs at one depth of calls: every depth has its own places for parameters and local
/// variables, as if a loader had put it there.
struct LoadedFunction {
  const syntax::Function* function = nullptr;
  syntax::LoweredFunction lowered;
  std::vector<FunctionVariable> parameters;  ///< .param, of the header and of calls in the body
  std::vector<FunctionVariable> locals;
  std::vector<Treatment> treatments;  ///< of each instruction
  std::vector<PreparedInstruction> prepared;
  std::unordered_map<Target, const syntax::Instruction*> calls;
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
  void place_parameters(const std::vector<syntax::Declaration>&, LoadedFunction&, std::uint64_t& next);
  void place_variables(const syntax::Block&, LoadedFunction&, std::uint64_t& parameters,
                       std::uint64_t& locals);

  const syntax::Module& module_;
  std::uint32_t dynamic_shared_;
  std::vector<syntax::SymbolId> dynamic_;  // arrays without a size: all begin where the others end
  std::unordered_map<syntax::SymbolId, std::uint64_t> addresses_;
  std::map<std::tuple<const syntax::Function*, unsigned, std::uint32_t>, LoadedFunction> loaded_;
};

}  // namespace ptxmc::kernel
