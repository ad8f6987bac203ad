#include "src/compiler/pair_reduction.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

void read(const PairTexts& texts) {
  parse_litmus(texts.source, "source");
  parse_litmus(texts.target, "target");
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const PairTexts pair = {
    "C t\n{ x = 0; y = 0; z = 0; }\n"
    "P0 (atomic_int* x, atomic_int* y, atomic_int* z) {\n"
    "  atomic_store(x, 1);\n"
    "  atomic_store_explicit(z, 1, memory_order_relaxed);\n"
    "  atomic_store(y, 1);\n"
    "}\n"
    "P1 (atomic_int* z) { int r9 = atomic_load(z); }\n"
    "exists (1:r9=1)\n",
    "PTX t\n{ x = 0; y = 0; z = 0; }\n"
    " P0 | P1 ;\n"
    " fence.sc.sys | ld.relaxed.sys r9, z ;\n"
    " st.relaxed.sys x, 1 | ;\n"
    " st.relaxed.sys z, 1 | ;\n"
    " fence.sc.sys | ;\n"
    " st.relaxed.sys y, 1 | ;\n"
    "exists (P1:r9=1)\n"};

}  // namespace

TEST_CASE("both tests lose what the difference does not need") {
  // The difference: the store of x releases in the source, and is relaxed in the target.
  const auto still_differs = [](const PairTexts& texts) {
    read(texts);
    const bool releases = has(texts.source, "atomic_store(x, 1)") ||
                          has(texts.source, "atomic_store_explicit(x, 1, memory_order_release)");
    return releases && has(texts.target, "st.relaxed.sys x, 1");
  };
  const PairReduction reduction = reduce_pair(pair, still_differs, true);
  CHECK(reduction.pair.source ==
        "C t\n{ x = 0; }\n\nP0 (atomic_int* x) {\n  atomic_store_explicit(x, 1, memory_order_release);\n}\n\n"
        "exists (true)\n");
  // The fence stays: the source needs a release, and the store has none.
  CHECK(reduction.pair.target ==
        "PTX t\n{ x = 0; }\n P0                  ;\n fence.release.sys   ;\n st.relaxed.sys x, 1 ;\nexists "
        "(true)\n");
}

TEST_CASE("a pair without a smaller one keeps its parts") {
  const PairTexts small = {"C t\n{ x = 0; }\nP0 (atomic_int* x) { atomic_store(x, 1); }\nexists (true)\n",
                           "PTX t\n{ x = 0; }\n P0 ;\n st.relaxed.sys x, 1 ;\nexists (true)\n"};
  const auto still_differs = [](const PairTexts& texts) {
    read(texts);
    return has(texts.source, "atomic_store(x, 1)") && has(texts.target, "st.relaxed.sys x, 1");
  };
  const PairReduction reduction = reduce_pair(small, still_differs, true);
  CHECK(has(reduction.pair.source, "atomic_store(x, 1)"));
  CHECK(has(reduction.pair.target, "st.relaxed.sys x, 1"));
}

TEST_CASE("an access of the target is not dropped without that of the source") {
  const auto still_differs = [](const PairTexts& texts) {
    read(texts);
    return has(texts.source, "atomic_store(y");
  };
  const PairReduction reduction = reduce_pair(pair, still_differs, true);
  CHECK(has(reduction.pair.target, "st.relaxed.sys y, 1"));
  CHECK_FALSE(has(reduction.pair.target, "st.relaxed.sys x, 1"));
}
