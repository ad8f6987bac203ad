"""The translation of tests of scoped C++ to CUDA, as text."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
sys.dont_write_bytecode = True

import litmus_to_cuda as translation

MESSAGE = """C MP+x
"a string; with { braces"
(* a comment (* nested *) *)
{ x = 3; int a[2] = {1, 2}; }
P0@cta 0,gpu 0 (int* x, atomic_uint* y, int* a) {
  *x = 1;  // not } a brace
  atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);
}
P1@cta 1,gpu 0 (int* x, atomic_uint* y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_block), r1 = 0;
  if (r0 == 1) { int inner = *x; r1 = inner; }
}
exists (1:r0=1 /\\ 1:r1=0)
"""


def body_of(statements, parameters="int* x, atomic_int* y", compiler="nvcc"):
    """The translated statements of a thread."""
    test = translation.read_test(f"C t\n{{ x = 0; }}\nP0@cta 0,gpu 0 ({parameters}) {{\n{statements}\n}}\nexists (x=0)\n", "t")
    text = translation.cuda_text(test, compiler)
    return "\n".join(line.strip() for line in text[text.index("// P0") + 5:].split("\n")[:-3] if line.strip())


class Kernel(unittest.TestCase):
    def test_threads_are_branches_and_registers_are_stored(self):
        text = translation.cuda_text(translation.read_test(MESSAGE, "mp"))
        self.assertIn('extern "C" __global__ void t_MP_x(int* x, int* a, unsigned* y, int* out) {', text)
        self.assertIn("if (blockIdx.x == 1 && threadIdx.x == 0) {  // P1", text)
        self.assertIn("cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*y).store(1, cuda::memory_order_release);", text)
        self.assertIn("int r0 = cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*y).load(cuda::memory_order_acquire), r1 = 0;", text)
        self.assertIn("out[0] = r0;\n    out[1] = r1;\n  }", text)

    def test_launch(self):
        text = translation.launch_text(translation.read_test(MESSAGE, "mp"), "mp.ptx")
        self.assertIn('module = "mp.ptx"\nentry = "t_MP_x"\ngrid = [2]\nblock = [1]\n', text)
        self.assertIn('observe = "1:r0=out[0];1:r1=out[1];x=x[0];a[0]=a[0];a[1]=a[1];y=y[0]"', text)
        self.assertIn('name = "a"\nbuffer = "s32[2]"\ninit = [1, 2]', text)
        self.assertIn('name = "y"\nbuffer = "u32[1]"\ninit = [0]', text)

    def test_places(self):
        def places(*placements):
            threads = "".join(f"P{i}{placement} (int* x) {{ }}\n" for i, placement in enumerate(placements))
            test = translation.read_test(f"C t\n{{ x = 0; }}\n{threads}exists (x=0)\n", "t")
            return translation.place_threads(test), [(thread.block, thread.lane) for thread in test.threads]
        self.assertEqual(places("@cta 5,gpu 0", "@cta 0,gpu 0", "@cta 5,gpu 0"), ((2, 2, None), [(0, 0), (1, 0), (0, 1)]))
        self.assertEqual(places("", ""), ((2, 1, None), [(0, 0), (1, 0)]))
        self.assertEqual(places("@cta 0,cluster 0,gpu 0", "@cta 1,cluster 0,gpu 0"), ((2, 1, 2), [(0, 0), (1, 0)]))
        self.assertEqual(places("@cta 2,cluster 1,gpu 0", "@cta 3,cluster 1,gpu 0", "@cta 0,cluster 0,gpu 0",
                                "@cta 1,cluster 0,gpu 0")[1], [(2, 0), (3, 0), (0, 0), (1, 0)])

    def test_wide_registers_have_a_wide_buffer(self):
        test = translation.read_test("C t\n{ out = 0; }\nP0 (long* out) { long r = *out; unsigned u = 1; }\nexists (out=0)\n", "t")
        self.assertIn("void t_t(long long* out, long long* registers)", translation.cuda_text(test))
        self.assertIn('name = "registers"\nbuffer = "s64[2]"', translation.launch_text(test, "m"))


class Operations(unittest.TestCase):
    def test_synonyms(self):
        reference = "cuda::atomic_ref<int, cuda::thread_scope_{}>(*y)."
        for written, expected in {
                "atomic_store(y, 1);": reference.format("system") + "store(1, cuda::memory_order_seq_cst);",
                "atomic_store_explicit(y, 1, cuda::memory_order::release, cuda::thread_scope_block);":
                    reference.format("block") + "store(1, cuda::memory_order_release);",
                "atomic_store_explicit(y, 1, std::memory_order_release, memory_scope_work_group);":
                    reference.format("block") + "store(1, cuda::memory_order_release);",
                "__atomic_store_n(y, 1, __ATOMIC_RELAXED);": reference.format("system") + "store(1, cuda::memory_order_relaxed);",
                "__atomic_fetch_add(y, *x, __ATOMIC_ACQ_REL);":
                    reference.format("system") + "fetch_add(*x, cuda::memory_order_acq_rel);",
                "atomic_thread_fence(memory_order_seq_cst, memory_scope_device);":
                    "cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);",
                "__threadfence();": "__threadfence();",
                "atomicAdd(y, 1);": "atomicAdd(y, 1);"}.items():
            self.assertEqual(body_of(written), expected)

    def test_compare_exchange(self):
        call = "(y, &r0, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device);"
        self.assertIn("cuda::atomic_ref<int, cuda::thread_scope_device>(*y).compare_exchange_strong("
                      "r0, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed);",
                      body_of("int r0 = 0; atomic_compare_exchange_strong_explicit" + call))
        self.assertIn("__atomic_compare_exchange_n(y, &r0, 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);",
                      body_of("int r0 = 0; atomic_compare_exchange_weak_explicit" + call, compiler="clang"))
        self.assertIn("compare_exchange_strong(r0, 1, cuda::memory_order_release, cuda::memory_order_relaxed)",
                      body_of("int r0 = 0; __atomic_compare_exchange_n(y, &r0, 1, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);"))

    def test_operations_in_operations(self):
        self.assertEqual(body_of("atomic_store(y, atomic_load(y) + 1);"),
                         "cuda::atomic_ref<int, cuda::thread_scope_system>(*y).store(cuda::atomic_ref<int, "
                         "cuda::thread_scope_system>(*y).load(cuda::memory_order_seq_cst) + 1, cuda::memory_order_seq_cst);")

    def test_objects_with_a_class_keep_their_members(self):
        text = body_of("y->store(1, cuda::memory_order_release);\natomic_load(y);", "cuda::atomic<int, cuda::thread_scope_device>* y")
        self.assertIn("cuda::atomic<int, cuda::thread_scope_device>* const y = reinterpret_cast<cuda::atomic<int, "
                      "cuda::thread_scope_device>*>(y_passed);", text)
        self.assertIn("y->store(1, cuda::memory_order_release);", text)
        self.assertIn("cuda::atomic_ref<int, cuda::thread_scope_system>(*reinterpret_cast<int*>(y)).load(", text)

    def test_an_object_with_a_member_function_has_a_class(self):
        text = body_of("y->wait(0, cuda::memory_order_acquire); int r0 = *x;", "int* x, atomic_int* y")
        self.assertIn("cuda::atomic<int, cuda::thread_scope_system>* const y = "
                      "reinterpret_cast<cuda::atomic<int, cuda::thread_scope_system>*>(y_passed);", text)
        self.assertIn("y->wait(0, cuda::memory_order_acquire);", text)

    def test_elements(self):
        self.assertEqual(body_of("atomic_store(&y[1], 1);"),
                         "cuda::atomic_ref<int, cuda::thread_scope_system>(y[1]).store(1, cuda::memory_order_seq_cst);")


class Mistakes(unittest.TestCase):
    def message(self, text):
        with self.assertRaises(translation.InputError) as caught:
            translation.cuda_text(translation.read_test(text, "f"))
        return str(caught.exception)

    def in_body(self, statements, parameters="atomic_int* y"):
        return self.message(f"C t\n{{ }}\nP0 ({parameters}) {{\n  {statements}\n}}\nexists (0:r=1)\n"
                            .replace("0:r=1", "y=0"))

    def test_places_of_mistakes(self):
        self.assertEqual(self.message("PTX t\n"), "f:1:1: error: found another header, expected `C name`: a test of scoped C++")
        self.assertIn("f:2:3: error: found '1:r0 = 1'", self.message("C t\n{ 1:r0 = 1; }\nP0 (int* x) { }\n"))
        self.assertIn("f:2:3: error: found a shared variable", self.message("C t\n{ __shared__ int x; }\nP0 (int* x) { }\n"))
        self.assertIn("f:3:5: error: found the type 'float'", self.message("C t\n{ }\nP0 (float* x) { }\n"))
        self.assertIn("found no thread", self.message("C t\n{ x = 0; }\nexists (x=0)\n"))
        self.assertIn("found threads of several GPUs",
                      self.message("C t\n{ }\nP0@cta 0,gpu 0 (int* x) { }\nP1@cta 0,gpu 1 (int* x) { }\n"))
        self.assertIn("found the register 0:r1, expected one that P0 declares",
                      self.message("C t\n{ }\nP0 (int* x) { if (*x) { int r1 = 1; } }\nexists (0:r1=1)\n"))

    def test_mistakes_in_bodies(self):
        self.assertTrue(self.in_body("*y = 1;").startswith("f:4:4: error: found an access to the atomic `y`"))
        self.assertIn("f:4:3: error: found the scope of the cluster",
                      self.in_body("atomic_load_explicit(y, memory_order_relaxed, memory_scope_cluster);"))
        self.assertIn("f:4:3: error: found atomic_frob, expected one of", self.in_body("atomic_frob(y);"))
        self.assertIn("f:4:3: error: found 1 arguments besides orders and scope, expected 2 for atomic_store",
                      self.in_body("atomic_store(y);"))
        self.assertIn("found `z`, expected a parameter", self.in_body("atomic_load(z);"))
        self.assertIn("found `return`", self.in_body("return;"))


if __name__ == "__main__":
    unittest.main()
