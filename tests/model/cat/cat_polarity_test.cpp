// Which values may be approximated from above, and which axioms a growing execution can only break.
#include "model/cat/cat_polarity.hpp"

#include <doctest/doctest.h>

#include "model/relations/base_relations.hpp"

using namespace ptxmc;
using cat::Use;

namespace {

cat::Model model(const std::string& text) { return cat::parse({"m.cat", text}, {}); }

/// How the value of `r` is used.
Use use(const std::string& text, const std::vector<std::string>& exact = {}) {
  const cat::Model parsed = model(text);
  std::vector<cat::NodeId> wanted;
  for (const std::string& name : exact) wanted.push_back(parsed.find(name)->node);
  return cat::uses(parsed, wanted).at(static_cast<std::size_t>(parsed.find("r")->node));
}

/// Whether the axioms are monotone when only rf, syncbar and co are not static.
std::vector<bool> monotone(const std::string& text) {
  return cat::monotone_axioms(model(text), [](const std::string& name) {
    const BaseRelation* relation = find_base_relation(name);
    return !relation || relation->holds;
  });
}

const std::string r = "let r = po; rf ";

}  // namespace

TEST_CASE("what axioms assert is used positively, what anything else sees exactly") {
  CHECK(use(r) == Use::none);
  CHECK(use(r + "acyclic r") == Use::positive);
  CHECK(use(r + "irreflexive r+; co") == Use::positive);
  CHECK(use(r + "empty (po & r?)^-1 \\ co") == Use::positive);
  CHECK(use(r + "empty domain(r) * range(r)") == Use::positive);
  CHECK(use(r + "acyclic from_reads(r)") == Use::positive);
  CHECK(use(r + "acyclic po \\ r") == Use::exact);
  CHECK(use(r + "acyclic ~r") == Use::exact);
  CHECK(use(r + "acyclic ~~r") == Use::positive);
  CHECK(use(r + "~acyclic r") == Use::exact);
  CHECK(use(r + "flag ~empty r") == Use::exact);
  CHECK(use(r + "flag ~empty po \\ r") == Use::positive);
  CHECK(use(r + "flag ~empty po \\ (co \\ r)") == Use::exact);
  CHECK(use(r + "flag empty r") == Use::positive);
  CHECK(use(r + "with o from orientations(r) acyclic o") == Use::exact);
  CHECK(use(r + "with o from orientations(r)") == Use::none);
  CHECK(use(r + "acyclic r empty po \\ r") == Use::exact);
  CHECK(use(r + "acyclic r", {"r"}) == Use::exact);
  CHECK(use(r + "let s = r | po", {"s"}) == Use::exact);
}

TEST_CASE("recursions are used as any of their names are") {
  CHECK(use(r + "let rec a = r | b and b = a; po acyclic a") == Use::positive);
  CHECK(use(r + "let rec a = r | b and b = a; po acyclic b") == Use::positive);
  CHECK(use(r + "let rec a = r | b and b = a; po empty po \\ b") == Use::exact);
  CHECK(use(r + "let rec a = po | (a \\ r) acyclic a") == Use::exact);
  CHECK(use("let rec r = po | q and q = r; rf acyclic q") == Use::positive);
}

TEST_CASE("axioms that growth can only break") {
  CHECK(monotone("acyclic po | rf") == std::vector{true});
  CHECK(monotone("acyclic rf \\ ext") == std::vector{true});
  CHECK(monotone("acyclic rf & ~(W * W \\ loc)") == std::vector{true});
  CHECK(monotone("acyclic rf \\ ([W]; po; [R])") == std::vector{true});
  CHECK(monotone("acyclic po \\ rf") == std::vector{false});
  CHECK(monotone("acyclic ~rf") == std::vector{false});
  CHECK(monotone("acyclic ~~rf") == std::vector{true});
  CHECK(monotone("acyclic po \\ (po; po)") == std::vector{false});  // an event between may come
  CHECK(monotone("acyclic po \\ ([domain(po)]; po)") == std::vector{false});
  CHECK(monotone("empty po \\ co") == std::vector{false});
  CHECK(monotone("~empty rf") == std::vector{false});
  CHECK(monotone("~empty po \\ rf") == std::vector{true});
  CHECK(monotone("~empty po") == std::vector{true});
  CHECK(monotone("let rec a = rf | a; po acyclic a") == std::vector{true});
  CHECK(monotone("let rec a = rf | (a; po) \\ rf acyclic a") == std::vector{false});
  CHECK(monotone("with o from orientations(po) acyclic o | po empty po \\ o") == std::vector{true, false});
}
