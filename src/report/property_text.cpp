#include "src/report/property_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/cat/cat_headings.hpp"
#include "semantics/language/mbarrier_state.hpp"
#include "semantics/language/mbarrier_text.hpp"
#include "src/report/names.hpp"

namespace ptxmc {
namespace {

const Placement& placement(const Execution& execution, const Event& event) {
  return execution.program->threads[event.thread].placement;
}

std::string described(const Execution& execution, const Event& event) {
  return fmt::format("`{}` ({}, line {})", event.instruction->text,
                     execution.program->threads[event.thread].name, event.instruction->where.line);
}

bool is_weak(const Event& event) {
  const Access& access = event.access;
  return access.sem == Sem::weak && !access.is_volatile && !access.is_mmio;
}

bool includes(Scope scope, const Placement& own, const Placement& other) {
  switch (scope) {
    case Scope::none:
      return false;
    case Scope::cta:
      return own.cta == other.cta;
    case Scope::cluster:
      return own.cluster == other.cluster;
    case Scope::gpu:
      return own.gpu == other.gpu;
    case Scope::sys:
      return true;
  }
  return false;
}

const char* scope_text(Scope scope) {
  constexpr const char* names[] = {"none", ".cta", ".cluster", ".gpu", ".sys"};
  return names[static_cast<std::size_t>(scope)];
}

Scope scope_of(const Event& event) { return event.access.is_volatile ? Scope::sys : event.access.scope; }

bool is_stuck_in(const Event& event, const StuckThread& stuck) {
  return event.thread == stuck.thread && stuck.how != Ending::Kind::not_started &&
         (stuck.how == Ending::Kind::waiting ? event.step == stuck.first_step
                                             : event.step >= stuck.first_step);
}

/// What has happened at the mbarrier of a read: `phase 0 was completed in line 61 by thread (0, 0, 0)`, and
/// the arrivals at the phase under way.
std::string history_text(const Execution& execution, const Event& poll, const PlaceText& place) {
  constexpr std::size_t most = 4;
  std::vector<std::pair<std::uint64_t, std::string>> steps;  // by phase
  const Bits current = mbarrier_state(poll.value).phase;
  for (const Event& write : execution.events) {
    if (!write.is_write() || write.access.mbarrier != MbarrierAccess::operation || write.rmw < 0 ||
        !identical(write.location, poll.location))
      continue;
    const MbarrierState before = mbarrier_state(execution.events[static_cast<std::size_t>(write.rmw)].value),
                        after = mbarrier_state(write.value);
    const std::string by =
        fmt::format("in {} by {}", place(write.instruction->where.line),
                    execution.program->threads[static_cast<std::size_t>(write.thread)].name);
    if (!identical(before.phase, after.phase))
      steps.emplace_back(before.phase.to_u64(),
                         fmt::format("phase {} was completed {}", before.phase.to_u64(), by));
    else if (identical(before.phase, current) && less_unsigned(after.pending, before.pending).is_true())
      steps.emplace_back(before.phase.to_u64(), "an arrival came " + by);
  }
  std::ranges::stable_sort(steps, {}, &std::pair<std::uint64_t, std::string>::first);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, steps.size()); ++i)
    text += (i == 0 ? " (" : ", ") + steps[i].second;
  if (steps.size() > most) text += fmt::format(", and {} more", steps.size() - most);
  return text.empty() ? text : text + ")";
}

/// What a thread reads in an iteration that it repeats for ever: `reads x=0`, and of an mbarrier what its
/// phase waits for.
std::string read_text(const Execution& execution, const Event& event, const PlaceText& line) {
  const std::string place = location_name(*execution.program, event.address.to_u64());
  const std::string instruction =
      fmt::format("`{}` ({})", written(event), line(event.instruction->where.line));
  if (event.access.mbarrier != MbarrierAccess::operation || !event.value.is_constant())
    return fmt::format("{} reads {}={}", instruction, place, value_text(event, *execution.program));
  return fmt::format("{} reads {}, whose phase {} waits for {}{}", instruction, place,
                     mbarrier_state(event.value).phase.to_u64(), pending_text(event.value),
                     history_text(execution, event, line));
}

std::string reads_of_iteration(const Execution& execution, const StuckThread& stuck, const PlaceText& line) {
  std::string text;
  for (const Event& event : execution.events)
    if (event.is_read() && is_stuck_in(event, stuck))
      text += (text.empty() ? "" : ", ") + read_text(execution, event, line);
  return text;
}

bool waits_for_grid(const Execution& execution, const StuckThread& stuck) {
  return std::ranges::any_of(execution.events, [&](const Event& event) {
    return event.thread == stuck.thread && event.kind == EventKind::barrier &&
           event.step == stuck.first_step && event.barrier.group == Barrier::Group::prerequisite;
  });
}

std::string stuck_sentence(const Execution& execution, const StuckThread& stuck, const PlaceText& line) {
  const std::string& name = execution.program->threads[stuck.thread].name;
  switch (stuck.how) {
    case Ending::Kind::waiting:
      if (waits_for_grid(execution, stuck))
        return fmt::format("{} waits in line {} for a grid that never completes", name, stuck.where.line);
      return fmt::format("{} waits at the barrier in line {}, which never completes", name, stuck.where.line);
    case Ending::Kind::not_started:
      return fmt::format("{} is never started", name);
    default:
      break;
  }
  const std::string reads = reads_of_iteration(execution, stuck, line);
  if (reads.empty()) return fmt::format("{} repeats the loop in line {} for ever", name, stuck.where.line);
  return fmt::format("{} repeats the loop in line {} for ever: {}, and no later write comes", name,
                     stuck.where.line, reads);
}

}  // namespace

Pairs races_of(const Execution& execution, const std::string& relation) {
  Pairs pairs;
  for (const auto& pair : execution.relations.pairs(relation))
    if (pair.first < pair.second) pairs.push_back(pair);
  return pairs;
}

namespace {

constexpr const char* overlap_partially = "they overlap partially";

std::string race_sentence(const Execution& execution, const Event& a, const Event& b,
                          const std::string& why) {
  const bool is_cpp = a.instruction != nullptr && a.instruction->form->definition->section == "C++";
  return fmt::format("data race: {} and {} are not ordered by {}, and {}", described(execution, a),
                     described(execution, b), is_cpp ? "happens before" : "causality", why);
}

}  // namespace

std::string why_not_strong_together(const Execution& execution, const Event& a, const Event& b) {
  if (is_weak(a) && is_weak(b)) return "both are weak";
  for (const Event* event : {&a, &b})
    if (is_weak(*event))
      return fmt::format("the access of {} is weak", execution.program->threads[event->thread].name);
  for (const auto& [own, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (!includes(scope_of(*own), placement(execution, *own), placement(execution, *other)))
      return fmt::format("the scope {} of {} does not include {}", scope_text(scope_of(*own)),
                         execution.program->threads[own->thread].name,
                         execution.program->threads[other->thread].name);
  return {};
}

std::string why_not_morally_strong(const Execution& execution, const Event& a, const Event& b) {
  if (a.thread != b.thread)
    if (std::string why = why_not_strong_together(execution, a, b); !why.empty()) return why;
  if (a.access.proxy != b.access.proxy) return "they use different proxies";
  if (a.size != b.size || a.location.to_u64() != b.location.to_u64()) return overlap_partially;
  if (a.address.to_u64() != b.address.to_u64()) return "their addresses are aliases";
  return "they are not morally strong";
}

std::vector<std::string> race_sentences(const Execution& execution) {
  std::vector<std::string> sentences;
  std::set<std::string> said;  // an instruction may be executed several times
  for (const auto& [first, second] : races_of(execution)) {
    const Event& a = execution.events[first];
    const Event& b = execution.events[second];
    std::string sentence = race_sentence(execution, a, b, why_not_morally_strong(execution, a, b));
    if (said.insert(sentence).second) sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::string mixed_size_race_sentence(const Execution& execution, const Event& a, const Event& b) {
  return race_sentence(execution, a, b, overlap_partially);
}

std::vector<std::string> unsynchronized_sentences(const Execution& execution, const cat::Model& model) {
  std::vector<std::string> sentences;
  if (!execution.relations.contains("morally_strong")) return sentences;
  const Pairs strong = execution.relations.at("morally_strong");
  for (const ReadsFrom& rf : execution.reads_from) {
    const Event& write = execution.events[rf.write];
    const Event& read = execution.events[rf.read];
    if (write.thread == Event::no_thread || write.thread == read.thread ||
        std::ranges::find(strong, std::pair(rf.write, rf.read)) != strong.end())
      continue;
    sentences.push_back(fmt::format("{} is read by {}, but they are not {}: {}", described(execution, write),
                                    described(execution, read), cat::with_heading(model, "morally_strong"),
                                    why_not_morally_strong(execution, write, read)));
  }
  return sentences;
}

std::string plain_line(std::uint32_t line) { return fmt::format("line {}", line); }

std::vector<std::string> termination_sentences(const Termination& termination, const PlaceText& line) {
  std::vector<std::string> sentences;
  if (!termination.witness) return sentences;
  for (const StuckThread& stuck : termination.stuck)
    sentences.push_back(stuck_sentence(*termination.witness, stuck, line));
  return sentences;
}

std::string stuck_places(const Termination& termination, const Program& program) {
  std::string text;
  for (const StuckThread& stuck : termination.stuck) {
    const std::string& name = program.threads[static_cast<std::size_t>(stuck.thread)].name;
    text += text.empty() ? "" : ", ";
    if (stuck.how == Ending::Kind::waiting)
      text += fmt::format("{} waits for ever at line {}", name, stuck.where.line);
    else
      text += fmt::format("{} repeats the loop in line {} for ever", name, stuck.where.line);
  }
  return text;
}

std::vector<EventId> stuck_events(const Termination& termination) {
  std::vector<EventId> stuck;
  if (!termination.witness) return stuck;
  const auto& events = termination.witness->events;
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
    if (std::ranges::any_of(termination.stuck,
                            [&](const StuckThread& thread) { return is_stuck_in(events.at(id), thread); }))
      stuck.push_back(id);
  return stuck;
}

}  // namespace ptxmc
