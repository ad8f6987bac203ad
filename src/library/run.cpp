// ptxmc::run: one execution of a launch.
#include <exception>
#include <utility>

#include "src/kernel/module/entry_names.hpp"
#include "src/library/handles.hpp"
#include "src/library/public_errors.hpp"

namespace ptxmc {

namespace {

v1::Place shown(const kernel::CallPlace& call, const kernel::SourceLines& sources) {
  v1::Place place{call.where.line, call.where.column, "", 0};
  if (const auto source = sources.of(call.where.line)) {
    place.source_file = source->file;
    place.source_line = source->line;
  }
  return place;
}

v1::RunFinding shown(const kernel::Finding& finding, const kernel::SourceLines& sources) {
  v1::RunFinding result{finding.kind, finding.thread, finding.message, {}};
  for (const kernel::CallPlace& call : finding.calls)
    result.calls.push_back({call.function, shown(call, sources)});
  return result;
}

v1::RunAnswer shown(const std::shared_ptr<v1::RunAnswer::Data>& data, std::string output) {
  const kernel::RunResult& run = data->result;
  kernel::Expectation expectation = kernel::compare_with_expected(data->launch, run);
  v1::RunAnswer result;
  result.entries = data->launch.entries;
  result.output = std::move(output);
  for (const kernel::Finding& finding : run.findings)
    result.findings.push_back(shown(finding, *data->sources));
  result.ignored = run.ignored;
  result.contradicted = std::move(expectation.contradicted);
  result.open = std::move(expectation.open);
  for (const kernel::FinalBuffer& buffer : run.buffers)
    result.buffers.push_back({buffer.name, buffer.type, buffer.elements});
  result.assumed_zero = run.assumed_zero;
  result.instructions = run.instructions;
  result.launches = run.launches;
  result.data = data;
  return result;
}

}  // namespace

namespace v1 {

RunAnswer run(const Launch& launch, const RunOptions& options) {
  return with_public_errors(launch.module().string(), [&] {
    const syntax::Module module = kernel::read_module_of(*launch.data());
    const auto data = std::make_shared<RunAnswer::Data>();
    data->launch = kernel::with_ptx_names(*launch.data(), module);
    data->sources = std::make_shared<const kernel::SourceLines>(module);
    std::string output;
    const auto print = [&](const std::string& text) {
      output += text;
      if (!options.on_output) return;
      try {
        options.on_output(text);
      } catch (...) {
        throw ThrownByCallback{std::current_exception()};
      }
    };
    data->result = kernel::run_launch(data->launch, module, {options.seed, options.max_steps}, print);
    return shown(data, std::move(output));
  });
}

}  // namespace v1

}  // namespace ptxmc
