#include "src/report/mapping_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "src/report/json_text.hpp"

namespace ptxmc {
namespace {

std::string plural(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::string mapping_verdict(const MappingReport& report) {
  if (report.counterexample) return "differs";
  return report.unknown.empty() ? "no counterexample" : "unknown";
}

std::string mapping_text(const MappingReport& report, const cat::Model& source_model) {
  std::string text = fmt::format("{}: ", fmt::join(report.mappings, ", "));
  const std::string effort = fmt::format("{} runs, {:.2f} s", report.runs, report.seconds);
  const std::string programs = plural(report.programs, "program");
  if (!report.counterexample) {
    if (!report.unknown.empty())
      return text + fmt::format("unknown ({}): no counterexample among the first {} ({})\n", report.unknown,
                                programs, effort);
    return text + fmt::format("no counterexample among {} (up to {} of {}, {}; {})\n", programs,
                              plural(report.limits.threads, "thread"),
                              fmt::format("{} access{}", report.limits.operations,
                                          report.limits.operations == 1 ? "" : "es"),
                              plural(report.limits.locations, "location"), effort);
  }
  text += fmt::format("differs (the first after {}; {})\n", programs, effort);
  return text + report.counterexample->source + report.counterexample->target +
         refinement_text(report.difference, source_model, false);
}

std::string mapping_json(const MappingReport& report) {
  using Json = nlohmann::ordered_json;
  Json object = {{"mappings", report.mappings},
                 {"source_model", report.source_model},
                 {"target_model", report.target_model},
                 {"verdict", mapping_verdict(report)},
                 {"reason", report.unknown.empty() ? Json(nullptr) : Json(report.unknown)},
                 {"threads", report.limits.threads},
                 {"operations", report.limits.operations},
                 {"locations", report.limits.locations},
                 {"programs", report.programs},
                 {"runs", report.runs},
                 {"source", nullptr},
                 {"target", nullptr},
                 {"difference", nullptr}};
  if (report.counterexample) {
    object["source"] = report.counterexample->source;
    object["target"] = report.counterexample->target;
    object["difference"] = Json::parse(refinement_json(report.difference));
  }
  object["time_s"] = std::round(report.seconds * 1e6) / 1e6;
  return json_text(object);
}

}  // namespace ptxmc
