#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "src/kernel/module/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// Reads and checks the PTX module that a launch names. Throws InputError.
syntax::Module read_module_of(const Launch&);

/// A line of the compiled source program.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< 0: unknown
};

/// The line of the compiled source program from which an instruction comes. For inlined code this is the line
/// of the outermost call: of the kernel itself.
struct SourceLine : SourcePlace {
  /// The line of the inlined function, then the calls inside of other inlined functions, from the inside out.
  std::vector<SourcePlace> inlined = {};
};

/// `k.cu:7`; of inlined code `helper.h:3, inlined at k.cu:7`, with each call in between. Lines in headers of
/// the CUDA toolkit are left out; of many levels, those in the middle too.
std::string source_text(const SourceLine&);

/// The same in short: `k.cu:7`, or `helper.h:3 inlined into k.cu:7` without the calls in between.
std::string short_source_text(const SourceLine&);

/// The source lines of the lines of a module, by `.loc`: PTX ISA 8.7 § 11.5.4.
class SourceLines {
 public:
  explicit SourceLines(const syntax::Module&);

  /// The source line of the instruction in a line of the module; empty if no `.loc` gives it.
  std::optional<SourceLine> of(std::uint32_t line) const;

 private:
  /// A position, and the level at which it was inlined.
  struct Level {
    syntax::LinePosition position;
    std::optional<std::size_t> call;
  };

  std::size_t level_of(const syntax::Location&);
  void add(const syntax::Block&, const syntax::Module&, std::optional<std::size_t>& current);
  SourcePlace place(const syntax::LinePosition&) const;

  std::map<std::uint64_t, std::string> files_;
  std::vector<Level> levels_;
  std::map<std::uint32_t, std::size_t> lines_;  // the level of each line with an instruction
  /// The inlined positions of the function that is read.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> inlined_;
};

}  // namespace ptxmc::kernel
