#pragma once

#include <map>
#include <memory>
#include <optional>

#include "solver/smt/smt_solver.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/threads/thread_pair.hpp"

namespace ptxmc {

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
  /// Adds a fact (width 1) about each pair of threads with this relation.
  void assume(Neighbours, const Bits& fact);

 private:
  struct Pair {
    Pair(ThreadPair pair, const SmtSolver::Limits& limits) : threads(std::move(pair)), solver(limits) {
      solver.add(threads.exists());
    }
    ThreadPair threads;
    SmtSolver solver;
  };
  Pair* find_pair(Neighbours);
  SmtSolver::Limits limits() const;
  bool is_impossible(SmtSolver&, const Bits& condition) const;

  const OpenThread& thread_;
  const DecideOptions& options_;
  TermGraph& graph_;
  SmtSolver alone_;
  std::map<Neighbours, std::unique_ptr<Pair>> pairs_;
};

}  // namespace ptxmc
