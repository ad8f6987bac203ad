#pragma once

#include <span>
#include <string_view>

#include "model/event.hpp"

namespace ptxmc {

/// A set that every model can name. Tags are static: an event is in the set when `contains` and it happens.
struct BaseSet {
  std::string_view name;
  std::string_view meaning;  ///< one sentence
  bool (*contains)(const Event&);
};

/// A relation that every model can name: between events that happen, when `holds` (width 1). Where the events
/// alone do not tell (`rf`, `syncbar`; `co` and `total_coherence`, which are the algebra's coherence),
/// `holds` is null.
struct BaseRelation {
  std::string_view name;
  std::string_view meaning;
  Bits (*holds)(const Program&, std::span<const Event>, EventId, EventId);
  bool uses_addresses = false;  ///< `holds` looks at addresses: it may be a term
};

/// The scope of a includes the thread of b: PTX ISA 8.7 § 8.5. Of a weak access it includes none.
bool scope_includes(const Program&, const Event& a, const Event& b);

/// Whether two accesses share bytes, but not all that they access.
Bits overlap_partially(const Event&, const Event&);

/// Definitions in cat of further names, read when a model uses them.
struct DerivedName {
  std::string_view name;
  std::string_view meaning;
  std::string_view definition;
};

std::span<const BaseSet> base_sets();
std::span<const BaseRelation> base_relations();
std::span<const DerivedName> derived_names();

/// By name; null when there is none.
const BaseSet* find_base_set(std::string_view name);
const BaseRelation* find_base_relation(std::string_view name);
const DerivedName* find_derived_name(std::string_view name);

}  // namespace ptxmc
