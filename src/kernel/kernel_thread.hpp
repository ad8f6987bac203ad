#pragma once

#include <memory>

#include "solver/thread_unfolder.hpp"
#include "src/kernel/call_parts.hpp"
#include "src/kernel/launch_memory.hpp"
#include "src/kernel/special_register_values.hpp"

namespace ptxmc::kernel {

/// A function at one depth of calls, ready to be unfolded.
struct KernelFunction : FunctionBody {
  const LoadedFunction* loaded = nullptr;
};

/// What the threads of a launch share while they are unfolded.
struct UnfoldingLaunch {
  LoadedModule& module;
  LaunchMemory& memory;
  std::map<const LoadedFunction*, std::unique_ptr<KernelFunction>> functions = {};
  std::vector<std::shared_ptr<const PrivateBlock>> constants = {};  ///< constant memory

  /// Analysed once for all threads.
  const KernelFunction& function(const LoadedFunction&);
};

/// Where a thread is, and what it gets.
struct KernelThreadStart {
  const syntax::Function* entry = nullptr;
  ThreadContext context;
  int cluster = 0;                            ///< unique in the launch
  std::vector<std::vector<Bits>> parameters;  ///< by parameter, its bytes
};

/// Unfolds one thread of a kernel: calls, memory of its own, special registers.
class KernelThread final : public ThreadUnfolder {
 public:
  KernelThread(EventStructure&, TermGraph&, int thread, const UnfoldOptions&, UnfoldingLaunch&,
               const KernelThreadStart&);
  void run();

 private:
  Place locate(const Access&, const Bits& address, unsigned size, bool writes) override;
  void recorded(const Event&, const Place&) override;
  void run_instruction(Target node) override;
  void take_results() override;

  const LoadedFunction& loaded() const {
    return *static_cast<const KernelFunction*>(path_.frame().body)->loaded;
  }
  const syntax::Symbol& symbol(syntax::SymbolId id) const { return launch_.module.module().symbols[id]; }

  // kernel_thread.cpp
  void push_frame(Path&, const LoadedFunction&) const;
  void add_variables(Path&, const LoadedFunction&) const;
  Bits initial_register(const syntax::LoweredRegister&, bool may_be_read) const;
  void read_clocks();
  void divide();

  // kernel_thread_memory.cpp
  Bits alignment_holds(const Bits& address, unsigned size) const;
  void add_piece(Place&, PieceId, unsigned size) const;
  void add_own_block(Place&, const PrivateBlock&, unsigned size) const;
  void locate_open(Place&, StateSpace, unsigned size, bool writes) const;
  void locate_constant(Place&, StateSpace, unsigned size, bool writes) const;
  Bits is_not_freed(PieceId) const;

  // kernel_thread_calls.cpp
  void call(Target node);
  void call_function(const syntax::Function&, const syntax::Instruction&, Target node);
  void call_runtime(const syntax::Function&, const syntax::Instruction&);
  void call_indirectly(const syntax::Instruction&, const Bits& address, Target node);
  std::vector<PrivateByte> argument(const syntax::Operand&, std::uint64_t size) const;
  Bits argument_value(const CallParts&, std::size_t index, unsigned width) const;
  void give_result(const syntax::Operand&, const std::vector<PrivateByte>&);
  std::optional<std::string> string_at(const Bits& address) const;
  void allocate(const CallParts&);
  void free(const CallParts&);
  void stack_instruction();

  UnfoldingLaunch& launch_;
  const KernelThreadStart& start_;
  unsigned accesses_ = 0;  // of the current instruction so far
  unsigned heap_blocks_ = 0;
};

}  // namespace ptxmc::kernel
