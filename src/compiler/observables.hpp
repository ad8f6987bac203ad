#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

/// What both programs of a comparison show at their end: a register, a location, an element of a buffer.
struct Observable {
  std::string source, target;  ///< its names: "1:r0", "x", "a[2]", "out[3]"

  SourcePosition where = {};  ///< of the pair of names in the text that says it

  friend bool operator==(const Observable& a, const Observable& b) {
    return a.source == b.source && a.target == b.target;
  }
};

/// Reads `1:r0=out[3];x`: pairs of names of source and target, one name for both, separated by `;`. Throws
/// InputError with the place of a mistake: the text begins at `start` of the file.
std::vector<Observable> parse_observables(std::string_view text, const std::string& file = "--observe",
                                          SourcePosition start = {1, 1});

/// The register (`1:r0`, `P1:r0`) or location (`x`, `[x]`, `a[2]`) of a litmus test; empty if it has none of
/// this name.
std::optional<FinalTerm> term_called(const Program&, std::string_view name);

/// The observables of two litmus tests when none are given, and sentences about those that are left out.
struct SharedObservables {
  std::vector<Observable> observables;
  std::vector<std::string> left_out;
};

/// All registers and locations with the same names in both. Throws InputError with the target's file for a
/// location of the target that the source lacks.
SharedObservables shared_observables(const Program& source, const Program& target,
                                     const std::string& target_file);

/// The width of an observed value in bits.
unsigned width_of(const FinalTerm&, const Program&);

/// A value as a signed number of `width` bits, if it is a signed or unsigned number of this width; any other
/// value is returned unchanged. The same bits in a `u32` and an `s32` become one number.
std::int64_t canonical_value(std::int64_t value, unsigned width);

}  // namespace ptxmc
