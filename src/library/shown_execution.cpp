#include "src/library/shown_execution.hpp"

#include <set>
#include <stdexcept>
#include <string>

#include "model/judge/concrete_relations.hpp"
#include "src/library/handles.hpp"
#include "src/library/public_errors.hpp"
#include "src/report/drawing.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

namespace {

const char* kind_text(EventKind kind) {
  switch (kind) {
    case EventKind::initial_write:
      return "initial write";
    case EventKind::read:
      return "read";
    case EventKind::write:
      return "write";
    case EventKind::fence:
      return "fence";
    case EventKind::barrier:
      return "barrier";
    case EventKind::wait:
      return "wait";
  }
  throw std::logic_error("an event of no known kind");
}

const char* order_text(Sem order) {
  constexpr const char* words[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return words[static_cast<std::size_t>(order)];
}

const char* scope_text(Scope scope) {
  constexpr const char* words[] = {"", "cta", "cluster", "gpu", "sys"};
  return words[static_cast<std::size_t>(scope)];
}

v1::Event shown(const Event& event, const Program& program) {
  v1::Event result;
  result.kind = kind_text(event.kind);
  if (event.thread != Event::no_thread) result.thread = program.threads.at(event.thread).name;
  if (event.instruction != nullptr) {
    result.instruction = written(event);
    result.line = event.instruction->where.line;
    result.column = event.instruction->where.column;
  }
  if (event.is_memory_access()) {
    if (event.address.is_constant()) {
      result.address = event.address.to_u64();
      result.location = location_name(program, *result.address);
    }
    result.size = event.size;
    result.value = value_text(event, program);
  }
  const bool is_fence = event.kind == EventKind::fence;
  const bool has_order = is_fence || event.is_read() || event.kind == EventKind::write;
  if (!has_order) return result;
  result.order = order_text(is_fence ? event.fence.sem : event.access.sem);
  result.scope = scope_text(is_fence ? event.fence.scope : event.access.scope);
  return result;
}

v1::Relation shown(const std::string& name, const Pairs& pairs) {
  v1::Relation result{name, {}};
  for (const auto& [from, to] : pairs)
    result.pairs.emplace_back(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  return result;
}

Pairs sources_of_reads(const Execution& execution) {
  std::set<std::pair<EventId, EventId>> sources;  // several parts of a read may come from one write
  for (const ReadsFrom& one : execution.reads_from) sources.emplace(one.write, one.read);
  return {sources.begin(), sources.end()};
}

/// Program order and the sources of reads, then the relations of the model in the order of their names.
std::vector<v1::Relation> relations_of(const Execution& execution) {
  std::vector<v1::Relation> result = {{"po", ConcreteRelations(execution).base_relation("po").pairs()},
                                      shown("rf", sources_of_reads(execution))};
  for (const std::string& name : execution.relations.names())
    if (name != "po" && name != "rf") result.push_back(shown(name, execution.relations.at(name)));
  return result;
}

const DrawnExecution& drawn_of(const v1::Execution& execution) {
  if (execution.drawing == nullptr)
    throw v1::Error(v1::Error::Kind::wrong_input,
                    {{"", 0, 0, "found an execution that is not of an answer"}});
  return execution.drawing->drawn;
}

}  // namespace

v1::Execution shown_execution(DrawnExecution drawn, std::shared_ptr<const void> owner) {
  v1::Execution result;
  for (const Event& event : drawn.execution.events)
    result.events.push_back(shown(event, *drawn.execution.program));
  result.relations = relations_of(drawn.execution);
  result.drawing = std::make_shared<const v1::Execution::Drawing>(
      v1::Execution::Drawing{std::move(drawn), std::move(owner)});
  return result;
}

namespace v1 {

std::string to_dot(const Execution& execution) {
  return with_public_errors("dot", [&] {
    const DrawnExecution& drawn = drawn_of(execution);
    return draw_dot(drawn.execution, drawn.drawing);
  });
}

std::string to_svg(const Execution& execution) {
  return with_public_errors("dot", [&] {
    const DrawnExecution& drawn = drawn_of(execution);
    return draw_svg_with_graphviz(drawn.execution, drawn.drawing);
  });
}

std::string to_text(const Execution& execution) {
  return with_public_errors("text", [&] {
    const DrawnExecution& drawn = drawn_of(execution);
    return draw_text(drawn.execution, drawn.drawing);
  });
}

}  // namespace v1

}  // namespace ptxmc
