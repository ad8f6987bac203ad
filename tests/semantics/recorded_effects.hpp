#pragma once

#include <string>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc::test {

/// Records the effects of a rule. Every read returns `memory`, extended or truncated to the requested width.
class RecordedEffects : public Effects {
 public:
  struct MemoryEffect {
    enum class Kind { read, write, update } kind;
    Access access;
    u128 address;
    Bits value;    ///< written; of an update that does not happen, what would have been
    bool happens;  ///< update
  };

  Bits memory{128, 0};
  std::vector<MemoryEffect> accesses;
  std::vector<Fence> fences;
  std::vector<Barrier> barriers;
  std::vector<Wait> waits;
  std::vector<ObjectUse> uses;
  std::vector<std::string> others;

  Bits read(const Access& access, const Bits& address, unsigned width) override {
    accesses.push_back({MemoryEffect::Kind::read, access, address.value(), memory.extract(0, width), true});
    return memory.extract(0, width);
  }
  void write(const Access& access, const Bits& address, const Bits& value) override {
    accesses.push_back({MemoryEffect::Kind::write, access, address.value(), value, true});
  }
  Bits read_modify_write(const Access& access, const Bits& address, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    const Bits old = memory.extract(0, width);
    const Update next = update(old);
    accesses.push_back(
        {MemoryEffect::Kind::update, access, address.value(), next.value, next.happens.is_true()});
    return old;
  }
  void fence(const Fence& fence) override { fences.push_back(fence); }
  Bits barrier(const Barrier& barrier) override {
    barriers.push_back(barrier);
    switch (barrier.kind) {
      case Barrier::Kind::reduce_popc:
        return {32, 7};
      case Barrier::Kind::reduce_and:
      case Barrier::Kind::reduce_or:
        return {1, 1};
      default:
        return {};
    }
  }
  void wait(const Wait& wait) override { waits.push_back(wait); }
  void use(const ObjectUse& use) override { uses.push_back(use); }
  Bits unspecified(unsigned width) override {
    others.push_back("unspecified");
    return {width, 0xabcd};
  }
  void call() override { others.push_back("call"); }
  void jump(Target target) override { others.push_back("jump " + std::to_string(target)); }
  void ret() override { others.push_back("ret"); }
  void exit() override { others.push_back("exit"); }
  void trap() override { others.push_back("trap"); }
};

}  // namespace ptxmc::test
