#include "solver/launch/launch_question.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

LaunchFinding finding(LaunchProperty property, std::uint32_t line, std::optional<std::uint32_t> other = {},
                      const std::string& message = "") {
  LaunchFinding result;
  result.property = property;
  result.site.where.line = line;
  if (other) result.other = LaunchSite{1, {*other, 1}};
  result.message = message;
  return result;
}

LaunchAnswer answer_of(std::vector<LaunchFinding> findings) {
  LaunchAnswer answer;
  answer.findings = std::move(findings);
  return answer;
}

}  // namespace

TEST_CASE("each property has the name that launch files use") {
  std::string names;
  for (const LaunchProperty property : all_launch_properties())
    names += std::string(property_name(property)) + " ";
  CHECK(names == "assertion race uninitialized out-of-bounds divergence undefined deadlock ");
}

TEST_CASE("the gist of a message has no numbers, unless the program itself printed them") {
  CHECK(gist_of("4 bytes at 0x40 of thread 3") == gist_of("4 bytes at 0x80 of thread 17"));
  CHECK(gist_of("assertion failed: x == 1") != gist_of("assertion failed: x == 2"));
}

TEST_CASE("one finding is enough if no others are wanted") {
  LaunchQuestion question;
  question.properties = {LaunchProperty::race, LaunchProperty::deadlock};
  LaunchAnswer found = answer_of({finding(LaunchProperty::race, 3)});
  CHECK_FALSE(stop_if_enough(found, question));
  CHECK(found.unknown.empty());
  question.all_findings = false;
  LaunchAnswer none;
  CHECK_FALSE(stop_if_enough(none, question));
  CHECK(stop_if_enough(found, question));
  CHECK(found.unknown ==
        std::map<LaunchProperty, std::string>{{LaunchProperty::deadlock, "another property is violated"}});
}

TEST_CASE("what was found stays when the rest is given up, and the first reason counts") {
  LaunchQuestion question;
  question.properties = {LaunchProperty::race, LaunchProperty::deadlock};
  LaunchAnswer answer = answer_of({finding(LaunchProperty::race, 3)});
  give_up(answer, question, "time");
  give_up(answer, question, "memory");
  CHECK(answer.unknown == std::map<LaunchProperty, std::string>{{LaunchProperty::deadlock, "time"}});
}

TEST_CASE("findings of parts are told apart by property, lines and gist") {
  LaunchAnswer all = answer_of({finding(LaunchProperty::race, 3, 5, "x[0] of thread 1")});
  unite(all, answer_of({finding(LaunchProperty::race, 5, 3, "x[4] of thread 2"),
                        finding(LaunchProperty::race, 3, 6, "x[0] of thread 1"),
                        finding(LaunchProperty::deadlock, 3, 5, "x[0] of thread 1"),
                        finding(LaunchProperty::race, 3, 5, "another kind")}));
  CHECK(all.findings.size() == 4);
}

TEST_CASE("the answer about all parts is as weak as that about each") {
  LaunchAnswer all;
  all.executions = 2;
  all.lacks_complete_executions = true;
  LaunchAnswer part;
  part.executions = 3;
  part.lacks_complete_executions = true;
  part.unknown[LaunchProperty::race] = "time";
  unite(all, part);
  CHECK(all.executions == 5);
  CHECK(all.lacks_complete_executions);
  CHECK(all.unknown.at(LaunchProperty::race) == "time");
  CHECK_FALSE(all.is_given_up);
  LaunchAnswer last;  // it counts no executions, and has complete ones
  last.is_given_up = true;
  unite(all, last);
  CHECK_FALSE(all.executions);
  CHECK_FALSE(all.lacks_complete_executions);
  CHECK(all.is_given_up);
}
