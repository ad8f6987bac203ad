"""Manual pages and shell completion are made of the help of the program, and shells accept them."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import manual_pages  # noqa: E402

PTXMC = os.environ.get("PTXMC", "ptxmc")

HELP = """what is decided
Usage: ptxmc try [OPTIONS] file...

Positionals:
  file FILE ... REQUIRED      tests

Options:
  -h,--help                   Print this help message and exit
  --engine NAME:{auto,smt}=auto
                              what decides: auto, smt
  -j,--jobs N=0               how many
  --param NAME=TYPE:VALUE     a parameter, in order
  --states ELEMENT,... ... Excludes: --sarif
                              show the final states
"""


def words_after(line, script):
    """What bash offers for the last word of a line."""
    words = line.split(" ")
    array = " ".join(f"'{word}'" for word in words)
    run = subprocess.run(["bash", "-c", f"source '{script}'; COMP_WORDS=({array}); COMP_CWORD={len(words) - 1}; _ptxmc; "
                                        'printf "%s\\n" "${COMPREPLY[@]}"'], capture_output=True, text=True, check=True)
    return run.stdout.split()


class ReadHelp(unittest.TestCase):
    def test_flags(self):
        own = manual_pages.Help(HELP)
        self.assertEqual(("what is decided", "ptxmc try [OPTIONS] file..."), (own.purpose, own.usage))
        self.assertEqual([["--help"], ["--engine"], ["--jobs"], ["--param"], ["--states"]],
                         [flag.names[-1:] for flag in own.flags])
        self.assertEqual(["auto", "smt"], own.flags[1].choices)
        self.assertEqual(["-j", "--jobs"], own.flags[2].names)
        self.assertEqual("a parameter, in order", own.flags[3].text)
        self.assertEqual("show the final states", own.flags[4].text)

    def test_manual_page(self):
        page = manual_pages.manual_page("ptxmc-try", "1.0", manual_pages.Help(HELP))
        self.assertIn(".B \\-\\-engine NAME:{auto,smt}=auto\nwhat decides: auto, smt\n", page)


class OfTheProgram(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, "-B", ROOT / "tools/manual_pages.py", PTXMC, cls.folder.name], check=True)
        cls.share = pathlib.Path(cls.folder.name, "share")
        cls.bash = cls.share / "bash-completion/completions/ptxmc"

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_verb_has_a_page_with_all_its_flags(self):
        verbs = [verb for verb, _ in manual_pages.help_of(PTXMC).verbs]
        self.assertIn("merge", verbs)
        for verb in verbs:
            text = (self.share / f"man/man1/ptxmc-{verb}.1").read_text()
            help_text = subprocess.run([PTXMC, verb, "--help"], capture_output=True, text=True, check=True).stdout
            flags = [line.split()[0] for line in help_text.splitlines() if line.startswith(("  -", "  --"))]
            for flag in flags:
                self.assertIn(".B " + manual_pages.roff(flag), text, verb)

    def test_bash(self):
        self.assertEqual(["litmus"], words_after("ptxmc lit", self.bash))
        self.assertEqual(["--shard"], words_after("ptxmc litmus --sh", self.bash))
        self.assertEqual(["explorer"], words_after("ptxmc check --engine ex", self.bash))

    def test_other_shells_accept_theirs(self):
        for shell, name in (("zsh", "zsh/vendor-completions/_ptxmc"), ("fish", "fish/vendor_completions.d/ptxmc.fish")):
            if shutil.which(shell):
                subprocess.run([shell, "-n", self.share / name], check=True)


if __name__ == "__main__":
    unittest.main()
