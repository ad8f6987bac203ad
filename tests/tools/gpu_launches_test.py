"""tests/gpu without a GPU: what is written to its memory and read back."""

import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "gpu"))
sys.dont_write_bytecode = True

import driver
import run_launches
import tensor_copies

LAUNCH = """module = "k.ptx"
entry = "k"
grid = [1]
block = [2, 3]
[[param]]
name = "x"
buffer = "f16[block.y]"
init = [1.0, -2.0, 0.5]
[[param]]
name = "n"
type = "s16"
value = -2
[[param]]
name = "y"
buffer = "u32x2[1]"
init = [7, 8]
[[param]]
name = "z"
same_as = "x"
"""


class FakeGpu:
    """Has memory, and adds 1 to the first byte of the first buffer in a launch."""

    def __init__(self):
        self.memory = {}
        self.launched = []

    def load(self, ptx):
        return "module"

    def unload(self, module):
        pass

    def function(self, module, name, shared_bytes=0):
        return name

    def allocate(self, size):
        address = 0x1000 * (len(self.memory) + 1)
        self.memory[address] = bytes(size)
        return address

    def free(self, address):
        self.memory[address] = None

    def write(self, address, data):
        assert len(data) == len(self.memory[address])
        self.memory[address] = data

    def read(self, address, size):
        return self.memory[address][:size]

    def launch(self, function, parameters, grid, block, cluster, shared_bytes):
        self.launched.append(parameters)
        first = self.memory[0x1000]
        self.memory[0x1000] = bytes([first[0] + 1]) + first[1:]


class LaunchTest(unittest.TestCase):
    def launch(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "k.toml"
            file.write_text(text)
            file.with_suffix(".ptx").write_text(".version 8.7")
            gpu = FakeGpu()
            return gpu, run_launches.Launch(file).run(gpu, 2)

    def test_each_run_begins_with_the_content_of_the_launch(self):
        gpu, contents = self.launch(LAUNCH)
        self.assertEqual(contents, ["bits(x[0]) == 15361 && bits(x[1]) == 49152 && bits(x[2]) == 14336 && "
                                    "bits(y[0]) == 7 && bits(y[1]) == 8"])
        addresses = [(0x1000).to_bytes(8, "little"), b"\xfe\xff", (0x2000).to_bytes(8, "little"),
                     (0x1000).to_bytes(8, "little")]
        self.assertEqual(gpu.launched, [addresses, addresses])

    def test_what_is_not_supported_is_refused(self):
        for change in (("value = -2", 'value = "any"'), ('entry = "k"', 'entry = "k+k"')):
            with self.assertRaises(driver.Refused):
                self.launch(LAUNCH.replace(*change))


class TensorCopiesTest(unittest.TestCase):
    def test_equal_seeds_make_equal_launches(self):
        self.assertEqual(tensor_copies.launch_of(5), tensor_copies.launch_of(5))
        self.assertNotEqual(tensor_copies.launch_of(5), tensor_copies.launch_of(6))

    def test_numbers_of_every_type(self):
        for kind, size in tensor_copies.SIZES.items():
            self.assertEqual(len(tensor_copies.bits(kind, 8, random.Random(1))), 2 * size)


if __name__ == "__main__":
    unittest.main()
