#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// What two events that a relation may relate have in common.
enum class Pairing {
  any,
  one_event,     ///< an event is related only to itself
  one_thread,    ///< both are of one thread, or of no thread
  common_bytes,  ///< both access at least one byte of memory
  by_agents,     ///< nothing, but what relates them depends only on the thread, strand and scope of each
};

/// A relation that every model can name. Two events that happen are related if `holds` (width 1). `holds` is
/// null for relations that the events alone do not determine: `rf`, `syncbar`, and `co` and
/// `total_coherence`, which the algebra provides.
struct BaseRelation {
  std::string_view name;
  std::string_view meaning;
  Bits (*holds)(const Program&, std::span<const Event>, EventId, EventId);
  Pairing pairing = Pairing::any;
  bool uses_addresses = false;  ///< `holds` compares addresses, so it may be a term
  /// Events for which these are false are related to none, and none to them. Null: any event may be related.
  bool (*from)(const Event&) = nullptr;
  bool (*to)(const Event&) = nullptr;
};

/// Whether the scope of a includes the thread of b: PTX ISA 8.7 § 8.5. False for a weak access a.
bool scope_includes(const Program&, const Event& a, const Event& b);

/// Whether two events are of threads in the same CTA.
bool are_in_one_cta(const Program&, const Event& a, const Event& b);

/// Whether the state space of a fence includes that of an access.
bool space_covers(const Event& fence, const Event& access);

/// Whether (width 1) a proxy fence and an access are in one CTA: PTX ISA 8.7 § 8.9.5. An asynchronous
/// operation is in the CTA of the thread that starts it, and in the CTA whose shared memory it accesses.
Bits is_in_cta_of_fence(const Program&, const Event& fence, const Event& access);

/// Whether (width 1) all bytes of an access are in the address range of a fence, if it has one:
/// `fence.proxy.tensormap::generic.acquire [addr], size`.
Bits range_covers(const Event& fence, const Event& access);

/// Whether two accesses share some bytes, and one of them has a byte that the other does not access.
Bits overlap_partially(const Event&, const Event&);

/// A name that is defined in cat. The definition is parsed when a model uses the name.
struct DerivedName {
  std::string_view name;
  std::string_view meaning;
  std::string_view definition;
};

std::span<const BaseRelation> base_relations();
std::span<const DerivedName> derived_names();

/// The relation with this name, or null.
const BaseRelation* find_base_relation(std::string_view name);
const DerivedName* find_derived_name(std::string_view name);

}  // namespace ptxmc
