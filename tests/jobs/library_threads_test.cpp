// Several threads decide through the library at once. Under ThreadSanitizer (`make tsan`) this shows that
// they share nothing; Z3 is not instrumented, so the explorer decides.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "src/library/public.hpp"

using namespace ptxmc;

namespace {

const std::string folder = PTXMC_SOURCE_DIR "/litmus/";

/// What an answer says, as text.
std::string text_of(const v1::LitmusAnswer& answer) {
  std::string text = answer.word + " " + std::to_string(answer.executions.value_or(0));
  for (const v1::State& state : answer.states)
    for (const v1::Value& value : state.values) text += " " + value.name + "=" + value.text;
  return text;
}

std::string text_of(const v1::LaunchAnswer& answer) {
  std::string text;
  for (const std::string& verdict : answer.verdicts) text += verdict + " ";
  for (const v1::Finding& finding : answer.findings) text += finding.message + "\n";
  return text;
}

v1::LitmusOptions litmus_options() {
  v1::LitmusOptions options;
  options.engine = v1::Engine::explorer;
  options.count_executions = true;
  return options;
}

v1::LaunchOptions launch_options() {
  v1::LaunchOptions options;
  options.engine = v1::Engine::explorer;
  return options;
}

}  // namespace

TEST_SUITE("several threads") {
  TEST_CASE("threads that decide through the library at once have the answers of one thread") {
    const std::vector<v1::LitmusTest> shared = {
        v1::read_litmus(folder + "manual/manual-SB-acq_rel.litmus").front(),
        v1::read_litmus(folder + "cumulativity/IRIW-fence.sc.litmus").front(),
        v1::read_litmus(folder + "read-modify-write/atom-tickets.litmus").front()};
    const v1::Launch launch = v1::read_launch(PTXMC_SOURCE_DIR "/tests/kernels/mailbox_bug_relaxed.toml");
    std::vector<std::string> alone;
    for (const v1::LitmusTest& test : shared) alone.push_back(text_of(v1::decide(test, litmus_options())));
    alone.push_back(text_of(v1::check(launch, launch_options())));

    std::atomic<int> different = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i)
      threads.emplace_back([&, i] {
        v1::LitmusOptions options = litmus_options();
        options.jobs = i % 2 + 1;
        if (i == 3) options.on_progress = [](const v1::Progress&) { return true; };
        if (i == 2) options.model = v1::Model("ptx-8.7");
        for (std::size_t k = 0; k < shared.size(); ++k)
          if (text_of(v1::decide(shared[k], options)) != alone[k]) ++different;
        if (text_of(v1::check(launch, launch_options())) != alone.back()) ++different;
      });
    for (std::thread& thread : threads) thread.join();
    CHECK(different == 0);
  }
}
