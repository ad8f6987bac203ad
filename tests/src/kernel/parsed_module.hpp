#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "src/ptx/check.hpp"

namespace ptxmc::test {

/// A module of PTX without its header, from a file `k.ptx`.
inline syntax::Module module_with(const std::string& text, const std::string& target = "sm_90a") {
  const auto source = std::make_shared<const SourceText>(
      "k.ptx", ".version 8.7\n.target " + target + "\n.address_size 64\n" + text);
  syntax::Diagnostics diagnostics;
  syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  for (const auto& diagnostic : diagnostics.all()) INFO(diagnostic.message);
  REQUIRE(!diagnostics.has_errors());
  return module;
}

/// The entry of a module that has one, or the last one.
inline const syntax::Function& entry_of(const syntax::Module& module) {
  const syntax::Function* last = nullptr;
  for (const syntax::ModuleStatement& statement : module.statements)
    if (const auto* function = std::get_if<syntax::Function>(&statement.is);
        function != nullptr && function->is_entry)
      last = function;
  REQUIRE(last != nullptr);
  return *last;
}

}  // namespace ptxmc::test
