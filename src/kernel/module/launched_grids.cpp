#include "src/kernel/module/launched_grids.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "src/kernel/module/launch_shape.hpp"

namespace ptxmc::kernel {

namespace {

/// Whether the parameter can be passed for a texture, sampler or surface of the kernel.
bool is_object(const Parameter& given, const syntax::Symbol& wanted) {
  using Kind = OpaqueObject::Kind;
  if (!given.object || !given.object->bound.empty()) return false;
  switch (given.object->object.kind) {
    case Kind::texture:
      return *wanted.type == Modifier(".texref");
    case Kind::sampler:
      return *wanted.type == Modifier(".samplerref");
    case Kind::surface:
      return *wanted.type == Modifier(".surfref");
  }
  return false;
}

void check_parameter(const Parameter& given, const syntax::Symbol& wanted) {
  const auto fail = [&](const std::string& message) {
    throw InputError(given.where.file, given.where.where, message);
  };
  if (type_of(*wanted.type).kind == Type::Kind::opaque) {
    if (!is_object(given, wanted))
      fail(fmt::format("found another value for parameter '{}', expected the {} '{}'", given.name,
                       wanted.type->spelling(), wanted.name));
  } else if (size_of(given) != wanted.size) {
    fail(fmt::format("found {} bytes for parameter '{}', expected the {} of '{}'", size_of(given), given.name,
                     wanted.size, wanted.name));
  }
}

bool cancels_clusters(const syntax::Block& block) {
  return std::ranges::any_of(block.statements, [](const syntax::Statement& statement) {
    const auto* inner = std::get_if<syntax::Block>(&statement.is);
    const auto* instruction = std::get_if<syntax::Instruction>(&statement.is);
    return (inner != nullptr && cancels_clusters(*inner)) ||
           (instruction != nullptr &&
            instruction->text.find("clusterlaunchcontrol.try_cancel") != std::string_view::npos);
  });
}

bool cancels_clusters(const syntax::Module& module) {
  return std::ranges::any_of(module.statements, [](const syntax::ModuleStatement& statement) {
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    return function != nullptr && function->body && cancels_clusters(*function->body);
  });
}

}  // namespace

std::vector<syntax::SymbolId> parameters_of(const syntax::Function& entry) {
  std::vector<syntax::SymbolId> parameters;
  for (const syntax::Declaration& declaration : entry.parameters)
    for (const syntax::Declarator& declarator : declaration.declarators)
      parameters.push_back(declarator.name.symbol);
  return parameters;
}

std::vector<LaunchedGrid> launched_grids(const Launch& launch, const LoadedModule& module) {
  const auto fail = [](const LaunchPlace& place, const std::string& message) {
    throw InputError(place.file, place.where, message);
  };
  std::vector<LaunchedGrid> grids;
  std::vector<syntax::SymbolId> wanted;
  for (const std::string& name : launch.entries) {
    const syntax::Function* entry = module.find_function(name);
    if (entry == nullptr || !entry->is_entry)
      fail(launch.entry_where, fmt::format("found no entry '{}' in {}", name, launch.module.string()));
    const auto own = parameters_of(*entry);
    const GridSize& size = size_of_grid(launch, grids.size());
    const bool is_sequence = !launch.sequence.empty();
    LaunchedGrid grid{entry, size.grid, size.block, wanted.size(), own.size()};
    grid.cluster = cluster_shape(size, *entry);
    grid.has_explicit_clusters = has_explicit_clusters(size, *entry);
    grid.dynamic_shared = size.dynamic_shared;
    grid.cancels_clusters = cancels_clusters(module.module());
    if (launch.is_dependent || is_sequence) grid.prerequisite = static_cast<int>(grids.size()) - 1;
    grid.starts_late = is_sequence && grid.prerequisite >= 0;
    grids.push_back(std::move(grid));
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  std::vector<Parameter> given = launch.parameters;
  std::erase_if(given, [](const Parameter& parameter) { return parameter.role != Parameter::Role::passed; });
  if (wanted.size() != given.size())
    fail(given.size() > wanted.size() ? given[wanted.size()].where : launch.entry_where,
         fmt::format("found {} parameters, expected the {} of '{}'", given.size(), wanted.size(),
                     fmt::join(launch.entries, "+")));
  for (std::size_t i = 0; i < given.size(); ++i)
    check_parameter(given[i], module.module().symbols[wanted[i]]);
  return grids;
}

}  // namespace ptxmc::kernel
