#include "src/kernel/unfolding/meeting_resolution.hpp"

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/values/subterms.hpp"
#include "solver/algebra/simplify_under.hpp"
#include "solver/algebra/strongly_connected.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc::kernel {

namespace {

/// The maximum number of unknowns that depend on themselves and are resolved together.
constexpr std::size_t most_resolved = 200'000;

}  // namespace

MeetingResolution::MeetingResolution(const Known& known, const EventStructure& structure)
    : known_(known), structure_(structure) {
  for (std::size_t thread = 0; thread < known.stops.size(); ++thread)
    for (std::size_t i = 0; i < known.meetings[thread].size(); ++i)
      if (known.stops[thread][i].kind == Stop::Kind::exchange)
        add(known.stops[thread][i], {static_cast<int>(thread), i});
}

void MeetingResolution::add(const Stop& stop, StopOfThread where) {
  using enum Unknown::Kind;
  for (std::size_t i = 0; i < stop.got.taken.size(); ++i)
    if (const Bits& value = stop.got.taken[i]; value.width() != 0)
      unknowns_[value.term()->variable] = {.kind = taken,
                                           .at = where,
                                           .rank = static_cast<unsigned>(i / stop.given.values.size()),
                                           .register_ = i % stop.given.values.size(),
                                           .width = value.width()};
  for (unsigned rank = 0; rank < stop.got.present.size(); ++rank)
    if (const Bits& there = stop.got.present[rank]; there.width() != 0)
      unknowns_[there.term()->variable] = {.kind = present, .at = where, .rank = rank};
  if (stop.arrival.met.width() != 0)
    unknowns_[stop.arrival.met.term()->variable] = {.kind = met, .at = where};
  tokens_[stop.given.token] = {where, true};
  if (stop.arrival.presence != 0) tokens_[stop.arrival.presence] = {where, false};
}

const Stop& MeetingResolution::stop_at(StopOfThread where) const {
  return known_.stops[index(where.thread)][where.stop];
}

const std::vector<int>& MeetingResolution::group_of(StopOfThread where) const {
  return known_.groups.group_of(stop_at(where).form.group, where.thread);
}

const Meeting& MeetingResolution::meeting(StopOfThread where) const {
  return known_.meetings[index(where.thread)][where.stop];
}

const Stop& MeetingResolution::stop_in(StopOfThread where, const Encounter& encounter) const {
  return known_.stops[index(group_of(where)[encounter.rank])][encounter.stop];
}

// ---- values ----

Bits MeetingResolution::value_taken(const Unknown& unknown) const {
  Bits value;
  for (const Encounter& encounter : meeting(unknown.at)) {
    if (encounter.rank != unknown.rank) continue;
    const Stop& its = stop_in(unknown.at, encounter);
    const Bits& given = its.given.values[unknown.register_];
    value = value.width() == 0 ? given : ite(its.arrival.condition & encounter.when, given, value);
  }
  return value;
}

/// The condition that the thread of this rank arrives at the exchange.
Bits MeetingResolution::presence(StopOfThread where, unsigned rank) const {
  Bits result = Bits::boolean(false);
  for (const Encounter& encounter : meeting(where))
    if (encounter.rank == rank)
      result = result | (stop_in(where, encounter).arrival.condition & encounter.when);
  return result;
}

/// The condition that the thread of this rank has ended on a path without the exchange. (Including paths with
/// the exchange would not be wrong, but the condition would depend on itself.)
Bits MeetingResolution::has_left(StopOfThread where, unsigned rank) const {
  Substitution not_there;
  for (const Encounter& encounter : meeting(where)) {
    const Bits& goes_on = stop_in(where, encounter).arrival.met;
    if (encounter.rank == rank && encounter.when.is_true() && goes_on.width() != 0)
      not_there.set(goes_on.term()->variable, Bits::boolean(false));
  }
  return not_there.apply(has_exited(structure_, group_of(where)[rank]));
}

Bits MeetingResolution::all_arrive(StopOfThread where) const {
  Bits all = Bits::boolean(true);
  if (!known_.is_open) {
    for (const Encounter& encounter : meeting(where)) all = all & stop_in(where, encounter).arrival.condition;
    return all;
  }
  const std::vector<int>& group = group_of(where);
  for (unsigned rank = 0; rank < group.size(); ++rank) {
    const Bits is_awaited = stop_at(where).awaits(rank);
    const int thread = group[rank];
    if (thread == ThreadGroups::no_thread || thread == where.thread || is_awaited.is_false()) continue;
    all = all & (~is_awaited | presence(where, rank) | has_left(where, rank));
  }
  return all;
}

Bits MeetingResolution::definition(const Unknown& unknown) const {
  switch (unknown.kind) {
    case Unknown::Kind::taken:
      return value_taken(unknown);
    case Unknown::Kind::present:
      return presence(unknown.at, unknown.rank);
    case Unknown::Kind::met:
      return all_arrive(unknown.at);
  }
  return {};
}

/// The unknowns in a value, without those in terms that it has visited before: these are resolved.
std::vector<VariableId> MeetingResolution::new_unknowns(const Bits& value) {
  std::vector<VariableId> result;
  const auto note = [&](VariableId variable) {
    if (unknowns_.contains(variable)) result.push_back(variable);
    return true;
  };
  all_variables(value, note, is_visited_);
  std::ranges::sort(result);
  return result;
}

/// The unknowns in a value, and transitively those in their definitions.
std::vector<VariableId> MeetingResolution::needed_for(const Bits& value) {
  std::vector<VariableId> result;
  std::set<VariableId> met;
  const auto unknowns_in = [&](const Bits& term) {
    std::vector<VariableId> unknowns;
    for (const VariableId variable : variables_of(term))
      if (unknowns_.contains(variable)) unknowns.push_back(variable);
    return unknowns;
  };
  const auto add = [&](const std::vector<VariableId>& unknowns) {
    for (const VariableId variable : unknowns)
      if (!is_resolved_.contains(variable) && met.insert(variable).second) result.push_back(variable);
  };
  add(new_unknowns(value));
  for (std::size_t i = 0; i < result.size(); ++i) {
    Unknown& unknown = unknowns_.at(result[i]);
    if (unknown.definition.width() == 0) {
      unknown.definition = definition(unknown);
      unknown.others = unknowns_in(unknown.definition);
    }
    add(unknown.others);
  }
  return result;
}

/// Resolves unknowns after the unknowns in their definitions; unknowns that depend on each other are resolved
/// together.
void MeetingResolution::resolve(const std::vector<VariableId>& variables) {
  std::map<VariableId, std::size_t> number_of;
  for (std::size_t i = 0; i < variables.size(); ++i) number_of[variables[i]] = i;
  std::vector<std::vector<int>> needs(variables.size());
  for (std::size_t i = 0; i < variables.size(); ++i)
    for (const VariableId other : unknowns_.at(variables[i]).others)
      if (const auto number = number_of.find(other); number != number_of.end())
        needs[i].push_back(static_cast<int>(number->second));
  const std::vector<int> component = strong_components(needs);
  std::map<int, std::vector<VariableId>> together;
  for (std::size_t i = 0; i < variables.size(); ++i) together[component[i]].push_back(variables[i]);
  for (const auto& [number, members] : together) resolve_together(members);
}

/// Computes the least solution, starting with no arrivals. Once all lanes of an exchange have arrived, its
/// conditions stay true in later rounds. So each round resolves conditions that depend on one more exchange,
/// and one further round the values taken there.
void MeetingResolution::resolve_together(const std::vector<VariableId>& members) {
  for (const VariableId member : members) {
    Unknown& unknown = unknowns_.at(member);
    unknown.value = Bits(unknown.width, 0);
  }
  const std::size_t most_rounds = 2 * members.size() + 1;
  bool changed = true;
  for (std::size_t round = 0; changed && round < most_rounds; ++round) {
    TimeLimit::check();
    if (round * members.size() > most_resolved)
      throw Unsupported("lanes that wait for each other in very many ways",
                        known_.stops[index(unknowns_.at(members[0]).at.thread)][0].form.where);
    Substitution known;
    for (const VariableId member : members)
      for (const VariableId other : unknowns_.at(member).others) known.set(other, unknowns_.at(other).value);
    std::vector<Bits> values;
    for (const VariableId member : members) values.push_back(known.apply(unknowns_.at(member).definition));
    changed = false;
    for (std::size_t i = 0; i < members.size(); ++i) {
      Bits& value = unknowns_.at(members[i]).value;
      changed = changed || !identical(value, values[i]);
      value = values[i];
    }
  }
  for (const VariableId member : members) {
    substitution_.set(member, unknowns_.at(member).value);
    is_resolved_.insert(member);
  }
}

void MeetingResolution::apply(Bits& value) {
  if (value.width() == 0 || value.is_constant()) return;
  resolve(needed_for(value));
  value = substitution_.apply(value);
}

std::vector<WarpExchange> MeetingResolution::exchanges() {
  std::vector<WarpExchange> result;
  std::map<std::pair<int, std::size_t>, std::size_t> numbers;
  std::vector<StopOfThread> places;
  for (std::size_t thread = 0; thread < known_.stops.size(); ++thread)
    for (std::size_t i = 0; i < known_.meetings[thread].size(); ++i) {
      const Stop& stop = known_.stops[thread][i];
      if (stop.kind != Stop::Kind::exchange) continue;
      numbers[{static_cast<int>(thread), i}] = result.size();
      places.push_back({static_cast<int>(thread), i});
      WarpExchange& exchange = result.emplace_back();
      exchange.thread = static_cast<int>(thread);
      exchange.step = stop.arrival.step;
      exchange.condition = resolved(stop.arrival.condition);
    }
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const Encounter& encounter : meeting(places[i])) {
      const int other = group_of(places[i])[encounter.rank];
      if (other == places[i].thread) continue;
      const Bits both =
          result[i].condition & stop_in(places[i], encounter).arrival.condition & encounter.when;
      result[i].exchanges.push_back({numbers.at({other, encounter.stop}), resolved(both)});
    }
    const Stop& stop = stop_at(places[i]);
    const std::vector<int>& group = group_of(places[i]);
    for (unsigned rank = 0; rank < group.size() && stop.waits(); ++rank) {
      const int other = group[rank];
      if (other == ThreadGroups::no_thread || other == places[i].thread) continue;
      const Bits is_awaited = stop.awaits(rank);
      const Bits is_gone = has_exited(structure_, other) & ~presence(places[i], rank);
      const Bits when = resolved(result[i].condition & is_awaited & is_gone);
      if (!when.is_false()) result[i].endings.push_back({index(other), when});
    }
    if (!known_.are_meetings_chosen) continue;
    for (const EventId source : stop.given.sources)
      if (const auto token = tokens_.find(source); token == tokens_.end())
        result[i].brought.push_back(source);
      else if (token->second.is_value)
        result[i].passed_on.push_back(numbers.at({token->second.at.thread, token->second.at.stop}));
    if (const auto events = dependents_.find(stop.given.token); events != dependents_.end())
      result[i].dependents = events->second;
  }
  return result;
}

Bits MeetingResolution::resolved(Bits value) {
  apply(value);
  return value;
}

// ---- dependencies ----

void MeetingResolution::apply(std::vector<EventId>& reads, EventId event) {
  const auto is_token = [&](EventId id) { return tokens_.contains(id); };
  if (std::ranges::none_of(reads, is_token)) return;
  if (known_.are_meetings_chosen) {
    for (const EventId id : reads)
      if (is_token(id)) dependents_[id].push_back(event);
    std::erase_if(reads, is_token);
    return;
  }
  std::set<EventId> all, met;
  for (const EventId id : reads) expand(id, all, met);
  reads.assign(all.begin(), all.end());
}

/// If the arrival of a thread depends on reads, so do its values and everything that follows in the threads
/// that wait for it.
void MeetingResolution::expand(EventId id, std::set<EventId>& all, std::set<EventId>& met) const {
  const auto token = tokens_.find(id);
  if (token == tokens_.end()) {
    all.insert(id);
    return;
  }
  if (!met.insert(id).second) return;
  const auto& [where, is_value] = token->second;
  for (const Encounter& encounter : meeting(where)) {
    const Stop& its = stop_in(where, encounter);
    if (is_value)
      for (const EventId read : its.given.sources) expand(read, all, met);
    if (!its.is_certain)
      for (const EventId read : its.arrival.control) expand(read, all, met);
  }
  if (!known_.is_open) return;
  for (const EventId read : leaving(where)) expand(read, all, met);
}

Bits MeetingResolution::condition_of(EventId read) const {
  const auto token = tokens_.find(read);
  if (token == tokens_.end()) return structure_.events[static_cast<std::size_t>(read)].condition;
  return stop_at(token->second.at).arrival.condition;
}

/// The reads that decide whether awaited threads have ended on paths without the exchange.
std::vector<EventId> MeetingResolution::leaving(StopOfThread where) const {
  std::vector<EventId> result;
  const std::vector<int>& group = group_of(where);
  for (unsigned rank = 0; rank < group.size(); ++rank) {
    const int thread = group[rank];
    if (thread == ThreadGroups::no_thread || thread == where.thread || stop_at(where).awaits(rank).is_false())
      continue;
    for (const EventId read : known_.ends[index(thread)]) {
      const Bits happens = condition_of(read);
      const bool is_elsewhere = std::ranges::all_of(meeting(where), [&](const Encounter& encounter) {
        return encounter.rank != rank ||
               exclude_each_other(happens, stop_in(where, encounter).arrival.condition);
      });
      if (is_elsewhere) result.push_back(read);
    }
  }
  return result;
}

}  // namespace ptxmc::kernel
