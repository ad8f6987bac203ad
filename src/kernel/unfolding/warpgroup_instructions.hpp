#pragma once

#include <map>
#include <set>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "src/kernel/unfolding/thread_groups.hpp"

namespace ptxmc::kernel {

/// The wgmma instructions that the threads of a launch execute in every execution, as far as the previous
/// round of unfolding has determined: PTX ISA 8.7 § 9.7.15.5.2. They are kept only if two threads of a
/// warpgroup differ.
class WarpgroupInstructions {
 public:
  struct Executed {
    const Instruction* instruction = nullptr;
    std::vector<Bits>
        values;  ///< that the threads must agree on; those that are no constants are not compared
  };

  /// What is known of an instruction of a thread.
  struct Known {
    const Executed* executed = nullptr;
    bool is_missing = false;  ///< the thread ends before, or executes another instruction
  };
  /// The instruction with this number among those of a thread, which must be the given one.
  Known known(int thread, std::size_t number, const Instruction&) const;

  /// The number of instructions of the thread in this round.
  std::size_t count(int thread) const;
  void note(int thread, Executed executed) { now_[thread].push_back(std::move(executed)); }
  /// What the thread executes from here on is not known.
  void leave_open(int thread) { open_now_.insert(thread); }
  bool is_open(int thread) const { return open_now_.contains(thread); }

  void begin_round();
  /// Whether the next round may differ.
  bool end_round(const ThreadGroups&);

 private:
  using Threads = std::map<int, std::vector<Executed>>;

  bool differ(int a, int b) const;

  Threads known_, now_;
  std::set<int> open_, open_now_;  // threads
};

}  // namespace ptxmc::kernel
