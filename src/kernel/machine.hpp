#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "semantics/effects.hpp"
#include "src/kernel/finding.hpp"
#include "src/kernel/launch.hpp"
#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

struct RunOptions {
  std::optional<std::uint64_t> seed;  ///< none: round robin
  std::uint64_t step_limit = 1'000'000'000;
};

/// A call that a thread is in.
struct Frame {
  const LoadedFunction* function = nullptr;
  std::vector<Bits> registers;
  Target next = 0;
  std::uint64_t stack = 0;                    ///< of alloca, at entry
  const syntax::Instruction* call = nullptr;  ///< in the frame below
};

struct Cta;

struct Thread {
  enum class State : std::uint8_t { running, waiting, ended };
  State state = State::running;
  Cta* cta = nullptr;
  std::uint32_t number = 0;  ///< in its CTA
  std::vector<Frame> frames;
  AddressSpace local{256}, parameters{256};
  AddressSpace stack_memory{first_stack_address};  ///< of alloca, local memory too
  std::uint64_t stack = first_stack_address;       ///< where alloca allocates next
  std::optional<Bits> barrier_result;  ///< of a barrier that it has passed and whose instruction is not done
};

/// Threads at a barrier.
struct BarrierState {
  std::map<std::uint32_t, bool> arrived;  ///< by number of the thread, with its predicate
  std::set<std::uint32_t> waiting;
  std::uint64_t count = 0;  ///< threads wanted; 0: all of the CTA
  Barrier::Kind kind = Barrier::Kind::sync;
};

struct Cta {
  Dimensions index = {};
  AddressSpace shared{256};
  std::vector<std::unique_ptr<Thread>> threads;
  std::map<std::uint64_t, BarrierState> barriers;       ///< by number
  std::map<std::uint64_t, BarrierState> warp_barriers;  ///< by warp and mask
};

/// Thrown where the launch ends: what ended it is the last finding.
struct LaunchEnded {};
/// Thrown by an instruction that waits: it is executed again when its barrier is complete.
struct Blocked {};

/// Executes one kernel under one interleaving with one sequentially consistent memory.
class Machine final : public Effects {
 public:
  /// The parameters are written to the first frame of every thread. `print` takes what vprintf prints.
  Machine(LoadedModule&, const Launch&, const RunOptions&, std::function<void(const std::string&)> print);
  ~Machine() override;

  /// Until all threads have ended, or something ends the launch.
  void run();

  const std::vector<Finding>& findings() const { return findings_; }
  std::uint64_t steps() const { return steps_; }
  /// The buffer of a parameter; null for one that is none.
  const Allocation* buffer(std::size_t parameter) const;

  Bits read(const Access&, const Bits& address, unsigned width) override;
  void write(const Access&, const Bits& address, const Bits& value) override;
  Bits read_modify_write(const Access&, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override;
  void fence(const Fence&) override {}
  Bits barrier(const Barrier&) override;
  void jump(Target target) override { frame().next = target; }
  void ret() override;
  void exit() override;
  [[noreturn]] void trap() override;

 private:
  // machine.cpp
  void make_parameters();
  void make_threads(const syntax::Function& entry);
  void step(Thread&);
  void execute_in(Frame&, const Instruction&);
  Thread* choose();
  Frame& frame() { return thread_->frames.back(); }
  void note(const std::string& kind, const std::string& message);
  [[noreturn]] void end_launch(const std::string& kind, const std::string& message);
  void report_deadlock();
  // machine_memory.cpp
  Allocation& find(const Access&, const Bits& address, unsigned width);
  // machine_barriers.cpp
  bool is_complete(const BarrierState&) const;
  bool is_complete_warp(std::uint64_t key, const BarrierState&) const;
  void release(BarrierState&);
  void look_at_barriers(Cta&);
  // machine_calls.cpp
  void enter(const syntax::Function&, const syntax::Instruction* call);
  void leave();
  void call(const syntax::Instruction&);
  void call_runtime(const syntax::Function&, const syntax::Instruction&);
  Bits argument_value(const syntax::Operand&, unsigned width);
  void pass_argument(const syntax::Operand&, const FunctionVariable& formal);
  void take_result(const syntax::Operand&, std::uint64_t address, std::uint64_t size);
  void print_formatted(std::uint64_t format, std::uint64_t arguments);
  std::string string_at(std::uint64_t address);
  Bits generic_read(std::uint64_t address, unsigned width);
  void stack_instruction(const Instruction&);
  RegisterId register_of(const syntax::Name&) const;
  // special_register_values.cpp
  void set_special_registers(Frame&);
  void set_clocks(Frame&);
  std::uint64_t special_value(const syntax::LoweredRegister&) const;

  LoadedModule& module_;
  const Launch& launch_;
  RunOptions options_;
  std::function<void(const std::string&)> print_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Cta>> ctas_;
  std::vector<Thread*> threads_;
  std::vector<std::uint64_t> buffers_;             // by parameter; 0: none
  std::vector<std::vector<std::uint8_t>> values_;  // of the parameters
  AddressSpace heap_{first_heap_address};
  Thread* thread_ = nullptr;
  std::size_t turn_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace ptxmc::kernel
