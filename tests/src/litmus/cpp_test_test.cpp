// Tests of scoped C++: the outcomes that the models of C++17 and C++20 allow.
#include "src/litmus/cpp_test.hpp"

#include <doctest/doctest.h>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

Verdict decide(const std::string& text, const char* model = "cpp-scoped") {
  const LitmusTest test = parse_litmus(text, "t");
  CHECK(test.language == Language::cpp);
  const cat::Model loaded = cat::load(model);
  return decide_with(*find_engine("both"), test.program, test.question, loaded, {}).verdict;
}

bool races(const std::string& text) {
  const LitmusTest test = parse_litmus(text, "t");
  const auto found =
      find_flag_with(*find_engine("both"), test.program, cat::load("cpp-scoped"), {}, "data_race");
  REQUIRE(found);
  return found->raised == Verdict::allowed;
}

std::string message_passing(const std::string& store, const std::string& load) {
  return "C t\n{ x = 0; y = 0; }\n"
         "P0@cta 0,gpu 0 (int* x, atomic_int* y) { *x = 1; " +
         store +
         " }\n"
         "P1@cta 1,gpu 0 (int* x, atomic_int* y) { int r1 = 0; int r0 = " +
         load + " if (r0 == 1) r1 = *x; }\nexists (1:r0=1 /\\ 1:r1=0)";
}

}  // namespace

TEST_CASE("release and acquire pass messages in every spelling") {
  const std::vector<std::string> stores = {
      "atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);",
      "atomic_store_explicit(y, 1, std::memory_order::release);",
      "y->store(1, cuda::std::memory_order_release);",
      "(*y).store(1);",
      "*y = 1;",
      "cuda::atomic_ref<int, cuda::thread_scope_device> a(*y); a.store(1, cuda::memory_order_release);",
      "__threadfence(); *(volatile int*)y = 1;",
      "__atomic_store_n(y, 1, __ATOMIC_RELEASE);",
      "atomic_thread_fence(memory_order_release); atomic_fetch_add_explicit(y, 1, memory_order_relaxed);",
      "__threadfence(); atomicExch(y, 1);"};
  const std::vector<std::string> loads = {
      "atomic_load_explicit(y, memory_order_acquire, memory_scope_device);",
      "y->load(cuda::memory_order_consume);",
      "*y;",
      "cuda::atomic_ref<int, cuda::thread_scope_device>(*y).load();",
      "*(volatile int*)y; __threadfence();",
      "atomicAdd(y, 0); __threadfence_system();"};
  for (const std::string& store : stores) {
    CAPTURE(store);
    CHECK(decide(message_passing(store, loads.front())) == Verdict::forbidden);
    CHECK_FALSE(races(message_passing(store, loads.front())));
  }
  for (const std::string& load : loads) {
    CAPTURE(load);
    CHECK(decide(message_passing(stores.front(), load)) == Verdict::forbidden);
    CHECK_FALSE(races(message_passing(stores.front(), load)));
  }
}

TEST_CASE("too narrow a scope or too weak an order is a race") {
  const std::string acquire = "atomic_load_explicit(y, memory_order_acquire, memory_scope_device);";
  for (const char* store : {"atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_group);",
                            "atomic_store_explicit(y, 1, memory_order_release, memory_scope_work_item);",
                            "atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);"}) {
    CAPTURE(store);
    CHECK(decide(message_passing(store, acquire)) == Verdict::allowed);
    CHECK(races(message_passing(store, acquire)));
  }
}

TEST_CASE("a later store of the same thread continues a release sequence until C++17") {
  const std::string text =
      "C t\n{}\n"
      "P0 (atomic_int* x, atomic_int* y) { x->store(1, memory_order_relaxed); y->store(1, "
      "memory_order_release);"
      " y->store(2, memory_order_relaxed); }\n"
      "P1 (atomic_int* x, atomic_int* y) { int r0 = y->load(memory_order_acquire);"
      " int r1 = x->load(memory_order_relaxed); }\n"
      "exists (1:r0=2 /\\ 1:r1=0)";
  CHECK(decide(text) == Verdict::allowed);
  CHECK(decide(text, "cpp-scoped-17") == Verdict::forbidden);
}

TEST_CASE("the order of a compare-and-swap that fails is the second one") {
  const auto reads_with = [](const std::string& orders) {
    return message_passing("y->store(1, memory_order_release);",
                           "3; atomic_compare_exchange_strong_explicit(y, &r0, 7, " + orders + ");");
  };
  CHECK(decide(reads_with("memory_order_relaxed, memory_order_acquire")) == Verdict::forbidden);
  CHECK(decide(reads_with("memory_order_relaxed, memory_order_seq_cst")) == Verdict::forbidden);
  CHECK(decide(reads_with("memory_order_acquire, memory_order_relaxed")) == Verdict::allowed);
  CHECK(decide(reads_with("memory_order_seq_cst, memory_order_relaxed")) == Verdict::allowed);
}

TEST_CASE("a value that cannot matter is no dependency") {
  const auto load_buffering = [](const std::string& value) {
    return "C t\n{}\n"
           "P0 (atomic_int* x, atomic_int* y) { int r0 = x->load(memory_order_relaxed);"
           " int r1 = 0; int r2 = 1; if (r0 == 1) { r1 = 2; r2 = 1; } else { r2 = r2; } y->store(" +
           value +
           ", memory_order_relaxed); }\n"
           "P1 (atomic_int* x, atomic_int* y) { int r0 = y->load(memory_order_relaxed);"
           " x->store(r0, memory_order_relaxed); }\n"
           "exists (0:r0=1)";
  };
  CHECK(decide(load_buffering("1")) == Verdict::allowed);
  CHECK(decide(load_buffering("r0 * 0 + 1")) == Verdict::allowed);
  CHECK(decide(load_buffering("(r0 ^ r0) + 1")) == Verdict::allowed);
  CHECK(decide(load_buffering("r0 == r0")) == Verdict::allowed);
  CHECK(decide(load_buffering("r0 == 0 ? 1 : 1")) == Verdict::allowed);
  CHECK(decide(load_buffering("r2")) == Verdict::allowed);  // the same in both branches
  CHECK(decide(load_buffering("r1 == 2")) == Verdict::forbidden);
  CHECK(decide(load_buffering("r0")) == Verdict::forbidden);
  CHECK(decide(load_buffering("(r0 & 1) | 1")) == Verdict::forbidden);  // coarser than the definition
}
