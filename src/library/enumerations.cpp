#include "src/library/enumerations.hpp"

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace ptxmc {

namespace {

constexpr std::pair<v1::Engine, Engine> engines[] = {
    {v1::Engine::automatic, Engine::automatic},
    {v1::Engine::explorer, Engine::explorer},
    {v1::Engine::smt, Engine::smt},
    {v1::Engine::both, Engine::both},
};

constexpr std::pair<v1::LitmusProperty, LitmusProperty> properties_of_tests[] = {
    {v1::LitmusProperty::condition, LitmusProperty::condition},
    {v1::LitmusProperty::race, LitmusProperty::race},
    {v1::LitmusProperty::termination, LitmusProperty::termination},
    {v1::LitmusProperty::assertion, LitmusProperty::assertion},
    {v1::LitmusProperty::uninitialized, LitmusProperty::uninitialized},
    {v1::LitmusProperty::out_of_bounds, LitmusProperty::out_of_bounds},
    {v1::LitmusProperty::divergence, LitmusProperty::divergence},
    {v1::LitmusProperty::undefined, LitmusProperty::undefined},
};

constexpr std::pair<v1::LaunchProperty, LaunchProperty> properties_of_launches[] = {
    {v1::LaunchProperty::assertion, LaunchProperty::assertion},
    {v1::LaunchProperty::race, LaunchProperty::race},
    {v1::LaunchProperty::uninitialized, LaunchProperty::uninitialized},
    {v1::LaunchProperty::out_of_bounds, LaunchProperty::out_of_bounds},
    {v1::LaunchProperty::divergence, LaunchProperty::divergence},
    {v1::LaunchProperty::undefined, LaunchProperty::undefined},
    {v1::LaunchProperty::deadlock, LaunchProperty::deadlock},
};

constexpr std::pair<v1::Verdict, Verdict> verdicts[] = {
    {v1::Verdict::allowed, Verdict::allowed},
    {v1::Verdict::forbidden, Verdict::forbidden},
    {v1::Verdict::unknown, Verdict::unknown},
};

using Races = v1::FenceOptions::Races;
constexpr std::pair<Races, RaceClause> race_clauses[] = {
    {Races::keep, RaceClause::keep},
    {Races::forbid, RaceClause::forbid},
    {Races::ignore, RaceClause::ignore},
};

using Trials = v1::FenceOptions::Trials;
constexpr std::pair<Trials, WhatToTry> trials[] = {
    {Trials::none, WhatToTry::nothing},
    {Trials::said, WhatToTry::said},
    {Trials::all, WhatToTry::all},
};

template <class Public, class Internal, std::size_t count>
Internal internal_of(const std::pair<Public, Internal> (&table)[count], Public value) {
  for (const auto& [is_public, internal] : table)
    if (is_public == value) return internal;
  throw std::logic_error("a value of an enumeration that has no such value");
}

template <class Public, class Internal, std::size_t count>
Public public_of(const std::pair<Public, Internal> (&table)[count], Internal value) {
  for (const auto& [is_public, internal] : table)
    if (internal == value) return is_public;
  throw std::logic_error("a value of an enumeration that the public header lacks");
}

}  // namespace

Engine to_internal(v1::Engine engine) { return internal_of(engines, engine); }

LitmusProperty to_internal(v1::LitmusProperty property) { return internal_of(properties_of_tests, property); }

LaunchProperty to_internal(v1::LaunchProperty property) {
  return internal_of(properties_of_launches, property);
}

Progress to_internal(v1::Scheduling scheduling) {
  switch (scheduling) {
    case v1::Scheduling::fair:
      return {};
    case v1::Scheduling::occupancy_cta:
      return {Progress::Kind::occupancy, Scope::cta};
    case v1::Scheduling::occupancy_cluster:
      return {Progress::Kind::occupancy, Scope::cluster};
    case v1::Scheduling::occupancy_gpu:
      return {Progress::Kind::occupancy, Scope::gpu};
  }
  throw std::logic_error("a scheduling of no known kind");
}

RaceClause to_internal(Races races) { return internal_of(race_clauses, races); }

WhatToTry to_internal(Trials asked) { return internal_of(trials, asked); }

v1::Engine engine_named(const std::string& name) { return to_public(*find_engine(name)); }

v1::Engine to_public(Engine engine) { return public_of(engines, engine); }

v1::LitmusProperty to_public(LitmusProperty property) { return public_of(properties_of_tests, property); }

v1::LaunchProperty to_public(LaunchProperty property) { return public_of(properties_of_launches, property); }

v1::Verdict to_public(Verdict verdict) { return public_of(verdicts, verdict); }

Races to_public(RaceClause races) { return public_of(race_clauses, races); }

Trials to_public(WhatToTry asked) { return public_of(trials, asked); }

}  // namespace ptxmc
