#pragma once

#include <vector>

#include "solver/threads/counter_order.hpp"
#include "solver/threads/open_suspects.hpp"

namespace ptxmc {

/// What is known about races if one thread stands for all.
struct OpenRaces {
  bool are_excluded = false;        ///< no two threads race: PTX ISA 8.7 § 8.7.1. Barriers must be uniform
  bool are_mixed_excluded = false;  ///< … with accesses that overlap partially: § 8.7.2
};

/// Looks for pairs of threads that race. Adds candidates.
OpenRaces look_for_races(OpenQuestions&, OpenSuspects&, const std::vector<CounterOrder>&);

}  // namespace ptxmc
