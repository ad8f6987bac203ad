#include "src/compiler/needed_orders.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

Thread cpp_thread(const std::string& body) {
  return parse_litmus(
             "C t\n{ x = 0; y = 0; }\nP0 (atomic_int* x, atomic_int* y) { " + body + " }\nexists (true)\n",
             "t")
      .program.threads.front();
}

Thread ptx_thread(const std::string& rows) {
  return parse_litmus("PTX t\n{ x = 0; y = 0; }\n P0 ;\n" + rows + "exists (true)\n", "t")
      .program.threads.front();
}

bool is_enough(const std::string& source, const std::string& target, std::size_t instruction,
               Strength strength) {
  const Thread thread = ptx_thread(target);
  return ptxmc::is_enough(orders_of(cpp_thread(source), Language::cpp), orders_of(thread, Language::ptx),
                          place_of(thread, instruction), strength);
}

constexpr const char* flag =
    "atomic_store_explicit(x, 1, memory_order_relaxed); "
    "atomic_store_explicit(y, 1, memory_order_release);";

}  // namespace

TEST_CASE("an operation of order seq_cst needs a fence before it and its acquire or release") {
  const ThreadOrders needed =
      orders_of(cpp_thread("atomic_store(x, 1); int r = atomic_load(y);"), Language::cpp);
  REQUIRE(needed.accesses.size() == 2);
  CHECK(needed.accesses[0].strength == Strength{Ordering::release, Scope::sys});
  CHECK(needed.accesses[1].strength == Strength{Ordering::acquire, Scope::sys});
  CHECK(needed.gaps[0] == std::vector<Strength>{{Ordering::sc, Scope::sys}});
  CHECK(needed.gaps[1] == std::vector<Strength>{{Ordering::sc, Scope::sys}});
  CHECK(needed.gaps[2].empty());
}

TEST_CASE("a fence may go if the access behind it releases itself") {
  const char* const released = " st.relaxed.sys x, 1 ;\n fence.sc.sys ;\n st.release.sys y, 1 ;\n";
  CHECK(is_enough(flag, released, 1, {}));
  const char* const fenced = " st.relaxed.sys x, 1 ;\n fence.acq_rel.sys ;\n st.relaxed.sys y, 1 ;\n";
  CHECK_FALSE(is_enough(flag, fenced, 1, {}));
  CHECK(is_enough(flag, fenced, 1, {Ordering::release, Scope::sys}));
  CHECK_FALSE(is_enough(flag, fenced, 1, {Ordering::acquire, Scope::sys}));
  const char* const narrow = " st.relaxed.sys x, 1 ;\n fence.acq_rel.sys ;\n st.release.cta y, 1 ;\n";
  CHECK_FALSE(is_enough(flag, narrow, 1, {}));
}

TEST_CASE("a fence of the source stays, as weak as it is there") {
  const char* const source =
      "atomic_store_explicit(x, 1, memory_order_relaxed); "
      "atomic_thread_fence(memory_order_release); atomic_store_explicit(y, 1, memory_order_relaxed);";
  const char* const target = " st.relaxed.sys x, 1 ;\n fence.sc.sys ;\n st.relaxed.sys y, 1 ;\n";
  CHECK_FALSE(is_enough(source, target, 1, {}));
  CHECK(is_enough(source, target, 1, {Ordering::release, Scope::sys}));
  CHECK_FALSE(is_enough(source, target, 1, {Ordering::release, Scope::gpu}));
  CHECK_FALSE(is_enough(source, target, 1, {Ordering::acquire, Scope::sys}));
}

TEST_CASE("an access is compared with that of the source; other kinds of accesses are not comparable") {
  const char* const target = " st.release.sys x, 1 ;\n st.release.sys y, 1 ;\n";
  CHECK(is_enough(flag, target, 0, {Ordering::relaxed, Scope::sys}));
  CHECK_FALSE(is_enough(flag, target, 1, {Ordering::relaxed, Scope::sys}));
  CHECK_FALSE(is_enough(flag, " st.release.sys x, 1 ;\n", 0, {Ordering::release, Scope::sys}));
}
