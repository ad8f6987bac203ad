#include "src/litmus/cpp_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "src/litmus/c_instructions.hpp"
#include "src/litmus/c_lowering.hpp"
#include "src/litmus/c_parser.hpp"
#include "src/litmus/c_words.hpp"
#include "src/litmus/resolution.hpp"
#include "src/litmus/warnings.hpp"

namespace ptxmc {

namespace {

/// Gives the variables of a test their types: those of the initial state, then those of parameters.
class VariableTypes {
 public:
  VariableTypes(litmus_syntax::File& file, const SourceText& source) : file_(file), source_(source) {}

  void set_from(litmus_syntax::VariableDeclaration& variable) const {
    if (!variable.cpp_type) return;
    const c_syntax::CType type = parse_c_type(source_, *variable.cpp_type);
    variable.type = {type_text(type), source_.position(variable.cpp_type->first)};
  }

  void set_from(const c_syntax::Parameter& parameter) {
    c_syntax::CType type = parameter.type;
    type.is_pointer = false;
    if (type.is_void || type.is_auto)
      throw InputError(
          source_.file(), parameter.name.where,
          fmt::format("found '{}' without a type, expected one such as int*", parameter.name.text));
    const litmus_syntax::Name written{type_text(type), parameter.name.where};
    auto variable = std::ranges::find(file_.variables, parameter.name.text,
                                      [](const auto& declared) { return declared.name.text; });
    if (variable == file_.variables.end()) {
      file_.variables.emplace_back().name = parameter.name;
      variable = file_.variables.end() - 1;
    }
    if (!variable->type) variable->type = written;
    if (variable->type->text != written.text)
      throw InputError(source_.file(), parameter.name.where,
                       fmt::format("found '{}' with type {}, expected {} as before", parameter.name.text,
                                   written.text, variable->type->text));
    const auto [known, is_new] = is_barrier_.emplace(parameter.name.text, type.is_barrier);
    if (known->second != type.is_barrier)
      throw InputError(
          source_.file(), parameter.name.where,
          fmt::format("found '{}' as a barrier and as an integer, expected one type", parameter.name.text));
    if (is_new && type.is_barrier) set_count(*variable);
  }

 private:
  /// The initial value of a barrier is the number of threads that it expects.
  void set_count(litmus_syntax::VariableDeclaration& variable) const {
    constexpr std::uint64_t largest = (1u << barrier_count_width) - 1;
    const bool has_count = variable.values.size() == 1 && !variable.has_list &&
                           variable.values[0].kind == litmus_syntax::InitialValue::Kind::number &&
                           variable.values[0].number.is_integer();
    const std::uint64_t count = has_count ? variable.values[0].number.bits : 0;
    if (count == 0 || count > largest)
      throw InputError(
          source_.file(), variable.name.where,
          fmt::format(
              "found the barrier '{}' without a number of threads, expected it as the initial value, 1 to {}",
              variable.name.text, largest));
    variable.values[0].number.bits = initial_barrier(count);
  }

  std::map<std::string, bool> is_barrier_;  ///< by name
  litmus_syntax::File& file_;
  const SourceText& source_;
};

}  // namespace

LitmusTest resolve_cpp(litmus_syntax::File file, const SourceText& source) {
  Mistakes mistakes;
  VariableTypes types(file, source);
  for (litmus_syntax::VariableDeclaration& variable : file.variables)
    mistakes.collect([&] { types.set_from(variable); });
  std::vector<c_syntax::Function> functions;
  for (const litmus_syntax::Part& written : file.functions)
    mistakes.collect([&] { functions.push_back(parse_c_function(source, written)); });
  mistakes.throw_all();
  for (const c_syntax::Function& function : functions)
    for (const c_syntax::Parameter& parameter : function.parameters)
      mistakes.collect([&] { types.set_from(parameter); });
  const auto translate = [&](std::size_t i, const ThreadSource& thread, MemoryLayout& memory,
                             Mistakes& found) {
    return lower_c_function(functions[i], thread, memory, source, found);
  };
  LitmusTest test = resolve_threads(file, source, translate, std::move(mistakes));
  test.language = Language::cpp;
  test.warnings = warnings_about(file, {}, test);
  return test;
}

}  // namespace ptxmc
