// The extension below the package: functions that return dictionaries, from which ptxmc/__init__.py makes its
// classes.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptxmc.hpp"

namespace py = pybind11;
using namespace py::literals;

namespace {

/// A value of an enumeration by its name. Throws ValueError.
template <class Value, std::size_t count>
Value named(const char* what, const std::string& name, const std::pair<const char*, Value> (&table)[count]) {
  std::string names;
  for (const auto& [word, value] : table) {
    if (name == word) return value;
    names += (names.empty() ? "" : ", ") + std::string(word);
  }
  throw py::value_error(std::string(what) + ": found '" + name + "', expected one of " + names);
}

constexpr std::pair<const char*, ptxmc::Engine> engines[] = {{"auto", ptxmc::Engine::automatic},
                                                             {"explorer", ptxmc::Engine::explorer},
                                                             {"smt", ptxmc::Engine::smt},
                                                             {"both", ptxmc::Engine::both}};

using Of = ptxmc::LitmusProperty;
constexpr std::pair<const char*, Of> properties[] = {
    {"condition", Of::condition},         {"race", Of::race},
    {"termination", Of::termination},     {"assertion", Of::assertion},
    {"uninitialized", Of::uninitialized}, {"out-of-bounds", Of::out_of_bounds},
    {"divergence", Of::divergence},       {"undefined", Of::undefined}};

constexpr std::pair<const char*, ptxmc::Scheduling> schedulings[] = {
    {"fair", ptxmc::Scheduling::fair},
    {"occupancy:cta", ptxmc::Scheduling::occupancy_cta},
    {"occupancy:cluster", ptxmc::Scheduling::occupancy_cluster},
    {"occupancy:gpu", ptxmc::Scheduling::occupancy_gpu}};

const char* text_of(ptxmc::Verdict verdict) {
  if (verdict == ptxmc::Verdict::allowed) return "allowed";
  return verdict == ptxmc::Verdict::forbidden ? "forbidden" : "unknown";
}

const char* text_of(ptxmc::Error::Kind kind) {
  switch (kind) {
    case ptxmc::Error::Kind::wrong_input:
      return "wrong input";
    case ptxmc::Error::Kind::unsupported:
      return "unsupported";
    case ptxmc::Error::Kind::limit:
      return "limit";
    case ptxmc::Error::Kind::disagreement:
      return "disagreement";
    case ptxmc::Error::Kind::internal:
      break;
  }
  return "internal";
}

const char* text_of(ptxmc::Progress::Stage stage) {
  if (stage == ptxmc::Progress::Stage::preparing) return "preparing";
  return stage == ptxmc::Progress::Stage::exploring ? "exploring" : "solving";
}

py::dict dictionary(const ptxmc::Diagnostic& one) {
  return py::dict("file"_a = one.file, "line"_a = one.line, "column"_a = one.column,
                  "message"_a = one.message);
}

py::dict dictionary(const ptxmc::Event& event) {
  return py::dict("kind"_a = event.kind, "thread"_a = event.thread, "instruction"_a = event.instruction,
                  "line"_a = event.line, "column"_a = event.column, "address"_a = event.address,
                  "location"_a = event.location, "size"_a = event.size, "value"_a = event.value,
                  "order"_a = event.order, "scope"_a = event.scope);
}

/// The number of a state as one of Python; infinities and NaN too.
py::object number(const ptxmc::Value& value) {
  if (!value.is_floating_point) return py::module_::import("builtins").attr("int")(value.text);
  const char* end = value.text.c_str();
  const double number = PyOS_string_to_double(end, nullptr, nullptr);
  if (PyErr_Occurred() == nullptr) return py::float_(number);
  PyErr_Clear();
  return py::str(value.text);
}

py::list dictionaries(const std::vector<ptxmc::State>& states) {
  py::list result;
  for (const ptxmc::State& state : states) {
    py::dict values;
    for (const ptxmc::Value& value : state.values) values[py::str(value.name)] = number(value);
    result.append(py::dict("values"_a = values, "matches"_a = state.matches,
                           "executions"_a = state.executions, "execution"_a = state.execution));
  }
  return result;
}

py::dict dictionary(const ptxmc::Place& place) {
  return py::dict("line"_a = place.line, "column"_a = place.column, "source_file"_a = place.source_file,
                  "source_line"_a = place.source_line);
}

py::dict dictionary(const ptxmc::Finding& finding) {
  return py::dict("property"_a = ptxmc::name_of(finding.property), "place"_a = dictionary(finding.place),
                  "other"_a = finding.other ? py::object(dictionary(*finding.other)) : py::none(),
                  "threads"_a = finding.threads, "message"_a = finding.message, "inputs"_a = finding.inputs,
                  "hint"_a = finding.hint, "same_value"_a = finding.same_value,
                  "assumed_zero"_a = finding.assumed_zero, "execution"_a = finding.execution);
}

/// What the functions that decide have in common.
struct Asked {
  std::optional<ptxmc::Model> model;
  std::string engine;
  unsigned bound;
  double timeout;
  std::uint64_t memory;
  unsigned jobs;
  py::object progress;  ///< called with a dictionary; returns whether to go on
};

/// The callback of the library: Ctrl-C raises KeyboardInterrupt in the thread that asks.
bool goes_on(const py::object& progress, const ptxmc::Progress& now) {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress.is_none()) return true;
  const py::object result = progress(py::dict("stage"_a = text_of(now.stage), "seconds"_a = now.seconds,
                                              "estimated_executions"_a = now.estimated_executions,
                                              "executions"_a = now.executions));
  return result.is_none() || result.cast<bool>();
}

void set_options(const Asked& asked, ptxmc::Options& options) {
  options.model = asked.model;
  options.engine = named("engine", asked.engine, engines);
  options.bound = asked.bound;
  options.timeout_seconds = asked.timeout;
  options.memory_bytes = asked.memory;
  options.jobs = asked.jobs;
  options.on_progress = [&asked](const ptxmc::Progress& now) { return goes_on(asked.progress, now); };
}

py::dict decide(const ptxmc::LitmusTest& test, const Asked& asked, const std::string& property,
                const std::string& scheduling, bool all_states, std::size_t max_states, bool count_executions,
                bool state_executions) {
  ptxmc::LitmusOptions options;
  set_options(asked, options);
  options.property = named("property", property, properties);
  options.scheduling = named("scheduling", scheduling, schedulings);
  options.all_states = all_states;
  options.max_states = max_states;
  options.count_executions = count_executions;
  options.state_executions = state_executions;
  ptxmc::LitmusAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::decide(test, options);
  }
  return py::dict("model"_a = answer.model, "engine"_a = answer.engine, "verdict"_a = text_of(answer.verdict),
                  "word"_a = answer.word, "holds"_a = answer.holds, "reason"_a = answer.reason,
                  "as_expected"_a = answer.as_expected, "undefined_behaviour"_a = answer.undefined_behaviour,
                  "states"_a = dictionaries(answer.states), "states_complete"_a = answer.states_complete,
                  "executions"_a = answer.executions, "notes"_a = answer.notes,
                  "findings"_a = answer.findings, "flags"_a = answer.flags, "execution"_a = answer.execution,
                  "seconds"_a = answer.seconds);
}

py::dict check(const ptxmc::Launch& launch, const Asked& asked, const std::vector<std::string>& wanted) {
  ptxmc::LaunchOptions options;
  set_options(asked, options);
  for (const std::string& name : wanted) {
    const auto property = ptxmc::find_launch_property(name);
    if (!property) throw py::value_error("properties: found '" + name + "', expected a property of launches");
    options.properties.push_back(*property);
  }
  ptxmc::LaunchAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::check(launch, options);
  }
  py::list findings;
  for (const ptxmc::Finding& finding : answer.findings) findings.append(dictionary(finding));
  return py::dict("entries"_a = answer.entries, "model"_a = answer.model, "engine"_a = answer.engine,
                  "verdicts"_a = answer.verdicts, "unknown"_a = answer.unknown,
                  "as_expected"_a = answer.as_expected, "findings"_a = findings,
                  "assumed_zero"_a = answer.assumed_zero, "executions"_a = answer.executions,
                  "seconds"_a = answer.seconds);
}

py::dict find_states(const ptxmc::Launch& launch, const Asked& asked, std::vector<std::string> shown,
                     std::string exists) {
  ptxmc::Options options;
  set_options(asked, options);
  ptxmc::StatesAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::find_states(launch, {std::move(shown), std::move(exists)}, options);
  }
  return py::dict("model"_a = answer.model, "engine"_a = answer.engine, "verdict"_a = text_of(answer.verdict),
                  "reason"_a = answer.reason, "states"_a = dictionaries(answer.states),
                  "states_complete"_a = answer.states_complete, "execution"_a = answer.execution,
                  "seconds"_a = answer.seconds);
}

/// The LitmusTest or Launch that an object is. Throws TypeError.
ptxmc::Program program_of(const py::object& object) {
  if (py::isinstance<ptxmc::LitmusTest>(object)) return object.cast<ptxmc::LitmusTest>();
  if (py::isinstance<ptxmc::Launch>(object)) return object.cast<ptxmc::Launch>();
  throw py::type_error("expected a LitmusTest or a Launch");
}

py::dict compare(const py::object& source, const py::object& target, const Asked& asked,
                 std::optional<ptxmc::Model> source_model, std::optional<ptxmc::Model> target_model,
                 std::string observe, bool ignore_races, bool reduce) {
  ptxmc::CompareOptions options;
  set_options(asked, options);
  options.source_model = std::move(source_model);
  options.target_model = std::move(target_model);
  options.observe = std::move(observe);
  options.ignore_races = ignore_races;
  options.reduce = reduce;
  const ptxmc::Program of_source = program_of(source), of_target = program_of(target);
  ptxmc::Comparison found;
  {
    const py::gil_scoped_release unlocked;
    found = ptxmc::compare(of_source, of_target, options);
  }
  py::object smaller = py::none();
  if (found.smaller)
    smaller = py::dict("source"_a = found.smaller->source, "target"_a = found.smaller->target,
                       "tried"_a = found.smaller->tried, "text"_a = found.smaller->text);
  return py::dict("source_model"_a = found.source_model, "target_model"_a = found.target_model,
                  "refines"_a = found.refines, "vacuous"_a = found.vacuous, "reason"_a = found.reason,
                  "observed"_a = found.observed, "extra"_a = dictionaries(found.extra),
                  "missing"_a = found.missing, "axioms"_a = found.axioms, "notes"_a = found.notes,
                  "text"_a = found.text, "seconds"_a = found.seconds, "execution"_a = found.execution,
                  "smaller"_a = smaller);
}

py::dict check_mappings(std::vector<std::string> mappings, const Asked& asked,
                        std::optional<ptxmc::Model> source_model, std::vector<std::string> kinds,
                        std::string scope, unsigned threads, unsigned operations, unsigned locations) {
  ptxmc::MappingOptions options;
  set_options(asked, options);
  options.mappings = std::move(mappings);
  options.source_model = std::move(source_model);
  options.kinds = std::move(kinds);
  options.scope = std::move(scope);
  options.threads = threads;
  options.operations = operations;
  options.locations = locations;
  ptxmc::MappingAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::check_mappings(options);
  }
  py::object counterexample = py::none();
  if (answer.counterexample)
    counterexample = py::make_tuple(answer.counterexample->source, answer.counterexample->target);
  return py::dict("counterexample"_a = counterexample, "unknown"_a = answer.unknown,
                  "programs"_a = answer.programs, "runs"_a = answer.runs, "text"_a = answer.text,
                  "seconds"_a = answer.seconds);
}

py::dict explain(const ptxmc::LitmusTest& test, const Asked& asked) {
  ptxmc::Options options;
  set_options(asked, options);
  ptxmc::Explanation found;
  {
    const py::gil_scoped_release unlocked;
    found = ptxmc::explain(test, options);
  }
  py::list axioms;
  for (const ptxmc::Explanation::Axiom& axiom : found.axioms)
    axioms.append(py::dict("name"_a = axiom.name, "breaks_no_other"_a = axiom.breaks_no_other,
                           "execution"_a = axiom.execution));
  return py::dict("axioms"_a = axioms, "reason"_a = found.reason, "text"_a = found.text);
}

py::dict dictionary(const ptxmc::SmallTest& test) {
  return py::dict("name"_a = test.name, "cycle"_a = test.cycle, "placement"_a = test.placement,
                  "threads"_a = test.threads, "instructions"_a = test.instructions, "text"_a = test.text);
}

py::list generate(std::vector<std::string> named, ptxmc::CycleOptions cycles, unsigned size) {
  py::list result;
  ptxmc::generate({std::move(named), std::move(cycles), size}, [&](const ptxmc::SmallTest& test) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    result.append(dictionary(test));
    return true;
  });
  return result;
}

py::object dictionary(const std::optional<ptxmc::Difference>& difference) {
  if (!difference) return py::none();
  return py::dict("test"_a = dictionary(difference->test), "first"_a = text_of(difference->first),
                  "second"_a = text_of(difference->second), "reason"_a = difference->reason,
                  "axioms"_a = difference->axioms, "text"_a = difference->text,
                  "execution"_a = difference->execution);
}

ptxmc::DistinguishOptions distinguish_options(const Asked& asked, ptxmc::CycleOptions cycles,
                                              unsigned instructions, std::vector<ptxmc::LitmusTest> tests,
                                              bool undecided) {
  ptxmc::DistinguishOptions options;
  set_options(asked, options);
  options.cycles = std::move(cycles);
  options.instructions = instructions;
  options.tests = std::move(tests);
  options.undecided = undecided;
  return options;
}

py::dict with_extent(const ptxmc::SearchExtent& extent, py::dict result) {
  result["tests"] = extent.tests;
  result["instructions"] = extent.instructions;
  result["complete"] = extent.complete;
  result["reason"] = extent.reason;
  result["seconds"] = extent.seconds;
  return result;
}

py::dict distinguish(const ptxmc::Model& first, const ptxmc::Model& second,
                     const ptxmc::DistinguishOptions& options) {
  ptxmc::Distinction found;
  {
    const py::gil_scoped_release unlocked;
    found = ptxmc::distinguish(first, second, options);
  }
  return with_extent(found, py::dict("difference"_a = dictionary(found.difference),
                                     "undecided"_a = dictionary(found.undecided)));
}

py::dict distinguish_lines(const ptxmc::Model& model, const ptxmc::DistinguishOptions& options) {
  ptxmc::LineDistinction found;
  {
    const py::gil_scoped_release unlocked;
    found = ptxmc::distinguish_lines(model, options);
  }
  py::list lines;
  for (const ptxmc::LineDifference& line : found.lines)
    lines.append(py::dict("file"_a = line.file, "line"_a = line.line, "change"_a = line.change,
                          "is_of_flags"_a = line.is_of_flags, "difference"_a = dictionary(line.difference),
                          "undecided"_a = line.undecided));
  return with_extent(found, py::dict("lines"_a = lines));
}

using Races = ptxmc::FenceOptions::Races;
constexpr std::pair<const char*, Races> races[] = {
    {"keep", Races::keep}, {"forbid", Races::forbid}, {"ignore", Races::ignore}};

py::list dictionaries(const std::vector<ptxmc::Annotation>& annotations) {
  py::list result;
  for (const ptxmc::Annotation& one : annotations)
    result.append(py::dict("thread"_a = one.thread, "line"_a = one.line, "column"_a = one.column,
                           "instruction"_a = one.instruction, "is_fence"_a = one.is_fence,
                           "is_inserted"_a = one.is_inserted, "level"_a = one.level, "status"_a = one.status,
                           "enough"_a = one.enough, "because"_a = one.because));
  return result;
}

py::list dictionaries(const std::vector<ptxmc::Assignment>& assignments) {
  py::list result;
  for (const ptxmc::Assignment& one : assignments) {
    py::list changes;
    for (const ptxmc::Change& change : one.changes)
      changes.append(py::dict("annotation"_a = change.annotation, "what"_a = change.what,
                              "instruction"_a = change.instruction));
    result.append(py::dict("cost"_a = one.cost, "changes"_a = changes));
  }
  return result;
}

py::dict find_fences(const py::object& object, const Asked& asked, const std::string& which_races,
                     bool same_outcomes, const std::string& costs) {
  ptxmc::FenceOptions options;
  set_options(asked, options);
  options.races = named("races", which_races, races);
  options.same_outcomes = same_outcomes;
  options.costs = costs;
  const ptxmc::Program program = program_of(object);
  ptxmc::FenceAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::find_fences(program, options);
  }
  return py::dict("model"_a = answer.model, "holds"_a = answer.holds, "property"_a = answer.property,
                  "lost"_a = answer.lost, "annotations"_a = dictionaries(answer.annotations),
                  "assignments"_a = dictionaries(answer.assignments), "complete"_a = answer.complete,
                  "reason"_a = answer.reason, "programs"_a = answer.programs, "program"_a = answer.program,
                  "text"_a = answer.text, "seconds"_a = answer.seconds);
}

py::dict dictionary(const ptxmc::RunFinding& finding) {
  py::list calls;
  for (const ptxmc::Call& call : finding.calls)
    calls.append(py::dict("function"_a = call.function, "place"_a = dictionary(call.place)));
  return py::dict("kind"_a = finding.kind, "thread"_a = finding.thread, "message"_a = finding.message,
                  "calls"_a = calls);
}

py::dict run(const ptxmc::Launch& launch, std::optional<std::uint64_t> seed, std::uint64_t max_steps) {
  ptxmc::RunAnswer answer;
  {
    const py::gil_scoped_release unlocked;
    answer = ptxmc::run(launch, {seed, max_steps, {}});
  }
  py::list findings, buffers;
  for (const ptxmc::RunFinding& finding : answer.findings) findings.append(dictionary(finding));
  for (const ptxmc::Buffer& buffer : answer.buffers)
    buffers.append(py::dict("name"_a = buffer.name, "type"_a = buffer.type, "elements"_a = buffer.elements));
  return py::dict("entries"_a = answer.entries, "output"_a = answer.output, "findings"_a = findings,
                  "ignored"_a = answer.ignored, "contradicted"_a = answer.contradicted,
                  "open"_a = answer.open, "buffers"_a = buffers, "assumed_zero"_a = answer.assumed_zero,
                  "instructions"_a = answer.instructions, "launches"_a = answer.launches);
}

py::dict evaluate(const std::string& line, const std::string& engine, bool intervals, double timeout) {
  const ptxmc::EvaluateOptions options{named("engine", engine, engines), intervals, timeout};
  ptxmc::Evaluation found;
  {
    const py::gil_scoped_release unlocked;
    found = ptxmc::evaluate(line, options);
  }
  return py::dict("result"_a = found.result, "agrees"_a = found.agrees, "solved"_a = found.solved,
                  "interval"_a = found.interval);
}

py::dict explain_instruction(const std::string& instruction) {
  const ptxmc::InstructionExplanation found = ptxmc::explain_instruction(instruction);
  py::list results;
  for (const auto& [name, term, smtlib] : found.results)
    results.append(py::dict("name"_a = name, "term"_a = term, "smtlib"_a = smtlib));
  return py::dict("spelling"_a = found.spelling, "section"_a = found.section, "versions"_a = found.versions,
                  "syntax"_a = found.syntax, "missing"_a = found.missing, "effects"_a = found.effects,
                  "results"_a = results, "declarations"_a = found.declarations, "text"_a = found.text);
}

py::list events_of(const ptxmc::Execution& execution) {
  py::list result;
  for (const ptxmc::Event& event : execution.events) result.append(dictionary(event));
  return result;
}

py::dict relations_of(const ptxmc::Execution& execution) {
  py::dict result;
  for (const ptxmc::Relation& relation : execution.relations) result[py::str(relation.name)] = relation.pairs;
  return result;
}

py::list warnings_of(const ptxmc::LitmusTest& test) {
  py::list result;
  for (const ptxmc::Diagnostic& one : test.warnings()) result.append(dictionary(one));
  return result;
}

/// Raises the class Error of the package.
void raise(const ptxmc::Error& error) {
  py::list diagnostics;
  for (const ptxmc::Diagnostic& one : error.diagnostics) diagnostics.append(dictionary(one));
  const py::object type = py::module_::import("ptxmc").attr("Error");
  const py::object value =
      type(text_of(error.kind), error.file, error.line, error.column, std::string(error.what()), diagnostics);
  PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

PYBIND11_MODULE(_ptxmc, module) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const ptxmc::Error& error) {
      raise(error);
    }
  });
  module.def("version", &ptxmc::version);
  module.def("model_names", &ptxmc::model_names);

  py::class_<ptxmc::Model>(module, "Model")
      .def(py::init<const std::string&>(), "name_or_file"_a)
      .def_static("from_text", &ptxmc::Model::from_text, "text"_a, "file"_a)
      .def_property_readonly("name", &ptxmc::Model::name);

  py::class_<ptxmc::LitmusTest>(module, "LitmusTest")
      .def_property_readonly("name", &ptxmc::LitmusTest::name)
      .def_property_readonly("file", &ptxmc::LitmusTest::file)
      .def_property_readonly("condition", &ptxmc::LitmusTest::condition)
      .def_property_readonly("is_cpp", &ptxmc::LitmusTest::is_cpp)
      .def_property_readonly("warnings", &warnings_of);
  module.def("parse_litmus", &ptxmc::parse_litmus, "text"_a, "file"_a);
  module.def(
      "read_litmus", [](const std::string& path) { return ptxmc::read_litmus(path); }, "path"_a);

  py::class_<ptxmc::Launch>(module, "Launch")
      .def_property_readonly("file", [](const ptxmc::Launch& launch) { return launch.file().string(); })
      .def_property_readonly("module", [](const ptxmc::Launch& launch) { return launch.module().string(); });
  module.def(
      "parse_launch",
      [](const std::string& text, std::optional<std::string> module_text, const std::string& file) {
        return module_text ? ptxmc::parse_launch_with_module(text, *std::move(module_text), file)
                           : ptxmc::parse_launch(text, file);
      },
      "text"_a, "module"_a, "file"_a);
  module.def(
      "read_launch", [](const std::string& path) { return ptxmc::read_launch(path); }, "path"_a);

  py::class_<ptxmc::Execution>(module, "Execution")
      .def("events", &events_of)
      .def("relations", &relations_of)
      .def("svg", &ptxmc::to_svg)
      .def("dot", &ptxmc::to_dot)
      .def("text", &ptxmc::to_text);

  py::class_<Asked>(module, "Options")
      .def(py::init([](std::optional<ptxmc::Model> model, std::string engine, unsigned bound, double timeout,
                       std::uint64_t memory, unsigned jobs, py::object progress) {
             return Asked{std::move(model),   std::move(engine), bound, timeout, memory, jobs,
                          std::move(progress)};
           }),
           "model"_a, "engine"_a, "bound"_a, "timeout"_a, "memory"_a, "jobs"_a, "progress"_a);
  module.def("decide", &decide, "test"_a, "options"_a, "property"_a, "scheduling"_a, "all_states"_a,
             "max_states"_a, "count_executions"_a, "state_executions"_a);
  module.def("explain", &explain, "test"_a, "options"_a);
  py::class_<ptxmc::CycleOptions>(module, "CycleOptions")
      .def(py::init([](std::string edges, std::string accesses, std::string scopes, unsigned threads) {
             return ptxmc::CycleOptions{std::move(edges), std::move(accesses), std::move(scopes), threads};
           }),
           "edges"_a, "accesses"_a, "scopes"_a, "threads"_a);
  py::class_<ptxmc::DistinguishOptions>(module, "DistinguishOptions")
      .def(py::init(&distinguish_options), "options"_a, "cycles"_a, "instructions"_a, "tests"_a,
           "undecided"_a, py::keep_alive<1, 2>());
  module.def("generate", &generate, "named"_a, "cycles"_a, "size"_a);
  module.def("distinguish", &distinguish, "first"_a, "second"_a, "options"_a);
  module.def("distinguish_lines", &distinguish_lines, "model"_a, "options"_a);
  module.def("check", &check, "launch"_a, "options"_a, "properties"_a);
  module.def("find_states", &find_states, "launch"_a, "options"_a, "shown"_a, "exists"_a);
  module.def("compare", &compare, "source"_a, "target"_a, "options"_a, "source_model"_a, "target_model"_a,
             "observe"_a, "ignore_races"_a, "reduce"_a);
  module.def("compiled", &ptxmc::compiled, "source"_a, "mapping"_a);
  module.def("check_mappings", &check_mappings, "mappings"_a, "options"_a, "source_model"_a, "kinds"_a,
             "scope"_a, "threads"_a, "operations"_a, "locations"_a);
  module.def("find_fences", &find_fences, "program"_a, "options"_a, "races"_a, "same_outcomes"_a, "costs"_a);
  module.def("evaluate", &evaluate, "line"_a, "engine"_a, "intervals"_a, "timeout"_a);
  module.def("explain_instruction", &explain_instruction, "instruction"_a);
  module.def("run", &run, "launch"_a, "seed"_a, "max_steps"_a);
}
