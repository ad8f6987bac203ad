#include "solver/explorer.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

#include "model/embedded_models.hpp"
#include "semantics/diagnostic.hpp"
#include "solver/exploration.hpp"
#include "solver/explored_model.hpp"
#include "solver/final_state.hpp"
#include "solver/phase_by_phase.hpp"
#include "solver/question.hpp"
#include "solver/race_free.hpp"

namespace ptxmc {
namespace {

/// Executions of more events are not shown: to accept one takes time with the cube of their number.
constexpr std::size_t most_events_with_witness = 1'000;

/// An estimate of so many times the limit on steps leaves no hope.
constexpr double hopeless = 10'000;

/// Several threads, each with an exploration of its own, go through the places one after the other.
class SharedExploration {
 public:
  SharedExploration(std::vector<Exploration::Path> places, const DecideOptions& options)
      : places_(std::move(places)), stops_at_first_(!options.all_states && !options.count_executions) {}

  void run(Exploration& exploration) {
    for (std::size_t i = next_++; i < places_.size() && i <= last_; i = next_++) {
      exploration.explore(places_[i], i);
      if (!stops_at_first_ || !exploration.outcomes().is_condition_met()) continue;
      std::size_t last = last_;
      while (i < last && !last_.compare_exchange_weak(last, i)) continue;
      return;
    }
  }

 private:
  const std::vector<Exploration::Path> places_;
  const bool stops_at_first_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::size_t> last_ = ~std::size_t{0};
};

/// What is found does not depend on who finds it.
void explore_together(Exploration& exploration, const std::function<std::unique_ptr<Exploration>()>& another,
                      const DecideOptions& options) {
  constexpr std::size_t places_each = 16;
  std::vector<Exploration::Path> places = exploration.split(places_each * options.jobs);
  if (places.size() < places_each * options.jobs) return exploration.explore();  // too little to share
  SharedExploration shared(std::move(places), options);
  std::vector<std::unique_ptr<Exploration>> others;  // made here: terms are not made by several threads
  for (unsigned i = 1; i < options.jobs; ++i) others.push_back(another());
  {
    std::vector<std::jthread> threads;
    for (auto& other : others) threads.emplace_back([&] { shared.run(*other); });
    shared.run(exploration);
  }
  for (const auto& other : others) exploration.merge(*other);
}

/// A program without races has one execution, which is worth it. Throws Unsupported for what is too large.
DecideOptions with_limit_for(const EventStructure& structure, const cat::Model& model,
                             DecideOptions options) {
  constexpr std::size_t small = 64;  // is explored whatever the limit
  if (options.max_steps > 0 && structure.events.size() > small && cat::is_embedded_ptx(model) &&
      run_without_races(structure))
    options.max_steps = 0;
  check_worth_exploring(structure, options);
  return options;
}

/// Throws Unsupported where there are too many executions for a limit on steps.
void check_estimate(Exploration& exploration, const EventStructure& structure, const DecideOptions& options) {
  constexpr std::size_t small = 48;  // events: less work than an estimate
  const bool is_asked_for = (options.max_steps > 0 && structure.events.size() > small) || options.on_progress;
  if (!is_asked_for) return;
  const double executions = exploration.estimate();
  if (options.on_progress) options.on_progress({executions, 0, 0});
  const double steps = executions * static_cast<double>(cost_of_step(structure.events.size()));
  if (options.max_steps > 0 && !exploration.has_interchangeable_threads() &&
      steps > hopeless * static_cast<double>(options.max_steps))
    throw Unsupported("so many executions in the explorer under a limit on steps", {});
}

bool are_races(const std::vector<std::string>& flags) {
  return std::ranges::all_of(
      flags, [](const std::string& name) { return name == "data_race" || name == mixed_size_race; });
}

}  // namespace

Answer explore(const Program& program, const Question& question, const cat::Model& model,
               const DecideOptions& asked) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  TermGraph graph;
  const EventStructure structure =
      unfold(program, graph, unfold_options(program, shown_terms(question), asked));
  const auto finish = [&](Answer answer) {
    answer.engine = "explorer";
    answer.seconds = seconds();
    return answer;
  };
  if (structure.events.size() > most_events_with_witness && cat::is_embedded_ptx(model))
    if (auto answer = answer_without_races(structure, question, asked)) return finish(*std::move(answer));
  const auto answer_of = [&](Exploration& exploration) {
    return exploration.needs_reduction() ? explore_phase_by_phase(program, question, model, asked)
                                         : exploration.answer();
  };
  const DecideOptions options = with_limit_for(structure, model, asked);
  const auto another = [&] {
    return std::make_unique<Exploration>(program, question, model, options, structure);
  };
  const auto exploration = another();
  if (exploration->void_reason()) return finish(exploration->answer());
  check_estimate(*exploration, structure, options);
  if (options.jobs > 1 && options.max_steps == 0 && !exploration->has_interchangeable_threads())
    explore_together(*exploration, another, options);
  else
    exploration->explore();
  if (options.jobs > 1 && exploration->outcomes().state_count() >= options.max_states) {
    const auto alone = another();  // which states are the first that many depends on who finds them
    alone->explore();
    return finish(answer_of(*alone));
  }
  return finish(answer_of(*exploration));
}

std::vector<FlagFinding> explore_flags(const Program& program, const cat::Model& model,
                                       const DecideOptions& asked, const std::vector<std::string>& names) {
  TermGraph graph;
  const Question nothing;
  const EventStructure structure = unfold(program, graph, unfold_options(program, {}, asked));
  if (are_races(names) && cat::is_embedded_ptx(model) && run_without_races(structure)) {
    std::vector<FlagFinding> none;
    for (const std::string& name : names)
      none.push_back(
          {.name = name, .raised = Verdict::forbidden, .reason = {}, .witness = {}, .engine = "explorer"});
    return none;
  }
  check_worth_exploring(structure, asked);
  Exploration exploration(program, nothing, model, asked, structure, names);
  if (!exploration.void_reason()) {
    check_estimate(exploration, structure, asked);
    exploration.explore();
  }
  if (exploration.needs_reduction()) return explore_flags_phase_by_phase(program, model, asked, names);
  return exploration.flag_findings();
}

}  // namespace ptxmc
