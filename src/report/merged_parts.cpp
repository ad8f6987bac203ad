#include "src/report/merged_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "src/report/answer.hpp"
#include "src/report/json_text.hpp"
#include "src/report/optional_json.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;

/// The answers to the parts of one test under one model.
struct Parts {
  std::vector<const RecordedResult*> results;
  std::vector<Json> answers;
  std::string missing;  ///< a sentence; empty: no part is missing

  const TableRow& row(std::size_t i) const { return std::get<TableRow>(results[i]->row); }
  bool has_race() const {
    return std::ranges::any_of(
        results, [](const RecordedResult* result) { return result->part->race == VoidingRace::found; });
  }
};

/// A verdict, and the part whose answer it follows from.
struct Decided {
  Verdict verdict;
  std::size_t by;
};

/// The verdict about the whole test. A voiding race in one part decides it; and as long as one is possible,
/// all parts must be known.
Decided decided(const Parts& parts) {
  if (!parts.missing.empty()) return {Verdict::unknown, 0};
  const auto first = [&](const auto& is_so) -> std::optional<Decided> {
    for (std::size_t i = 0; i < parts.results.size(); ++i)
      if (is_so(i)) return Decided{parts.row(i).verdict, i};
    return std::nullopt;
  };
  const auto first_with = [&](Verdict verdict) {
    return first([&](std::size_t i) { return parts.row(i).verdict == verdict; });
  };
  const auto race = [&](std::size_t i) { return parts.results[i]->part->race; };
  if (const auto void_by = first([&](std::size_t i) { return race(i) == VoidingRace::found; }))
    return *void_by;
  const bool may_have_race =
      first([&](std::size_t i) { return race(i) == VoidingRace::possible; }).has_value();
  const auto allowed = first_with(Verdict::allowed), unknown = first_with(Verdict::unknown);
  if (allowed && !(may_have_race && unknown)) return *allowed;
  return unknown ? *unknown : *first_with(Verdict::forbidden);
}

/// The states of all parts, sorted by their values; the counts of equal states are added. After a voiding
/// race none is known.
Json states_of(const Parts& parts) {
  if (parts.has_race()) return Json::array();
  std::map<std::vector<std::int64_t>, Json> states;
  for (std::size_t i = 0; i < parts.results.size(); ++i) {
    const auto& values = parts.results[i]->part->states;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Json& state = parts.answers[i].at("states").at(k);
      const auto [known, is_new] = states.try_emplace(values[k], state);
      if (is_new) continue;
      Json& count = known->second.at("count");
      if (!count.is_null() && !state.at("count").is_null())
        count = count.get<std::uint64_t>() + state.at("count").get<std::uint64_t>();
      else
        count = nullptr;
    }
  }
  Json result = Json::array();
  for (auto& [values, state] : states) result.push_back(std::move(state));
  return result;
}

/// The sum of a number in all answers; null if it is not known for all executions.
Json sum_of(const Parts& parts, const char* key) {
  if (!parts.missing.empty()) return nullptr;
  std::uint64_t sum = 0;
  for (const Json& answer : parts.answers) {
    if (!answer.contains(key) || answer.at(key).is_null()) return nullptr;
    sum += answer.at(key).get<std::uint64_t>();
  }
  return sum;
}

bool are_all(const Parts& parts, const char* key) {
  return std::ranges::all_of(parts.answers, [&](const Json& answer) { return answer.at(key).get<bool>(); });
}

/// The notes that every part has: those about the whole test.
Json common_notes(const Parts& parts) {
  Json notes = Json::array();
  for (const Json& note : parts.answers.front().at("notes")) {
    const bool is_common = std::ranges::all_of(parts.answers, [&](const Json& answer) {
      return std::ranges::find(answer.at("notes"), note) != answer.at("notes").end();
    });
    if (is_common) notes.push_back(note);
  }
  return notes;
}

RecordedResult whole_of(const Parts& parts, const Decided& whole) {
  const RecordedResult& base = *parts.results[whole.by];
  const VerdictJudgement& judgement = base.part->judgements.at(whole.verdict);
  const bool is_unknown = whole.verdict == Verdict::unknown;
  double seconds = 0;
  for (std::size_t i = 0; i < parts.results.size(); ++i) seconds += parts.row(i).seconds;

  Json answer = parts.answers[whole.by];
  answer["verdict"] = verdict_text(whole.verdict);
  answer["holds"] = or_null(judgement.holds);
  answer["states"] = states_of(parts);
  answer["complete"] = parts.missing.empty() && are_all(parts, "complete");
  answer["executions"] = sum_of(parts, "executions");
  if (!parts.missing.empty()) answer["reason"] = parts.missing;
  if (!is_unknown) answer["notes"] = common_notes(parts);
  answer["time_s"] = std::round(seconds * 1e6) / 1e6;
  answer.erase("blocked");
  if (const Json blocked = sum_of(parts, "blocked"); !blocked.is_null()) answer["blocked"] = blocked;

  TableRow row = parts.row(whole.by);
  row.verdict = whole.verdict;
  row.word.clear();
  row.holds = judgement.holds;
  row.as_expected = judgement.as_expected;
  row.states = answer["states"].size();
  row.states_complete = answer["complete"];
  row.executions.reset();
  if (!answer["executions"].is_null()) row.executions = answer["executions"].get<std::uint64_t>();
  row.seconds = seconds;
  if (!parts.missing.empty()) row.reason = parts.missing;
  return {json_text(answer), std::move(row)};
}

/// A sentence about parts without records; empty if there are none.
std::string missing_parts(const std::vector<Record>& parts) {
  const std::uint64_t of = parts.front().part.of;
  std::vector<std::string> missing;
  for (std::uint64_t number = 1; number <= of && missing.size() < 10; ++number)
    if (std::ranges::none_of(parts, [&](const Record& part) { return part.part.number == number; }))
      missing.push_back(shard_text({number, of}));
  return missing.empty() ? "" : fmt::format("no results of part {}", fmt::join(missing, ", "));
}

bool is_without_answer(const Record& record) {
  return record.results.empty() || !record.results.front().part;
}

bool are_same(const RecordedFile& a, const RecordedFile& b) {
  return a.path == b.path && a.fingerprint == b.fingerprint;
}

}  // namespace

bool are_parts_of_one(const Record& a, const Record& b) {
  return a.part.of == b.part.of && a.part.number != b.part.number &&
         std::ranges::equal(a.files, b.files, are_same);
}

Record whole_of(std::vector<Record> parts) {
  Record whole;
  // Without an answer to a part there is none to the whole.
  const auto failed = std::ranges::find_if(parts, is_without_answer);
  if (parts.front().part == Shard() || failed != parts.end()) {
    whole = failed != parts.end() ? std::move(*failed) : std::move(parts.front());
    whole.part = {};
    return whole;
  }
  std::ranges::sort(parts, {}, [](const Record& part) { return part.part.number; });
  Parts of_test{{}, {}, missing_parts(parts)};
  for (const Record& part : parts) {
    of_test.results.push_back(&part.results.front());
    of_test.answers.push_back(Json::parse(part.results.front().answer));
  }
  const Decided verdict = decided(of_test);
  whole = parts.front();
  whole.part = {};
  whole.results = {whole_of(of_test, verdict)};
  whole.status = of_test.results[verdict.by]->part->judgements.at(verdict.verdict).status;
  return whole;
}

}  // namespace ptxmc
