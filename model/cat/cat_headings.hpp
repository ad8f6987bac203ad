#pragma once

#include <string_view>
#include <vector>

#include "model/cat/checked_model.hpp"
#include "semantics/language/source_text.hpp"

namespace ptxmc::cat {

/// The comments of a file that begin with numbers of sections: `(* 8.10.6 Causality *)`. The title ends at
/// the first full stop, comma, colon, semicolon or line end.
std::vector<Heading> headings_of(const SourceText&, std::uint32_t file);

/// The heading of a place: the last heading before it in its file, or null.
const Heading* heading_of(const Model&, const Place&);

/// "causality_order (8.9.5 Causality order)": a name of the model with the heading of its definition.
std::string with_heading(const Model&, std::string_view name);

/// The same for an axiom.
std::string with_heading(const Model&, const Test&);

}  // namespace ptxmc::cat
