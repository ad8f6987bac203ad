#include "tests/kernel_campaign/random_copying_kernel.hpp"

#include <fmt/format.h>

#include <utility>

#include "tests/random_choices.hpp"

namespace ptxmc {

namespace {

/// 16 bytes in each of `s` (shared), `l` (local) and, from `%out` on, global memory; what is computed is
/// shown behind these.
class Generator {
 public:
  Generator(std::uint64_t seed, std::string module_name)
      : seed_(seed), module_name_(std::move(module_name)), random_(seed), has_two_(random_.chance(2)) {}

  RandomKernel kernel() {
    part();
    if (has_two_) {
      const std::string first = std::exchange(code_, "");
      part();
      code_ = "  mov.u32 %t, %tid.x;\n  setp.ne.u32 %p, %t, 0;\n  @%p bra SECOND;\n" + first +
              "SECOND:\n  bar.sync 0;\n  @!%p bra END;\n" + code_ + "END:\n";
    }
    return {module(), launch()};
  }

 private:
  static constexpr unsigned words_ = 4, doubles_ = 3, shown_from_ = 16, most_shown_ = 32;

  std::string module() const {
    return fmt::format(
        ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n"
        "  .reg .b32 %r<{}>, %t;\n  .reg .b64 %d<{}>, %out;\n  .reg .pred %p, %q;\n"
        "  .shared .align 16 .b8 s[16];\n  .local .align 16 .b8 l[16];\n"
        "  ld.param.u64 %out, [out];\n{}  ret;\n}}\n",
        words_, doubles_, code_);
  }

  std::string launch() const {
    return fmt::format(
        "# seed {}\nmodule = \"{}\"\nentry = \"k\"\ngrid = [1]\nblock = [{}]\n"
        "[[param]]\nname = \"out\"\nbuffer = \"u32[{}]\"\ninit = 0\n",
        seed_, module_name_, has_two_ ? 2 : 1, (shown_from_ + 4 * most_shown_) / 4);
  }

  void emit(const std::string& line) { code_ += "  " + line + "\n"; }
  std::string word() { return fmt::format("%r{}", random_.below(words_)); }
  std::string two_words() {
    const unsigned first = random_.below(words_);
    return fmt::format("{{%r{}, %r{}}}", first, (first + 1 + random_.below(words_ - 1)) % words_);
  }
  std::string twice() { return fmt::format("%d{}", random_.below(doubles_)); }

  /// What one thread does. Its registers have values at the beginning.
  void part() {
    for (unsigned i = 0; i < words_; ++i) emit(fmt::format("mov.b32 %r{}, {};", i, i + 1));
    for (unsigned i = 0; i < doubles_; ++i) emit(fmt::format("mov.b64 %d{}, {};", i, i + 11));
    for (unsigned i = 0, length = 4 + random_.below(8); i < length; ++i) statement();
  }

  void statement() {
    if (random_.chance(3)) return compute();
    const bool is_load = random_.chance(2);
    switch (random_.below(is_load ? 4 : 6)) {
      case 0:
        return access(is_load, ".u32", 4, word());
      case 1:
        return access(is_load, ".u64", 8, twice());
      case 2:
        return access(is_load, ".v2.u32", 8, two_words());
      default:
        return access(is_load, ".u8", 1, word());
    }
  }

  void access(bool is_load, const char* type, unsigned size, const std::string& value) {
    const std::string space = random_.any({"shared", "shared", "local", "local", "global"});
    const std::string base = space == "shared" ? "s" : space == "local" ? "l" : "%out";
    const std::string place = fmt::format("[{}+{}]", base, random_.below(16 / size) * size);
    if (is_load)
      emit(fmt::format("ld.{}{} {}, {};", space, type, value, place));
    else
      emit(fmt::format("st.{}{} {}, {};", space, type, place, value));
  }

  /// Some of these only move bytes.
  void compute() {
    const std::string result = word();
    switch (random_.below(9)) {
      case 0:
        return emit(fmt::format("mov.b64 {}, {};", twice(), two_words()));
      case 1:
        return emit(fmt::format("mov.b64 {}, {};", two_words(), twice()));
      case 2:
        return emit(fmt::format("cvt.u64.u32 {}, {};", twice(), word()));
      case 3:
        emit(fmt::format("setp.eq.u32 %q, {}, 7;", word()));
        emit(fmt::format("selp.b32 {}, 5, {}, %q;", result, word()));  // both differ
        break;
      case 4:
        emit(fmt::format("and.b32 {}, {}, {};", result, word(), random_.any({"255", "65280", "15"})));
        break;
      case 5:
        emit(fmt::format("shr.u32 {}, {}, {};", result, word(), random_.any({"8", "16", "4"})));
        break;
      case 6:
        emit(fmt::format("prmt.b32 {}, {}, {}, {};", result, word(), word(),
                         random_.any({"0x3210", "0x7531", "0x0011"})));
        break;
      case 7:
        emit(fmt::format("cvt.u32.u64 {}, {};", result, twice()));
        break;
      default:
        emit(fmt::format("add.u32 {}, {}, 1;", result, word()));
        break;
    }
    emit(fmt::format("st.global.u32 [%out+{}], {};", shown_from_ + 4 * shown_++, result));
  }

  const std::uint64_t seed_;
  const std::string module_name_;
  RandomChoices random_;
  const bool has_two_;
  unsigned shown_ = 0;
  std::string code_;
};

}  // namespace

RandomKernel random_copying_kernel(std::uint64_t seed, const std::string& module_name) {
  return Generator(seed, module_name).kernel();
}

}  // namespace ptxmc
