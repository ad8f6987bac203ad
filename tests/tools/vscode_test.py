"""The files of contrib/vscode: the problem matchers match what the program prints, the grammars what tests contain."""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
FOLDER = ROOT / "contrib/vscode"
PTXMC = os.environ.get("PTXMC", "ptxmc")


def load(name):
    return json.loads((FOLDER / name).read_text())


def matches(output):
    """By name of the matcher: the groups of the lines that it matches."""
    found = {}
    for matcher in load("package.json")["contributes"]["problemMatchers"]:
        pattern = matcher["pattern"][0]
        for line in output.splitlines():
            match = re.search(pattern["regexp"], line)
            if match:
                keys = ("file", "line", "column", "message")
                found.setdefault(matcher["name"], []).append([match.group(pattern[key]) for key in keys])
    return found


def output_of(*arguments):
    run = subprocess.run([PTXMC, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.stdout


def patterns_of(rule):
    for key in ("match", "begin", "end"):
        if key in rule:
            yield rule[key]
    for inner in [*rule.get("patterns", []), *rule.get("repository", {}).values()]:
        yield from patterns_of(inner)


class ProblemMatchers(unittest.TestCase):
    def test_wrong_input(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.litmus")
            file.write_text("PTX a\n{ x = 0; }\n P0 ;\n lod r0, x ;\nexists (P0:r0 = 1)\n")
            found = matches(output_of("litmus", str(file)))
        self.assertEqual(["ptxmc"], list(found))
        self.assertEqual([str(file), "4", "2"], found["ptxmc"][0][:3])

    def test_finding_of_a_kernel(self):
        found = matches(output_of("check", str(ROOT / "tests/kernels/scale_bug_bound.toml")))
        self.assertEqual(["ptxmc"], list(found))
        file, line, column, message = found["ptxmc"][0]
        self.assertEqual(("scale_bug_bound.ptx", "41", "2"), (pathlib.Path(file).name, line, column))
        self.assertTrue(message.startswith("out of bounds: "))

    def test_finding_of_an_execution(self):
        found = matches(output_of("run", "--quiet", str(ROOT / "tests/kernels/edges_bug_inside.toml")))
        self.assertEqual(["ptxmc"], list(found))
        self.assertTrue(found["ptxmc"][0][3].startswith("divergence: "))

    def test_fences(self):
        found = matches(output_of("fences", str(ROOT / "litmus/manual/manual-MP.litmus")))
        self.assertEqual(["ptxmc-findings"], list(found))
        self.assertEqual("12", found["ptxmc-findings"][0][1])


class Grammars(unittest.TestCase):
    def test_expressions_compile(self):
        for name in ("ptx", "litmus"):
            for pattern in patterns_of(load(f"syntaxes/{name}.tmLanguage.json")):
                re.compile(pattern)

    def test_every_opcode_of_the_catalogue_is_a_keyword(self):
        instruction = load("syntaxes/ptx.tmLanguage.json")["repository"]["instruction"]["match"]
        names = [re.match(r"\s+9\.7\.\S+\s+(.*?)\s{2,}", line) for line in output_of("isa").splitlines()]
        opcodes = {re.split(r"[. ]", name)[0] for row in names if row for name in row.group(1).split(", ")}
        opcodes = {one for one in opcodes if re.fullmatch(r"[a-z]\w*", one)}
        self.assertGreater(len(opcodes), 50)
        self.assertEqual([], sorted(one for one in opcodes if not re.fullmatch(instruction, one)))


if __name__ == "__main__":
    unittest.main()
