#include "tests/kernel_campaign/random_uniform_kernel.hpp"

#include <fmt/format.h>

#include "tests/random_choices.hpp"

namespace ptxmc {

namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, std::string module_name)
      : seed_(seed), module_name_(std::move(module_name)), random_(seed) {
    constexpr unsigned sizes[] = {2, 3, 4, 4, 8};
    threads_ = random_.chance(12) ? 34 : sizes[random_.below(5)];
    ctas_ = threads_ <= 4 && random_.chance(3) ? 2 : 1;
    rows_ = threads_ == 4 && random_.chance(3) ? 2 : 1;
    is_open_ = random_.chance(3);
  }

  RandomKernel kernel() {
    initialize();
    for (unsigned i = 0, length = 2 + random_.below(4); i < length; ++i) statement(0);
    if (random_.chance(2)) store("global", "%out", elements_, "%gid");
    return {module(), launch()};
  }

 private:
  static constexpr unsigned elements_ = 16, registers = 4;

  std::string any_register() { return fmt::format("%r{}", random_.below(registers)); }
  std::string new_label() { return fmt::format("L{}", labels_++); }
  void emit(const std::string& line) { code_ += "  " + line + "\n"; }
  void place(const std::string& label) { code_ += label + ":\n"; }

  // ---- the launch ----

  std::string module() const {
    return fmt::format(
        ".version 8.7\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 count, .param .u32 x)\n"
        "{{\n  .reg .u32 %r<{}>, %me, %gid, %x, %i, %n<{}>, %t<4>;\n  .reg .pred %p, %q;\n"
        "  .reg .u64 %in, %out, %count, %a;\n  .shared .align 4 .b32 s[{}];\n{}  ret;\n}}\n",
        registers, counters_ + 1, elements_, code_);
  }

  std::string launch() const {
    const std::string any = is_open_ ? "\"any\"" : "1";
    return fmt::format(
        "# seed {}\nmodule = \"{}\"\nentry = \"k\"\ngrid = [{}]\nblock = [{}, {}]\n{}"
        "[[param]]\nname = \"in\"\nbuffer = \"u32[{}]\"\ninit = {}\n"
        "[[param]]\nname = \"out\"\nbuffer = \"u32[{}]\"\ninit = 0\n"
        "[[param]]\nname = \"count\"\nbuffer = \"u32[2]\"\ninit = 0\n"
        "[[param]]\nname = \"x\"\ntype = \"u32\"\nvalue = {}\n",
        seed_, module_name_, ctas_, threads_ / rows_, rows_, is_open_ ? "assume = \"x < 3\"\n" : "",
        elements_, is_open_ ? any : "[0, 1, 2, 3, 3, 2, 1, 0, 7, 0, 0, 1, 1, 5, 9, 1]", elements_, any);
  }

  // ---- the kernel ----

  void initialize() {
    for (const char* name : {"in", "out", "count"}) emit(fmt::format("ld.param.u64 %{0}, [{0}];", name));
    emit("ld.param.u32 %x, [x];");
    emit("mov.u32 %me, %tid.x;");
    if (rows_ > 1) {
      emit("mov.u32 %t0, %tid.y;");
      emit(fmt::format("mad.lo.u32 %me, %t0, {}, %me;", threads_ / rows_));
    }
    emit("mov.u32 %gid, %ctaid.x;");
    emit(fmt::format("mad.lo.u32 %gid, %gid, {}, %me;", threads_));
    emit("mov.u32 %r0, %me;");
    emit("mov.u32 %r1, 1;");
    emit("mov.u32 %r2, %x;");
    emit("add.u32 %r3, %me, 2;");
    if (random_.chance(2)) return;
    store("shared", "", elements_, "%me");
    if (random_.chance(2)) emit("bar.sync 0;");
  }

  void statement(unsigned depth) {
    if (depth > 2) return access();
    switch (random_.below(12)) {
      case 0:
      case 1:
        return emit("bar.sync 0;");
      case 2:
        return random_.chance(4) ? emit("bar.warp.sync 0xffffffff;") : arithmetic();
      case 3:
        return guarded(depth);
      case 4:
        return halving_loop(depth);
      case 5:
        return strided_loop(depth);
      case 6:
        return random_.chance(3) ? early_exit() : access();
      case 7:
        return random_.chance(2) ? exchange() : access();
      case 8:
        return counter();
      case 9:
        return arithmetic();
      default:
        return access();
    }
  }

  void arithmetic() {
    emit(fmt::format("{}.u32 {}, {}, {};", random_.any({"add", "sub", "mul.lo", "min"}), any_register(),
                     any_register(), random_.chance(2) ? any_register() : "1"));
  }

  /// Computes an index into %t0.
  void index() {
    switch (random_.below(9)) {
      case 0:
        return emit(fmt::format("xor.b32 %t0, %me, {};", 1 + random_.below(2)));
      case 1:
        return emit(fmt::format("sub.u32 %t0, {}, %me;", threads_ - 1));
      case 2:
        return emit(fmt::format("add.u32 %t0, %me, {};", random_.below(5)));
      case 3:
        return emit("shl.b32 %t0, %me, 1;");
      case 4:
        return emit("shr.u32 %t0, %me, 1;");
      case 5:
        return emit("add.u32 %t0, %me, %x;");
      case 6:
        return emit(fmt::format("and.b32 %t0, {}, 15;", any_register()));
      case 7:
        return emit("mov.u32 %t0, %gid;");
      default:
        return emit("mov.u32 %t0, %me;");
    }
  }

  /// Computes the address of the element with the index %t0 or another one. Returns the operand.
  std::string address(const std::string& space, const std::string& base, unsigned count,
                      const std::string& at) {
    if (at.empty())
      index();
    else
      emit(fmt::format("mov.u32 %t0, {};", at));
    if (!random_.chance(6)) emit(fmt::format("and.b32 %t0, %t0, {};", count - 1));
    if (space == "shared") {
      emit("mov.u32 %t1, s;");
      emit("mad.lo.u32 %t1, %t0, 4, %t1;");
      return "[%t1]";
    }
    emit(fmt::format("mad.wide.u32 %a, %t0, 4, {};", base));
    return "[%a]";
  }

  void store(const std::string& space, const std::string& base, unsigned count, const std::string& at) {
    const std::string place = address(space, base, count, at);
    emit(fmt::format("st.{}.u32 {}, {};", space, place, any_register()));
  }

  void access() {
    const bool is_shared = random_.chance(2);
    const std::string space = is_shared ? "shared" : "global";
    const std::string base = is_shared ? "" : random_.chance(3) ? "%out" : "%in";
    const std::string at = random_.chance(2) ? "%me" : "";
    if (!is_shared && base == "%in") {
      const std::string place = address(space, base, elements_, at);
      return emit(fmt::format("ld.global.u32 {}, {};", any_register(), place));
    }
    switch (random_.below(6)) {
      case 0:
      case 1: {
        const std::string place = address(space, base, elements_, at);
        return emit(fmt::format("ld.{}.u32 {}, {};", space, any_register(), place));
      }
      case 2: {
        const std::string place = address(space, base, elements_, at);
        return emit(fmt::format("atom.{}{}.{}.u32 {}, {}, {};", random_.chance(3) ? "relaxed.cta." : "",
                                space, random_.any({"add", "max"}), any_register(), place, any_register()));
      }
      default:
        return store(space, base, elements_, at);
    }
  }

  void condition() {
    switch (random_.below(6)) {
      case 0:
        return emit("setp.eq.u32 %p, %x, 0;");
      case 1:
        return emit("setp.eq.u32 %p, %me, 0;");
      case 2:
        return emit(fmt::format("setp.lt.u32 %p, {}, 2;", any_register()));
      case 3:
        return emit("setp.lt.u32 %p, %me, %x;");
      default:
        return emit(fmt::format("setp.lt.u32 %p, %me, {};", 1 + random_.below(threads_)));
    }
  }

  void guarded(unsigned depth) {
    const std::string end = new_label();
    condition();
    emit(fmt::format("@!%p bra {};", end));
    for (unsigned i = 0, length = 1 + random_.below(2); i < length; ++i) statement(depth + 1);
    place(end);
  }

  void halving_loop(unsigned depth) {
    const std::string begin = new_label(), skip = new_label(), end = new_label();
    const std::string counter = fmt::format("%n{}", counters_++);
    emit(fmt::format("mov.u32 {}, {};", counter, threads_ / 2));
    place(begin);
    emit(fmt::format("setp.eq.u32 %p, {}, 0;", counter));
    emit(fmt::format("@%p bra {};", end));
    emit(fmt::format("setp.ge.u32 %p, %me, {};", counter));
    emit(fmt::format("@%p bra {};", skip));
    emit(fmt::format("add.u32 %t0, %me, {};", counter));
    emit("mov.u32 %t1, s;");
    emit("mad.lo.u32 %t2, %t0, 4, %t1;");
    emit("ld.shared.u32 %r1, [%t2];");
    store("shared", "", elements_, "%me");
    if (random_.chance(4)) statement(depth + 2);
    place(skip);
    if (!random_.chance(4)) emit("bar.sync 0;");
    emit(fmt::format("shr.u32 {0}, {0}, 1;", counter));
    emit(fmt::format("bra {};", begin));
    place(end);
  }

  void strided_loop(unsigned depth) {
    const std::string begin = new_label(), end = new_label();
    const std::string counter = fmt::format("%n{}", counters_++);
    emit(fmt::format("mov.u32 {}, %me;", counter));
    place(begin);
    emit(fmt::format("setp.ge.u32 %p, {}, {};", counter, 2 * threads_ <= 16 ? 2 * threads_ : threads_));
    emit(fmt::format("@%p bra {};", end));
    if (random_.chance(2))
      store("global", "%out", elements_, counter);
    else
      statement(depth + 2);
    emit(fmt::format("add.u32 {0}, {0}, {1};", counter, random_.chance(5) ? 1 : threads_));
    emit(fmt::format("bra {};", begin));
    place(end);
  }

  void early_exit() {
    condition();
    emit("@%p ret;");
  }

  void exchange() {
    const char* mask = random_.chance(6) ? "1" : "0xffffffff";
    switch (random_.below(4)) {
      case 0:
        return emit(
            fmt::format("shfl.sync.bfly.b32 {}, {}, 1, 0x1f, {};", any_register(), any_register(), mask));
      case 1:
        emit("setp.eq.u32 %p, %me, 1;");
        return emit(fmt::format("vote.sync.ballot.b32 {}, %p, {};", any_register(), mask));
      case 2: {
        const std::string end = new_label();
        emit(fmt::format("elect.sync _|%q, {};", mask));
        emit(fmt::format("@!%q bra {};", end));
        store("shared", "", elements_, "1");
        return place(end);
      }
      default:
        return emit(fmt::format("redux.sync.add.u32 {}, {}, {};", any_register(), any_register(), mask));
    }
  }

  /// The position in a list comes from a counter.
  void counter() {
    const char* amount = random_.chance(5) ? "0" : "1";
    if (random_.chance(2)) condition();
    emit(fmt::format("atom.global.add.u32 %t3, [%count], {};", amount));
    if (random_.chance(5)) emit("and.b32 %t3, %t3, 3;");
    store("global", "%out", elements_, "%t3");
    if (random_.chance(6)) emit("st.global.u32 [%count], 0;");
  }

  const std::uint64_t seed_;
  const std::string module_name_;
  RandomChoices random_;
  unsigned threads_ = 1, ctas_ = 1, rows_ = 1;
  bool is_open_ = false;
  unsigned labels_ = 0, counters_ = 0;
  std::string code_;
};

}  // namespace

RandomKernel random_uniform_kernel(std::uint64_t seed, const std::string& module_name) {
  return Generator(seed, module_name).kernel();
}

}  // namespace ptxmc
