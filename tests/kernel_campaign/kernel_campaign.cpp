// kernel_campaign KERNELS [FIRST_SEED [FOLDER]]: random kernels, of which `run` and `check` must say the
// same. Every finding of an execution is one of `check`; a kernel that `check` calls safe has none; the final
// memory of an execution without a finding is a final state of the launch, and one that `check` allows; the
// two engines agree, on properties and on final states.
// Kernels on which they differ are left in FOLDER, with their launch files.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/machine/run.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/kernel/unfolding/final_states.hpp"
#include "src/report/names.hpp"
#include "tests/kernel_campaign/random_kernel.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t seeds_of_run = 50;
constexpr std::size_t contents_asked = 2;

enum class Result { agree, disagree, unknown, unsupported };

/// What some executions of a kernel have shown.
struct Shown {
  std::map<std::string, std::string> findings;  ///< by kind: the message of the first
  std::set<std::string> contents;  ///< as conditions over the buffers, of executions without finding
};

std::string condition_of(const std::vector<kernel::FinalBuffer>& buffers) {
  std::string condition;
  for (const kernel::FinalBuffer& buffer : buffers)
    for (std::size_t i = 0; i < buffer.elements.size(); ++i)
      condition +=
          fmt::format("{}{}[{}] == {}", condition.empty() ? "" : " && ", buffer.name, i, buffer.elements[i]);
  return condition;
}

Shown run_often(const kernel::Launch& launch) {
  constexpr std::uint64_t most_steps = 20'000;  // spin loops may never end
  const syntax::Module module = kernel::read_module_of(launch);
  Shown shown;
  for (std::uint64_t seed = 0; seed < seeds_of_run; ++seed) {
    const auto result =
        kernel::run_launch(launch, module, {.seed = seed, .step_limit = most_steps}, [](const auto&) {});
    for (const kernel::Finding& finding : result.findings)
      shown.findings.emplace(finding.kind, finding.message);
    if (result.findings.empty()) shown.contents.insert(condition_of(result.buffers));
  }
  shown.findings.erase("step-limit");
  return shown;
}

bool is_property(const std::string& kind) {
  return std::ranges::any_of(all_launch_properties(),
                             [&](LaunchProperty property) { return kind == property_name(property); });
}

std::optional<std::string> contradiction(const Shown& shown, const kernel::CheckedLaunch& checked) {
  for (const auto& [kind, message] : shown.findings) {
    const auto is_kind = [&, kind = kind](LaunchProperty property) {
      return kind == property_name(property);
    };
    if (!is_property(kind)) continue;
    const bool is_unknown =
        std::ranges::any_of(checked.answer.unknown, [&](const auto& entry) { return is_kind(entry.first); });
    if (!is_unknown && std::ranges::none_of(checked.violated(), is_kind))
      return fmt::format("run shows {} ({}), check does not", kind, message);
  }
  return std::nullopt;
}

/// The content is that of some execution, as far as that is known.
bool may_be_final(kernel::Launch launch, const std::string& content, const cat::Model& model,
                  const DecideOptions& options) {
  launch.final_condition = "!(" + content + ")";
  const auto checked = kernel::check(launch, {LaunchProperty::assertion}, model, options);
  const auto is_at_end = [](const LaunchFinding& finding) {
    return finding.property == LaunchProperty::assertion && finding.site.thread == Event::no_thread;
  };
  return !checked.answer.unknown.empty() || std::ranges::any_of(checked.answer.findings, is_at_end);
}

std::vector<std::string> names_of_buffers(const kernel::Launch& launch) {
  std::vector<std::string> names;
  for (const kernel::Parameter& parameter : launch.parameters)
    if (std::holds_alternative<kernel::BufferParameter>(parameter.is)) names.push_back(parameter.name);
  return names;
}

/// The final states of a launch, as conditions like those of run_often; empty if they are not all known.
std::optional<std::set<std::string>> all_states(const kernel::Launch& launch, const cat::Model& model,
                                                const DecideOptions& options, Engine engine) {
  const auto found = kernel::final_states(launch, {names_of_buffers(launch), {}}, model, options, engine);
  if (!found.answer.states_complete) return std::nullopt;
  std::set<std::string> states;
  for (const FinalState& state : found.answer.states) {
    std::string condition;
    for (std::size_t i = 0; i < found.answer.shown.size(); ++i)
      condition += fmt::format("{}{} == {}", i == 0 ? "" : " && ",
                               name_of(found.answer.shown[i], found.unfolded->program, Naming::launch),
                               state.values[i]);
    states.insert(condition);
  }
  return states;
}

/// The same, by both engines if both can find them.
std::optional<std::set<std::string>> agreed_states(const kernel::Launch& launch, const cat::Model& model,
                                                   DecideOptions options) {
  options.timeout_seconds /= 4;
  try {
    return all_states(launch, model, options, Engine::both);
  } catch (const Unsupported&) {
    return all_states(launch, model, options, Engine::automatic);
  }
}

struct Campaign {
  std::filesystem::path folder;
  cat::Model model = cat::load("ptx-8.7");
  std::uint64_t kernels_with_states = 0;  ///< of which all final states are known

  Result check(std::uint64_t seed) {
    const std::string name = fmt::format("kernel-{}", seed);
    const RandomKernel kernel = random_kernel(seed, name + ".ptx");
    const std::filesystem::path module = folder / (name + ".ptx"), file = folder / (name + ".toml");
    std::ofstream(module) << kernel.module;
    std::ofstream(file) << kernel.launch;
    DecideOptions options;
    options.timeout_seconds = 2;
    options.bound = 3;
    Result result = Result::disagree;
    try {
      const kernel::Launch launch = kernel::read_launch(file);
      result = compare(launch, options);
    } catch (const Unsupported& unsupported) {
      fmt::print("seed {}: unsupported: {}\n", seed, unsupported.what());
      result = Result::unsupported;
    } catch (const std::exception& mistake) {
      fmt::print("seed {}: {}\n", seed, mistake.what());
    }
    if (result != Result::disagree) {
      std::filesystem::remove(module);
      std::filesystem::remove(file);
    }
    std::fflush(stdout);
    return result;
  }

 private:
  Result compare(const kernel::Launch& launch, const DecideOptions& options) {
    const auto disagree = [&](const std::string& sentence) {
      fmt::print("{}: {}\n", launch.file.string(), sentence);
      return Result::disagree;
    };
    const Shown shown = run_often(launch);
    const auto properties = all_launch_properties();
    const auto checked = kernel::check(launch, properties, model, options);
    if (const auto sentence = ::contradiction(shown, checked)) return disagree(*sentence);
    try {
      kernel::check(launch, properties, model, options, Engine::both);
    } catch (const Unsupported&) {  // one engine alone decides
    } catch (const Disagreement& disagreement) {
      return disagree(disagreement.what());
    }
    try {
      const auto states = agreed_states(launch, model, options);
      if (states) {
        ++kernels_with_states;
        for (const std::string& content : shown.contents)
          if (content.find('?') == std::string::npos && !states->contains(content))
            return disagree("run ends with a content that is no final state: " + content);
      }
    } catch (const Disagreement& disagreement) {
      return disagree(disagreement.what());
    }
    std::size_t asked = 0;
    for (const std::string& content : shown.contents) {
      if (content.find('?') != std::string::npos) continue;
      if (asked++ == contents_asked) break;
      if (!may_be_final(launch, content, model, options))
        return disagree("run ends with a content that check excludes: " + content);
    }
    return checked.answer.unknown.empty() ? Result::agree : Result::unknown;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: kernel_campaign KERNELS [FIRST_SEED [FOLDER]]\n");
    return 2;
  }
  const std::uint64_t kernels = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  Campaign campaign{argc > 3
                        ? std::filesystem::path(argv[3])
                        : std::filesystem::temp_directory_path() / fmt::format("kernel-campaign-{}", first)};
  std::filesystem::create_directories(campaign.folder);
  std::map<Result, std::uint64_t> count;
  for (std::uint64_t seed = first; seed < first + kernels; ++seed) ++count[campaign.check(seed)];
  fmt::print(
      "{} kernels: {} agree, {} disagree, {} unknown in part, {} unsupported; all final states of {}\n",
      kernels, count[Result::agree], count[Result::disagree], count[Result::unknown],
      count[Result::unsupported], campaign.kernels_with_states);
  return count[Result::disagree] == 0 ? 0 : 1;
}
