#pragma once

#include "model/cat/cat_model.hpp"
#include "solver/smt_engine/explain.hpp"
#include "src/compiler/fence_report.hpp"
#include "src/compiler/line_edits.hpp"
#include "src/generator/cycle_test.hpp"
#include "src/kernel/machine/run.hpp"
#include "src/kernel/module/module_file.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/kernel/unfolding/final_states.hpp"
#include "src/library/compared_sides.hpp"
#include "src/library/litmus_property.hpp"
#include "src/library/public.hpp"
#include "src/library/reduced_pair.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/launch_findings.hpp"
#include "src/report/mapping_text.hpp"
#include "src/report/picture.hpp"

namespace ptxmc::v1 {

// What is behind the types of the public header. The command line prints answers from it.

struct Model::Data : cat::Model {
  explicit Data(cat::Model model) : cat::Model(std::move(model)) {}
};

struct LitmusTest::Data : ptxmc::LitmusTest {
  explicit Data(ptxmc::LitmusTest test, std::string its_text = {})
      : ptxmc::LitmusTest(std::move(test)), text(std::move(its_text)) {}
  std::string text;  ///< of the file; empty: unknown
};

struct Launch::Data : kernel::Launch {
  explicit Data(kernel::Launch launch) : kernel::Launch(std::move(launch)) {}
};

struct Execution::Drawing {
  DrawnExecution drawn;
  std::shared_ptr<const void> owner;  ///< the program that the execution points into
};

struct LitmusAnswer::Data {
  std::shared_ptr<const LitmusTest::Data> test;  ///< executions point into its program
  std::shared_ptr<const Model::Data> model;
  PropertyAnswer decided;
};

struct Explanation::Data {
  std::shared_ptr<const LitmusTest::Data> test;  ///< executions point into its program
  std::shared_ptr<const Model::Data> model;
  ptxmc::Explanation found;
};

struct LaunchAnswer::Data {
  kernel::CheckedLaunch checked;
  std::vector<FindingText> findings;
};

struct StatesAnswer::Data {
  kernel::LaunchStates found;
};

struct Comparison::Data {
  ComparedSides compared;
  std::shared_ptr<const ReducedPair> reduced;  ///< null: none was sought
};

struct MappingAnswer::Data {
  MappingReport report;
  ComparedSides pair;  ///< the counterexample as two tests
};

struct FenceAnswer::Data {
  FenceReport report;
  std::string edited_file;                     ///< the test, or the module of a launch
  std::string text;                            ///< of this file
  std::optional<std::vector<LineEdit>> edits;  ///< of the cheapest assignment; empty if it cannot be written
  std::vector<std::vector<LineEdit>> fixes;    ///< by annotation: FenceLog::fixes
};

struct SmallTest::Data {
  generator::CycleTest made_of;
};

struct RunAnswer::Data {
  kernel::Launch launch;
  kernel::RunResult result;
  std::shared_ptr<const kernel::SourceLines> sources;
};

}  // namespace ptxmc::v1
