#include "src/cli/launch_judgement.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/launch_options.hpp"

using namespace ptxmc;

namespace {

ExitStatus status(const std::vector<std::string>& expected, const std::vector<LaunchProperty>& found,
                  const std::string& unknown = {}) {
  kernel::CheckedLaunch checked;
  checked.launch.expected = expected;
  for (const LaunchProperty property : found) checked.answer.findings.emplace_back().property = property;
  if (!unknown.empty()) checked.answer.unknown[LaunchProperty::deadlock] = unknown;
  return exit_status_of(checked, all_launch_properties());
}

using enum LaunchProperty;

}  // namespace

TEST_CASE("a launch is as its file expects, or safe where it expects nothing") {
  CHECK(status({"safe"}, {}) == ExitStatus::success);
  CHECK(status({"safe"}, {race}) == ExitStatus::violation);
  CHECK(status({}, {}) == ExitStatus::success);
  CHECK(status({}, {race}) == ExitStatus::violation);
  CHECK(status({"race", "assertion"}, {race, assertion}) == ExitStatus::success);
  CHECK(status({"race", "assertion"}, {race}) == ExitStatus::violation);
  CHECK(status({"race"}, {race, assertion}) == ExitStatus::violation);
}

TEST_CASE("an undefined use contradicts a launch that is to be safe, and no other finding") {
  constexpr auto undefined = LaunchProperty::undefined;
  CHECK(status({"undefined"}, {undefined}) == ExitStatus::success);
  CHECK(status({"safe"}, {undefined}) == ExitStatus::violation);
  CHECK(status({"assertion"}, {assertion, undefined}) == ExitStatus::success);
  CHECK(status({"assertion"}, {undefined}) == ExitStatus::violation);
  CHECK(status({"assertion", "undefined"}, {assertion}) == ExitStatus::violation);
}

TEST_CASE("what is unknown is neither, except after a mixed-size race") {
  CHECK(status({"safe"}, {}, "timeout") == ExitStatus::unknown);
  CHECK(status({}, {}, "timeout") == ExitStatus::unknown);
  CHECK(status({"race", "assertion"}, {race}, "timeout") == ExitStatus::unknown);
  CHECK(status({"race"}, {race}, "timeout") == ExitStatus::unknown);
  CHECK(status({"race"}, {race, assertion}, "timeout") == ExitStatus::violation);
  CHECK(status({"race"}, {race}, mixed_size_race_reason) == ExitStatus::success);
}

TEST_CASE("a module is launched by flags, of each size that they name") {
  LaunchOptions options;
  options.entry = "k";
  options.grid = "2,3";
  options.block = "1..4";
  options.parameters = {"n=s32:any", "x=f32[2]:0,1", "y=u8[4]"};
  const auto launches = launches_of("a/k.ptx", options);
  REQUIRE(launches.size() == 4);
  CHECK(launches[3].module == "a/k.ptx");
  CHECK(launches[3].grid == kernel::Dimensions{2, 3, 1});
  CHECK(launches[3].block == kernel::Dimensions{4, 1, 1});
  CHECK(launches[3].parameters.size() == 3);
}

TEST_CASE("a module needs no name of its only kernel, and flags name several") {
  LaunchOptions options;
  const auto entries = [&] { return launches_of("k.ptx", options).front().entries; };
  CHECK(entries() == std::vector<std::string>{""});
  options.entry = "a+b";
  CHECK(entries() == std::vector<std::string>{"a", "b"});
}

TEST_CASE("dynamic shared memory is a number or an expression") {
  LaunchOptions options;
  const auto launch = [&](const std::string& bytes) {
    options.dynamic_shared = bytes;
    return launches_of("k.ptx", options).front();
  };
  CHECK(launch("64").dynamic_shared == 64);
  CHECK(launch("64").dynamic_shared_length.empty());
  CHECK(launch("4 * block.x").dynamic_shared_length == "4 * block.x");
  CHECK(launch("4 * block.x").dynamic_shared_where.file == "--dynamic-shared");
  CHECK_THROWS_WITH(launch("99999999999"), "found 99999999999, expected 0 to 1048576");
}

TEST_CASE("flags that are wrong are named") {
  const auto launch = [](const LaunchOptions& options) { return launches_of("k.ptx", options); };
  LaunchOptions options;
  options.entry = "k";
  options.grid = "two";
  CHECK_THROWS_AS(launch(options), InputError);
  options.grid = "4..2";
  CHECK_THROWS_AS(launch(options), InputError);
  options.grid = "";
  CHECK_THROWS_AS(launch(options), InputError);
  options.grid.reset();
  options.block = "1025";
  CHECK_THROWS_AS(launch(options), InputError);
  options.block.reset();
  options.parameters = {"n"};
  CHECK_THROWS_AS(launch(options), InputError);
  options.parameters = {"n=s32"};
  CHECK_THROWS_AS(launch(options), InputError);
  options.parameters = {"n=q7:1"};
  CHECK_THROWS_AS(launch(options), InputError);
}
