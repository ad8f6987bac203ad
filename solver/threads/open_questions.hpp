#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>

#include "solver/smt_engine/answers.hpp"
#include "solver/threads/count_solver.hpp"
#include "solver/threads/open_candidate.hpp"
#include "solver/threads/thread_pair.hpp"

namespace ptxmc {

/// A way in which the open thread, or a pair of threads, may violate a property.
struct OpenSuspect {
  LaunchProperty property = LaunchProperty::race;
  Bits condition;                          ///< width 1
  std::uint32_t line = 0, other_line = 0;  ///< see OpenCandidate
  unsigned step = 0, other_step = 0;       ///< the positions in program order
};

/// Questions about the open thread alone, and about pairs of threads.
class OpenQuestions {
 public:
  OpenQuestions(const OpenThread&, const DecideOptions&, TermGraph&);

  const OpenThread& thread() const { return thread_; }
  TermGraph& graph() const { return graph_; }

  /// Whether the condition (width 1) is false for each thread of the launch.
  bool never(const Bits& condition);
  /// The two threads of this relation; null if the launch has none.
  ThreadPair* pair(Neighbours);
  /// Whether the condition is false for each pair of threads with this relation.
  bool never(Neighbours, const Bits& condition);
  /// Threads for which one of the suspects is true, and the number of this suspect; empty if there are none.
  /// Without a relation the suspects are about the open thread alone.
  struct Sighting {
    std::size_t suspect = 0;
    OpenCandidate candidate;
  };
  std::optional<Sighting> find(std::optional<Neighbours>, std::span<const OpenSuspect>);
  /// Adds a fact (width 1) about each thread.
  void assume(const Bits& fact);
  /// Adds a fact about each pair of threads with this relation.
  void assume(Neighbours, const Bits& fact);

 private:
  /// Two threads of a relation. Only the first question makes a solver: of many pairs nothing is asked.
  struct Pair {
    explicit Pair(ThreadPair pair) : threads(std::move(pair)) {}
    ThreadPair threads;
    Bits facts;  // known before the first question
    std::optional<CountSolver> solver;
  };
  /// Values of the unknowns that satisfy a condition.
  struct Assignment {
    Bits condition;
    Substitution values;
  };
  Pair* find_pair(Neighbours);
  CountSolver& solver_of(Pair*);
  void define_counts(Pair&) const;
  SmtSolver::Limits limits() const;
  bool is_impossible(CountSolver&, const Bits& condition) const;
  bool require(CountSolver&, Assignment&, const Bits& wish) const;
  void require_smallest_launch(CountSolver&, Assignment&, std::uint64_t least) const;
  void prefer_simple_threads(Pair*, Assignment&);
  std::vector<Bits> large_inputs() const;
  std::vector<Bits> wishes(Pair*) const;
  void prefer_small_inputs(CountSolver&, Assignment&);
  std::vector<bool> decisive_inputs(Pair*, const OpenSuspect&) const;
  Sighting sighting(Pair*, std::span<const OpenSuspect>, Substitution values) const;
  void add_contents_for_all(OpenCandidate&, Substitution& values, unsigned step) const;
  void add_thread(OpenCandidate&, Substitution& values, unsigned step, ThreadPair* of_other) const;

  const OpenThread& thread_;
  const DecideOptions& options_;
  TermGraph& graph_;
  CountSolver alone_;
  Bits facts_;  // about each thread
  std::map<Neighbours, std::unique_ptr<Pair>> pairs_;
  double seconds_for_inputs_ = 0;  // spent on making inputs of candidates smaller
};

}  // namespace ptxmc
