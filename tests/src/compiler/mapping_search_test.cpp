#include "src/compiler/mapping_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "model/cat/cat_model.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

std::string rules(const std::string& load, const std::string& store) {
  return "load relaxed S => ld.relaxed.S\nload acquire S => ld.acquire.S\nload seq_cst S => " + load +
         "\nstore relaxed S => st.relaxed.S\nstore release S => st.release.S\nstore seq_cst S => " + store +
         "\n";
}

MappingQuestion question_of(const std::string& text) {
  MappingQuestion question;
  question.mappings.push_back(parse_mapping(text, "m"));
  question.source_model = cat::load("cpp-scoped");
  question.target_model = cat::load("ptx-8.7");
  question.options = [] { return DecideOptions(); };
  return question;
}

const ShapeLimits limits{2, 2, 2, {OperationKind::load, OperationKind::store}};

std::vector<ProgramShape> all_shapes() {
  std::vector<ProgramShape> result;
  for (unsigned size = 2; size <= 4; ++size)
    for (ProgramShape& shape : shapes_of_size(limits, size, [] { return false; }))
      result.push_back(std::move(shape));
  return result;
}

/// Whether some program of the shape differs, by comparing each of them.
bool differs_somewhere(const ProgramShape& shape, const MappingQuestion& question, SmallPrograms& programs) {
  std::vector<std::vector<OperationChoice>> choices;
  for (const auto& thread : shape.threads)
    for (std::size_t i = 0; i < slots_of(thread.size()); ++i)
      choices.push_back(choices_of(i % 2 == 0 ? thread[i / 2].kind : OperationKind::fence, question));
  std::vector<std::size_t> chosen(choices.size(), 0);
  while (true) {
    ShapeChoices program;
    for (std::size_t i = 0; i < chosen.size(); ++i) program.push_back(&choices[i][chosen[i]]);
    const auto source = outcomes_of(programs.source(shape, program), question.source_model, question);
    const auto target = outcomes_of(programs.target(shape, program), question.target_model, question);
    if (!std::ranges::includes(source.values, target.values)) return true;
    std::size_t i = 0;
    while (i < chosen.size() && ++chosen[i] == choices[i].size()) chosen[i++] = 0;
    if (i == chosen.size()) return false;
  }
}

}  // namespace

TEST_CASE("a shape has a counterexample exactly if one of its programs differs") {
  const char* const before = "fence.sc.S; st.relaxed.S";
  for (const std::string& text :
       {rules("fence.sc.S; ld.relaxed.S", before), rules("fence.sc.S; ld.acquire.S", before),
        rules("ld.acquire.S; fence.sc.S", before)}) {
    const MappingQuestion question = question_of(text);
    SmallPrograms programs(question.scope);
    for (const ProgramShape& shape : all_shapes()) {
      const ShapeAnswer answer = check_shape(shape, question, programs);
      CHECK(answer.unknown.empty());
      CHECK(answer.counterexample.has_value() == differs_somewhere(shape, question, programs));
    }
  }
}

TEST_CASE("programs are counted up to symmetry") {
  const MappingQuestion question = question_of(rules("fence.sc.S; ld.acquire.S", "fence.sc.S; st.relaxed.S"));
  SmallPrograms programs(question.scope);
  for (const ProgramShape& shape : shapes_of_size({2, 1, 1, limits.kinds}, 2, [] { return false; }))
    CHECK(check_shape(shape, question, programs).programs == (shape.symmetries.size() == 2 ? 6 : 9));
}

TEST_CASE("a counterexample is a pair of tests") {
  const MappingQuestion question = question_of(rules("fence.sc.S; ld.relaxed.S", "fence.sc.S; st.relaxed.S"));
  SmallPrograms programs(question.scope);
  std::size_t found = 0;
  for (const ProgramShape& shape : all_shapes()) {
    const ShapeAnswer answer = check_shape(shape, question, programs);
    if (!answer.counterexample) continue;
    ++found;
    CHECK(parse_litmus(answer.counterexample->source, "s").language == Language::cpp);
    CHECK(parse_litmus(answer.counterexample->target, "t").program.threads.size() == 2);
  }
  CHECK(found > 0);
}

TEST_CASE("linked mappings offer the code of each") {
  MappingQuestion question = question_of(rules("fence.sc.S; ld.acquire.S", "fence.sc.S; st.relaxed.S"));
  question.mappings.push_back(
      parse_mapping(rules("ld.acquire.S; fence.sc.S", "fence.sc.S; st.relaxed.S"), "n"));
  CHECK(choices_of(OperationKind::load, question).size() == 4);
  CHECK(choices_of(OperationKind::store, question).size() == 3);
  CHECK(choices_of(OperationKind::fence, question).size() == 1);
}
