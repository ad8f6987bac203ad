// ptxmc::check_mappings: small programs and what mappings make of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/stopwatch.hpp"
#include "src/library/default_model.hpp"
#include "src/library/enumerations.hpp"
#include "src/library/handles.hpp"
#include "src/library/in_order.hpp"
#include "src/library/public_errors.hpp"
#include "src/library/watched_work.hpp"

namespace ptxmc {
namespace {

constexpr std::array<OperationKind, 5> all_kinds = {
    OperationKind::load, OperationKind::store, OperationKind::rmw, OperationKind::cas, OperationKind::fence};

/// The kinds of accesses for which some mapping has rules for this scope. Throws InputError for a mapping in
/// which an operation of such a kind has no rule.
std::vector<OperationKind> kinds_of(const MappingQuestion& question, const std::string& scope) {
  std::vector<OperationKind> kinds;
  for (const OperationKind kind : all_kinds)
    for (const Mapping& mapping : question.mappings) {
      if (!mapping.compiles(kind)) continue;
      for (const Ordering order : orders_of(kind))
        if (mapping.rule(kind, order, question.scope) == nullptr)
          throw InputError(mapping.file, {},
                           fmt::format("found no rule for `{} {} {}`, expected one", name_of(kind),
                                       cpp_name_of(order), scope));
      if (kind != OperationKind::fence && std::ranges::find(kinds, kind) == kinds.end())
        kinds.push_back(kind);
    }
  return kinds;
}

/// Throws InputError for a kind that does not exist.
void require_kinds(const std::vector<std::string>& kinds) {
  for (const std::string& name : kinds)
    if (std::ranges::none_of(all_kinds, [&](OperationKind kind) { return name_of(kind) == name; }))
      throw InputError("--kinds", {},
                       fmt::format("found '{}', expected load, store, rmw, cas or fence", name));
}

class MappingSearch {
 public:
  explicit MappingSearch(const v1::MappingOptions& options)
      : options_(options), data_(std::make_shared<v1::MappingAnswer::Data>()) {
    const v1::Model source =
        options.source_model ? *options.source_model : v1::Model(default_model(Language::cpp));
    const v1::Model target = options.model ? *options.model : v1::Model(default_model());
    question_.source_model = *source.data();
    question_.target_model = *target.data();
    question_.engine = to_internal(options.engine);
    const auto scope = scope_called(options.scope);
    if (!scope)
      throw InputError("--scope", {},
                       fmt::format("found '{}', expected block, cluster, device or system", options.scope));
    question_.scope = *scope;
    require_kinds(options.kinds);
    for (const std::string& name : options.mappings) {
      question_.mappings.push_back(read_mapping(name));
      std::erase_if(question_.mappings.back().rules, [&](const MappingRule& rule) {
        return !options.kinds.empty() &&
               std::ranges::find(options.kinds, name_of(rule.kind)) == options.kinds.end();
      });
    }
    MappingReport& report = data_->report;
    report.mappings = options.mappings;
    report.source_model = source.name();
    report.target_model = target.name();
    report.limits = {options.threads, options.operations, options.locations,
                     kinds_of(question_, options.scope)};
  }

  void run(const DecideOptions& decide) {
    question_.options = [this, decide] {
      DecideOptions rest = decide;
      rest.jobs = 1;  // the shapes share the threads
      rest.timeout_seconds = stopwatch_.left_of(options_.timeout_seconds);
      return rest;
    };
    interrupted_ = decide.interrupted;
    SmallPrograms programs(question_.scope);
    for (unsigned size = 2; size <= options_.threads * options_.operations; ++size)
      if (!check_size(size, programs)) break;
    if (data_->report.counterexample) compare_counterexample();
  }

  void give_up(const std::string& reason) {
    if (!data_->report.counterexample) data_->report.unknown = reason;
  }

  std::shared_ptr<v1::MappingAnswer::Data> result() {
    data_->report.seconds = stopwatch_.seconds();
    return data_;
  }

 private:
  bool is_interrupted() const { return interrupted_ != nullptr && *interrupted_; }
  bool is_over() const { return is_interrupted() || stopwatch_.has_passed(options_.timeout_seconds); }
  std::string why_over() const { return is_interrupted() ? "interrupted" : "timeout"; }

  /// Checks all shapes with this number of accesses, and adds what was found. Returns whether to go on.
  bool check_size(unsigned accesses, SmallPrograms& programs) {
    MappingReport& report = data_->report;
    std::atomic<bool> is_done = false;
    const auto is_stopped = [&] { return is_done || is_over(); };
    const std::vector<ProgramShape> shapes = shapes_of_size(report.limits, accesses, is_stopped);
    const auto work = [&](std::size_t i) {
      if (!is_stopped()) return check_shape(shapes[i], question_, programs);
      ShapeAnswer stopped;
      stopped.unknown = why_over();
      return stopped;
    };
    const auto use = [&](std::size_t i, const ShapeAnswer& answer) {
      if (is_done) return;
      report.runs += answer.runs;
      if (answer.counterexample) report.counterexample = answer.counterexample;
      if (!answer.unknown.empty()) report.unknown = answer.unknown;
      is_done = answer.counterexample || !answer.unknown.empty();
      if (!is_done) report.programs += answer.programs;
      if (options_.on_shape) options_.on_shape(accesses, i + 1, shapes.size(), report.programs);
    };
    in_order(shapes.size(), std::max(options_.jobs, 1u), work, use);
    if (!is_done && is_stopped()) report.unknown = why_over();
    return !is_done && report.unknown.empty();
  }

  /// Compares the tests of the counterexample as `ptxmc compare` does.
  void compare_counterexample() {
    ComparedSides& pair = data_->pair;
    const PairTexts& counterexample = *data_->report.counterexample;
    pair.report.source = "counterexample.source.litmus";
    pair.report.target = "counterexample.target.litmus";
    pair.source = side_of_text(counterexample.source, pair.report.source, question_.source_model);
    pair.target = side_of_text(counterexample.target, pair.report.target, question_.target_model);
    observe(pair.source, pair.target, {});
    compare_sides(pair, question_.options(), question_.engine, {});
    data_->report.difference = pair.report;
  }

  const v1::MappingOptions& options_;
  const Stopwatch stopwatch_;
  MappingQuestion question_;
  const std::atomic<bool>* interrupted_ = nullptr;
  std::shared_ptr<v1::MappingAnswer::Data> data_;
};

}  // namespace

namespace v1 {

MappingAnswer check_mappings(const MappingOptions& options) {
  const std::string file = options.mappings.empty() ? "--mapping" : options.mappings.front();
  return with_public_errors(file, [&] {
    if (options.mappings.empty()) throw InputError(file, {}, "found no mapping, expected one");
    MappingSearch search(options);
    run_watched(
        with_grace(options), [&](const DecideOptions& decide) { search.run(decide); },
        [&](const std::string& reason, double) { search.give_up(reason); });
    const auto data = search.result();
    const MappingReport& report = data->report;
    MappingAnswer result;
    if (report.counterexample)
      result.counterexample = {report.counterexample->source, report.counterexample->target};
    result.unknown = report.unknown;
    result.programs = report.programs;
    result.runs = report.runs;
    result.text = mapping_text(report, data->pair.source.model);
    result.seconds = report.seconds;
    result.data = data;
    return result;
  });
}

}  // namespace v1

}  // namespace ptxmc
