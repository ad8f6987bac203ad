#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "src/kernel/module/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// Reads and checks the PTX module that a launch names. Throws InputError.
syntax::Module read_module_of(const Launch&);

/// A line of the compiled source program.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;
};

/// The source lines of the lines of a module, by `.loc`: PTX ISA 8.7 § 11.5.4. For inlined code it is the
/// line of the call.
class SourceLines {
 public:
  explicit SourceLines(const syntax::Module&);

  /// The source line of the instruction in a line of the module; empty if no `.loc` gives it.
  std::optional<SourceLine> of(std::uint32_t line) const;

 private:
  syntax::LinePosition outermost(const syntax::Location&);
  void add(const syntax::Block&, const syntax::Module&, syntax::LinePosition&);

  std::map<std::uint64_t, std::string> files_;
  std::map<std::uint32_t, syntax::LinePosition> lines_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, syntax::LinePosition> inlined_;
};

}  // namespace ptxmc::kernel
