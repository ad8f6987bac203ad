#include "src/litmus/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "semantics/language/form.hpp"
#include "semantics/language/spelling.hpp"

namespace ptxmc {

namespace {

/// The uses of the variables with one name.
struct Use {
  bool is_declared = false;
  bool is_read = false;
  bool is_written = false;
  bool is_shown = false;    ///< by the question
  bool has_others = false;  ///< it may be accessed by other names: it has aliases, or its address is a value
};

class Warnings {
 public:
  Warnings(const litmus_syntax::File& file, const std::vector<litmus_syntax::Column>& code,
           const LitmusTest& test)
      : file_(file), code_(code), test_(test) {
    for (const Variable& variable : test.program.memory) {
      uses_[base_name(variable)];
      by_address_.emplace(variable.address, &variable);
    }
    note_places();
    note_declarations();
    for (const Thread& thread : test.program.threads) note_thread(thread);
    note_terms(test.question.condition);
    note_terms(test.question.filter);
    for (const FinalTerm& term : test.question.locations) note_term(term);
  }

  std::vector<Warning> find() {
    for (const auto& [name, use] : uses_) look_at(name, use);
    look_at_terms(file_.condition);
    if (file_.filter) look_at_terms(*file_.filter);
    for (const litmus_syntax::Term& term : file_.locations) look_at_term(term);
    for (const Thread& thread : test_.program.threads)
      for (const Instruction& instruction : thread.code) look_at_barrier(thread, instruction);
    const auto place = [](const Warning& warning) {
      return std::tuple(warning.where.line, warning.where.column, warning.message);
    };
    std::ranges::sort(found_, {}, place);
    const auto same = [&](const Warning& a, const Warning& b) { return place(a) == place(b); };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    return std::move(found_);
  }

 private:
  /// The name without the CTA of an instance.
  static std::string base_name(const Variable& variable) {
    return variable.name.substr(variable.name.rfind(':') + 1);
  }

  const Variable* variable_at(std::uint64_t address) const {
    const auto after = by_address_.upper_bound(address);
    if (after == by_address_.begin()) return nullptr;
    const Variable* variable = std::prev(after)->second;
    return address - variable->address < variable->size() ? variable : nullptr;
  }

  // ---- uses in the test ----

  void note_places() {
    const auto is_before = [](SourcePosition a, SourcePosition b) {
      return std::tuple(a.line, a.column) < std::tuple(b.line, b.column);
    };
    for (const litmus_syntax::VariableDeclaration& variable : file_.variables)
      first_places_.emplace(variable.name.text, variable.name.where);
    std::map<std::string, SourcePosition> used;
    for (const litmus_syntax::Column& column : code_)
      for (const litmus_syntax::Cell* cell : column) {
        if (!cell->instruction) continue;
        for (const litmus_syntax::Operand& operand : cell->instruction->operands) {
          const litmus_syntax::Name& name = operand.place.variable;
          SourcePosition& first = used.emplace(name.text, name.where).first->second;
          if (is_before(name.where, first)) first = name.where;
        }
      }
    first_places_.merge(used);
  }

  void note_declarations() {
    for (const litmus_syntax::VariableDeclaration& variable : file_.variables)
      uses_[variable.name.text].is_declared = true;
    for (const litmus_syntax::AliasDeclaration& alias : file_.aliases) {
      uses_[alias.name.text].has_others = true;
      uses_[alias.target.text].has_others = true;
    }
    for (const Variable& variable : test_.program.memory)
      for (const Bits& value : variable.initial) note_value(value);
  }

  /// Records a value that is the address of a variable.
  void note_value(const Bits& value) {
    if (value.width() != 64 || !value.is_constant()) return;
    if (const Variable* variable = variable_at(value.to_u64())) uses_[base_name(*variable)].has_others = true;
  }

  void note_thread(const Thread& thread) {
    for (const Bits& value : thread.initial_registers) note_value(value);
    for (const Instruction& instruction : thread.code)
      for (const Operand& operand : instruction.operands) {
        if (const auto* immediate = std::get_if<Operand::Immediate>(&operand.is))
          note_value(immediate->value);
        const auto* address = std::get_if<Operand::Address>(&operand.is);
        if (address && !address->base) note_access(instruction, address->offset.to_u64());
      }
  }

  void note_access(const Instruction& instruction, std::uint64_t address) {
    static constexpr std::array only_read = {"ld", "ldu", "tld", "suld", "cold", "load"};
    static constexpr std::array only_written = {"st", "sust", "store"};
    const Variable* variable = variable_at(address);
    if (!variable) return;
    const std::string& opcode = instruction.form->line->opcode;
    Use& use = uses_[base_name(*variable)];
    use.is_written |= std::ranges::find(only_read, opcode) == only_read.end();
    use.is_read |= std::ranges::find(only_written, opcode) == only_written.end();
  }

  void note_terms(const Proposition& proposition) {
    if (proposition.kind == Proposition::Kind::compare) {
      note_term(proposition.left);
      note_term(proposition.right);
    }
    for (const Proposition& operand : proposition.operands) note_terms(operand);
  }

  void note_term(const FinalTerm& term) {
    if (term.kind == FinalTerm::Kind::memory)
      uses_[base_name(test_.program.memory[static_cast<std::size_t>(term.variable)])].is_shown = true;
  }

  // ---- variables ----

  void look_at(const std::string& name, const Use& use) {
    if (use.has_others) return;
    if (!use.is_declared && use.is_read && !use.is_written)
      return warn(first_place(name), fmt::format("'{}' is not declared and never written: it holds 0{}", name,
                                                 nearest_name(name)));
    if (!use.is_declared && use.is_written && !use.is_read && !use.is_shown && !nearest_name(name).empty())
      return warn(first_place(name),
                  fmt::format("'{}' is not declared and never read{}", name, nearest_name(name)));
    if (use.is_declared && !use.is_read && !use.is_written && !use.is_shown)
      warn(first_place(name), fmt::format("'{}' is declared and never accessed", name));
  }

  /// A variable with nearly the same name that is declared or written.
  std::string nearest_name(const std::string& name) const {
    constexpr std::size_t most_names = 1000;
    if (uses_.size() > most_names) return {};
    std::vector<std::string> others;
    for (const auto& [other, use] : uses_)
      if (other != name && (use.is_declared || use.is_written)) others.push_back(other);
    return did_you_mean(name, others);
  }

  /// The position of the name's declaration or first use.
  SourcePosition first_place(const std::string& name) const {
    const auto place = first_places_.find(name);
    return place == first_places_.end() ? SourcePosition{} : place->second;
  }

  // ---- registers of the question ----

  void look_at_terms(const litmus_syntax::Proposition& proposition) {
    if (proposition.kind == litmus_syntax::Proposition::Kind::compare) {
      look_at_term(proposition.left);
      look_at_term(proposition.right);
    }
    for (const litmus_syntax::Proposition& operand : proposition.operands) look_at_terms(operand);
  }

  void look_at_term(const litmus_syntax::Term& term) {
    if (term.kind != litmus_syntax::Term::Kind::thread_register) return;
    const litmus_syntax::ThreadRegister& written = term.thread_register;
    const auto bare = [](const std::string& name) { return name.substr(name.starts_with('%') ? 1 : 0); };
    const std::string name = bare(written.name.text);
    const auto header = std::ranges::find(file_.threads, written.thread.number,
                                          [](const litmus_syntax::ThreadHeader& h) { return h.name.number; });
    const auto& thread = test_.program.threads[static_cast<std::size_t>(header - file_.threads.begin())];
    std::set<std::string> set;
    for (const Instruction& instruction : thread.code)
      for (const RegisterId id : register_use(instruction).written) set.insert(thread.register_names[id]);
    const bool is_initialised = std::ranges::any_of(file_.registers, [&](const auto& initialisation) {
      return initialisation.target.thread.number == written.thread.number &&
             bare(initialisation.target.name.text) == name;
    });
    if (is_initialised || set.contains(name)) return;
    warn(written.name.where, fmt::format("{} never writes '{}': it holds 0{}", thread.name, name,
                                         did_you_mean(name, std::vector(set.begin(), set.end()))));
  }

  // ---- barriers ----

  /// In a kernel, counts are multiples of the 32 threads of a warp (PTX ISA 8.7 § 9.7.13.1).
  void look_at_barrier(const Thread& thread, const Instruction& instruction) {
    constexpr std::uint64_t warp_size = 32;
    const auto count = count_of(instruction);
    if (!count || *count == 0 || *count % warp_size != 0) return;
    const auto threads = static_cast<std::uint64_t>(
        std::ranges::count(test_.program.threads, thread.placement.cta,
                           [](const Thread& other) { return other.placement.cta; }));
    if (*count <= threads) return;
    warn(instruction.where,
         fmt::format("the barrier waits for {} threads, and there {} {} in the CTA: a litmus test counts its "
                     "columns, not warps of {} threads",
                     *count, threads == 1 ? "is" : "are", threads, warp_size));
  }

  /// The thread count of a barrier, if it is a constant.
  static std::optional<std::uint64_t> count_of(const Instruction& instruction) {
    const Form& form = *instruction.form;
    const std::string& opcode = form.line->opcode;
    if (opcode != "bar" && opcode != "barrier") return std::nullopt;
    const bool is_own = std::string_view(form.definition->section) == "litmus";
    const bool is_reduction = form.has(".red");
    if (is_reduction && instruction.operands.size() < 4) return std::nullopt;
    const std::size_t index = is_own || is_reduction ? 2 : 1;
    if (index >= instruction.operands.size()) return std::nullopt;
    const auto* count = std::get_if<Operand::Immediate>(&instruction.operands[index].is);
    return count ? std::optional(count->value.to_u64()) : std::nullopt;
  }

  void warn(SourcePosition where, std::string message) { found_.push_back({where, std::move(message)}); }

  const litmus_syntax::File& file_;
  const std::vector<litmus_syntax::Column>& code_;
  const LitmusTest& test_;
  std::map<std::string, Use> uses_;
  std::map<std::uint64_t, const Variable*> by_address_;  // of those at one address the first
  std::map<std::string, SourcePosition> first_places_;
  std::vector<Warning> found_;
};

}  // namespace

std::vector<Warning> warnings_about(const litmus_syntax::File& file,
                                    const std::vector<litmus_syntax::Column>& code, const LitmusTest& test) {
  return Warnings(file, code, test).find();
}

}  // namespace ptxmc
