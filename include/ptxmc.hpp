#pragma once

// The library of ptxmc: decides litmus tests and kernel launches under memory models of PTX. docs/library.md
// has examples. All functions may be called by several threads at the same time. They throw ptxmc::Error
// only.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace ptxmc::v1 {

/// A sentence about a position in an input. Line 0: the whole file; column 0: the whole line.
struct Diagnostic {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

/// Why an input has no answer. `what()` is the message without the position.
struct Error : std::runtime_error {
  enum class Kind {
    wrong_input,   ///< a mistake in the input, or a file that cannot be read
    unsupported,   ///< correct input that this version cannot decide
    limit,         ///< the limit on time, memory or events was reached while the input was read
    disagreement,  ///< Engine::both: the engines give different answers, so that one of them is wrong
    internal,      ///< a mistake in this library
  };
  /// `diagnostics` must not be empty. The error is the first of them.
  Error(Kind, std::vector<Diagnostic> diagnostics);

  Kind kind;
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  std::vector<Diagnostic> diagnostics;  ///< wrong_input: every mistake that was found
};

/// A memory model. A copy refers to the same model.
class Model {
 public:
  /// Loads a model: the name of one that comes along ("ptx-8.7"), or the path of a .cat file.
  Model(const std::string& name_or_file);
  Model(const char* name_or_file);
  /// Reads a model from the text of a .cat file. It may include the models that come along.
  static Model from_text(std::string text, std::string file = "model.cat");

  const std::string& name() const;

  struct Data;  ///< only the library knows it
  explicit Model(std::shared_ptr<const Data>);
  const std::shared_ptr<const Data>& data() const { return data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// The names of the models that come along.
std::vector<std::string> model_names();

/// A litmus test that was read. A copy refers to the same test.
class LitmusTest {
 public:
  const std::string& name() const;  ///< in the first line of the test
  const std::string& file() const;
  std::string condition() const;  ///< with its quantifier: `exists (1:r0=1 /\ 1:r1=0)`
  bool is_cpp() const;            ///< scoped C++; otherwise PTX
  /// What is correct and probably not intended.
  std::vector<Diagnostic> warnings() const;

  struct Data;  ///< only the library knows it
  explicit LitmusTest(std::shared_ptr<const Data>);
  const std::shared_ptr<const Data>& data() const { return data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Reads a litmus test. `file` is its name in messages.
LitmusTest parse_litmus(const std::string& text, const std::string& file = "test.litmus");
/// Reads the tests in a file: one, or several in a file of NVIDIA's mixed-proxy tool (`.test`).
std::vector<LitmusTest> read_litmus(const std::filesystem::path&);
/// The test with volatile accesses of C++ as plain ones; they are relaxed atomic otherwise.
LitmusTest with_plain_volatile(const LitmusTest&);

/// The launch of a kernel. A copy refers to the same launch.
class Launch {
 public:
  const std::filesystem::path& file() const;    ///< the launch file
  const std::filesystem::path& module() const;  ///< the PTX module

  struct Data;  ///< only the library knows it
  explicit Launch(std::shared_ptr<const Data>);
  const std::shared_ptr<const Data>& data() const { return data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Reads the text of a launch file (docs/launch-format.md). The module is found relative to `file`.
Launch parse_launch(const std::string& text, const std::filesystem::path& file = "launch.toml");
/// The same with the text of the PTX module, in place of the content of the file that the launch names.
Launch parse_launch_with_module(const std::string& text, std::string module_text,
                                const std::filesystem::path& file = "launch.toml");
/// Reads a launch file.
Launch read_launch(const std::filesystem::path&);

/// What decides a question.
enum class Engine {
  automatic,  ///< the explorer as long as it makes progress, then the SMT engine
  explorer,   ///< enumerates executions
  smt,        ///< asks Z3
  both,       ///< one after the other: they must agree
};

/// How far a decision is.
struct Progress {
  enum class Stage { preparing, exploring, solving };
  Stage stage = Stage::preparing;
  double seconds = 0;
  double estimated_executions = 0;  ///< exploring: of the whole test
  std::uint64_t executions = 0;     ///< exploring: found so far
};

/// What all questions have in common.
struct Options {
  std::optional<Model> model;  ///< empty: the newest model of PTX, or of C++ for tests of C++
  Engine engine = Engine::automatic;
  unsigned bound = 2;              ///< a loop's back edge is taken at most so many times
  double timeout_seconds = 60;     ///< 0: no limit
  std::uint64_t memory_bytes = 0;  ///< that the whole process may have; 0: no limit
  std::size_t max_events = 0;      ///< of all threads; 0: as many as memory has room for
  unsigned jobs = 1;               ///< threads that share the question
  bool executions = true;          ///< give executions with the answer
  /// If another thread sets it, the decision ends with what is known, soon afterwards.
  const std::atomic<bool>* stop = nullptr;
  /// Called about ten times a second by the thread that asks. If it returns false, the decision ends with
  /// what is known. An exception that it throws ends the decision too and is thrown again.
  std::function<bool(const Progress&)> on_progress;
};

/// One operation of one thread in an execution.
struct Event {
  std::string kind;         ///< "initial write", "read", "write", "fence", "barrier", "wait"
  std::string thread;       ///< "P0"; empty for initial writes
  std::string instruction;  ///< as in the source; empty for initial writes
  unsigned line = 0;        ///< of the instruction; 0: none
  unsigned column = 0;
  std::optional<std::uint64_t> address;  ///< virtual, of an access to memory
  std::string location;                  ///< its name: "x", "a[2]", "x+4"
  unsigned size = 0;                     ///< bytes that are accessed
  std::string value;                     ///< read or written; "?": any
  std::string order;                     ///< "weak", "relaxed", "acquire", "release", "acq_rel", "sc"
  std::string scope;                     ///< "cta", "cluster", "gpu", "sys"; empty: none
};

/// A relation between events: program order "po", reads from "rf", and those that the model defines.
struct Relation {
  std::string name;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< indices of events
};

/// An execution that the model allows.
struct Execution {
  std::vector<Event> events;  ///< initial writes first, then by thread
  std::vector<Relation> relations;

  struct Drawing;  ///< only the library knows it
  std::shared_ptr<const Drawing> drawing;
};

/// A picture in the language of Graphviz; of the execution of an answer only.
std::string to_dot(const Execution&);
/// The picture as SVG, by the program `dot` of Graphviz. An Error if it is missing.
std::string to_svg(const Execution&);
/// The picture as plain text.
std::string to_text(const Execution&);

/// A register or an element of memory with its value.
struct Value {
  std::string name;       ///< "P1:r0", "x", "a[2]"
  std::string text;       ///< decimal; infinities and NaN as in PTX: 0f7f800000
  std::int64_t bits = 0;  ///< the integer, or the bits of a floating-point number
  bool is_floating_point = false;
};

/// A final state.
struct State {
  std::vector<Value> values;
  bool matches = false;                     ///< it satisfies the condition
  std::optional<std::uint64_t> executions;  ///< that end in it, if they were counted
  std::optional<Execution> execution;       ///< one of them: LitmusOptions::state_executions
};

/// What can be asked of a litmus test.
enum class LitmusProperty {
  condition,
  race,
  termination,
  assertion,
  uninitialized,
  out_of_bounds,
  divergence,
  undefined
};

/// Which threads are scheduled, for LitmusProperty::termination.
enum class Scheduling {
  fair,               ///< every thread
  occupancy_cta,      ///< every thread that has been started; threads are started by CTA,
  occupancy_cluster,  ///< … by cluster,
  occupancy_gpu,      ///< … by GPU
};

/// One of several parts of the executions of a test, from 1.
struct Part {
  std::uint64_t number = 1;
  std::uint64_t of = 1;
};

struct LitmusOptions : Options {
  LitmusProperty property = LitmusProperty::condition;
  Scheduling scheduling = Scheduling::fair;
  bool all_states = true;  ///< find every final state; false: only decide
  std::size_t max_states = 10'000;
  bool count_executions = false;
  bool state_executions = false;  ///< give an execution for each final state
  /// Explore this part only, for a condition. States, counts and the verdict of the answer are those of the
  /// part: `forbidden` says nothing about the other parts. Every execution is in one of the parts.
  std::optional<Part> part;
};

enum class Verdict { allowed, forbidden, unknown };

/// The answer to a litmus test. For a condition the verdict is `allowed` if some execution satisfies it (of
/// `forall`: violates it). For a fault it is `allowed` if some execution has the fault.
struct LitmusAnswer {
  std::string model;
  std::string engine;  ///< that decided: "explorer", "smt", "both"
  Verdict verdict = Verdict::unknown;
  std::string word;           ///< the verdict as in test files: "allowed", "no race", "unknown"
  std::optional<bool> holds;  ///< the condition with its quantifier, or that there is no fault
  std::string reason;         ///< why the verdict is unknown: "timeout", "loop bound 2"
  /// Whether the test expects this verdict; empty: it expects nothing under this model.
  std::optional<bool> as_expected;
  bool undefined_behaviour = false;  ///< a test of C++ with a data race: every outcome is allowed
  std::vector<State> states;
  bool states_complete = false;             ///< `states` are all final states
  std::optional<std::uint64_t> executions;  ///< if they were counted
  std::vector<std::string> notes;           ///< sentences about the answer
  std::vector<std::string> findings;        ///< sentences about the execution with the fault
  std::vector<std::string> flags;           ///< of the model, raised by some execution
  std::optional<Execution> execution;       ///< behind the verdict
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Decides a litmus test.
LitmusAnswer decide(const LitmusTest&, const LitmusOptions& = {});

/// Why the condition of a litmus test is forbidden.
struct Explanation {
  /// An axiom without which it would be allowed, with an execution that only this axiom forbids.
  struct Axiom {
    std::string name;
    bool breaks_no_other = true;  ///< the execution breaks no other axiom
    std::optional<Execution> execution;
  };
  std::vector<Axiom>
      axioms;          ///< which forbid it together; none: it is allowed, or no final values satisfy it
  std::string reason;  ///< why it is not known
  std::string text;    ///< the steps that `ptxmc litmus --explain` prints

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Finds a minimal set of axioms that forbid the condition of a litmus test.
Explanation explain(const LitmusTest&, const Options& = {});

/// What can go wrong in a launch.
enum class LaunchProperty { assertion, race, uninitialized, out_of_bounds, divergence, undefined, deadlock };

/// "race", "out-of-bounds", …
std::string name_of(LaunchProperty);
/// The property with this name; empty if there is none.
std::optional<LaunchProperty> find_launch_property(const std::string& name);

struct LaunchOptions : Options {
  std::vector<LaunchProperty> properties;  ///< empty: all
  LaunchOptions() { timeout_seconds = 300; }
};

/// A position in the module, and in the program that was compiled to it.
struct Place {
  unsigned line = 0;  ///< of the module; 0: the whole launch
  unsigned column = 0;
  std::string source_file;  ///< by `.loc`; empty: unknown
  unsigned source_line = 0;
};

/// A violation of a property.
struct Finding {
  LaunchProperty property = LaunchProperty::assertion;
  Place place;
  std::optional<Place> other;  ///< of a race: the other access; of divergence: the other thread
  std::vector<std::string> threads;
  std::string message;
  std::string inputs;                     ///< with which it happens: `n = 5`
  std::string hint;                       ///< a known fix
  bool same_value = false;                ///< a race of two writes of the same value
  std::vector<std::string> assumed_zero;  ///< variables without a given content, read as 0
  std::optional<Execution> execution;     ///< the part of an execution that shows it
};

/// The answer to a launch.
struct LaunchAnswer {
  std::vector<std::string> entries;  ///< the kernels, by their names in PTX
  std::string model;
  std::string engine;  ///< that decided: "explorer", "smt", "both", "barriers", "threads"
  /// The names of the violated properties, or "safe". Empty: nothing is known.
  std::vector<std::string> verdicts;
  std::string unknown;              ///< why some property is not decided; empty: all are
  std::optional<bool> as_expected;  ///< empty: the launch file expects nothing, or it is not known
  std::vector<Finding> findings;
  std::vector<std::string> assumed_zero;    ///< variables without a given content, read as 0
  std::optional<std::uint64_t> executions;  ///< if the explorer has enumerated all
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Decides the properties of a launch.
LaunchAnswer check(const Launch&, const LaunchOptions& = {});

/// A question about the final states of a launch.
struct StatesQuestion {
  std::vector<std::string> shown;  ///< elements of memory: `out[0]`, or `out` for all of a buffer
  std::string exists;              ///< a condition as in a launch file; empty: none
};

/// The final states of a launch.
struct StatesAnswer {
  std::string model;
  std::string engine;
  Verdict verdict = Verdict::unknown;  ///< whether some state satisfies the condition
  std::string reason;                  ///< why something is unknown
  std::vector<State> states;
  bool states_complete = false;
  std::optional<Execution> execution;  ///< that satisfies the condition
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Finds the final states of a launch.
StatesAnswer find_states(const Launch&, const StatesQuestion&, const Options& = {});

/// A program that is compared or given other fences.
using Program = std::variant<LitmusTest, Launch>;

struct CompareOptions : Options {
  std::optional<Model> source_model;  ///< empty: `model`; of a source of C++ the newest model of C++
  std::optional<Model> target_model;  ///< empty: `model`
  /// What is compared: names of the source, each with that of the target, `1:r0=out[3];x=x[0]`. Empty: what
  /// the launch files say (`observe`), or of two tests all registers and variables that both have.
  std::string observe;
  bool ignore_races = false;  ///< compare outcomes although a source of C++ has a data race
  bool reduce = false;        ///< of two litmus tests that differ: look for a smaller pair that differs
};

/// The texts of two litmus tests of which the target differs from the source.
struct TestPair {
  std::string source, target;
};

/// A smaller pair than a given one.
struct SmallerPair : TestPair {
  std::size_t tried = 0;  ///< pairs
  std::string text;       ///< the report about it
};

/// Whether a target allows only what its source allows.
struct Comparison {
  std::string source_model;
  std::string target_model;
  std::optional<bool> refines;        ///< empty: it is not known
  bool vacuous = false;               ///< it refines since the behaviour of the source is undefined
  std::string reason;                 ///< of unknown, vacuous, and of a difference that is no outcome
  std::vector<std::string> observed;  ///< the names of the source for what is compared
  std::vector<State> extra;           ///< outcomes of the target that the source forbids
  std::optional<std::size_t>
      missing;                      ///< outcomes of the source that the target does not have; empty: unknown
  std::vector<std::string> axioms;  ///< of the source's model, that forbid the first of `extra`
  std::vector<std::string> notes;   ///< sentences about the comparison
  std::optional<Execution> execution;  ///< of the target, with the first of `extra`
  std::optional<SmallerPair> smaller;  ///< if CompareOptions::reduce asks for it
  std::string text;                    ///< the report that `ptxmc compare` prints
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// The test of PTX that a mapping (a name or a file: docs/compilers.md) makes of a test of C++.
LitmusTest compiled(const LitmusTest& source, const std::string& mapping);

/// Compares a program with its source, for example what a compiler makes with what it was given.
Comparison compare(const Program& source, const Program& target, const CompareOptions& = {});

struct MappingOptions : Options {
  std::vector<std::string> mappings;  ///< names or files; several: code that is linked together
  std::optional<Model> source_model;  ///< empty: the newest of C++; the target has `model`
  std::vector<std::string> kinds;     ///< of operations: load, store, rmw, cas, fence; empty: all
  std::string scope = "device";       ///< of the operations: block, cluster, device, system
  unsigned threads = 2;               ///< at most, as the following
  unsigned operations = 2;            ///< accesses of a thread, with fences between them
  unsigned locations = 2;
  /// Called by the thread that asks, after each shape of programs with so many accesses.
  std::function<void(unsigned accesses, std::size_t done, std::size_t shapes, std::uint64_t programs)>
      on_shape;
};

/// Whether mappings compile all small programs correctly.
struct MappingAnswer {
  std::optional<TestPair> counterexample;  ///< the smallest program and what it becomes
  std::string unknown;                     ///< why not all programs are decided; empty: all are
  std::uint64_t programs = 0;              ///< that were decided, up to symmetry
  std::uint64_t runs = 0;                  ///< of an engine
  std::string text;                        ///< the report that `ptxmc compare --mapping` prints
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<const Data> data;
};

/// Searches for the smallest program that the mappings compile wrongly.
MappingAnswer check_mappings(const MappingOptions&);

struct FenceOptions : Options {
  enum class Races {
    keep,    ///< no data race if the program has none, otherwise none between other instructions than before
    forbid,  ///< no data race
    ignore,
  };
  enum class Trials {
    none,
    said,  ///< decide the programs about which the answer says something, to see that it is right
    all,   ///< decide all programs
  };
  Races races = Races::keep;    ///< of a litmus test
  bool same_outcomes = false;   ///< of a litmus test: no further final state, in place of the condition
  std::filesystem::path costs;  ///< a table of costs (docs/fences.md); empty: the usual ones
  Trials trials = Trials::none;
};

/// An annotation of a program, or a place for a fence.
struct Annotation {
  std::string thread;
  unsigned line = 0;
  unsigned column = 0;
  std::string instruction;  ///< as written; at a place for a fence the one behind it
  bool is_fence = false;
  bool is_inserted = false;  ///< a place where a fence may stand
  std::string level;         ///< in the program: "release.gpu", "weak", "none"
  /// "needed": it is at this level in every minimal assignment; "wasted": in none; "either": in some;
  /// "missing": it is stronger in every one. Empty: no minimal assignment is known.
  std::string status;
  std::vector<std::string> enough;  ///< its levels in minimal assignments, weaker ones first
  std::string because;              ///< what comes back if it is weaker than in the cheapest assignment
};

/// A change of one instruction.
struct Change {
  std::size_t annotation = 0;  ///< index in FenceAnswer::annotations
  std::string what;            ///< "replace by", "insert before", "remove"
  std::string instruction;     ///< the new one; empty: it is removed
};

/// Annotations that suffice, none of which can be weaker.
struct Assignment {
  int cost = 0;  ///< relative to the program
  std::vector<Change> changes;
};

/// Which annotations of a program are needed, wasted or missing.
struct FenceAnswer {
  std::string model;
  bool holds = false;    ///< the program has the property: assignments are what it can do with
  std::string property;  ///< what is kept: "condition", "condition+race", "outcomes", "safe"; empty: unknown
  std::string lost;      ///< of a program that does not have it: how
  std::vector<Annotation> annotations;
  std::vector<Assignment> assignments;  ///< minimal ones, cheapest first
  bool complete = false;                ///< `assignments` has all minimal ones
  std::string reason;                   ///< why it has not
  std::size_t programs = 0;             ///< that were decided
  std::optional<std::string> program;   ///< the text with the cheapest assignment, if it can be written
  std::string text;                     ///< the report that `ptxmc fences` prints
  double seconds = 0;

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Finds the fences and qualifiers that a program needs for its condition, or for what `check` decides.
FenceAnswer find_fences(const Program&, const FenceOptions& = {});

/// What the cycles of generated tests are made of: lists with commas (docs/generating-tests.md).
struct CycleOptions {
  std::string edges = "Pod**, Rfe, Fre, Coe";
  std::string accesses = "weak";  ///< spellings, each one or more words: "weak, release.gpu b8"
  std::string scopes = "gpu";     ///< how far threads are apart: cta, cluster, gpu, sys, all
  unsigned threads = 4;           ///< at most
};

struct GenerateOptions {
  std::vector<std::string> named;  ///< these cycles: "PodWW Rfe PodRR Fre"; empty: all that `cycles` give
  CycleOptions cycles;             ///< of named cycles: only their scopes
  unsigned size = 4;               ///< edges of a cycle, at most
};

/// A small litmus test.
struct SmallTest {
  std::string name;   ///< of its family in the literature, with what differs: "MP+release.gpu-acquire.gpu"
  std::string cycle;  ///< from which it was made; empty: from none
  std::string placement;  ///< of its threads, if it was made: a scope, or numbers
  unsigned threads = 0;
  unsigned instructions = 0;  ///< that access memory, fences and barriers
  std::string text;

  struct Data;  ///< only the library knows it
  std::shared_ptr<const Data> data;
};

/// Calls `use` with a test for each cycle, up to symmetry, until it returns false. Returns how often. An
/// exception that `use` throws is thrown again.
std::uint64_t generate(const GenerateOptions&, const std::function<bool(const SmallTest&)>& use);
/// How many tests `generate` makes.
std::uint64_t count_generated(const GenerateOptions&, const std::atomic<bool>* stop = nullptr);

struct DistinguishOptions : Options {
  CycleOptions cycles;
  unsigned instructions = 6;      ///< of a test, at most
  std::vector<LitmusTest> tests;  ///< decide these, in place of generated ones
  bool undecided = false;         ///< a test that only one of the models decides is a difference too
  DistinguishOptions();
};

/// The smallest test on which two models differ.
struct Difference {
  SmallTest test;
  Verdict first = Verdict::unknown;
  Verdict second = Verdict::unknown;
  std::string reason;                  ///< why one of them is unknown
  std::vector<std::string> axioms;     ///< of the model that forbids the condition, which forbid it
  std::optional<Execution> execution;  ///< of the model that allows it
  std::string text;  ///< the test, the verdicts and the reasons as `ptxmc distinguish` prints them
};

/// How far a search for differences has come.
struct SearchExtent {
  std::uint64_t tests = 0;    ///< that were decided
  unsigned instructions = 0;  ///< of the tests that were decided last
  bool complete = false;      ///< all tests were decided; LineDistinction: or all lines have a difference
  std::string reason;         ///< why the search was given up; empty: it was not
  double seconds = 0;
};

/// On which tests models differ. Axioms, executions and texts are given if Options::executions is true.
struct Distinction : SearchExtent {
  std::optional<Difference> difference;
  std::optional<Difference> undecided;  ///< the smallest test that only one of the models decides
};

/// Seeks the smallest test (instructions, then threads) on which two models differ.
Distinction distinguish(const Model& first, const Model& second, const DistinguishOptions& = {});

/// A model without one of its lines: an axiom, a definition, or a part of a definition over several lines.
struct LineDifference {
  std::string file;
  unsigned line = 0;
  std::string change;                    ///< "without `rmw` in `rmw & fr`"
  bool is_of_flags = false;              ///< no axiom uses the line, so that no condition depends on it
  std::optional<Difference> difference;  ///< of the model (first) and the model without the line
  std::string undecided;                 ///< why the first test without an answer has none
};

/// What each line of a model is for. Axioms, executions and texts are given if Options::executions is true.
struct LineDistinction : SearchExtent {
  std::vector<LineDifference> lines;
};

/// Seeks for each line of a model the smallest test on which the model without it differs. A test that is not
/// decided within ten seconds tells nothing.
LineDistinction distinguish_lines(const Model&, const DistinguishOptions& = {});

struct RunOptions {
  std::optional<std::uint64_t> seed;        ///< of a random interleaving; empty: threads take turns
  std::uint64_t max_steps = 1'000'000'000;  ///< instructions; then the finding is "step-limit"
  /// Called with what the kernel prints. An exception that it throws ends the run and is thrown again.
  std::function<void(const std::string&)> on_output;
};

/// A call of a device function that is open where something is found.
struct Call {
  std::string function;
  Place place;
};

/// What was found in one execution.
struct RunFinding {
  std::string kind;  ///< "out-of-bounds", "uninitialized", "assertion", "step-limit", …
  std::string thread;
  std::string message;
  std::vector<Call> calls;  ///< innermost first, with the place of the finding
};

/// A buffer after the launch.
struct Buffer {
  std::string name;
  std::string type;
  std::vector<std::string> elements;  ///< as text; "?": unknown
};

/// One execution of a launch.
struct RunAnswer {
  std::vector<std::string> entries;       ///< the kernels, by their names in PTX
  std::string output;                     ///< what the kernel printed
  std::vector<RunFinding> findings;       ///< without those that the launch file accepts
  std::size_t ignored = 0;                ///< findings that it accepts
  std::vector<std::string> contradicted;  ///< found, and not expected by the launch file
  std::vector<std::string> open;          ///< expected, and not shown by this execution
  std::vector<Buffer> buffers;
  std::vector<std::string> assumed_zero;  ///< variables without a given content, read as 0
  std::uint64_t instructions = 0;
  unsigned launches = 1;  ///< more than 1 if parameters may have any value

  struct Data;  ///< only the library knows it
  std::shared_ptr<Data> data;
};

/// Executes a launch once, in one interleaving.
RunAnswer run(const Launch&, const RunOptions& = {});

struct EvaluateOptions {
  Engine engine = Engine::automatic;  ///< automatic: the rules on numbers; smt: their terms in Z3; both
  bool intervals = false;             ///< say what an approximate instruction may compute
  double timeout_seconds = 0;         ///< of the solver; 0: no limit
};

/// What instructions compute from given inputs.
struct Evaluation {
  std::string result;          ///< hexadecimal digits, or "nan"; commas between several results
  std::optional<bool> agrees;  ///< with the result that the line gives; empty: it gives none
  std::string solved;          ///< Engine::both: the result of Z3, if it differs
  std::string interval;        ///< "[3f7fffff .. 3f800001]", "unbounded"; empty: it is not approximate
};

/// Evaluates a line of `ptxmc eval`: `instruction;input,input,…`, several instructions that share registers
/// and flags before the inputs, and the expected result behind them: "sub.cc.u32;subc.u32;1,2,3,4".
Evaluation evaluate(const std::string& line, const EvaluateOptions& = {});

/// The rule of an instruction.
struct InstructionExplanation {
  std::string spelling;
  std::string section;   ///< of the manual
  std::string versions;  ///< of PTX and targets that have it
  std::string syntax;
  std::string missing;               ///< why the following are empty
  std::vector<std::string> effects;  ///< a sentence each
  struct Result {
    std::string name;
    std::string term;    ///< as readable text
    std::string smtlib;  ///< a definition in SMT-LIB 2
  };
  std::vector<Result> results;
  std::vector<std::string> declarations;  ///< of the inputs, in SMT-LIB 2
  std::string text;                       ///< what `ptxmc explain` prints
};

/// Explains an instruction, for example "mad.hi.sat.s32 d, a, b, c"; operands may be left out.
InstructionExplanation explain_instruction(const std::string&);

/// The version of the library: "0.1.0".
const char* version();

}  // namespace ptxmc::v1

#pragma GCC visibility pop

// The sources of the library have other types of these names in ptxmc.
#ifndef PTXMC_SOURCES
namespace ptxmc {
using namespace v1;
}
#endif
