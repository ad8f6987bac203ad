#pragma once

#include <string>
#include <vector>

namespace ptxmc::test {

/// Models that use what the embedded ones do not.
inline const std::vector<std::string>& own_models() {
  static const std::vector<std::string> texts = {
      // a recursion of two names, beside the closure that it is
      R"(PTX
let rec even = id | (odd; step) and odd = step | (even; step) and step = po | rf
let base = (po | rf)+
with order from orientations((W * W) & loc & base)
let co = ([IW]; loc; [W \ IW]) | order
acyclic po | rf as together
empty base \ (even | odd) as same)",
      // pairs to orient that depend on sources, and a set that must not be empty
      R"(PTX
let read = range(rf)
with order from orientations(((rf^-1; rf) \ id) & ext)
let co = ([IW]; loc; [W \ IW]) | (([W \ IW]; po; [W]) & loc)
let lost = R \ read
empty lost as every_read_has_a_source
irreflexive order; po as ordered
flag ~empty order; order as chain
~empty read | F as something)",
      // negated axioms, complements, domains, options and products
      R"(PTX
let co = ([IW]; loc; [W \ IW]) | (([W \ IW]; po; [W]) & loc)
let fr = rf^-1; co
let apart = ~(po | po^-1) \ id
let all = (domain(rf) * range(rf)) & apart
let near = (po? \ (dep; po?)) | ([BAR]; syncbar?)
acyclic ((rf & ext) | near) \ id as near_order
~acyclic (all & ext) | apart as some_cycle
irreflexive fr; po as fr_order
flag ~empty range(fr) as overwritten)",
      // coherence that is total for each location
      R"("total" let com = rf | co | fr
acyclic (po & loc) | com as per_location
acyclic ((po & dep) | rfe | coe | fre)+ as order
flag ~empty (rf; fr)+ & po as back)"};
  return texts;
}

}  // namespace ptxmc::test
