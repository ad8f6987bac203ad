#pragma once

#include <stdexcept>

#include "semantics/language/effects.hpp"

namespace ptxmc {

struct UnexpectedEffect : std::logic_error {
  UnexpectedEffect() : std::logic_error("an effect of a rule that has none") {}
};

/// Effects for instructions that only compute: every effect throws UnexpectedEffect.
class NoEffects : public Effects {
 public:
  Bits read(const Access&, const Bits&, unsigned) override { throw UnexpectedEffect(); }
  void write(const Access&, const Bits&, const Bits&) override { throw UnexpectedEffect(); }
  Bits read_modify_write(const Access&, const Bits&, unsigned,
                         const std::function<Update(const Bits&)>&) override {
    throw UnexpectedEffect();
  }
  void fence(const Fence&) override { throw UnexpectedEffect(); }
  Bits barrier(const Barrier&) override { throw UnexpectedEffect(); }
  void start(const AsyncOperation&, std::function<void(Effects&)>) override { throw UnexpectedEffect(); }
  Results start_on_registers(const AsyncOperation&,
                             std::function<Results(Effects&, std::span<const Bits>)>) override {
    throw UnexpectedEffect();
  }
  void fence_registers() override { throw UnexpectedEffect(); }
  void commit_group(AsyncGroup) override { throw UnexpectedEffect(); }
  void wait_group(AsyncGroup, std::uint64_t, bool) override { throw UnexpectedEffect(); }
  Bits address_in_cta(const Bits&, const Bits&) override { throw UnexpectedEffect(); }
  void jump(Target) override { throw UnexpectedEffect(); }
  void exit() override { throw UnexpectedEffect(); }
  void trap() override { throw UnexpectedEffect(); }
  void call() override { throw UnexpectedEffect(); }
  ExchangedValues exchange(const Exchange&) override { throw UnexpectedEffect(); }
  Bits stack_pointer() override { throw UnexpectedEffect(); }
  void set_stack_pointer(const Bits&) override { throw UnexpectedEffect(); }
  Bits allocate_on_stack(const Bits&, const Bits&) override { throw UnexpectedEffect(); }
  Bits unspecified(unsigned) override { throw UnexpectedEffect(); }
};

}  // namespace ptxmc
