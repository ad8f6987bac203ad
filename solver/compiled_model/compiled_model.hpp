#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"
#include "model/relations/bit_matrix.hpp"
#include "solver/compiled_model/outdated_steps.hpp"
#include "solver/compiled_model/undoable_words.hpp"

namespace ptxmc {

/// A model prepared for many evaluations on executions of the same events. An execution grows step by step,
/// and steps are undone in reverse order. The values are bit matrices in one block of memory. Values that are
/// empty in every execution of the program, or always equal to another value, are not computed. A value is
/// computed again only if one of its operands has changed. Closures of relations that have grown are
/// extended.
class CompiledModel {
 public:
  using Word = std::uint64_t;

  /// A read that takes an atom from a write. `writers` are the events that write the atom.
  struct Source {
    std::size_t read = 0, write = 0;
    const BitSet* writers = nullptr;
  };

  /// A `with … from orientations(…)`, or total coherence, with the pairs that are oriented so far.
  struct Choice {
    std::string name;
    bool is_total_coherence = false;
    bool is_fixed = false;  ///< the set of pairs depends only on the events
    cat::NodeId node = -1;
  };

  /// The execution so far. Report every change of it with note_source or note_event.
  struct Inputs {
    BitSet present;     ///< events that certainly happen, at known addresses
    BitMatrix rf;       ///< among them
    BitMatrix syncbar;  ///< among them
    std::vector<Source> sources;
    std::vector<Choice> choices;
  };
  enum Change : std::uint8_t { events, reads_from, barriers };

  /// Throws Unsupported for models that only the SMT engine supports. `wanted` are further names to evaluate.
  CompiledModel(const cat::Model&, const Program&, std::span<const Event>,
                std::span<const std::string> wanted);

  Inputs inputs;
  void note(Change);
  /// Reports a new source of a read.
  void note_source(std::size_t read, std::size_t write);
  /// Reports a new event.
  void note_event(std::size_t event);
  /// Reports that the address of an event has become known, or has changed.
  void locate(std::span<const Event>, EventId);

  /// Whether some execution has a pair to orient.
  bool may_have_pairs(std::size_t choice) const;
  /// Finds the first pair of a choice that is not oriented yet and has both directions open. Returns false if
  /// there is none.
  bool find_open_pair(std::size_t choice, std::size_t& a, std::size_t& b) const;
  bool has_open_pairs() const;
  bool is_open_pair(std::size_t choice, std::size_t a, std::size_t b) const;
  void orient(std::size_t choice, std::size_t from, std::size_t to);
  /// The orientations so far.
  BitMatrix chosen(std::size_t choice) const;

  /// Saves the state of the model and the orientations; `back_to` restores it. The caller must restore the
  /// other inputs before.
  std::size_t mark();
  void undo_to(std::size_t mark);

  /// Evaluates the axioms that stay violated in every larger execution, and orients the pairs that have only
  /// one possible direction. Returns false if no completion is consistent; the caller must then go back to a
  /// mark.
  bool may_become_consistent();
  /// Whether, in the execution so far, an axiom that prunes forbids this source.
  bool refuses(const Source&) const;
  /// Whether every axiom holds. The execution must be complete and well-formed.
  bool is_consistent();
  /// Whether the flag may be raised in some execution: it requires a value to be non-empty, and the value may
  /// be non-empty.
  bool may_be_raised(std::size_t flag) const;
  /// Whether the flag is raised in a complete execution.
  bool is_raised(std::size_t flag);

  /// The value of a relation or set (as a diagonal) of the model in a complete execution.
  BitMatrix value(std::string_view name);
  std::uint32_t find_step(std::string_view name) const;
  bool defines(std::string_view name) const { return model_.find(name) != nullptr; }
  void copy_value(std::uint32_t step, BitMatrix& value);
  /// The value of a relation if every pair of every choice were oriented in both directions. It is an upper
  /// bound for all completions of an execution whose events, sources and barriers are complete. Only for
  /// relations that grow with the choices.
  BitMatrix value_at_most(std::string_view name);

  /// Whether in every complete execution the relation determines the orientations of a choice.
  bool reveals(std::string_view name, std::size_t choice) const;
  /// Whether exchanging the events of `a` with those of `b`, one by one, leaves all static values of the
  /// model unchanged. Only true if all addresses are known from the start.
  bool cannot_tell_apart(std::span<const std::size_t> a, std::span<const std::size_t> b) const;
  /// Whether the model forbids cycles of reads-from and dependencies.
  bool forbids_thin_air() const;

 private:
  /// What the value of a step is needed for.
  struct Use {
    bool is_needed = false;
    bool prunes = false;    // an axiom that prunes depends on it
    bool is_asked = false;  // its value is needed in addition to the axioms
    bool is_live = false;   // its value is used while the execution grows
    bool is_read = false;   // static: its value is used at all
  };
  /// The memory of the value of a step.
  struct Memory {
    std::size_t place = 0;  // index of the value in values_
    std::size_t count = 0;  // number of words; for a choice including its open pairs and the chosen ones
    std::size_t static_place = 0;  // index in statics_ of the value with all events present
  };
  /// An operation of the model, or (after all operations) the closure of a relation that an axiom requires to
  /// be acyclic.
  struct Step {
    cat::Operator op = cat::Operator::empty;
    bool is_set = false;
    bool is_static = false;             // its value for two events depends only on these events
    bool is_open = false;               // static as soon as all addresses are known
    bool is_void = false;               // it is always empty
    bool is_whole[2] = {false, false};  // by operand: events that are not present may be included
    std::uint32_t same_as = 0;          // a step that always has the same value; initially this step
    Use use;
    Memory memory;
    const struct BaseSet* set = nullptr;
    const struct BaseRelation* relation = nullptr;
    std::size_t choice = 0;
    std::vector<std::uint32_t> operands;
    std::vector<std::uint32_t> axioms;  // the axioms that test it
  };
  /// If `before` contains (a, b) and `filters` contain (b, a), the pair must not be oriented as (b, a).
  struct OrientationRule {
    std::size_t choice = 0;
    std::uint32_t before = 0;
    std::vector<cat::NodeId> filters;
    friend bool operator==(const OrientationRule&, const OrientationRule&) = default;
  };
  /// If `before` contains (r, w) and `filters` contain (w, r), r must not read from w. With a coherence
  /// order: if `before` contains (v, r) and `filters` contain (r, v), r must not read from a write that
  /// precedes v in coherence order.
  struct SourceRule {
    std::uint32_t before = 0;
    std::optional<std::uint32_t> coherence;
    std::vector<cat::NodeId> filters;
    friend bool operator==(const SourceRule&, const SourceRule&) = default;
  };
  struct Axiom {
    const cat::Test* test = nullptr;
    bool prunes = false;
    std::uint32_t tested = 0;
  };
  /// The kinds of the events.
  struct Kinds {
    explicit Kinds(std::span<const Event>);
    bool writes(std::size_t event) const { return (of[event] & 1) != 0; }
    bool is_initial(std::size_t event) const { return (of[event] & 2) != 0; }
    bool reads(std::size_t event) const { return (of[event] & 4) != 0; }

    std::vector<std::uint8_t> of;  // by event: 1 for a write, and 2 for an initial one, 4 for a read
    bool reads_have_one_source = false;
    BitSet all;  // all events
  };
  /// The axioms and flags of the model, with the steps that they test.
  struct Tests {
    std::vector<Axiom> axioms;
    std::vector<Axiom> flags;
    cat::Test coherence;  // total coherence is acyclic
  };
  /// What follows at once from axioms that prune.
  struct Rules {
    std::vector<OrientationRule> orientations;
    std::vector<SourceRule> sources;
  };
  /// The values of static steps with all events present.
  struct Statics {
    std::vector<Word> words;
    bool are_stale = true;
  };
  /// The steps to compute again after a change.
  struct Users {
    std::vector<std::vector<StepUser>> of_step;
    OutdatedSteps::Set of_change[3];           // by Change: steps to compute in all rows
    std::vector<StepUser> of_source_by_write;  // `rf`: a new source changes the row of the write
    std::vector<StepUser> of_source_by_read;   // from-reads: a new source changes the row of the read
    std::vector<StepUser> of_event;            // a new event changes its row
  };
  /// The rows of the step that is being computed.
  struct Rows {
    std::vector<Word> to_compute, changed;
    bool have_lost = false;           // some row has lost a pair
    std::vector<Word> gained;         // a row, used while closures are extended
    std::vector<Word> entered, left;  // used while a relation is closed
  };

  // Run before the first evaluation: compiled_model.cpp and compiled_model_bounds.cpp.
  void compile(std::span<const std::string> wanted);
  void add_step(cat::NodeId);
  void compile_axioms();
  void add_axiom(std::vector<Axiom>&, const cat::Test&, bool prunes);
  void mark_pruning();
  void place_values();
  void find_static_values(std::span<const Event>);
  void find_rules();
  void find_rules(cat::NodeId, std::uint32_t before, std::vector<cat::NodeId> filters);
  void contained(cat::NodeId, std::vector<std::string>& names) const;
  bool passes_whole(const Step&, std::size_t operand) const;
  void find_live();
  void mark_asked_statics();
  bool is_symmetric(const Step&, std::span<const std::size_t> image) const;
  void find_users();
  void simplify(std::span<const Event>);
  void bound(std::uint32_t step);
  void bound_base(Step&, std::span<const Event>);
  void find_equal(std::uint32_t step);
  bool is_within(std::uint32_t step, std::uint32_t filter) const;
  bool are_apart(std::uint32_t a, std::uint32_t b) const;
  bool has_only_loops(std::uint32_t step) const;
  bool is_part(std::uint32_t part, std::uint32_t whole) const;
  bool is_part_but_for_loops(std::uint32_t part, std::uint32_t whole) const;
  bool has_loops_within(std::uint32_t step, std::uint32_t filter) const;
  bool needs_two_sources(const Step&) const;

  // The operators: compiled_model_evaluation.cpp.
  const Word* operand(const Step& step, std::size_t i) const {
    const Step& from = steps_[step.operands[i]];
    const bool is_whole = step.is_static || (i < 2 && step.is_whole[i]);
    return is_whole ? static_rows(from) : values_.data() + from.memory.place;
  }
  Word* rows(std::uint32_t step) { return values_.data() + steps_[step].memory.place; }
  const Word* rows(std::uint32_t step) const { return values_.data() + steps_[step].memory.place; }
  Word* static_rows(const Step& step) { return statics_.words.data() + step.memory.static_place; }
  const Word* static_rows(const Step& step) const { return statics_.words.data() + step.memory.static_place; }
  void compute_static();
  void compute(const Step&, const Word* present, Word* result);
  void compute_set(const Step&, const Word* present, Word* result) const;
  void compute_relation(const Step&, const Word* present, Word* result) const;
  const Word* base_rows(const Step&) const;
  void compute_choice(const Step&, const Word* present, Word* result) const;
  void compute_from_reads(const Word* coherence, Word* result) const;
  void compute_fixpoint(std::uint32_t first);
  void compute_in_recursion(std::uint32_t step);
  void compose(const Word* a, const Word* b, Word* result) const;
  void close(Word* relation) const;

  // Updates after changes: compiled_model_changes.cpp.
  bool bring_up_to_date(bool check_axioms);

  // Updates of single rows: compiled_model_rows.cpp. `Words` is the number of words of a row; 0 if it is not
  // a compile-time constant.
  template <std::size_t Words>
  bool follow(bool check_axioms);
  template <std::size_t Words>
  bool update(std::uint32_t step, bool check_axioms);
  template <std::size_t Words>
  void find_rows(std::uint32_t step);
  template <std::size_t Words>
  void update_rows(std::uint32_t step);
  template <std::size_t Words>
  void update_static(std::uint32_t step);
  template <std::size_t Words>
  void update_row_by_row(std::uint32_t step);
  template <std::size_t Words, class Row>
  void update_each(std::uint32_t step, const Row& word);
  template <std::size_t Words>
  void update_from_reads(std::uint32_t step);
  template <std::size_t Words>
  void update_inverse(std::uint32_t step);
  template <std::size_t Words>
  void update_whole(std::uint32_t step);
  template <std::size_t Words>
  void extend_closure(std::uint32_t step);
  template <std::size_t Words>
  void close_again(std::uint32_t step);
  template <std::size_t Words>
  bool close_from(std::uint32_t step, std::size_t row);
  template <std::size_t Words>
  void extend_closure_backwards(std::uint32_t step);
  template <std::size_t Words>
  void find_gained(const Word* relation, const Word* row, const Word* closure);
  template <std::size_t Words>
  void gain(const Word* row);
  template <std::size_t Words>
  bool add_gained(std::uint32_t step, std::size_t row);
  template <std::size_t Words>
  void extend_choice(std::uint32_t step);
  template <std::size_t Words>
  void tell_users(std::uint32_t step);
  void change_word(std::size_t place, std::size_t row, Word fresh);

  // Evaluation of axioms: compiled_model_axioms.cpp.
  bool is_broken(const Axiom&) const;
  void compute_rest();
  bool holds(const Axiom&) const;
  bool orient_forced();
  bool pass(const std::vector<cat::NodeId>& filters, std::size_t a, std::size_t b) const;
  const Word* open_pairs(std::size_t choice) const {
    return rows(static_cast<std::uint32_t>(inputs.choices[choice].node)) + size_ * stride_;
  }

  const cat::Node& node(cat::NodeId id) const { return model_.nodes[static_cast<std::size_t>(id)]; }
  std::uint32_t step_of(cat::NodeId id) const { return steps_[static_cast<std::size_t>(id)].same_as; }
  std::size_t words_in(const Step& step) const { return step.is_set ? stride_ : size_ * stride_; }
  cat::NodeId fixpoint_node(cat::RecursionId) const;

  const cat::Model& model_;
  const Program& program_;
  const std::size_t size_;
  const std::size_t stride_;
  std::vector<Step> steps_;
  const Kinds kinds_;
  Tests tests_;
  Rules rules_;
  UndoableWords values_;  // of the steps, in the execution so far
  Statics statics_;
  std::vector<Word> scratch_;  // as large as the largest value
  Users users_;
  OutdatedSteps outdated_;
  Rows rows_;  // of the current step
};

}  // namespace ptxmc
