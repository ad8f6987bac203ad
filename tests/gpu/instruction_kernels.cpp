// instruction_kernels [SPELLINGS [THREADS]]: kernels with which a GPU computes what `ptxmc eval` computes.
// One line of JSON for each instruction that computes with registers alone, of each line of the syntax so
// many spellings (20): the instruction as `eval` reads it, a module of PTX with one kernel `k(in, out)`, and
// for each thread (32) random inputs. Values have 16 bytes in memory, those of a thread follow each other.
// tests/gpu/run_instructions.py runs the kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "src/instruction/evaluation.hpp"
#include "src/ptx/capabilities.hpp"
#include "tests/semantics/every_form.hpp"
#include "tests/semantics/random_operands.hpp"
#include "tests/spellings/instruction_text.hpp"

using namespace ptxmc;

namespace {

constexpr std::string_view target = "sm_90a";
constexpr unsigned bytes_of_value = 16;

/// Instructions that run one after the other, with the registers that they read before they write them and
/// those that the last of them writes.
struct Sequence {
  std::vector<std::string> instructions;  ///< with a semicolon each
  Evaluation evaluation;
};

/// Nothing if an instruction does not only compute.
std::optional<Sequence> program_of(const std::vector<std::string>& instructions) {
  try {
    std::vector<ResolvedInstruction> resolved;
    for (const std::string& text : instructions)
      resolved.push_back(resolve_instruction(
          read_instruction(std::string_view(text).substr(0, text.size() - 1), "instruction", {}),
          std::nullopt, {}, "instruction", {}));
    Sequence program{instructions, Evaluation(resolved, "instruction")};
    std::vector<Bits> zeros;
    for (const unsigned width : program.evaluation.source_widths()) zeros.emplace_back(width, 0);
    (void)program.evaluation.run(zeros);
    return program;
  } catch (const Unsupported&) {
    return std::nullopt;
  } catch (const InputError& error) {
    fmt::print(stderr, "{}: {}\n", instructions.back(), error.what());
    return std::nullopt;
  }
}

std::string load(unsigned width, const std::string& name, std::size_t place) {
  std::string text = fmt::format("  ld.global.v2.b64 {{%low, %high}}, [%in+{}];\n  ", place * bytes_of_value);
  if (width == 1) return text + fmt::format("setp.ne.b64 {}, %low, 0;\n", name);
  if (width == 64) return text + fmt::format("mov.b64 {}, %low;\n", name);
  if (width == 128) return text + fmt::format("mov.b128 {}, {{%low, %high}};\n", name);
  return text + fmt::format("cvt.u{}.u64 {}, %low;\n", width <= 16 ? 16 : 32, name);
}

std::string store(unsigned width, const std::string& name, std::size_t place) {
  std::string text = "  mov.b64 %high, 0;\n  ";
  if (width == 1) text += fmt::format("selp.b64 %low, 1, 0, {};\n", name);
  if (width == 16 || width == 32) text += fmt::format("cvt.u64.u{} %low, {};\n", width, name);
  if (width == 64) text += fmt::format("mov.b64 %low, {};\n", name);
  if (width == 128) text += fmt::format("mov.b128 {{%low, %high}}, {};\n", name);
  return text + fmt::format("  st.global.v2.b64 [%out+{}], {{%low, %high}};\n", place * bytes_of_value);
}

std::string module_of(const Sequence& program) {
  const auto& names = program.evaluation.source_names();
  const auto& widths = program.evaluation.source_widths();
  const auto& results = program.evaluation.results();
  std::string code;
  for (std::size_t i = 0; i < names.size(); ++i) code += load(widths[i], names[i], i);
  for (const std::string& instruction : program.instructions) code += "  " + instruction + "\n";
  for (std::size_t i = 0; i < results.size(); ++i) code += store(results[i].width, results[i].name, i);
  return fmt::format(R"(.version 8.7
.target {}
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<10>, %thread;
  .reg .b64 %rd<10>, %low, %high, %in, %out, %distance;
  .reg .b128 %q<8>;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %distance, %thread, {};
  add.u64 %in, %in, %distance;
  mul.wide.u32 %distance, %thread, {};
  add.u64 %out, %out, %distance;
{}  ret;
}}
)",
                     target, names.size() * bytes_of_value, results.size() * bytes_of_value, code);
}

std::string hexadecimal(u128 value) {
  return fmt::format("{:x}{:016x}", static_cast<std::uint64_t>(value >> 64),
                     static_cast<std::uint64_t>(value));
}

void print(const Sequence& program, unsigned threads, std::mt19937_64& random) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (unsigned thread = 0; thread < threads; ++thread) {
    std::vector<std::string> values;
    for (const unsigned width : program.evaluation.source_widths())
      values.push_back(hexadecimal(Bits(width, test::random_operand(random, width)).value()));
    inputs.push_back(values);
  }
  std::string instruction;
  for (const std::string& text : program.instructions) instruction += text;
  std::vector<unsigned> widths;
  for (const auto& result : program.evaluation.results()) widths.push_back(result.width);
  fmt::print(
      "{}\n",
      nlohmann::ordered_json{
          {"instruction", instruction}, {"results", widths}, {"ptx", module_of(program)}, {"inputs", inputs}}
          .dump());
}

/// § 9.7.2: the carry flag goes from one instruction to the next.
const std::vector<std::vector<std::string>> with_carry = {
    {"add.cc.u32 %r1, %r2, %r3;", "addc.u32 %r4, %r5, %r6;"},
    {"add.cc.s32 %r1, %r2, %r3;", "addc.s32 %r4, %r5, %r6;"},
    {"add.cc.u64 %rd1, %rd2, %rd3;", "addc.u64 %rd4, %rd5, %rd6;"},
    {"sub.cc.u32 %r1, %r2, %r3;", "subc.u32 %r4, %r5, %r6;"},
    {"sub.cc.s64 %rd1, %rd2, %rd3;", "subc.s64 %rd4, %rd5, %rd6;"},
    {"add.cc.u32 %r1, %r2, %r3;", "addc.cc.u32 %r4, %r5, %r6;", "addc.u32 %r1, %r7, %r8;"},
    {"sub.cc.u32 %r1, %r2, %r3;", "subc.cc.u32 %r4, %r5, %r6;", "subc.u32 %r1, %r7, %r8;"},
    {"mad.lo.cc.u32 %r1, %r2, %r3, %r4;", "madc.hi.u32 %r5, %r6, %r7, %r8;"},
    {"mad.hi.cc.s32 %r1, %r2, %r3, %r4;", "madc.lo.s32 %r5, %r6, %r7, %r8;"},
    {"mad.lo.cc.u64 %rd1, %rd2, %rd3, %rd4;", "madc.hi.u64 %rd5, %rd6, %rd7, %rd8;"},
    {"sub.cc.u32 %r1, %r2, %r3;", "addc.u32 %r4, %r5, %r6;"},
    {"add.cc.u32 %r1, %r2, %r3;", "subc.u32 %r4, %r5, %r6;"}};

/// Their values are addresses and opaque objects, which are not the same on a GPU.
const std::set<std::string_view> of_addresses = {"cvta",    "getctarank", "isspacep",
                                                 "istypep", "mapa",       "mbarrier"};

bool reads_carry(const Form& form) {
  return std::ranges::any_of(form.operands,
                             [](const FormOperand& o) { return o.is_hidden && !o.is_destination; });
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most_of_line = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20;
  const unsigned threads = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 32;
  const auto architecture = *syntax::target_named(target);
  std::mt19937_64 random(1);
  std::set<std::string> seen;
  for (const auto& instructions : with_carry)
    if (const auto program = program_of(instructions)) print(*program, threads, random);
  for (const auto& entry : ptx().declarations())
    for (const SyntaxLine& line : entry->notation.lines)
      test::for_each_spelling(
          *entry, line, most_of_line, [&](const std::string& spelling, const auto& shapes) {
            const Match match = ptx().match(spelling, shapes);
            if (!match || match.form->removed != 0 || !test::is_computation(*match.form, shapes) ||
                reads_carry(*match.form) || of_addresses.contains(line.opcode) ||
                !syntax::has_architecture({87, architecture.sm, architecture.suffix}, match.form->targets))
              return;
            const std::string text = test::instruction_text(*match.form, shapes);
            if (!seen.insert(text).second) return;
            if (const auto program = program_of({text})) print(*program, threads, random);
          });
}
