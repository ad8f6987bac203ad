#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "src/report/trace.hpp"

namespace ptxmc {

/// The names of files in a log of the Static Analysis Results Interchange Format 2.1.0 (OASIS). Paths below a
/// folder, an absolute path, are relative to it (`originalUriBaseIds`).
class SarifPlaces {
 public:
  explicit SarifPlaces(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }

  /// The URI of a file: relative to the folder, or absolute (§ 3.4).
  nlohmann::ordered_json address(const std::string& file) const;

  /// A line of a file, and a column of it if that is known (§ 3.28). What concerns a file as a whole, line 0,
  /// is shown at its first line: code hosts want a region.
  nlohmann::ordered_json location(const std::string& file, std::uint32_t line,
                                  std::uint32_t column = 0) const;

 private:
  std::filesystem::path folder_;
};

/// A rule (§ 3.49).
struct SarifRule {
  const char* id;
  const char* name;
  const char* summary;
  const char* description;
  const char* level;  ///< "error", "note"
};

nlohmann::ordered_json sarif_rule(const SarifRule&);

/// § 3.36 to § 3.38: the threads of an execution, each with its steps; `executionOrder` is that of all steps.
nlohmann::ordered_json sarif_code_flow(
    const std::vector<TraceStep>&, const std::function<nlohmann::ordered_json(std::size_t step)>& place_of);

/// The text of a log with one run of ptxmc; ends with a newline.
std::string sarif_text(const SarifPlaces&, const nlohmann::ordered_json& rules,
                       const nlohmann::ordered_json& results);

}  // namespace ptxmc
