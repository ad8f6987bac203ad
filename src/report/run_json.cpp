#include "src/report/run_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

Json call_json(const kernel::CallPlace& call, const kernel::SourceLines& sources) {
  Json object = {{"function", call.function}, {"line", call.where.line}, {"column", call.where.column}};
  if (const auto source = sources.of(call.where.line)) {
    object["source_file"] = source->file;
    object["source_line"] = source->line;
  }
  return object;
}

Json finding_json(const kernel::Finding& finding, const std::string& module,
                  const kernel::SourceLines& sources) {
  Json calls = Json::array();  // innermost first; the first is the position of the finding
  for (const kernel::CallPlace& call : finding.calls) calls.push_back(call_json(call, sources));
  return {{"kind", finding.kind},
          {"file", module},
          {"thread", finding.thread.empty() ? Json(nullptr) : Json(finding.thread)},
          {"message", finding.message},
          {"calls", calls}};
}

}  // namespace

std::string run_json(const kernel::Launch& launch, const kernel::RunResult& result,
                     const kernel::SourceLines& sources, const std::string& output) {
  Json findings = Json::array();
  for (const kernel::Finding& finding : result.findings)
    findings.push_back(finding_json(finding, launch.module.string(), sources));
  Json buffers = Json::array();
  for (const kernel::FinalBuffer& buffer : result.buffers)
    buffers.push_back({{"name", buffer.name}, {"type", buffer.type}, {"elements", buffer.elements}});
  const kernel::Expectation expectation = kernel::compare_with_expected(launch, result);
  return json_text({{"file", launch.file.string()},
                    {"entry", fmt::format("{}", fmt::join(launch.entries, "+"))},
                    {"output", output},
                    {"findings", findings},
                    {"ignored", result.ignored},
                    {"contradicted", expectation.contradicted},
                    {"open", expectation.open},
                    {"buffers", buffers},
                    {"assumed_zero", result.assumed_zero},
                    {"instructions", result.instructions},
                    {"launches", result.launches}});
}

}  // namespace ptxmc
