#include "src/cli/failure.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "solver/limits/time_limit.hpp"
#include "src/cli/diagnostics.hpp"
#include "src/cli/output.hpp"
#include "src/library/public.hpp"
#include "src/litmus/input_errors.hpp"
#include "src/report/json_text.hpp"

namespace ptxmc {

std::string Failure::reason() const {
  if (status == ExitStatus::wrong_input || kind == "internal error") return kind;
  if (kind == "unknown") return message;
  return fmt::format("{}: {}{}", kind, message, where.line == 0 ? "" : fmt::format(" (line {})", where.line));
}

namespace {

Failure over_limit(const std::string& file, const std::string& message) {
  return {
      "unknown",          file, {}, message, fmt::format("{}: unknown: {}\n", visible_line(file), message),
      ExitStatus::unknown};
}

Failure contradiction_of(const std::string& file, const std::string& message) {
  return {"the engines disagree",
          file,
          {},
          message,
          fmt::format("{}: the engines disagree: {}\n", visible_line(file), message)};
}

Failure own_mistake(const std::string& file, const std::string& message) {
  return {"internal error",
          file,
          {},
          message,
          fmt::format("{}: internal error, please report it: {}\n", visible_line(file), message)};
}

/// The failure that an error of the library is, as the exception behind it would have been.
Failure failure_of(const v1::Error& error, const std::string& file) {
  using Kind = v1::Error::Kind;
  const SourcePosition where{error.line, error.column};
  switch (error.kind) {
    case Kind::wrong_input: {
      std::vector<InputError> all;
      for (const v1::Diagnostic& each : error.diagnostics)
        all.emplace_back(each.file, SourcePosition{each.line, each.column}, each.message);
      const InputErrors errors(std::move(all));
      return {"wrong input",          error.file, where, error.what(), diagnostic_text(errors),
              ExitStatus::wrong_input};
    }
    case Kind::unsupported:
      return {"unsupported",      file, where, error.what(), unsupported_text({error.what(), where}, file),
              ExitStatus::unknown};
    case Kind::limit:
      return over_limit(file, error.what());
    case Kind::disagreement:
      return contradiction_of(file, error.what());
    case Kind::internal:
      break;
  }
  return own_mistake(file, error.what());
}

}  // namespace

Failure reading_failure(const std::string& file) {
  try {
    throw;
  } catch (const OutOfTime& out) {
    return over_limit(file, fmt::format("{} while the file was read", out.what()));
  } catch (const v1::Error& error) {
    if (error.kind != v1::Error::Kind::limit) return failure_of(error, file);
    return over_limit(file, fmt::format("{} while the file was read", error.what()));
  } catch (...) {
    return current_failure(file);
  }
}

Failure current_failure(const std::string& file) {
  try {
    throw;
  } catch (const InputError& error) {
    return {"wrong input",          error.file, error.where, error.what(), diagnostic_text(error),
            ExitStatus::wrong_input};
  } catch (const Unsupported& unsupported) {
    return {
        "unsupported",      file, unsupported.where, unsupported.what(), unsupported_text(unsupported, file),
        ExitStatus::unknown};
  } catch (const OutOfTime& out) {
    return over_limit(file, out.what());
  } catch (const std::logic_error& mistake) {
    return own_mistake(file, mistake.what());
  } catch (const v1::Error& error) {
    return failure_of(error, file);
  }
}

std::string failure_json(const Failure& failure, const std::string& name, const std::string& model) {
  using Json = nlohmann::ordered_json;
  const auto number = [&](std::uint32_t value) {
    return failure.where.line == 0 ? Json(nullptr) : Json(value);
  };
  Json object = {{"file", failure.file}};
  if (!name.empty()) object["name"] = name;
  if (!model.empty()) object["model"] = model;
  object["verdict"] = failure.status == ExitStatus::wrong_input ? "error" : "unknown";
  object["error"] = failure.kind;
  object["line"] = number(failure.where.line);
  object["column"] = number(failure.where.column);
  object["message"] = failure.message;
  return json_text(object);
}

void report_failure(const Failure& failure, bool json, const std::string& name, const std::string& model) {
  print_error("{}", failure.text);
  if (json) print_output("{}\n", failure_json(failure, name, model));
}

ExitStatus reporting_failures(bool json, const std::string& file, const std::function<ExitStatus()>& work) {
  try {
    return work();
  } catch (...) {
    const Failure failure = current_failure(file);
    report_failure(failure, json);
    return failure.status;
  }
}

}  // namespace ptxmc
