#include "src/cuda/cuda_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/mbarrier_state.hpp"
#include "src/cuda/inline_ptx.hpp"
#include "src/embedded_texts.hpp"
#include "src/report/answer.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/herd_output.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

namespace {

/// A string of C++.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result + "\"";
}

std::string comparison(Proposition::Comparison op) {
  static constexpr const char* texts[] = {"==", "!=", "<", "<=", ">", ">="};
  return texts[static_cast<std::size_t>(op)];
}

/// A format in the names of the harness.
std::string format_name(const std::optional<FloatFormat>& format) {
  if (!format) return "Format::integer";
  if (*format == FloatFormat::f16) return "Format::f16";
  if (*format == FloatFormat::bf16) return "Format::bf16";
  if (*format == FloatFormat::f32) return "Format::f32";
  if (*format == FloatFormat::f64) return "Format::f64";
  throw Unsupported("a final value of a format without a type of C++", {});
}

/// nvcc takes minutes for a table of ten thousand states.
constexpr std::size_t most_states = 1000;

class CudaText {
 public:
  CudaText(const LitmusTest& test, const std::string& model, const Answer& answer)
      : test_(test), program_(test.program), model_(model), answer_(answer), placement_(place_on_gpu(test)) {
    if (answer.states.size() > most_states)
      throw Unsupported(fmt::format("a test with more than {} final states", most_states), {});
  }

  std::string text() {
    begin();
    sizes();
    threads();
    initial_values();
    shown_values();
    code();
    states();
    conditions();
    for (const EmbeddedText& part : embedded_cuda_parts()) text_ += part.text;
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  void begin() {
    const std::string name = std::filesystem::path(test_.file).filename().string();
    const std::string architecture = architecture_for(program_, placement_);
    add("// {} from {}, written by ptxmc for a GPU of {} or later:", test_.name, name, architecture);
    add("//   nvcc -arch={} -o test FILE.cu && ./test --runs 1000", architecture);
    add("// It compares what the GPU shows with what {} allows. A state that is not observed may still be",
        model_);
    add("// allowed; one that is observed and not allowed is an error of the model, the compiler or the "
        "GPU.");
    add("#include <cuda_runtime.h>\n\n#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include "
        "<cstdio>");
    add("#include <cstdlib>\n#include <cstring>\n#include <map>\n#include <random>\n#include "
        "<string>\n#include <type_traits>\n#include <vector>\n");
    add("namespace litmus {{\n");
    add("constexpr const char *test_name = {}, *test_kind = {};", quoted(test_.name),
        quoted(kind_text(test_.question.quantifier)));
    add("constexpr const char *model_name = {}, *question = {};", quoted(model_),
        quoted(question_text(test_.question, program_)));
    add("enum class Quantifier {{ exists, not_exists, forall }};");
    static constexpr const char* quantifiers[] = {"exists", "not_exists", "forall"};
    add("constexpr Quantifier quantifier = Quantifier::{};\n",
        quantifiers[static_cast<std::size_t>(test_.question.quantifier)]);
  }

  void sizes() {
    add("constexpr int threads = {}, clusters = {}, cluster_size = {}, warps = {};", program_.threads.size(),
        placement_.ctas.size(), placement_.cluster_size, placement_.warps);
    add("// Of one execution: its global memory, and the shared memory of each of its CTAs.");
    add("constexpr std::size_t global_bytes = {}, shared_bytes = {};",
        std::max<std::uint64_t>(placement_.global_bytes, 256), placement_.shared_bytes);
    add("constexpr std::size_t values = {};\n", answer_.shown.size());
  }

  void threads() {
    add("struct Place {{ int cluster, rank, warp, lane; }};");
    add("__device__ const Place place_of_thread[threads] = {{");
    for (const GpuThread& thread : placement_.threads)
      add("    {{{}, {}, {}, {}}},", thread.cluster, thread.rank, thread.warp, thread.lane);
    add("}};\n");
  }

  /// The elements in memory before the threads start.
  void initial_values() {
    add("struct Initial {{ std::size_t offset, size; unsigned long long value; bool is_address; }};");
    std::string global, shared;
    for (std::size_t i = 0; i < program_.memory.size(); ++i) {
      const Variable& variable = program_.memory[i];
      if (variable.space == StateSpace::shared_cta)
        shared += shared_variable(i);
      else
        global += global_variable(i);
    }
    add("const std::vector<Initial> initial_values = {{\n{}}};\n", global);
    add("__device__ void store(char *place, std::size_t size, unsigned long long value);");
    add("__device__ void initialise_mbarrier(char *object, unsigned count);");
    add("__device__ void initialise_shared(int cluster, int rank, char *shared) {{");
    add("  (void)cluster, (void)rank, (void)shared;\n{}}}\n", shared);
  }

  static std::uint64_t known(const Variable& variable, const Bits& value) {
    if (!value.is_constant() || variable.element_size > 8)
      throw Unsupported("the initial value of " + variable.name, {});
    return value.to_u64();
  }

  std::string global_variable(std::size_t number) const {
    const Variable& variable = program_.memory[number];
    std::string text;
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      std::uint64_t value = known(variable, variable.initial[i]);
      const auto pointed = variable_at(program_, value);
      if (pointed && program_.memory[pointed->variable].space == StateSpace::shared_cta)
        throw Unsupported("a pointer to shared memory in " + variable.name, {});
      if (pointed) value = placement_.offsets[pointed->variable] + pointed->offset;
      text +=
          fmt::format("    {{{}, {}, {}ull, {}}},\n", placement_.offsets[number] + i * variable.element_size,
                      variable.element_size, value, pointed.has_value());
    }
    return text;
  }

  std::string shared_variable(std::size_t number) const {
    const Variable& variable = program_.memory[number];
    const auto [cluster, rank] = cta_place(variable);
    std::string text = fmt::format("  if (cluster == {} && rank == {}) {{\n", cluster, rank);
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      const std::uint64_t value = known(variable, variable.initial[i]);
      if (variable_at(program_, value)) throw Unsupported("a pointer in the shared " + variable.name, {});
      const std::uint64_t offset = placement_.offsets[number] + i * variable.element_size;
      text += variable.is_mbarrier
                  ? fmt::format("    initialise_mbarrier(shared + {}, {});\n", offset,
                                mbarrier_state(Bits(64, value)).pending.to_u64())
                  : fmt::format("    store(shared + {}, {}, {}ull);\n", offset, variable.element_size, value);
    }
    return text + "  }\n";
  }

  std::pair<std::size_t, std::size_t> cta_place(const Variable& variable) const {
    for (std::size_t cluster = 0; cluster < placement_.ctas.size(); ++cluster)
      for (std::size_t rank = 0; rank < placement_.ctas[cluster].size(); ++rank)
        if (placement_.ctas[cluster][rank] == variable.cta) return {cluster, rank};
    throw Unsupported("the shared variable " + variable.name + " of a CTA without a thread", {});
  }

  /// Where the final values are.
  void shown_values() {
    add("enum class Kind {{ in_register, in_global, in_shared }};");
    add("enum class Format {{ integer, f16, bf16, f32, f64 }};");
    add("struct Shown {{ const char *name; Kind kind; std::size_t offset, size; bool is_signed; Format "
        "format; }};");
    add("// in_shared: the offset counts the shared memory of the CTAs before this one, by cluster and "
        "rank.");
    add("const std::vector<Shown> shown_values = {{");
    for (std::size_t i = 0; i < answer_.shown.size(); ++i) add("    {},", shown_value(i));
    add("}};");
    add("// The addresses of variables: here, in the test.");
    add("struct Variable {{ std::size_t offset, size; long long address; }};\nconst std::vector<Variable> "
        "variables = {{");
    for (std::size_t i = 0; i < program_.memory.size(); ++i)
      if (program_.memory[i].space != StateSpace::shared_cta)
        add("    {{{}, {}, {}}},", placement_.offsets[i], program_.memory[i].size(),
            program_.memory[i].address);
    add("}};\n");
  }

  std::string shown_value(std::size_t index) const {
    const FinalTerm& term = answer_.shown[index];
    const std::string name = quoted(name_of(term, program_, Naming::herd));
    if (term.kind == FinalTerm::Kind::thread_register)
      return fmt::format("{{{}, Kind::in_register, {}, 8, true, {}}}", name, index * 8,
                         format_name(term.format));
    const auto number = static_cast<std::size_t>(term.variable);
    const Variable& variable = program_.memory[number];
    if (variable.is_mbarrier) throw Unsupported("the final state of an mbarrier object", {});
    std::uint64_t offset =
        placement_.offsets[number] + static_cast<std::uint64_t>(term.element) * variable.element_size;
    const bool is_shared = variable.space == StateSpace::shared_cta;
    if (is_shared) {
      const auto [cluster, rank] = cta_place(variable);
      offset +=
          (cluster * static_cast<std::size_t>(placement_.cluster_size) + rank) * placement_.shared_bytes;
    }
    return fmt::format("{{{}, {}, {}, {}, {}, {}}}", name, is_shared ? "Kind::in_shared" : "Kind::in_global",
                       offset, variable.element_size, variable.is_signed, format_name(term.format));
  }

  /// The functions of the threads.
  void code() {
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      add("// {}", program_.threads[i].name);
      add("__device__ __noinline__ void run_thread_{}(char *global, char *shared, long long *registers) {{",
          i);
      add("  const size_t window = __cvta_generic_to_shared(shared);");
      add("  asm volatile(");
      std::string lines = inline_ptx(program_, i, placement_, answer_.shown);
      for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = lines.find('\n', begin);
        add("      \"{}\\n\"", lines.substr(begin, end - begin));
        begin = end + 1;
      }
      add("      : : \"l\"(global), \"l\"(shared), \"l\"(window), \"l\"(registers) : \"memory\");\n}}\n");
    }
    add("__device__ void run_thread(int thread, char *global, char *shared, long long *registers) {{");
    add("  switch (thread) {{");
    for (std::size_t i = 0; i < program_.threads.size(); ++i)
      add("    case {}: return run_thread_{}(global, shared, registers);", i, i);
    add("  }}\n}}\n");
  }

  /// The states that the model allows.
  void states() {
    add("constexpr bool all_states_are_known = {};", answer_.states_complete);
    add("const std::map<std::vector<long long>, const char *> allowed_states = {{");
    for (const FinalState* state : ordered_states(answer_)) {
      std::vector<std::string> numbers;
      for (const std::int64_t value : state->values)
        numbers.push_back(fmt::format("(long long){:#x}ull", static_cast<std::uint64_t>(value)));
      add("    {{{{{}}}, {}}},", fmt::join(numbers, ", "), quoted(state_text(*state, answer_, program_)));
    }
    add("}};\n");
  }

  void conditions() {
    add("double number(long long bits, Format format);\n");
    add("bool satisfies_condition(const std::vector<long long> &v) {{\n  (void)v;\n  return {};\n}}",
        expression(test_.question.condition));
    add("bool satisfies_filter(const std::vector<long long> &v) {{\n  (void)v;\n  return {};\n}}\n",
        expression(test_.question.filter));
  }

  std::string expression(const Proposition& proposition) const {
    using Kind = Proposition::Kind;
    switch (proposition.kind) {
      case Kind::truth:
        return "true";
      case Kind::compare:
        return fmt::format("{} {} {}", term(proposition.left), comparison(proposition.comparison),
                           term(proposition.right));
      case Kind::negation:
        return "!(" + expression(proposition.operands.front()) + ")";
      case Kind::conjunction:
        return joined(proposition.operands, " && ", "true");
      case Kind::disjunction:
        return joined(proposition.operands, " || ", "false");
    }
    throw std::logic_error("a proposition of no known kind");
  }

  std::string joined(const std::vector<Proposition>& operands, const char* connective,
                     const char* none) const {
    std::string text;
    for (const Proposition& operand : operands)
      text += (text.empty() ? "(" : connective) + ("(" + expression(operand) + ")");
    return text.empty() ? none : text + ")";
  }

  std::string term(const FinalTerm& term) const {
    std::string value;
    if (term.kind == FinalTerm::Kind::constant) {
      value = fmt::format("(long long){:#x}ull", static_cast<std::uint64_t>(term.constant));
    } else {
      const auto found = std::ranges::find(answer_.shown, term);
      if (found == answer_.shown.end()) throw std::logic_error("a term of the condition that is not shown");
      value = fmt::format("v[{}]", found - answer_.shown.begin());
    }
    return term.format ? fmt::format("number({}, {})", value, format_name(term.format)) : value;
  }

  const LitmusTest& test_;
  const Program& program_;
  const std::string model_;
  const Answer& answer_;
  const GpuPlacement placement_;
  std::string text_;
};

}  // namespace

std::string cuda_program(const LitmusTest& test, const std::string& model, const Answer& answer) {
  if (test.language == Language::cpp)
    throw Unsupported("a test of C++: tools/compile-litmus makes a program of CUDA of it", {});
  return CudaText(test, model, answer).text();
}

}  // namespace ptxmc
