#include "src/litmus/nvlitmus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "src/litmus/nvlitmus_syntax.hpp"
#include "src/litmus/nvlitmus_template.hpp"
#include "src/litmus/resolution.hpp"

namespace ptxmc {

namespace {

namespace nv = nvlitmus_syntax;

struct Space {
  std::string_view name;
  std::string_view proxy;  ///< the proxy of such an alias; empty: not an alias
};
constexpr std::array<Space, 5> spaces = {{{"global", "generic"},
                                          {"shared", ""},
                                          {"texref", "texture"},
                                          {"surfref", "surface"},
                                          {"constref", "constant"}}};

/// `tld r0, [t]` and similar accesses need a qualifier in the litmus dialect; without one they are weak.
constexpr std::array<std::string_view, 4> accesses_of_proxies = {"tld", "suld", "sust", "cold"};

class Translator {
 public:
  Translator(const nv::File& file, const SourceText& source) : file_(file), source_(source) {}

  LitmusTest translate(const nv::Question& question) {
    syntax_ = {};
    threads_.clear();
    code_.clear();
    filter_.clear();
    for (const nv::Declaration& declaration : file_.declarations) declare(declaration);
    if (file_.threads.empty())
      throw InputError(source_.file(), question.kind.where, "found a question, expected a thread before it");
    for (const nv::ThreadCode& thread : file_.threads) add(thread);
    syntax_.quantifier = question.kind.text == "assert" ? "forall" : "exists";
    syntax_.condition = question.condition;
    resolve_registers(syntax_.condition);
    if (!filter_.empty()) {
      syntax_.filter.emplace();
      syntax_.filter->kind = litmus_syntax::Proposition::Kind::conjunction;
      syntax_.filter->operands = filter_;
    }
    std::vector<litmus_syntax::Column> columns;
    for (const std::vector<litmus_syntax::Cell>& cells : code_) {
      litmus_syntax::Column& column = columns.emplace_back();
      for (const litmus_syntax::Cell& cell : cells) column.push_back(&cell);
    }
    LitmusTest test = resolve(syntax_, columns, source_);
    for (std::size_t i = 0; i < file_.threads.size(); ++i)
      test.program.threads[i].name = name_of(file_.threads[i]);
    test.only_asks = question.kind.text == "check";
    return test;
  }

 private:
  [[noreturn]] void fail(SourcePosition where, const std::string& message) const {
    throw InputError(source_.file(), where, message);
  }

  void declare(const nv::Declaration& written) {
    const auto space = std::find_if(spaces.begin(), spaces.end(),
                                    [&](const Space& known) { return known.name == written.space.text; });
    if (space == spaces.end())
      fail(written.space.where,
           fmt::format("found '.{}', expected .global, .shared, .texref, .surfref or .constref",
                       written.space.text));
    const bool has_own_memory = space->name == "global" || space->name == "shared";
    if (written.target && !space->proxy.empty()) {
      const litmus_syntax::Name proxy{std::string(space->proxy), written.space.where};
      return syntax_.aliases.push_back({written.name, proxy, *written.target});
    }
    if (written.target || !has_own_memory)
      fail(written.name.where,
           fmt::format("found '.{} {}', expected {}", written.space.text, written.name.text,
                       written.target ? "no alias of shared memory" : "'virtually aliases'"));
    litmus_syntax::VariableDeclaration variable;
    variable.is_shared = space->name == "shared";
    variable.name = written.name;
    variable.type = written.type;
    if (written.value)
      variable.values.push_back({litmus_syntax::InitialValue::Kind::number, *written.value, {}});
    syntax_.variables.push_back(std::move(variable));
  }

  static std::string name_of(const nv::ThreadCode& thread) {
    return fmt::format("d{}.b{}.t{}", thread.device.bits, thread.block.bits, thread.thread.bits);
  }

  void add(const nv::ThreadCode& thread) {
    const std::size_t number = code_.size();
    if (!threads_.insert(name_of(thread)).second)
      fail(thread.device.where,
           fmt::format("found a second thread {}, expected each thread once", name_of(thread)));
    syntax_.threads.push_back({litmus_syntax::ThreadName{number, thread.device.where}, true, std::nullopt,
                               thread.block, std::nullopt, thread.device});
    auto& cells = code_.emplace_back();
    for (const nv::Statement& statement : thread.statements) {
      litmus_syntax::Instruction instruction = statement.instruction;
      const std::string& opcode = instruction.opcode.text;
      if (std::find(accesses_of_proxies.begin(), accesses_of_proxies.end(), opcode) !=
          accesses_of_proxies.end())
        instruction.opcode.text += ".weak";
      if (statement.read) {
        for (litmus_syntax::Cell& cell : require_read(number, thread, statement, instruction))
          cells.push_back(std::move(cell));
      } else {
        cells.push_back(cell_of(std::move(instruction)));
      }
    }
  }

  static litmus_syntax::Cell cell_of(litmus_syntax::Instruction instruction) {
    return {{}, std::move(instruction), {";", {}}};
  }

  static bool writes(const litmus_syntax::Instruction& instruction, const std::string& register_name) {
    return !instruction.operands.empty() &&
           instruction.operands[0].kind == litmus_syntax::Operand::Kind::name &&
           instruction.operands[0].place.variable.text == register_name;
  }

  /// The thread may overwrite the register of this read, so the value is kept in an additional register.
  std::vector<litmus_syntax::Cell> require_read(std::size_t number, const nv::ThreadCode& thread,
                                                const nv::Statement& statement,
                                                litmus_syntax::Instruction instruction) {
    if (instruction.operands.empty() || instruction.operands[0].kind != litmus_syntax::Operand::Kind::name)
      fail(statement.read->where, "found a value to read, expected it after an instruction with a result");
    litmus_syntax::Name result = instruction.operands[0].place.variable;
    const auto writers = std::ranges::count_if(thread.statements, [&](const nv::Statement& other) {
      return writes(other.instruction, result.text);
    });
    std::vector<litmus_syntax::Cell> cells;
    if (writers > 1) {
      const litmus_syntax::Name kept{fmt::format("{}@{}", result.text, instruction.where.line), result.where};
      litmus_syntax::Instruction move = instruction;
      move.opcode.text = "ld";
      move.guard = instruction.guard;
      move.operands.resize(1);
      move.operands.push_back(move.operands[0]);
      move.operands[1].place.variable = kept;
      instruction.operands[0].place.variable = kept;
      result = kept;
      cells.push_back(cell_of(std::move(instruction)));
      cells.push_back(cell_of(std::move(move)));
    } else {
      cells.push_back(cell_of(std::move(instruction)));
    }
    filter_.push_back(is_equal(number, result, *statement.read));
    return cells;
  }

  static litmus_syntax::Proposition is_equal(std::size_t thread, const litmus_syntax::Name& name,
                                             const litmus_syntax::Number& value) {
    litmus_syntax::Proposition equal;
    equal.kind = litmus_syntax::Proposition::Kind::compare;
    equal.comparison = "==";
    equal.left.kind = litmus_syntax::Term::Kind::thread_register;
    equal.left.where = name.where;
    equal.left.thread_register = {{thread, name.where}, name};
    equal.right.where = value.where;
    equal.right.number = value;
    return equal;
  }

  // ---- conditions: a name is a register of the thread that uses it, otherwise a variable ----

  bool declares(const std::string& name) const {
    return std::ranges::any_of(file_.declarations, [&](const nv::Declaration& declaration) {
      return declaration.name.text == name;
    });
  }

  void resolve_registers(litmus_syntax::Proposition& proposition) const {
    resolve_register(proposition.left);
    resolve_register(proposition.right);
    for (litmus_syntax::Proposition& operand : proposition.operands) resolve_registers(operand);
  }

  void resolve_register(litmus_syntax::Term& term) const {
    if (term.kind != litmus_syntax::Term::Kind::place || declares(term.place.variable.text)) return;
    const litmus_syntax::Name& name = term.place.variable;
    std::vector<std::size_t> users;
    for (std::size_t i = 0; i < file_.threads.size(); ++i)
      if (std::ranges::any_of(file_.threads[i].statements, [&](const nv::Statement& statement) {
            return writes(statement.instruction, name.text);
          }))
        users.push_back(i);
    if (users.size() != 1)
      fail(name.where, fmt::format("found '{}', which {}, expected the register of one thread", name.text,
                                   users.empty() ? "no thread writes" : "several threads write"));
    term.kind = litmus_syntax::Term::Kind::thread_register;
    term.thread_register = {{users.front(), name.where}, name};
  }

  const nv::File& file_;
  const SourceText& source_;
  litmus_syntax::File syntax_;
  std::set<std::string> threads_;  // those that were added
  std::vector<std::vector<litmus_syntax::Cell>> code_;
  std::vector<litmus_syntax::Proposition> filter_;
};

}  // namespace

std::vector<LitmusTest> parse_nvlitmus(std::string_view text, const std::string& file_name) {
  const auto instances = instances_of_template(SourceText(file_name, std::string(text)));
  std::vector<LitmusTest> tests;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const nv::File file = nv::parse(instances[i]);
    if (file.questions.empty())
      throw instances[i].expected(instances[i].text().size(), "assert, permit or check");
    for (const nv::Question& question : file.questions) {
      LitmusTest test = Translator(file, instances[i]).translate(question);
      test.file = file_name;
      const std::string stem = std::filesystem::path(file_name).stem().string();
      test.name = instances.size() == 1 ? fmt::format("{}.{}", stem, question.name.text)
                                        : fmt::format("{}.{}.{}", stem, i + 1, question.name.text);
      tests.push_back(std::move(test));
    }
  }
  return tests;
}

}  // namespace ptxmc
