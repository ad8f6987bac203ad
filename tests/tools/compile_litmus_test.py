"""tools/compile-litmus as the shell sees it. The environment variable PTXMC names the program ptxmc."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True

import atomics_table
import litmus_to_cuda

PUBLISHED = str(ROOT / "docs/examples/pairs/published.source.litmus")


def run(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "tools/compile-litmus"), *arguments], capture_output=True, text=True)


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_help(self):
        found = run("--help")
        self.assertEqual(found.returncode, 0)
        for flag in ("--with", "--arch", "--std", "--table", "--output"):
            self.assertIn(flag, found.stdout)

    def test_mistakes_have_the_status_2(self):
        for arguments, message in ((["nowhere.litmus"], "nowhere.litmus: error:"), ([], "expected tests, or --table"),
                                   (["--cuda-only", PUBLISHED], "expected --output"),
                                   (["--compiler", "/nowhere", PUBLISHED], "found no program `/nowhere`")):
            found = run(*arguments)
            self.assertEqual(found.returncode, 2, found.stderr)
            self.assertIn(message, found.stderr)

    def test_cuda_only_needs_no_compiler(self):
        found = run("--cuda-only", "--output", self.folder, PUBLISHED)
        self.assertEqual(found.returncode, 0, found.stderr)
        text = (pathlib.Path(self.folder) / "published.nvcc.cu").read_text()
        self.assertIn("cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(1, cuda::memory_order_seq_cst);", text)
        self.assertTrue((pathlib.Path(self.folder) / "published.source.litmus").exists())

    @unittest.skipUnless(shutil.which("nvcc") and os.environ.get("PTXMC"), "needs nvcc and PTXMC")
    def test_with_nvcc(self):
        found = run("--output", self.folder, PUBLISHED)
        self.assertEqual(found.returncode, 0, found.stdout + found.stderr)
        self.assertIn("published.nvcc.sm_90.O3.toml: refines", found.stdout)
        sequence = str(ROOT / "litmus/cpp/RS-rmw-seq-cst-then-store.litmus")
        self.assertEqual(run(sequence).returncode, 0)
        found = run("--std", "c++17", sequence, "--", "--json")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn('"verdict":"differs"', found.stdout)


class Table(unittest.TestCase):
    MODULE = (".visible .entry k(\n.param .u64 p)\n{\n ld.param.u64 %rd1, [p];\n fence.sc.gpu;\n"
              " atom.add.acquire.gpu.s32 %r2,[%rd1],%r3;\n ld.relaxed.gpu.global.b32 %r1, [%rd1];\n"
              " atom.global.add.u32 %r2, [%rd2], 1;\n st.global.u32 [%rd4], %r2;\n st.volatile.global.u32 [%rd1], 1;\n}\n")

    def test_instructions_of_a_module(self):
        self.assertEqual(atomics_table.instructions_of(self.MODULE, "k"),
                         ["fence.sc.gpu", "atom.acquire.gpu.add", "ld.relaxed.gpu", "atom.relaxed.gpu.add", "st.volatile"])

    def test_operations_that_a_compiler_refuses_are_those_of_the_paper(self):
        self.assertEqual(atomics_table.of_paper("load", "seq_cst"), ["fence.sc.gpu", "ld.acquire.gpu"])
        self.assertEqual(atomics_table.of_paper("compare_exchange", "release"), ["atom.release.gpu.cas"])
        self.assertEqual(atomics_table.of_paper("fence", "seq_cst"), ["fence.sc.gpu"])

    def test_programs_around_an_operation(self):
        programs = atomics_table.programs_with("load", "acquire")
        self.assertEqual(programs["MP.release-acquire.P1.0"],
                         [[("store", "release", "Wx1"), ("store", "release", "Wy1")],
                          [("load", "acquire", "Ry"), ("load", "acquire", "Rx")]])
        fenced = atomics_table.programs_with("fence", "acq_rel")["SB.all"]
        self.assertEqual([operation for operation, _, _ in fenced[0]], ["store", "fence", "load"])

    def test_weaker_instructions(self):
        self.assertEqual(atomics_table.weaker_rules(["fence.sc.gpu", "ld.acquire.gpu"]),
                         [["ld.acquire.gpu"], ["fence.acq_rel.gpu", "ld.acquire.gpu"], ["fence.sc.gpu", "ld.relaxed.gpu"]])

    def test_all_programs_can_be_read(self):
        """Every source is a test that the translation understands too."""
        for operation, orders in atomics_table.ORDERS.items():
            for name, program in atomics_table.programs_with(operation, orders[0]).items():
                litmus_to_cuda.read_test(atomics_table.source_text("t", program), name)

    @unittest.skipUnless(os.environ.get("PTXMC"), "needs PTXMC")
    def test_the_judge_finds_a_rule_that_is_too_weak(self):
        rules = {("load", "seq_cst", "device"): ["fence.sc.gpu", "ld.relaxed.gpu"],
                 ("store", "seq_cst", "device"): ["fence.sc.gpu", "st.relaxed.gpu"],
                 ("load", "acquire", "device"): ["ld.acquire.gpu"], ("load", "relaxed", "device"): ["ld.relaxed.gpu"],
                 ("store", "release", "device"): ["st.release.gpu"], ("store", "relaxed", "device"): ["st.relaxed.gpu"]}
        key = ("load", "seq_cst", "device")
        with tempfile.TemporaryDirectory() as folder:
            judge = atomics_table.Judge(os.environ["PTXMC"], pathlib.Path(folder))
            self.assertTrue(any(name.startswith("MP.") for name in judge.differing(key, rules, "c++20")[0]))
            rules[key] = ["fence.sc.gpu", "ld.acquire.gpu"]
            names, count = judge.differing(key, rules, "c++20")
            self.assertEqual(names, [])
            self.assertGreater(count, 20)


if __name__ == "__main__":
    unittest.main()
