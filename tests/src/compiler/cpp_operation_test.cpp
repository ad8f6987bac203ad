#include "src/compiler/cpp_operation.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

std::string changed(std::string_view text, Strength given, Strength wanted) {
  return with_cpp_strength(text, given, wanted).value_or("-");
}

constexpr Strength relaxed{Ordering::relaxed, Scope::sys}, release{Ordering::release, Scope::sys},
    acquire{Ordering::acquire, Scope::sys}, seq_cst{Ordering::sc, Scope::sys};
constexpr Strength release_device{Ordering::release, Scope::gpu},
    release_block{Ordering::release, Scope::cta};

}  // namespace

TEST_CASE("another order in each spelling") {
  CHECK(changed("atomic_store_explicit(f, 1, memory_order_relaxed)", relaxed, release) ==
        "atomic_store_explicit(f, 1, memory_order_release)");
  CHECK(changed("f->store(1, cuda::std::memory_order::relaxed)", relaxed, seq_cst) ==
        "f->store(1, cuda::std::memory_order::seq_cst)");
  CHECK(changed("__atomic_load_n(f, __ATOMIC_RELAXED)", relaxed, acquire) ==
        "__atomic_load_n(f, __ATOMIC_ACQUIRE)");
  CHECK(changed("atomic_load(f)", seq_cst, acquire) == "atomic_load_explicit(f, memory_order_acquire)");
  CHECK(changed("f->load()", seq_cst, acquire) == "f->load(memory_order_acquire)");
  CHECK(changed("(*f).store(1)", seq_cst, release) == "(*f).store(1, memory_order_release)");
  CHECK(changed("x->compare_exchange_strong(r, 1, memory_order_acq_rel, memory_order_acquire)",
                {Ordering::acq_rel, Scope::sys},
                release) == "x->compare_exchange_strong(r, 1, memory_order_release, memory_order_acquire)");
}

TEST_CASE("another scope") {
  CHECK(changed("atomic_store_explicit(f, 1, memory_order_release, memory_scope_device)", release_device,
                release_block) ==
        "atomic_store_explicit(f, 1, memory_order_release, memory_scope_work_group)");
  CHECK(changed("f->store(1, memory_order_release, cuda::thread_scope_device)", release_device,
                release_block) == "f->store(1, memory_order_release, cuda::thread_scope_block)");
  CHECK(changed("f->store(1)", {Ordering::sc, Scope::gpu}, release_block) ==
        "f->store(1, memory_order_release, memory_scope_work_group)");
  CHECK(changed("f->store(1, memory_order_release)", release_block, release_device) ==
        "f->store(1, memory_order_release, memory_scope_device)");
}

TEST_CASE("functions of CUDA name a scope, and have no order") {
  const Strength block{Ordering::relaxed, Scope::cta}, device{Ordering::relaxed, Scope::gpu};
  CHECK(changed("atomicAdd_block(x, 1)", block, device) == "atomicAdd(x, 1)");
  CHECK(changed("atomicAdd(x, 1)", device, relaxed) == "atomicAdd_system(x, 1)");
  CHECK(changed("atomicAdd(x, 1)", device, {Ordering::relaxed, Scope::cluster}) == "-");
  CHECK(changed("atomicAdd(x, 1)", device, release_device) == "-");
  CHECK(changed("*x = 1", seq_cst, release) == "-");
  CHECK(changed("__threadfence()", {Ordering::sc, Scope::gpu}, release_device) ==
        "atomic_thread_fence(memory_order_release, memory_scope_device)");
  CHECK(cpp_fence(release) == "atomic_thread_fence(memory_order_release)");
}

TEST_CASE("the strength of an instruction, and what its kind can have") {
  const LitmusTest test = parse_litmus(
      "C t\n{ x = 0; }\nP0 (atomic_int* x, int* y) {\n  int r = atomicAdd(x, 1);\n  __threadfence_block();\n"
      "  int s = *y;\n}\nexists (0:r=0)\n",
      "t");
  std::vector<std::string> names;
  for (const Instruction& instruction : test.program.threads[0].code)
    if (const auto operation = cpp_operation(instruction))
      names.push_back(cpp_strength_name(operation->strength));
  CHECK(names == std::vector<std::string>{"relaxed.device", "seq_cst.block"});
}
