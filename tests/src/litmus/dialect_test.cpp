// What the instructions do that PTX does not have.
#include "src/litmus/dialect.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

/// Memory of one location; remembers the last effect.
struct Recorder : Effects {
  Bits memory = Bits(64, 20);
  Access access;
  Fence last_fence;
  Barrier last_barrier;
  bool wrote = false;

  Bits read(const Access& how, const Bits&, unsigned width) override {
    access = how;
    return memory.extract(0, width);
  }
  void write(const Access& how, const Bits&, const Bits& value) override {
    access = how;
    memory = value;
    wrote = true;
  }
  Bits read_modify_write(const Access& how, const Bits&, unsigned width,
                         const std::function<Update(const Bits&)>& update) override {
    access = how;
    const Bits old = memory.extract(0, width);
    const Update made = update(old);
    wrote = made.happens.is_true();
    if (wrote) memory = made.value;
    return old;
  }
  void fence(const Fence& fence) override { last_fence = fence; }
  Bits barrier(const Barrier& barrier) override {
    last_barrier = barrier;
    return {};
  }
  void jump(Target) override {}
  void exit() override {}
  void trap() override {}
};

/// Runs one instruction in a thread whose register r1 is 6.
Recorder run(const std::string& instruction) {
  const LitmusTest test =
      parse_litmus("PTX t { P0:r1 = 6; } P0@cta 0,gpu 0 ; " + instruction + " ; exists 0==0", "t");
  Recorder recorder;
  std::vector<Bits> registers = test.program.threads[0].initial_registers;
  execute(test.program.threads[0].code[0], registers, recorder);
  return recorder;
}

}  // namespace

TEST_CASE("atomic subtraction, multiplication, division") {
  CHECK(run("atom.relaxed.gpu.sub r0, x, r1").memory.to_s64() == 14);
  CHECK(run("atom.relaxed.gpu.mul r0, x, r1").memory.to_s64() == 120);
  CHECK(run("atom.relaxed.gpu.div r0, x, r1").memory.to_s64() == 3);
  CHECK(run("atom.relaxed.gpu.div r0, x, -6").memory.to_s64() == -3);
  CHECK(run("suatom.relaxed.gpu.max r0, x, -6").memory.to_s64() == 20);
  CHECK(run("suatom.relaxed.gpu.min r0, x, -6").memory.to_s64() == -6);
  CHECK(run("red.relaxed.gpu.exch x, 9").memory.to_s64() == 9);
}

TEST_CASE("a failed cas through the surface does not write") {
  CHECK_FALSE(run("suatom.acquire.cta.cas r0, x, 19, 1").wrote);
  const Recorder swapped = run("suatom.acquire.cta.cas r0, x, 20, 1");
  CHECK(swapped.memory.to_s64() == 1);
  CHECK(swapped.access.sem == Sem::acquire);
  CHECK(swapped.access.scope == Scope::cta);
  CHECK(swapped.access.proxy == Proxy::surface);
}

TEST_CASE("the opcode chooses the proxy") {
  CHECK(run("tld.weak r0, x").access.proxy == Proxy::texture);
  CHECK(run("cold.weak r0, x").access.proxy == Proxy::constant);
  CHECK(run("suld.acquire.gpu r0, x").access.proxy == Proxy::surface);
  CHECK(run("sust.weak x, 1").access.proxy == Proxy::surface);
  CHECK(run("tld.weak r0, x").access.sem == Sem::weak);
  CHECK(run("tld.weak r0, x").access.scope == Scope::none);
  CHECK(run("sust.release.sys x, 1").access.sem == Sem::release);
  CHECK(run("sust.release.sys x, 1").access.scope == Scope::sys);
}

TEST_CASE("reductions are reductions, also those that acquire") {
  const Recorder recorder = run("red.acq_rel.cluster.add x, r1");
  CHECK(recorder.access.is_reduction);
  CHECK(recorder.access.sem == Sem::acq_rel);
  CHECK(recorder.access.scope == Scope::cluster);
  CHECK(recorder.memory.to_s64() == 26);
  CHECK(run("sured.relaxed.gpu.add x, 1").access.is_reduction);
  CHECK(run("sured.relaxed.gpu.add x, 1").access.proxy == Proxy::surface);
  CHECK_FALSE(run("atom.relaxed.gpu.sub r0, x, 1").access.is_reduction);
}

TEST_CASE("without qualifiers an atomic operation is relaxed, in the scope of the GPU") {
  const Recorder recorder = run("atom.sub r0, x, 1");
  CHECK(recorder.access.sem == Sem::relaxed);
  CHECK(recorder.access.scope == Scope::gpu);
}

TEST_CASE("fences between proxies go both ways") {
  const Fence fence = run("fence.proxy.surface").last_fence;
  CHECK(fence.is_proxy_fence);
  CHECK(fence.sem == Sem::weak);
  CHECK(fence.from == Proxy::generic);
  CHECK(fence.to == Proxy::surface);
  CHECK(run("fence.proxy.constant").last_fence.to == Proxy::constant);
  CHECK(run("fence.proxy.texture").last_fence.to == Proxy::texture);
  CHECK(run("fence.proxy.generic").last_fence.to == Proxy::generic);
}

TEST_CASE("a barrier has its place in the text, an id and a number of threads") {
  const Barrier plain = run("bar.cta.sync 3").last_barrier;
  CHECK(plain.kind == Barrier::Kind::sync);
  CHECK(plain.group == Barrier::Group::cta);
  CHECK(plain.textual == 3);
  CHECK(plain.id.to_u64() == 3);
  CHECK_FALSE(plain.count);
  const Barrier full = run("bar.cta.arrive 3, r1, 2").last_barrier;
  CHECK(full.kind == Barrier::Kind::arrive);
  CHECK(full.textual == 3);
  CHECK(full.id.to_u64() == 6);
  CHECK(full.count->to_u64() == 2);
}

TEST_CASE("the dialect has nothing that PTX has, but for the barriers, whose numbers mean something else") {
  for (const auto& entry : litmus_dialect().declarations())
    for (const SyntaxLine& line : entry->notation.lines) {
      if (line.opcode == "bar") continue;
      for (std::size_t choice = 0; choice < InstructionSet::choices(line); ++choice) {
        std::vector<OperandShape> shapes;
        for (const OperandPattern& pattern : line.operands)
          shapes.push_back({pattern.kind == OperandPattern::Kind::address ? OperandShape::Kind::address
                                                                          : OperandShape::Kind::register_});
        const std::string spelling =
            InstructionSet::spelling(line, InstructionSet::slot_choices(line, choice));
        CAPTURE(spelling);
        CHECK(litmus_dialect().match(spelling, shapes));
        CHECK_FALSE(ptx().match(spelling, shapes));
      }
    }
}
