#pragma once

#include <map>
#include <unordered_map>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/opaque_object.hpp"
#include "semantics/language/prepared_instruction.hpp"
#include "src/kernel/module/memory.hpp"
#include "src/ptx/lower.hpp"

namespace ptxmc::kernel {

/// A variable in memory of which each call of a function has its own.
struct FunctionVariable {
  enum class Kind : std::uint8_t {
    entry_parameter,  ///< of a kernel: constant
    parameter,        ///< of a function, or its result
    passed,           ///< an argument or result of a call in the body, declared in .param
    local,
  };
  syntax::SymbolId symbol = syntax::no_symbol;
  Kind kind = Kind::local;
  std::uint64_t address = 0;  ///< in its state space

  /// PTX ISA 8.7 § 5.1.6.4: parameters of kernels are in .param, those of functions are in .local.
  StateSpace space() const { return kind == Kind::entry_parameter ? StateSpace::param : StateSpace::local; }
  std::uint64_t generic_address() const { return window_of(space()) + address; }
};

/// How an engine executes an instruction: it runs the rule, or does something else instead or in addition.
enum class Treatment : std::uint8_t {
  rule,
  call,
  stack,
  integer_division,
  other_fragment,   ///< a use of the fragment of another matrix: see fragment_uses.hpp
  other_cta_group,  ///< its `.cta_group` is not that of the tcgen05 instructions before it in the function
};

/// A function at one depth of calls. Every depth has its own addresses of parameters and local variables.
struct LoadedFunction {
  const syntax::Function* function = nullptr;
  syntax::LoweredFunction lowered;
  std::vector<FunctionVariable> variables;  ///< of each state space by address; those of the header first
  std::vector<Treatment> treatments;        ///< of each instruction
  std::vector<PreparedInstruction> prepared;
  std::unordered_map<Target, const syntax::LoweredCall*> calls;
  std::vector<RegisterId> clocks;  ///< registers whose value changes without a write
};

/// A checked module with addresses for its declarations: PTX ISA 8.7 chapter 5, § 7.1.
class LoadedModule {
 public:
  static constexpr std::uint64_t function_window = 0x0500'0000'0000'0000;
  static constexpr unsigned most_calls = 1024;

  LoadedModule(const syntax::Module&, std::uint32_t dynamic_shared);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const syntax::Module& module() const { return module_; }
  /// The largest dynamic shared memory of a CTA, in bytes.
  std::uint32_t dynamic_shared() const { return dynamic_shared_; }
  /// The bytes of a shared variable in a CTA with so many bytes of dynamic shared memory, which is the last
  /// one.
  std::uint64_t shared_bytes(const Allocation& variable, std::uint32_t dynamic_shared) const {
    return &variable == &shared.all().back() ? dynamic_shared : variable.bytes.size();
  }
  /// The function with this name that has a body, or null.
  const syntax::Function* find_function(std::string_view name) const;
  const syntax::Function* function_at(std::uint64_t address) const;
  /// The definition of a function or alias (§ 11.2.3), or its declaration if it has no definition.
  const syntax::Function& declared(syntax::SymbolId) const;
  /// The textures, samplers and surfaces that the module declares, as variables or parameters of entries.
  const std::map<syntax::SymbolId, OpaqueObject>& declared_objects() const { return objects_; }
  /// The handle of such a declaration.
  std::uint64_t handle_of(syntax::SymbolId id) const { return addresses_.at(id); }
  /// The functions that have addresses; a function with a definition is given by its definition.
  std::vector<std::pair<const syntax::Function*, std::uint64_t>> functions() const;

  /// The function as the CTA with this rank in its cluster executes it, with the addresses of the CTA's
  /// shared variables. Valid as long as the module. Throws Unsupported.
  const LoadedFunction& load(const syntax::Function&, unsigned depth, std::uint32_t rank = 0);

  /// In a sequence of kernels, what the threads of this one execute first: they wait until the kernel before
  /// has ended (PTX ISA 8.7 § 8.9.4, API synchronization), as griddepcontrol.wait does (§ 9.7.13.13).
  const Instruction& end_of_kernel_before(const syntax::Function& entry);

  /// Global and constant variables with their initial values.
  AddressSpace global, constant;
  /// The shared variables of each CTA: addresses and sizes.
  AddressSpace shared;

 private:
  void declare_object(syntax::SymbolId);
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
  std::uint64_t spacing_of_shared_;  // between variables
  // Arrays without a size: all begin after the last variable with a size.
  std::vector<syntax::SymbolId> dynamic_;
  std::unordered_map<syntax::SymbolId, std::uint64_t> addresses_;
  std::map<syntax::SymbolId, OpaqueObject> objects_;
  std::unordered_map<syntax::SymbolId, syntax::SymbolId> aliases_;
  std::map<std::tuple<const syntax::Function*, unsigned, std::uint32_t>, LoadedFunction> loaded_;
  std::map<const syntax::Function*, Instruction> ends_before_;
};

}  // namespace ptxmc::kernel
