#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/bit_matrix.hpp"
#include "model/cat_model.hpp"
#include "model/event.hpp"

namespace ptxmc {

/// A model made ready to be evaluated over and over on executions of the same events, which grow and shrink.
/// Its values are bit matrices in one piece of memory. What depends on nothing that has changed since it was
/// computed is not computed again.
class CompiledModel {
 public:
  /// A read takes an atom from a write; `writers` are the events that write the atom.
  struct Source {
    std::size_t read = 0, write = 0;
    const BitSet* writers = nullptr;
  };

  /// A `with … from orientations(…)`, or total coherence, and what is chosen of it so far.
  struct Choice {
    std::string name;
    bool is_total_coherence = false;
    bool is_fixed = false;  ///< which pairs there are depends on the events alone
    cat::NodeId node = -1;
    BitMatrix pairs;   ///< to be oriented, both ways; valid after an evaluation
    BitMatrix always;  ///< total coherence: from initial writes
    BitMatrix chosen;  ///< one way
  };

  /// What the execution consists of so far. Whoever changes it says so with `note`.
  struct Inputs {
    BitSet present;     ///< events that happen for sure, at known addresses
    BitMatrix rf;       ///< among them
    BitMatrix syncbar;  ///< among them
    std::vector<Source> sources;
    std::vector<Choice> choices;
  };
  enum Change : std::uint32_t { events = 1, reads_from = 2, barriers = 4, first_choice = 8 };
  static std::uint32_t choice_change(std::size_t choice) {
    return std::uint32_t{first_choice} << (choice < 28 ? choice : 28);
  }

  /// Throws Unsupported for what only the other engine does. `wanted` are further names to evaluate.
  CompiledModel(const cat::Model&, const Program&, std::span<const Event>,
                std::span<const std::string> wanted);

  Inputs inputs;
  void note(std::uint32_t changes);
  /// The address of an event has become known, or another than before.
  void locate(std::span<const Event>, EventId);

  /// Evaluates what only gets worse while the execution grows. Orients the pairs that have only one way left.
  /// False: no completion is consistent.
  bool may_become_consistent();
  /// The execution is complete and well-formed: every axiom holds.
  bool is_consistent();
  /// Of a complete execution: the flag is raised.
  bool is_raised(std::size_t flag);

  /// The value of a relation or set (a diagonal) of the model; of a complete execution.
  BitMatrix value(std::string_view name);
  /// What a relation would be if every pair of every choice were oriented both ways: no completion of an
  /// execution whose events, sources and barriers are complete has more. For relations that only grow with
  /// the choices.
  BitMatrix value_at_most(std::string_view name);

  /// In every complete execution the relation tells how a choice is oriented.
  bool reveals(std::string_view name, std::size_t choice) const;
  /// Reads-from and dependencies never form a cycle.
  bool forbids_thin_air() const;

 private:
  struct Step {
    cat::Operator op = cat::Operator::empty;
    bool is_set = false;
    bool is_needed = false;
    bool prunes = false;  // an axiom that prunes depends on it
    std::uint32_t depends = 0;
    std::size_t place = 0;  // of the value in words_
    std::size_t static_rows = 0;
    const struct BaseSet* set = nullptr;
    const struct BaseRelation* relation = nullptr;
    std::size_t choice = 0;
  };
  /// `before` holding of (a, b) forbids the choice of (b, a) where `filters` have (b, a).
  struct Rule {
    std::size_t choice = 0;
    std::size_t before = 0;  // place in words_
    std::vector<cat::NodeId> filters;
  };
  struct Axiom {
    const cat::Test* test = nullptr;
    bool prunes = false;
    std::uint32_t depends = 0;
    std::size_t closure = 0;  // place in words_, when acyclic
  };

  using Word = std::uint64_t;
  Word* rows(cat::NodeId id) { return words_.data() + steps_[static_cast<std::size_t>(id)].place; }
  const cat::Node& node(cat::NodeId id) const { return model_.nodes[static_cast<std::size_t>(id)]; }

  void compile(std::span<const std::string> wanted);
  void compile_axioms();
  void find_rules();
  void find_rules(cat::NodeId, std::size_t before, std::vector<cat::NodeId> filters);
  void contained(cat::NodeId, std::vector<std::string>& names) const;

  void evaluate(bool pruning_only);
  void compute(cat::NodeId);
  void compute_base(Step&);
  void compute_set(const cat::Node&, Step&);
  void compute_relation(const cat::Node&, Step&);
  void compute_choice(const cat::Node&, Step&);
  void find_pairs(const cat::Node&, const Step&, Choice&);
  void compute_from_reads(const Word* coherence, Word* result);
  void compute_fixpoint(cat::NodeId first);
  void compose(const Word* a, const Word* b, Word* result) const;
  void close(Word* relation) const;
  std::size_t words_of(cat::NodeId) const;
  cat::NodeId fixpoint_node(cat::RecursionId) const;
  bool holds(const Axiom&);
  bool orient_forced();

  const cat::Model& model_;
  const Program& program_;
  const std::size_t size_;
  const std::size_t stride_;
  std::vector<Step> steps_;          // by node
  std::vector<std::uint8_t> kinds_;  // by event: 1 for a write, and 2 for an initial one
  cat::Test coherence_;              // of total coherence: it is acyclic
  std::vector<Axiom> axioms_;
  std::vector<Axiom> flags_;
  std::vector<Rule> rules_;
  std::vector<Word> words_;
  std::vector<Word> static_words_;  // base relations of all events
  std::uint32_t stale_ = 0;         // what has changed for the node that is computed
  std::uint32_t stale_pruning_ = ~std::uint32_t{0};
  std::uint32_t stale_rest_ = ~std::uint32_t{0};
};

}  // namespace ptxmc
