#include "src/library/litmus_fences.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "solver/limits/stopwatch.hpp"
#include "src/compiler/cpp_points.hpp"
#include "src/library/litmus_property.hpp"
#include "src/report/herd_output.hpp"

namespace ptxmc {
namespace {

using Positions = std::pair<std::uint32_t, std::uint32_t>;

Kept kept_if(Verdict faulty) {
  if (faulty == Verdict::unknown) return Kept::unknown;
  return faulty == Verdict::forbidden ? Kept::yes : Kept::no;
}

/// Whether some thread may not end: it has a loop, or waits at a barrier.
bool may_wait(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& thread) {
    for (Target at = 0; at < thread.code.size(); ++at) {
      const std::string& opcode = thread.code[at].form->line->opcode;
      if (opcode.starts_with("bar") || opcode.starts_with("mbarrier") || opcode.ends_with("depcontrol"))
        return true;
      for (const Target target : control_flow(thread.code[at]).targets)
        if (target <= at) return true;
    }
    return false;
  });
}

/// A question about all final values: every register of the test that is written, and all memory.
Question all_values(const Program& program) {
  Question question;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const Thread& code = program.threads[thread];
    std::set<RegisterId> written;
    for (const Instruction& instruction : code.code)
      for (const RegisterId id : register_use(instruction).written)
        // Names with a percent sign are those of registers that translation adds: the predicate of `bne`.
        if (code.initial_registers[id].width() <= 64 && !code.register_names[id].starts_with('%'))
          written.insert(id);
    for (const RegisterId id : written) {
      FinalTerm term;
      term.kind = FinalTerm::Kind::thread_register;
      term.thread = static_cast<int>(thread);
      term.register_id = id;
      question.locations.push_back(term);
    }
  }
  for (std::size_t variable = 0; variable < program.memory.size(); ++variable)
    for (std::size_t element = 0; element < program.memory[variable].initial.size(); ++element) {
      FinalTerm term;
      term.kind = FinalTerm::Kind::memory;
      term.variable = static_cast<int>(variable);
      term.element = static_cast<int>(element);
      question.locations.push_back(term);
    }
  return question;
}

class KeptProperty {
 public:
  KeptProperty(const LitmusTest& test, const cat::Model& model, const DecideOptions& options, Engine engine,
               const FencesQuestion& question, std::string_view text)
      : test_(test), text_(text), model_(model), options_(options), engine_(engine), question_(question) {
    has_races_ = std::ranges::any_of(model.flags, [](const auto& flag) { return flag.name == "data_race"; });
    options_.count_executions = false;
    options_.all_states = question.same_outcomes;
    options_.on_progress = {};
    if (question.same_outcomes) test_.question = all_values(test.program);
  }

  FenceReport report() {
    FenceReport report;
    const KeptAnswer given = given_outcome();
    if (given.kept == Kept::unknown) {
      report.reason = given.reason;
      return report;
    }
    bool holds = given.kept == Kept::yes;
    std::string lost = given.lost;
    const KeptAnswer race = has_races_ && question_.races != RaceClause::ignore
                                ? races(test_.program)
                                : KeptAnswer{Kept::yes, "", ""};
    const KeptAnswer hang = may_wait(test_.program) ? hangs(test_.program) : KeptAnswer{Kept::yes, "", ""};
    keeps_termination_ = hang.kept == Kept::yes && may_wait(test_.program);
    choose_race_clause(race, holds, lost);
    auto points = points_of(!holds);
    const DecideAssignment decide = [this, points](const Assignment& at) {
      return decide_program(program_with(points, at));
    };
    FenceSearchLimits limits;
    limits.reason_to_stop = [this] { return reason_to_stop(); };
    report = report_fences(std::move(points), holds, decide, limits);
    report.property = property_name();
    report.lost = lost;
    if (question_.tries != WhatToTry::nothing)
      report.trials = try_answers(report, question_.tries, [&](const Assignment& at) -> KeptAnswer {
        if (std::string reason = reason_to_stop(); !reason.empty()) return {Kept::unknown, reason, ""};
        return decide(at);
      });
    return report;
  }

 private:
  enum class Races { none, as_given, ignored };

  /// Whether the given program keeps the condition.
  KeptAnswer given_outcome() {
    if (!question_.same_outcomes) return condition(test_.program);
    const Answer answer = states_of(test_.program);
    if (answer.verdict == Verdict::unknown || !answer.states_complete)
      return {Kept::unknown, answer.reason.empty() ? "not all final states are known" : answer.reason, ""};
    for (const FinalState& state : answer.states) outcomes_.insert(state.values);
    return {Kept::yes, "", ""};
  }

  void choose_race_clause(const KeptAnswer& race, bool& holds, std::string& lost) {
    races_ = Races::ignored;
    if (!has_races_ || question_.races == RaceClause::ignore) return;
    races_ = Races::none;
    if (question_.races == RaceClause::forbid || is_cpp()) {
      if (holds && race.kept == Kept::no) {
        holds = false;
        lost = race.lost;
      }
      return;
    }
    if (race.kept == Kept::yes) return;
    if (!holds && can_be_race_free()) return;
    races_ = Races::as_given;
    racing_ = racing_pairs(test_.program);
    if (!racing_) races_ = Races::none;  // which are new is unknown, so that all count
  }

  /// Whether the strongest annotations leave no data race.
  bool can_be_race_free() {
    const auto points = points_of(true);
    return races(program_with(points, strongest(lattice_of(points)))).kept == Kept::yes;
  }

  bool is_cpp() const { return test_.language == Language::cpp; }

  std::vector<StrengthPoint> points_of(bool is_stronger) const {
    if (is_cpp()) return cpp_points(test_, text_, question_.costs, is_stronger);
    return is_stronger ? points_to_strengthen(test_.program, question_.costs)
                       : points_to_weaken(test_.program, question_.costs);
  }

  Program program_with(const std::vector<StrengthPoint>& points, const Assignment& at) const {
    if (!is_cpp()) return with_levels(test_.program, points, at);
    return parse_litmus(with_edits(text_, cpp_edits(text_, points, at)), test_.file).program;
  }

  std::string property_name() const {
    std::string name = question_.same_outcomes ? "outcomes" : "condition";
    if (races_ == Races::none) name += "+race";
    return name;
  }

  KeptAnswer decide_program(const Program& program) {
    KeptAnswer answer = question_.same_outcomes ? same_outcomes(program) : condition(program);
    if (answer.kept == Kept::yes && races_ == Races::none) answer = races(program);
    if (answer.kept == Kept::yes && races_ == Races::as_given) answer = new_races(program);
    if (answer.kept == Kept::yes && keeps_termination_) answer = hangs(program);
    return answer;
  }

  DecideOptions rest_of_time() const {
    DecideOptions rest = options_;
    rest.timeout_seconds = stopwatch_.left_of(options_.timeout_seconds);
    return rest;
  }

  PropertyAnswer ask(const Program& program, LitmusProperty property) {
    LitmusTest changed = test_;
    changed.program = program;
    PropertyAnswer result = decide_property(changed, model_, rest_of_time(), property, {}, engine_);
    result.answer.witness.reset();  // it points into the changed program
    return result;
  }

  KeptAnswer condition(const Program& program) {
    try {
      const Answer answer = ask(program, LitmusProperty::condition).answer;
      KeptAnswer result{kept_if(answer.verdict), answer.reason, ""};
      if (result.kept == Kept::no && !answer.states.empty())
        result.lost = state_text(answer.states.front(), answer, program);
      return result;
    } catch (const Unsupported& unsupported) {
      return {Kept::unknown, unsupported.what(), ""};
    }
  }

  KeptAnswer fault(const Program& program, LitmusProperty property) {
    try {
      const PropertyAnswer found = ask(program, property);
      return {kept_if(found.answer.verdict), found.answer.reason,
              found.findings.empty() ? "" : found.findings.front()};
    } catch (const Unsupported& unsupported) {
      return {Kept::unknown, unsupported.what(), ""};
    }
  }

  KeptAnswer races(const Program& program) { return fault(program, LitmusProperty::race); }
  KeptAnswer hangs(const Program& program) { return fault(program, LitmusProperty::termination); }

  Answer states_of(const Program& program) {
    try {
      return ask(program, LitmusProperty::condition).answer;
    } catch (const Unsupported& unsupported) {
      Answer unknown;
      unknown.reason = unsupported.what();
      return unknown;
    }
  }

  KeptAnswer same_outcomes(const Program& program) {
    const Answer answer = states_of(program);
    for (const FinalState& state : answer.states)
      if (!outcomes_.contains(state.values)) return {Kept::no, "", state_text(state, answer, program)};
    if (answer.verdict == Verdict::unknown || !answer.states_complete)
      return {Kept::unknown, answer.reason, ""};
    return {Kept::yes, "", ""};
  }

  /// The pairs of instructions of the given program that race, by their positions; empty if not all are
  /// known.
  std::optional<std::set<std::pair<Positions, Positions>>> racing_pairs(const Program& program) {
    LitmusTest changed = test_;
    changed.program = program;
    // Findings are told apart by lines, and a line of a litmus test has instructions of several threads.
    std::vector<Positions> positions = {{0, 0}};
    for (Thread& thread : changed.program.threads)
      for (Instruction& instruction : thread.code) {
        instruction.where.line = static_cast<std::uint32_t>(positions.size());
        positions.emplace_back(
            program.threads[static_cast<std::size_t>(&thread - changed.program.threads.data())]
                .code[static_cast<std::size_t>(&instruction - thread.code.data())]
                .where.line,
            instruction.where.column);
      }
    const auto found = racing_instructions(changed, model_, rest_of_time(), engine_);
    if (!found) return std::nullopt;
    std::set<std::pair<Positions, Positions>> result;
    for (const auto& [first, second] : *found)
      result.insert(std::minmax(positions.at(first.line), positions.at(second.line)));
    return result;
  }

  KeptAnswer new_races(const Program& program) {
    try {
      const auto pairs = racing_pairs(program);
      if (!pairs) return {Kept::unknown, "not all data races are known", ""};
      for (const auto& pair : *pairs)
        if (!racing_->contains(pair))
          return {Kept::no, "",
                  "a data race between line " + std::to_string(pair.first.first) + " and line " +
                      std::to_string(pair.second.first)};
      return {Kept::yes, "", ""};
    } catch (const Unsupported& unsupported) {
      return {Kept::unknown, unsupported.what(), ""};
    }
  }

  std::string reason_to_stop() const {
    if (options_.interrupted && options_.interrupted->load()) return "interrupted";
    if (stopwatch_.has_passed(options_.timeout_seconds)) return "timeout";
    return "";
  }

  LitmusTest test_;
  const std::string_view text_;
  const cat::Model& model_;
  DecideOptions options_;
  const Engine engine_;
  const FencesQuestion& question_;
  const Stopwatch stopwatch_;
  bool has_races_ = false;
  bool keeps_termination_ = false;
  Races races_ = Races::ignored;
  std::optional<std::set<std::pair<Positions, Positions>>> racing_;
  std::set<std::vector<std::int64_t>> outcomes_;
};

}  // namespace

FenceReport fences_of(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                      Engine engine, const FencesQuestion& question, std::string_view text) {
  if (test.language == Language::cpp && model.is_ptx)
    throw Unsupported("fences", "a test of C++ under a model of PTX", {});
  const Stopwatch stopwatch;
  FenceReport report = KeptProperty(test, model, options, engine, question, text).report();
  report.seconds = stopwatch.seconds();
  return report;
}

}  // namespace ptxmc
