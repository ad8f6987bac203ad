#include "src/litmus/c_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "src/litmus/c_expressions.hpp"
#include "src/litmus/c_purity.hpp"
#include "src/litmus/c_retries.hpp"
#include "src/litmus/spelling.hpp"

namespace ptxmc {

namespace {

using c_syntax::CType;
using c_syntax::Declarator;
using c_syntax::Expression;
using c_syntax::Function;
using c_syntax::Parameter;
using c_syntax::Statement;

class Lowering {
 public:
  Lowering(const Function& function, const ThreadSource& place, const MemoryLayout& memory,
           const SourceText& source, Mistakes& mistakes)
      : function_(function),
        place_(place),
        memory_(memory),
        source_(source),
        mistakes_(mistakes),
        code_(thread_),
        expressions_(code_, source, memory.variables(),
                     [this](const std::string& name) { return find(name); }) {}

  ThreadCode lower() {
    thread_.name = fmt::format("P{}", place_.header.name.number);
    thread_.placement = place_.placement;
    scopes_.emplace_back();
    for (const Parameter& parameter : function_.parameters) mistakes_.collect([&] { declare(parameter); });
    for (const auto& initialisation : place_.registers)
      mistakes_.collect([&] { initialise(initialisation); });
    add_registers(function_.body);
    statement(function_.body);
    for (const CCode::Jump jump : returns_) code_.set_target(jump, code_.here());
    ThreadCode result{std::move(thread_), {}};
    result.formats.resize(result.thread.register_names.size());
    return result;
  }

 private:
  struct Loop {
    std::vector<CCode::Jump> breaks, continues;
  };

  [[noreturn]] void fail(SourcePosition where, const std::string& message) const {
    throw InputError(source_.file(), where, message);
  }

  // ---- names ----

  const CMeaning* find(const std::string& name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    const auto initial = initial_.find(name);
    return initial == initial_.end() ? nullptr : &initial->second;
  }

  bool is_in_memory(const std::string& name) const {
    const CMeaning* meaning = find(name);
    return meaning != nullptr && !meaning->local && meaning->type.is_reference;
  }

  void add_name(const litmus_syntax::Name& name, CMeaning meaning) {
    const bool is_taken =
        std::ranges::any_of(scopes_, [&](const auto& scope) { return scope.contains(name.text); });
    if (is_taken) fail(name.where, fmt::format("found a second '{}', expected each name once", name.text));
    scopes_.back().emplace(name.text, std::move(meaning));
  }

  void declare(const Parameter& parameter) {
    const litmus_syntax::Place variable{{}, parameter.name, std::nullopt};
    const std::uint64_t address = memory_.find(variable, place_.cta).address;
    add_name(parameter.name, {parameter.type, std::nullopt, {Operand::Immediate{Bits(64, address)}}});
  }

  void initialise(const litmus_syntax::RegisterInitialisation& initialisation) {
    const litmus_syntax::Name& name = initialisation.target.name;
    if (!initialisation.value || initialisation.type)
      fail(name.where, "found a type of a register, expected one in the function");
    const auto value = memory_.integer_of(*initialisation.value, place_.cta).to_u64();
    const RegisterId id = code_.add_register(name.text, value);
    if (!registers_.emplace(name.text, id).second)
      fail(name.where, fmt::format("found a second initial value of '{}', expected one", name.text));
    CType type;
    type.width = 64;
    initial_.emplace(name.text, CMeaning{type, id});
  }

  /// A register for each name, also of statements that are never executed: the question may ask for it.
  void add_registers(const Statement& block) {
    for (const Declarator& declarator : block.declarators)
      if (!registers_.contains(declarator.name.text))
        registers_.emplace(declarator.name.text, code_.add_register(declarator.name.text));
    for (const Statement& part : block.statements) add_registers(part);
  }

  // ---- statements ----

  /// Runs a part; a mistake in it does not hide those behind it.
  void attempt(const std::function<void()>& part) { mistakes_.collect(part); }

  void statement(const Statement& written) {
    using Kind = Statement::Kind;
    switch (written.kind) {
      case Kind::block:
        scopes_.emplace_back();
        for (const Statement& part : written.statements) statement(part);
        scopes_.pop_back();
        return;
      case Kind::declaration:
        for (const Declarator& declarator : written.declarators) attempt([&] { declare(declarator); });
        return;
      case Kind::expression:
        return attempt([&] { expressions_.run(written.expressions.front()); });
      case Kind::if_:
        return branch(written);
      case Kind::while_:
      case Kind::do_:
      case Kind::for_:
        return loop(written);
      case Kind::break_:
      case Kind::continue_:
        return attempt([&] { leave(written); });
      case Kind::return_:
        returns_.push_back(code_.jump());
        return;
    }
  }

  void declare(const Declarator& declarator) {
    CType type = declarator.type;
    if (type.is_void) fail(declarator.name.where, "found a variable of type void, expected a number");
    if (type.is_reference || type.is_atomic_reference) return declare_reference(declarator);
    if (type.is_atomic && !type.is_pointer)
      throw Unsupported("an atomic object in a thread of a litmus test", declarator.name.where);
    std::optional<CValue> initial;
    const bool is_right = mistakes_.collect([&] {
      if (declarator.initial) initial = expressions_.value(*declarator.initial);
    });
    if (type.is_auto) type = initial ? initial->type : CType();
    const RegisterId id = registers_.at(declarator.name.text);
    add_name(declarator.name, {type, id});
    if (!is_right || !initial) return;
    if (initial->type.is_pointer != type.is_pointer)
      expressions_.fail(*declarator.initial, type.is_pointer ? "a pointer" : "a number");
    if (type.is_pointer && type.width != initial->type.width)
      expressions_.fail(*declarator.initial, "a pointer to an object of the same size");
    expressions_.set_source(*declarator.initial);
    code_.assign(id, code_.converted(*initial, type));
  }

  /// `cuda::atomic_ref<int> a(*x);`: another name of the object.
  void declare_reference(const Declarator& declarator) {
    if (!declarator.initial) fail(declarator.name.where, "found a reference to nothing, expected an object");
    const CObject target = expressions_.object(*declarator.initial);
    if (target.local || (!declarator.type.is_auto && target.type.width != declarator.type.width))
      expressions_.fail(*declarator.initial, "an object in memory of the same size");
    CMeaning meaning{declarator.type.is_auto ? target.type : declarator.type, std::nullopt, target.address};
    meaning.type.is_reference = true;
    add_name(declarator.name, std::move(meaning));
  }

  /// The condition of a statement; true if it is wrong.
  Operand condition(const Expression& written) {
    Operand result{Operand::Immediate{Bits::boolean(true)}};
    attempt([&] { result = expressions_.condition(written); });
    return result;
  }

  static std::optional<bool> known(const Operand& condition) {
    const auto* value = std::get_if<Operand::Immediate>(&condition.is);
    return value ? std::optional(value->value.is_true()) : std::nullopt;
  }

  std::string text_of(const Statement& written) const {
    return collapse_blanks(source_.text().substr(written.first, written.last - written.first));
  }

  /// The statements of a branch.
  static std::span<const Statement> parts_of(const Statement& branch) {
    if (branch.kind == Statement::Kind::block) return branch.statements;
    return {&branch, 1};
  }

  /// Runs the statements with which both branches begin, so that they do not depend on the condition. Returns
  /// their number.
  std::size_t run_common_beginning(const Statement& written) {
    if (written.statements.size() < 2) return 0;
    const auto yes = parts_of(written.statements[0]), no = parts_of(written.statements[1]);
    std::size_t count = 0;
    while (count < std::min(yes.size(), no.size()) && yes[count].kind == Statement::Kind::expression &&
           no[count].kind == Statement::Kind::expression && text_of(yes[count]) == text_of(no[count]))
      statement(yes[count++]);
    return count;
  }

  void scoped(const Statement& branch, std::size_t first) {
    scopes_.emplace_back();
    for (const Statement& part : parts_of(branch).subspan(first)) statement(part);
    scopes_.pop_back();
  }

  /// If both branches only compute: runs both and chooses the values of the variables that they change, so
  /// that nothing behind depends on the condition but these values.
  bool compute_both(const Statement& written, const Operand& taken, std::size_t common) {
    std::set<std::string> changed;
    for (const Statement& part : written.statements) {
      CComputation computed =
          computation_of(part, [&](const std::string& name) { return is_in_memory(name); });
      if (!computed.only_computes) return false;
      changed.merge(computed.changed);
    }
    CType wide;
    wide.width = 64;
    const auto values = [&] {
      std::map<RegisterId, CValue> result;
      for (const std::string& name : changed)
        if (const auto id = registers_.find(name); id != registers_.end())
          result.emplace(id->second, code_.copy(code_.value_of(id->second, wide)));
      return result;
    };
    const auto before = values();
    scoped(written.statements[0], common);
    const auto yes = values();
    for (const auto& [id, value] : before) code_.assign(id, value);
    if (written.statements.size() > 1) scoped(written.statements[1], common);
    for (const auto& [id, value] : yes) {
      const CValue no = code_.value_of(id, wide);
      if (!code_.are_same(value, no)) code_.assign(id, code_.chosen(taken, value, no));
    }
    return true;
  }

  void branch(const Statement& written) {
    const Operand taken = condition(written.expressions.front());
    const bool has_else = written.statements.size() > 1;
    const std::size_t common = known(taken) ? 0 : run_common_beginning(written);
    const auto is_done = [&](const Statement& part) { return parts_of(part).size() == common; };
    if (common > 0 && std::ranges::all_of(written.statements, is_done)) return;
    if (const auto value = known(taken)) {
      if (*value) scoped(written.statements[0], 0);
      if (!*value && has_else) scoped(written.statements[1], 0);
      return;
    }
    if (compute_both(written, taken, common)) return;
    const CCode::Jump to_else = code_.jump_if(taken, false);
    const CCode::Knowledge before = code_.knowledge();
    scoped(written.statements[0], common);
    if (!has_else) {
      code_.set_target(to_else, code_.here());
      return code_.join(before);
    }
    const CCode::Jump to_end = code_.jump();
    CCode::Knowledge behind = code_.knowledge();
    CCode::Knowledge before_else = before;
    for (std::size_t id = before.size(); id < behind.size(); ++id) before_else.push_back(behind[id]);
    code_.set_target(to_else, code_.here());
    code_.restore(std::move(before_else));
    scoped(written.statements[1], common);
    code_.set_target(to_end, code_.here());
    code_.join(behind);
  }

  /// The compare_exchange_weak that the loop only tries again: it has the outcomes of the strong one.
  const Expression* weak_operation_of_retries(const Statement& written) {
    const auto retries = retries_of(written, [&](const std::string& name) { return is_in_memory(name); });
    if (!retries) return nullptr;
    for (const auto& [name, number] : retries->begins_with) {
      const CMeaning* meaning = find(name);
      if (meaning == nullptr || !meaning->local) return nullptr;
      const CValue value = code_.value_of(*meaning->local, meaning->type);
      if (!value.is_constant() || value.constant() != number) return nullptr;
    }
    return retries->weak;
  }

  void loop(const Statement& written) {
    const bool is_for = written.kind == Statement::Kind::for_;
    scopes_.emplace_back();
    if (is_for) statement(written.statements[1]);
    if (const Expression* weak = weak_operation_of_retries(written)) expressions_.may_be_strong(*weak);
    code_.forget();
    loops_.emplace_back();
    const Target head = code_.here();
    if (written.kind != Statement::Kind::do_ && written.has_condition)
      leave_unless(written.expressions.front());
    scoped(written.statements.front(), 0);
    code_.forget();
    for (const CCode::Jump jump : loops_.back().continues) code_.set_target(jump, code_.here());
    if (written.kind == Statement::Kind::do_) leave_unless(written.expressions.front());
    if (is_for && written.expressions.size() > (written.has_condition ? 1u : 0u))
      attempt([&] { expressions_.run(written.expressions.back()); });
    code_.jump_to(head);
    for (const CCode::Jump jump : loops_.back().breaks) code_.set_target(jump, code_.here());
    loops_.pop_back();
    code_.forget();
    scopes_.pop_back();
  }

  /// Leaves the innermost loop if the condition is false.
  void leave_unless(const Expression& written) {
    const Operand goes_on = condition(written);
    const auto value = known(goes_on);
    if (!value) loops_.back().breaks.push_back(code_.jump_if(goes_on, false));
    if (value == false) loops_.back().breaks.push_back(code_.jump());
  }

  void leave(const Statement& written) {
    const bool is_break = written.kind == Statement::Kind::break_;
    if (loops_.empty())
      fail(written.where, fmt::format("found '{}', expected it in a loop", is_break ? "break" : "continue"));
    (is_break ? loops_.back().breaks : loops_.back().continues).push_back(code_.jump());
  }

  const Function& function_;
  const ThreadSource& place_;
  const MemoryLayout& memory_;
  const SourceText& source_;
  Mistakes& mistakes_;
  Thread thread_;
  CCode code_;
  CExpressions expressions_;
  std::vector<std::map<std::string, CMeaning>> scopes_;
  std::map<std::string, CMeaning> initial_;      ///< registers of the initial state, unless they are declared
  std::map<std::string, RegisterId> registers_;  ///< of local variables
  std::vector<Loop> loops_;
  std::vector<CCode::Jump> returns_;
};

}  // namespace

ThreadCode lower_c_function(const Function& function, const ThreadSource& place, const MemoryLayout& memory,
                            const SourceText& source, Mistakes& mistakes) {
  return Lowering(function, place, memory, source, mistakes).lower();
}

}  // namespace ptxmc
