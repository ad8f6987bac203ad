#include "src/compiler/small_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "src/compiler/test_outline.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {
namespace {

constexpr const char* location_names = "xyzuvw";

char location_name(unsigned location) { return location_names[location]; }

std::string result_name(std::size_t number) { return fmt::format("r{}", number); }

/// The locations that a shape uses: "x = 0; y = 0;".
unsigned locations_of(const ProgramShape& shape) {
  unsigned count = 0;
  for (const auto& thread : shape.threads)
    for (const ShapeAccess& access : thread) count = std::max(count, access.location + 1);
  return count;
}

std::string initial_state(unsigned locations) {
  std::string text = "{";
  for (unsigned i = 0; i < locations; ++i) text += fmt::format(" {} = 0;", location_name(i));
  return text + " }\n";
}

/// Threads in blocks, clusters or GPUs of their own inside the scope.
std::string placement(std::size_t thread, Scope scope) {
  const std::size_t cta = scope == Scope::cta ? 0 : thread;
  const std::size_t cluster = scope <= Scope::cluster ? 0 : thread;
  return fmt::format("P{}@cta {},cluster {},gpu {}", thread, cta, cluster, scope == Scope::sys ? thread : 0);
}

std::string operation_text(const ShapeAccess& access, Ordering order, Scope scope,
                           const std::string& result) {
  const std::string orders =
      fmt::format("memory_order_{}, memory_scope_{}", cpp_name_of(order), cpp_name_of(scope));
  const char x = location_name(access.location);
  switch (access.kind) {
    case OperationKind::load:
      return fmt::format("int {} = atomic_load_explicit({}, {});", result, x, orders);
    case OperationKind::store:
      return fmt::format("atomic_store_explicit({}, {}, {});", x, access.value, orders);
    case OperationKind::cas:
      return fmt::format("int {0} = {1}; atomic_compare_exchange_strong_explicit({2}, &{0}, {3}, {4});",
                         result, access.expected, x, access.value, orders);
    default:
      return fmt::format("int {} = atomic_exchange_explicit({}, {}, {});", result, x, access.value, orders);
  }
}

using ThreadChoices = std::span<const OperationChoice* const>;

std::vector<std::string> statements(const std::vector<ShapeAccess>& accesses, ThreadChoices choices,
                                    Scope scope) {
  std::vector<std::string> result;
  std::size_t results = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const bool has_fence = i > 0 && choices[2 * i - 1]->order != Ordering::none;
    if (has_fence)
      result.push_back(fmt::format("atomic_thread_fence(memory_order_{}, memory_scope_{});",
                                   cpp_name_of(choices[2 * i - 1]->order), cpp_name_of(scope)));
    result.push_back(operation_text(accesses[i], choices[2 * i]->order, scope, result_name(results)));
    if (accesses[i].kind != OperationKind::store) ++results;
  }
  return result;
}

std::vector<std::string> instructions(const std::vector<ShapeAccess>& accesses, ThreadChoices choices) {
  std::vector<std::string> result;
  std::size_t results = 0;
  for (std::size_t slot = 0; slot < choices.size(); ++slot) {
    const ShapeAccess& access = accesses[slot / 2];  // fences do not use it
    const MappedOperands operands{access.kind, result_name(results),
                                  std::string(1, location_name(access.location)), access.value,
                                  access.expected};
    for (const MappedInstruction& instruction : choices[slot]->code)
      result.push_back(column_text(instruction, operands));
    if (slot % 2 == 0 && access.kind != OperationKind::store) ++results;
  }
  return result;
}

/// The choices of each thread.
std::vector<ThreadChoices> by_thread(const ProgramShape& shape, const ShapeChoices& choices) {
  std::vector<ThreadChoices> result;
  std::size_t first = 0;
  for (const auto& thread : shape.threads) {
    result.push_back(ThreadChoices(choices).subspan(first, slots_of(thread.size())));
    first += slots_of(thread.size());
  }
  return result;
}

std::string function_text(std::size_t thread, Scope scope, unsigned locations,
                          const std::vector<std::string>& body) {
  std::vector<std::string> parameters;
  for (unsigned i = 0; i < locations; ++i)
    parameters.push_back(fmt::format("atomic_int* {}", location_name(i)));
  return fmt::format("{} ({}) {{\n  {}\n}}\n", placement(thread, scope), fmt::join(parameters, ", "),
                     fmt::join(body, "\n  "));
}

constexpr const char* question = "exists (true)\n";

}  // namespace

std::string source_text(const ProgramShape& shape, const ShapeChoices& choices, Scope scope) {
  const unsigned locations = locations_of(shape);
  std::string text = "C counterexample\n" + initial_state(locations);
  const auto of_thread = by_thread(shape, choices);
  for (std::size_t t = 0; t < shape.threads.size(); ++t)
    text += "\n" + function_text(t, scope, locations, statements(shape.threads[t], of_thread[t], scope));
  return text + "\n" + question;
}

std::string target_text(const ProgramShape& shape, const ShapeChoices& choices, Scope scope) {
  std::vector<std::vector<std::string>> columns;
  const auto of_thread = by_thread(shape, choices);
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    columns.push_back({placement(t, scope)});
    for (std::string& line : instructions(shape.threads[t], of_thread[t]))
      columns.back().push_back(std::move(line));
  }
  return "PTX counterexample\n" + initial_state(locations_of(shape)) + rows_text(std::move(columns)) +
         question;
}

std::shared_ptr<const Program> SmallPrograms::read(const std::string& text) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = read_.find(text); known != read_.end()) return known->second;
  }
  auto made = std::make_shared<const Program>(parse_litmus(text, "small program").program);
  const std::lock_guard lock(mutex_);
  return read_.emplace(text, std::move(made)).first->second;
}

ObservedProgram SmallPrograms::program(const ProgramShape& shape, const ShapeChoices& choices,
                                       bool is_source) {
  const unsigned locations = locations_of(shape);
  const auto of_thread = by_thread(shape, choices);
  const auto text_of = [&](const std::vector<std::string>& code, std::size_t thread) {
    if (is_source)
      return "C t\n" + initial_state(locations) + function_text(thread, scope_, locations, code) + question;
    std::vector<std::string> column = {placement(thread, scope_)};
    column.insert(column.end(), code.begin(), code.end());
    return "PTX t\n" + initial_state(locations) + rows_text({column}) + question;
  };
  ObservedProgram result;
  // A thread that is read alone has the numbers 0 of its CTA, cluster and GPU.
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    const auto code = is_source ? statements(shape.threads[t], of_thread[t], scope_)
                                : instructions(shape.threads[t], of_thread[t]);
    const std::shared_ptr<const Program> alone = read(text_of(code, t));
    result.program.memory = alone->memory;
    result.program.threads.push_back(alone->threads.front());
    Thread& thread = result.program.threads.back();
    const int number = static_cast<int>(t);
    thread.placement.cta = scope_ == Scope::cta ? 0 : number;
    thread.placement.cluster = scope_ <= Scope::cluster ? 0 : number;
    thread.placement.gpu = scope_ == Scope::sys ? number : 0;
    thread.placement.warp = number;
    const auto& names = thread.register_names;
    for (std::size_t i = 0;; ++i) {
      const auto found = std::ranges::find(names, result_name(i));
      if (found == names.end()) break;
      result.observed.push_back({.kind = FinalTerm::Kind::thread_register,
                                 .thread = number,
                                 .register_id = static_cast<RegisterId>(found - names.begin())});
    }
  }
  for (unsigned i = 0; i < locations; ++i)
    result.observed.push_back({.kind = FinalTerm::Kind::memory, .variable = static_cast<int>(i)});
  return result;
}

ObservedProgram SmallPrograms::source(const ProgramShape& shape, const ShapeChoices& choices) {
  return program(shape, choices, true);
}

ObservedProgram SmallPrograms::target(const ProgramShape& shape, const ShapeChoices& choices) {
  return program(shape, choices, false);
}

}  // namespace ptxmc
