#include "src/compiler/mapping.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/embedded_texts.hpp"

using namespace ptxmc;

namespace {

const char* const loads =
    "load relaxed S => ld.relaxed.S  # as it is\n\nload acquire S => ld.acquire.S\n"
    "load seq_cst S => fence.sc.S; ld.acquire.S\n";

void check_mistake(const std::string& text, unsigned line, unsigned column, const std::string& message) {
  CAPTURE(text);
  try {
    parse_mapping(text, "m");
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(error.where.line == line);
    CHECK(error.where.column == column);
    CHECK(std::string(error.what()).find(message) != std::string::npos);
  }
}

MappedCode code(const std::string& text) {
  return parse_mapping("fence acquire S => " + text +
                           "\nfence release S => nothing\nfence acq_rel S => nothing\n"
                           "fence seq_cst S => nothing\n",
                       "m")
      .rule(OperationKind::fence, Ordering::acquire, Scope::gpu)
      ->code;
}

}  // namespace

TEST_CASE("a rule whose scope is a variable is one for each scope") {
  const Mapping mapping = parse_mapping(loads, "m");
  CHECK(mapping.rules.size() == 12);
  const MappingRule* rule = mapping.rule(OperationKind::load, Ordering::sc, Scope::cta);
  REQUIRE(rule != nullptr);
  REQUIRE(rule->code.size() == 2);
  CHECK(rule->code[0].text == "fence.sc.cta");
  CHECK_FALSE(rule->code[0].is_access);
  CHECK(rule->code[1].text == "ld.acquire.cta");
  CHECK(column_text(rule->code[1], {OperationKind::load, "r1", "y"}) == "ld.acquire.cta r1, y");
  CHECK(mapping.rule(OperationKind::store, Ordering::sc, Scope::cta) == nullptr);
  CHECK(code("membar.S").front().text == "membar.gl");
}

TEST_CASE("operations that become other accesses") {
  const Mapping mapping = parse_mapping(
      "store relaxed S => atom.relaxed.S\nstore release S => atom.release.S\nstore seq_cst S => "
      "fence.sc.S; atom.release.S\n",
      "m");
  const MappedCode& store = mapping.rule(OperationKind::store, Ordering::relaxed, Scope::gpu)->code;
  CHECK(column_text(store[0], {OperationKind::store, "", "x", 2}) == "atom.relaxed.gpu.exch unused, x, 2");
  CHECK(column_text(store[0], {OperationKind::load, "r0", "x"}) == "atom.relaxed.gpu.or r0, x, 0");
  CHECK(column_text(store[0], {OperationKind::cas, "r0", "x", 2, 1}) == "atom.relaxed.gpu.cas r0, x, 1, 2");
}

TEST_CASE("which code orders at least as much") {
  CHECK(is_weaker_or_equal(code("nothing"), code("fence.acquire.S")));
  CHECK(is_weaker_or_equal(code("fence.acquire.S"), code("fence.acq_rel.S")));
  CHECK_FALSE(is_weaker_or_equal(code("fence.acquire.S"), code("fence.release.S")));
  CHECK_FALSE(is_weaker_or_equal(code("fence.sc.S"), code("fence.acq_rel.S; fence.acq_rel.S")));
  const Mapping mapping = parse_mapping(
      "rmw relaxed S => atom.relaxed.S\nrmw acquire S => atom.acquire.S\nrmw release S => atom.release.S\n"
      "rmw acq_rel S => atom.acq_rel.S\nrmw seq_cst S => fence.sc.S; atom.acquire.S\n",
      "m");
  const auto rmw = [&](Ordering order) { return mapping.rule(OperationKind::rmw, order, Scope::gpu)->code; };
  CHECK(is_weaker_or_equal(rmw(Ordering::acquire), rmw(Ordering::sc)));
  CHECK_FALSE(is_weaker_or_equal(rmw(Ordering::acq_rel), rmw(Ordering::sc)));
}

TEST_CASE("mistakes have a position") {
  check_mistake("", 1, 1, "expected a rule such as");
  check_mistake("loads relaxed S => ld.relaxed.S", 1, 1, "found 'loads', expected load, store, rmw, cas or");
  check_mistake("load release S => ld.relaxed.S", 1, 6, "expected an order of a load: relaxed, acquire,");
  check_mistake("load strong S => ld.relaxed.S", 1, 6, "found 'strong', expected an order of a load");
  check_mistake("load relaxed gpu => ld.relaxed.gpu", 1, 14,
                "expected a scope: block, cluster, device, system");
  check_mistake("load relaxed S ld.relaxed.S", 1, 16, "expected '=>'");
  check_mistake("load relaxed S => ld.relaxed", 1, 19, "found");
  check_mistake("\nload relaxed S => ld.acq_rel.S", 2, 19, "found `.acq_rel`, expected");
  check_mistake("load relaxed S => fence.sc.S", 1, 19, "found 0 accesses, expected one");
  check_mistake("load relaxed S => ld.relaxed.S, x", 1, 31, "expected ';' or the end of the line");
  check_mistake("load relaxed S => st.relaxed.S", 1, 19,
                "expected an instruction of a load: fence, ld or atom");
  check_mistake("fence acquire S => ld.relaxed.S", 1, 20, "found 1 accesses, expected only fences");
  check_mistake(std::string(loads) + "load relaxed block => ld.relaxed.cta", 5, 1, "found a second rule for");
  check_mistake("load relaxed S => ld.relaxed.S\n", 2, 1, "found no rule for `load acquire`");
}

TEST_CASE("the published mappings are read") {
  CHECK(embedded_mappings().size() >= 5);
  for (const EmbeddedText& embedded : embedded_mappings()) {
    const Mapping mapping =
        read_mapping(std::string(embedded.file_name.substr(0, embedded.file_name.rfind('.'))));
    CHECK(mapping.rules.size() == 4 * 20);
  }
}
