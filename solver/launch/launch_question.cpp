#include "solver/launch/launch_question.hpp"

#include <algorithm>

namespace ptxmc {

std::string gist_of(std::string message) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!message.starts_with("assertion failed")) std::erase_if(message, is_digit);
  return message;
}

bool has_finding(const LaunchAnswer& answer, LaunchProperty property) {
  return std::ranges::find(answer.findings, property, &LaunchFinding::property) != answer.findings.end();
}

void give_up(LaunchAnswer& answer, const LaunchQuestion& question, const std::string& reason) {
  for (const LaunchProperty property : question.properties)
    if (!has_finding(answer, property)) answer.unknown.emplace(property, reason);
}

bool stop_if_enough(LaunchAnswer& answer, const LaunchQuestion& question) {
  if (question.all_findings || answer.findings.empty()) return false;
  give_up(answer, question, "another property is violated");
  return true;
}

const char* property_name(LaunchProperty property) {
  constexpr const char* names[] = {"assertion",  "race",      "uninitialized", "out-of-bounds",
                                   "divergence", "undefined", "deadlock"};
  return names[static_cast<std::size_t>(property)];
}

std::vector<LaunchProperty> all_launch_properties() {
  using enum LaunchProperty;
  return {assertion, race, uninitialized, out_of_bounds, divergence, undefined, deadlock};
}

namespace {

bool is_the_same(const LaunchFinding& a, const LaunchFinding& b) {
  const auto line = [](const std::optional<LaunchSite>& site) { return site ? site->where.line : 0U; };
  return a.property == b.property && gist_of(a.message) == gist_of(b.message) &&
         std::minmax(a.site.where.line, line(a.other)) == std::minmax(b.site.where.line, line(b.other));
}

}  // namespace

void unite(LaunchAnswer& all, LaunchAnswer part) {
  for (LaunchFinding& finding : part.findings)
    if (std::ranges::none_of(all.findings,
                             [&](const LaunchFinding& known) { return is_the_same(known, finding); }))
      all.findings.push_back(std::move(finding));
  all.unknown.merge(part.unknown);
  if (all.executions && part.executions)
    *all.executions += *part.executions;
  else
    all.executions.reset();
  all.is_given_up |= part.is_given_up;
  all.lacks_complete_executions &= part.lacks_complete_executions;
}

}  // namespace ptxmc
