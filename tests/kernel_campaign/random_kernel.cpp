#include "tests/kernel_campaign/random_kernel.hpp"

#include <fmt/format.h>

#include "tests/random_choices.hpp"

namespace ptxmc {

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, std::string module_name)
      : seed_(seed), module_name_(std::move(module_name)), random_(seed) {
    threads_ = random_.chance(8) ? 33 + random_.below(2) : 1 + random_.below(4);
    ctas_ = threads_ < 4 && random_.chance(3) ? 2 : 1;
    has_cluster_ = random_.chance(4);
    has_exchanges_ = random_.chance(2);
    has_barriers_ = !has_exchanges_ || random_.chance(2);
    has_memory_ = random_.chance(2);
    is_careful_ = random_.chance(2);
  }

  RandomKernel kernel() {
    initialize();
    for (unsigned i = 0, length = 2 + random_.below(4); i < length; ++i) statement(0);
    store_registers();
    return {module(), launch()};
  }

 private:
  std::string any_register() { return fmt::format("%r{}", random_.below(registers)); }
  std::string new_label() { return fmt::format("L{}", labels_++); }
  void emit(const std::string& line) { code_ += "  " + line + "\n"; }
  void place(const std::string& label) { code_ += label + ":\n"; }

  // ---- the launch ----

  std::string module() const {
    return fmt::format(
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 g, .param .u64 out)\n"
        "{{\n  .reg .u32 %r<{}>, %thread, %own_lane, %n<9>, %t<4>;\n  .reg .pred %p, %q;\n"
        "  .reg .u64 %g, %out, %a;\n  .shared .align 4 .b32 s[4];\n{}  ret;\n}}\n",
        registers, code_);
  }

  std::string launch() const {
    const std::string cluster = has_cluster_ ? fmt::format("cluster = [{}]\n", ctas_) : "";
    return fmt::format(
        "# seed {}\nmodule = \"{}\"\nentry = \"k\"\ngrid = [{}]\nblock = [{}]\n{}"
        "[[param]]\nname = \"g\"\nbuffer = \"u32[2]\"\ninit = [0, 1]\n"
        "[[param]]\nname = \"out\"\nbuffer = \"u32[{}]\"\ninit = 0\n",
        seed_, module_name_, ctas_, threads_, cluster, ctas_ * threads_);
  }

  // ---- the kernel ----

  void initialize() {
    emit("ld.param.u64 %g, [g];");
    emit("ld.param.u64 %out, [out];");
    emit("mov.u32 %thread, %tid.x;");
    emit("mov.u32 %own_lane, %laneid;");
    for (unsigned i = 0; i < registers; ++i)
      emit(fmt::format("mov.u32 %r{}, {};", i,
                       random_.any({"%thread", "%own_lane", "%ctaid.x", "0", "1", "3"})));
    if (random_.chance(6)) return;  // shared memory of unknown content
    emit("setp.eq.u32 %p, %thread, 0;");
    emit("@%p st.shared.v4.u32 [s], {%r0, 1, 2, 3};");
    emit("bar.sync 0;");
  }

  void store_registers() {
    emit("mov.u32 %t0, %ctaid.x;");
    emit("mov.u32 %t1, %ntid.x;");
    emit("mad.lo.u32 %t0, %t0, %t1, %thread;");
    emit("mul.wide.u32 %a, %t0, 4;");
    emit("add.u64 %a, %a, %out;");
    emit("mad.lo.u32 %t1, %r0, 16, %r1;");
    emit("mad.lo.u32 %t1, %t1, 16, %r2;");
    emit("st.global.u32 [%a], %t1;");
  }

  void statement(unsigned depth) {
    const unsigned kind = random_.below(12);
    if (kind < 3 && has_exchanges_) return exchange();
    if (kind < 6 && has_barriers_) return barrier();
    if (kind < 8 && has_memory_) return access();
    if (kind == 8 && depth < 2) return branch(depth);
    if (kind == 9 && depth < 1) return loop(depth);
    if (kind == 10 && depth > 0 && random_.chance(3)) return stop();
    if (kind == 11 && has_memory_ && random_.chance(4)) return spin();
    arithmetic();
  }

  void block(unsigned depth) {
    for (unsigned i = 0, length = 1 + random_.below(2); i < length; ++i) statement(depth);
  }

  void arithmetic() {
    emit(fmt::format("{} {}, {}, {};", random_.any({"add.u32", "xor.b32", "and.b32", "sub.u32"}),
                     any_register(), any_register(),
                     random_.chance(2) ? any_register() : fmt::format("{}", random_.below(4))));
  }

  void branch(unsigned depth) {
    const std::string otherwise = new_label(), end = new_label();
    condition();
    emit(fmt::format("@!%p bra {};", otherwise));
    block(depth + 1);
    const bool has_two_sides = random_.chance(2);
    if (has_two_sides) emit(fmt::format("bra {};", end));
    place(otherwise);
    if (has_two_sides) block(depth + 1);
    place(end);
  }

  /// A careful kernel mostly decides alike for all threads of a CTA.
  void condition() {
    const bool is_uniform = is_careful_ && !random_.chance(3);
    if (is_uniform) {
      emit("mov.u32 %t0, %ctaid.x;");
    } else {
      emit(fmt::format("mov.u32 %t0, {};", random_.chance(2)
                                               ? std::string(random_.any({"%thread", "%own_lane"}))
                                               : any_register()));
    }
    emit(fmt::format("setp.{}.u32 %p, %t0, {};", random_.any({"eq", "ne", "lt"}), random_.below(3)));
  }

  void loop(unsigned depth) {
    const std::string head = new_label();
    const std::string count = fmt::format("%n{}", counters_++ % 9);
    emit(fmt::format("mov.u32 {}, 0;", count));
    place(head);
    block(depth + 1);
    emit(fmt::format("add.u32 {0}, {0}, 1;", count));
    emit(fmt::format("setp.lt.u32 %p, {}, {};", count,
                     random_.chance(3) ? std::string("%thread") : fmt::format("{}", 1 + random_.below(2))));
    emit(fmt::format("@%p bra {};", head));
  }

  void stop() { emit(random_.any({"trap;", "exit;", "ret;"})); }

  /// Waits until memory has some value.
  void spin() {
    const std::string head = new_label();
    place(head);
    emit(fmt::format("ld.{}.u32 %t0, [{}];", random_.any({"acquire.gpu.global", "relaxed.gpu.global"}),
                     random_.any({"%g", "%g+4"})));
    emit(fmt::format("setp.{}.u32 %p, %t0, {};", random_.any({"eq", "ne"}), random_.below(2)));
    emit(fmt::format("@%p bra {};", head));
  }

  // ---- memory ----

  void access() {
    switch (random_.below(5)) {
      case 0:
        return emit(fmt::format("ld.{}.u32 {}, [{}];",
                                random_.any({"relaxed.gpu.global", "acquire.gpu.global"}), any_register(),
                                random_.any({"%g", "%g+4"})));
      case 1:
        return emit(fmt::format("st.{}.u32 [{}], {};",
                                random_.any({"relaxed.gpu.global", "release.gpu.global"}),
                                random_.any({"%g", "%g+4"}), any_register()));
      case 2:
        return emit(fmt::format("atom.{}.u32 {}, [{}], 1;",
                                random_.any({"global.add", "global.max", "global.min"}), any_register(),
                                random_.any({"%g", "%g+4"})));
      case 3:
        return emit(fmt::format("ld.shared.u32 {}, [s+{}];", any_register(), 4 * random_.below(4)));
      default:
        return emit(fmt::format("st.shared.u32 [s+{}], {};", 4 * random_.below(4), any_register()));
    }
  }

  // ---- where threads meet ----

  std::string warp_mask() {
    if (is_careful_ && !random_.chance(6))
      return fmt::format("{:#x}", threads_ >= 32 ? 0xffffffffU : (1U << threads_) - 1);
    return random_.any({"0xffffffff", "0x1", "0x3", "0x7", "0x2"});
  }

  void barrier() {
    const unsigned kind = random_.below(8);
    const unsigned id = random_.below(2);
    const char* name = random_.chance(2) ? "bar" : "barrier";
    const unsigned count = threads_ > 32 && !random_.chance(4) ? 64 : 32;
    switch (kind) {
      case 0:
      case 1:
        return emit(fmt::format("{}.sync {};", name, id));
      case 2:
        return emit(fmt::format("{}.sync {}, {};", name, id, count));
      case 3:
        return emit(fmt::format("{}.arrive {}, {};", name, id, count));
      case 4:
        return reduction(name, id, count);
      case 5:
        return emit(fmt::format("bar.warp.sync {};", warp_mask()));
      case 6:
        return cluster_barrier();
      default:
        return emit(fmt::format("{}.sync {};", name, 0));
    }
  }

  void reduction(const char* name, unsigned id, unsigned count) {
    emit(fmt::format("setp.eq.u32 %p, {}, {};", any_register(), random_.below(2)));
    const std::string counted = random_.chance(3) ? fmt::format(", {}", count) : "";
    if (random_.chance(2))
      return emit(fmt::format("{}.red.popc.u32 {}, {}{}, %p;", name, any_register(), id, counted));
    emit(fmt::format("{}.red.{}.pred %q, {}{}, %p;", name, random_.any({"and", "or"}), id, counted));
    emit(fmt::format("selp.u32 {}, 1, 0, %q;", any_register()));
  }

  void cluster_barrier() {
    const char* aligned = random_.chance(2) ? ".aligned" : "";
    if (!random_.chance(6))
      emit(fmt::format("barrier.cluster.arrive{}{};", random_.chance(4) ? ".relaxed" : "", aligned));
    if (random_.chance(3)) arithmetic();
    if (!random_.chance(6)) emit(fmt::format("barrier.cluster.wait{};", aligned));
  }

  void exchange() {
    const std::string mask = warp_mask();
    switch (random_.below(7)) {
      case 0:
      case 1:
        return emit(fmt::format("shfl.sync.{}.b32 {}, {}, {}, {}, {};",
                                random_.any({"idx", "up", "down", "bfly"}), any_register(), any_register(),
                                random_.below(3), random_.any({"0x1f", "0"}), mask));
      case 2:
        emit(fmt::format("setp.eq.u32 %p, {}, {};", any_register(), random_.below(2)));
        return emit(fmt::format("vote.sync.ballot.b32 {}, %p, {};", any_register(), mask));
      case 3:
        return emit(fmt::format("match.any.sync.b32 {}, {}, {};", any_register(), any_register(), mask));
      case 4:
        return emit(fmt::format("redux.sync.{}.u32 {}, {}, {};", random_.any({"add", "max"}), any_register(),
                                any_register(), mask));
      case 5:
        return emit(fmt::format("elect.sync {}|%q, {};", any_register(), mask));
      default:
        return emit(fmt::format("activemask.b32 {};", any_register()));
    }
  }

  static constexpr unsigned registers = 4;

  const std::uint64_t seed_;
  const std::string module_name_;
  RandomChoices random_;
  unsigned threads_ = 1, ctas_ = 1;
  bool has_cluster_ = false, has_exchanges_ = false, has_barriers_ = false, has_memory_ = false;
  bool is_careful_ = false;
  unsigned labels_ = 0, counters_ = 0;
  std::string code_;
};

}  // namespace

RandomKernel random_kernel(std::uint64_t seed, const std::string& module_name) {
  return Generator(seed, module_name).kernel();
}

}  // namespace ptxmc
