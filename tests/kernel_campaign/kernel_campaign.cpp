// kernel_campaign KERNELS [FIRST_SEED [FAMILY [FOLDER]]]: random kernels, of which `run` and `check` must say
// the same. Every finding of an execution is one of `check`; a kernel that `check` calls safe has none; the
// final memory of an execution without a finding is a final state of the launch, and one that `check` allows;
// the two engines agree, on properties and on final states; and `check` finds something exactly if the way in
// which the kernel was made says so. If `check` finds an undefined use, an execution may show anything: what
// it shows may be in no order with that use. What follows because one thread stands for all
// is compared with both. The family is "meetings", "uniform", "asynchronous" or "copying".
// Kernels on which they differ are left in FOLDER, with their launch files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
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
#include "src/kernel/unfolding/launch_by_threads.hpp"
#include "src/report/names.hpp"
#include "tests/kernel_campaign/random_asynchronous_kernel.hpp"
#include "tests/kernel_campaign/random_copying_kernel.hpp"
#include "tests/kernel_campaign/random_kernel.hpp"
#include "tests/kernel_campaign/random_uniform_kernel.hpp"

using namespace ptxmc;

namespace {

constexpr std::uint64_t seeds_of_run = 50;
constexpr std::size_t contents_asked = 2;
constexpr std::uint64_t most_memory = 4'000'000'000;  // bytes; loops around counted barriers can need more

enum class Result { agree, disagree, unknown, unsupported };

/// What some executions of a kernel have shown.
struct Shown {
  std::map<std::string, std::string> findings;  ///< by kind: the message of the first
  std::set<std::string> contents;  ///< as conditions over the buffers, of executions without finding
  std::optional<std::uint64_t> seed_without_end;  ///< of an execution that was given up
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
    if (shown.findings.erase("step-limit") != 0 && !shown.seed_without_end) shown.seed_without_end = seed;
  }
  return shown;
}

/// An execution that was given up goes on until it is found to repeat its states.
void run_on(const kernel::Launch& launch, Shown& shown) {
  constexpr std::uint64_t steps = std::uint64_t{1} << 22;
  const auto result =
      kernel::run_launch(launch, kernel::read_module_of(launch),
                         {.seed = shown.seed_without_end, .step_limit = steps}, [](const auto&) {});
  for (const kernel::Finding& finding : result.findings)
    if (finding.kind != "step-limit") shown.findings.emplace(finding.kind, finding.message);
}

bool is_property(const std::string& kind) {
  return std::ranges::any_of(all_launch_properties(),
                             [&](LaunchProperty property) { return kind == property_name(property); });
}

bool is_open(const kernel::CheckedLaunch& checked, LaunchProperty property) {
  return std::ranges::any_of(checked.answer.unknown,
                             [&](const auto& entry) { return entry.first == property; });
}

/// The kernel was made so that it is safe, or so that it is not.
std::optional<std::string> contradiction(std::optional<bool> is_safe, const kernel::CheckedLaunch& checked) {
  const auto violated = checked.violated();
  if (is_safe == true && !violated.empty())
    return fmt::format("check finds {} in a kernel without a mistake", property_name(*violated.begin()));
  if (is_safe == false && violated.empty() && checked.answer.unknown.empty())
    return "check calls a kernel with a mistake safe";
  return std::nullopt;
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
  const auto asked = [&](Engine engine) {
    return kernel::check(launch, {LaunchProperty::assertion}, model, options, engine);
  };
  auto checked = asked(Engine::automatic);
  const auto is_at_end = [](const LaunchFinding& finding) {
    return finding.property == LaunchProperty::assertion && finding.site.thread == Event::no_thread;
  };
  const auto has_content = [&] {
    return !checked.answer.unknown.empty() || std::ranges::any_of(checked.answer.findings, is_at_end);
  };
  // With a trap some methods look no further, since it decides the property. The solver looks at each place.
  if (!has_content() && !checked.violated().empty()) checked = asked(Engine::smt);
  return has_content();
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
                                                   const DecideOptions& options) {
  try {
    return all_states(launch, model, options, Engine::both);
  } catch (const Unsupported&) {
    return all_states(launch, model, options, Engine::automatic);
  }
}

struct Family {
  const char* name;
  RandomKernel (*make)(std::uint64_t seed, const std::string& module_name);
  double seconds_of_check;
  /// For the comparisons of the engines: the explorer decides a kernel with mbarriers at once, or takes
  /// minutes.
  double seconds_of_both, seconds_of_states;
};

constexpr std::array families = {Family{"meetings", random_kernel, 2, 2, 0.5},
                                 Family{"uniform", random_uniform_kernel, 2, 2, 0.1},
                                 Family{"asynchronous", random_asynchronous_kernel, 1, 0.1, 0.12},
                                 Family{"copying", random_copying_kernel, 2, 2, 0.5}};

struct Campaign {
  std::filesystem::path folder;
  Family family;
  cat::Model model = cat::load("ptx-8.7");
  std::uint64_t kernels_with_states = 0;  ///< of which all final states are known
  /// Of which an execution shows what `check` does not, and whose executions may be undefined.
  std::uint64_t undefined_kernels = 0;
  std::uint64_t kernels_by_threads = 0;               ///< that are decided because one thread stands for all
  std::map<std::string, std::uint64_t> reasons = {};  ///< why something is unknown, of how many kernels

  Result check(std::uint64_t seed) {
    const std::string name = fmt::format("kernel-{}", seed);
    const RandomKernel kernel = family.make(seed, name + ".ptx");
    const std::filesystem::path module = folder / (name + ".ptx"), file = folder / (name + ".toml");
    std::ofstream(module) << kernel.module;
    std::ofstream(file) << kernel.launch;
    DecideOptions options;
    options.timeout_seconds = family.seconds_of_check;
    options.memory_bytes = most_memory;
    options.bound = 3;
    Result result = Result::disagree;
    try {
      const kernel::Launch launch = kernel::read_launch(file);
      result = compare(launch, kernel.is_safe, options);
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
  static DecideOptions with_seconds(double seconds, DecideOptions options) {
    options.timeout_seconds = seconds;
    return options;
  }

  /// Whether some execution has an undefined use, as far as that is known.
  bool may_be_undefined(const kernel::Launch& launch, const kernel::CheckedLaunch& checked,
                        const DecideOptions& options) const {
    constexpr double seconds = 20;
    if (checked.violated().contains(LaunchProperty::undefined)) return true;
    if (!is_open(checked, LaunchProperty::undefined)) return false;
    const auto asked =
        kernel::check(launch, {LaunchProperty::undefined}, model, with_seconds(seconds, options));
    return !asked.violated().empty() || !asked.answer.unknown.empty();
  }

  /// The first thing that some execution shows and `check` excludes; none if executions may be undefined.
  /// Where an undefined use is in no order with other operations, all that follows them is undefined, also if
  /// a run happens to perform them in an order that has a meaning.
  std::optional<std::string> excluded(const kernel::Launch& launch, const Shown& shown,
                                      const kernel::CheckedLaunch& checked, const DecideOptions& options) {
    const bool has_undefined_use = checked.violated().contains(LaunchProperty::undefined);
    auto sentence = ::contradiction(shown, checked);
    std::size_t asked = 0;
    for (const std::string& content : shown.contents) {
      if (sentence || has_undefined_use) break;
      if (content.find('?') != std::string::npos) continue;
      if (asked++ == contents_asked) break;
      if (!may_be_final(launch, content, model, options))
        sentence = "run ends with a content that check excludes: " + content;
    }
    if (!sentence || !may_be_undefined(launch, checked, options)) return sentence;
    ++undefined_kernels;
    return std::nullopt;
  }

  /// What is excluded because one thread stands for all must be neither shown by a run nor found by the
  /// solver or the explorer; and what is found in this way must not be excluded by them.
  std::optional<std::string> contradiction_by_threads(const kernel::Launch& launch, const Shown& shown,
                                                      const DecideOptions& options) {
    const kernel::OpenedLaunch opened = kernel::open_launch(launch);
    const kernel::ByThreads answer = kernel::check_by_threads(*opened.loaded, launch, all_launch_properties(),
                                                              model, options, *opened.graph);
    std::vector<LaunchProperty> decided;
    for (const LaunchProperty property : all_launch_properties())
      if (answer.decides(property)) decided.push_back(property);
    if (decided.empty()) return std::nullopt;
    kernels_by_threads += decided.size() == all_launch_properties().size() ? 1 : 0;
    for (const Engine engine : {Engine::smt, Engine::explorer}) try {
        const auto checked =
            kernel::check(launch, decided, model, with_seconds(family.seconds_of_both, options), engine);
        for (const LaunchProperty property : decided) {
          const char* name = property_name(property);
          const bool is_excluded = answer.excluded.contains(property);
          if (is_excluded && (checked.violated().contains(property) || shown.findings.contains(name)))
            return fmt::format("one thread that stands for all excludes {}", name);
          if (!is_excluded && !checked.violated().contains(property) && !is_open(checked, property))
            return fmt::format("one thread that stands for all shows {}", name);
        }
      } catch (const Unsupported&) {  // the other engine decides
      }
    return std::nullopt;
  }

  Result compare(const kernel::Launch& launch, std::optional<bool> is_safe, const DecideOptions& options) {
    const auto disagree = [&](const std::string& sentence) {
      fmt::print("{}: {}\n", launch.file.string(), sentence);
      return Result::disagree;
    };
    Shown shown = run_often(launch);
    const auto properties = all_launch_properties();
    const auto checked = kernel::check(launch, properties, model, options);
    if (shown.seed_without_end && !checked.violated().contains(LaunchProperty::deadlock) &&
        !is_open(checked, LaunchProperty::deadlock))
      run_on(launch, shown);
    if (const auto sentence = excluded(launch, shown, checked, options)) return disagree(*sentence);
    if (const auto sentence = ::contradiction(is_safe, checked)) return disagree(*sentence);
    if (const auto sentence = contradiction_by_threads(launch, shown, options)) return disagree(*sentence);
    try {
      kernel::check(launch, properties, model, with_seconds(family.seconds_of_both, options), Engine::both);
    } catch (const Unsupported&) {  // one engine alone decides
    } catch (const Disagreement& disagreement) {
      return disagree(disagreement.what());
    }
    try {
      const auto states = agreed_states(launch, model, with_seconds(family.seconds_of_states, options));
      if (states) {
        ++kernels_with_states;
        for (const std::string& content : shown.contents)
          if (content.find('?') == std::string::npos && !states->contains(content))
            return disagree("run ends with a content that is no final state: " + content);
      }
    } catch (const Disagreement& disagreement) {
      return disagree(disagreement.what());
    }
    if (checked.answer.unknown.empty()) return Result::agree;
    ++reasons[checked.unknown()];
    return Result::unknown;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: kernel_campaign KERNELS [FIRST_SEED [FAMILY [FOLDER]]]\n");
    return 2;
  }
  const std::uint64_t kernels = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::string name = argc > 3 ? argv[3] : families.front().name;
  const auto* const family =
      std::ranges::find(families, name, [](const Family& f) { return std::string(f.name); });
  if (family == families.end()) {
    fmt::print(stderr, "kernel_campaign: no family \"{}\": meetings, uniform, asynchronous, copying\n", name);
    return 2;
  }
  const auto folder =
      argc > 4 ? std::filesystem::path(argv[4])
               : std::filesystem::temp_directory_path() / fmt::format("kernel-campaign-{}-{}", name, first);
  Campaign campaign{.folder = folder, .family = *family};
  std::filesystem::create_directories(campaign.folder);
  std::map<Result, std::uint64_t> count;
  for (std::uint64_t seed = first; seed < first + kernels; ++seed) ++count[campaign.check(seed)];
  fmt::print(
      "{} kernels: {} agree, {} disagree, {} unknown in part, {} unsupported; all final states of {}\n",
      kernels, count[Result::agree], count[Result::disagree], count[Result::unknown],
      count[Result::unsupported], campaign.kernels_with_states);
  if (campaign.undefined_kernels != 0)
    fmt::print("  of {}, executions show more than check, which finds an undefined use\n",
               campaign.undefined_kernels);
  if (campaign.kernels_by_threads != 0)
    fmt::print("  {} are decided because one thread stands for all\n", campaign.kernels_by_threads);
  for (const auto& [reason, kernels_of_reason] : campaign.reasons)
    fmt::print("  unknown in {}: {}\n", kernels_of_reason, reason);
  return count[Result::disagree] == 0 ? 0 : 1;
}
