#!/usr/bin/env python3
"""run_launches.py RUNS OUT LAUNCH.toml… or FOLDER…: launches kernels on a GPU, each RUNS times.

OUT becomes a file of JSON lines, compressed if its name ends in .gz, one for each launch: `file`, and either
`contents`, the different final contents of its buffers as conditions (`bits(x[0]) == 1 && …`), or `refused` with the
reason. Structures, multimem addresses, textures that are no parameters, samplers and several grids are refused. Memory without a given content is zero.
compare_launches.py compares the contents with what ptxmc computes or allows."""

import json
import pathlib
import re
import struct
import sys
import tomllib
import types

import driver
import image_object
import tensor_map

FORMATS = {"f16": "e", "f32": "f", "f64": "d"}


def width(kind):
    """Bits of an element of a scalar type."""
    return 1 if kind == "pred" else int(re.search(r"\d+", kind)[0])


def encode(number, kind, addresses):
    size = width(kind) // 8
    if isinstance(number, str):
        number = addresses[number]
    if kind == "bf16":
        return struct.pack("<f", number)[2:]
    if kind in FORMATS:
        return struct.pack("<" + FORMATS[kind], number)
    return (int(number) % (1 << (8 * size))).to_bytes(size, "little")


def scalar_of(kind):
    """Of packed types, the type of a part."""
    return re.sub(r"x\d+$", "", kind)


def content(init, kind, count, addresses):
    """The bytes of `count` elements; without an init, zeros."""
    parts = count * (int(kind.split("x")[1]) if "x" in kind else 1)
    numbers = init if isinstance(init, list) else [0 if init in (None, "any") else init] * parts
    return b"".join(encode(number, scalar_of(kind), addresses) for number in numbers)


def image_content(fields, image):
    """The bytes of a texture or surface."""
    numbers = fields.get("bits", fields.get("init", 0))
    if not isinstance(numbers, list):
        numbers = [numbers] * (image.byte_count() * 8 // width(image.kind))
    kind = f"u{width(image.kind)}" if "bits" in fields or "norm" in image.kind else image.kind
    return b"".join(encode(number, kind, {}) for number in numbers)


def evaluated(expression, names):
    """A number, or an expression over scalars and the size of the launch."""
    if isinstance(expression, int):
        return expression
    return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, names))


class Launch:
    def __init__(self, file):
        self.file = pathlib.Path(file)
        with open(file, "rb") as source:
            self.keys = tomllib.load(source)
        if "+" in self.keys["entry"] or "any" in (self.keys["grid"], self.keys["block"]) or self.keys.get("cooperative"):
            raise driver.Refused("several grids, a cooperative launch, or a size that is not known")
        axes = dict(zip("xyz", (1, 1, 1)))
        names = {}
        for key, name in (("block", "blockDim"), ("grid", "gridDim")):
            sizes = types.SimpleNamespace(**{**axes, **dict(zip("xyz", self.keys[key]))})
            names |= {key: sizes, name: sizes}
        names |= {p["name"]: p["value"] for p in self.keys.get("param", []) if isinstance(p.get("value"), int)}
        self.names = names
        self.shared_bytes = evaluated(self.keys.get("dynamic_shared", 0), names)

    def buffer_type(self, text):
        match = re.fullmatch(r"(\w+)\[(.*)\]", text)
        return match[1], evaluated(match[2] if not match[2].isdigit() else int(match[2]), self.names)

    def run(self, gpu, runs):
        module = gpu.load(self.file.with_name(self.keys["module"]).read_text())
        function = gpu.function(module, self.keys["entry"], self.shared_bytes)
        buffers = [(p["name"], p["buffer"], p.get("init")) for p in self.keys.get("param", []) if "buffer" in p]
        buffers += [(b["name"], b["type"], b.get("init")) for b in self.keys.get("buffer", []) if "type" in b]
        addresses, sizes, kinds = {}, {}, {}
        for name, text, _ in buffers:
            kinds[name], count = self.buffer_type(text)
            sizes[name] = len(content(None, kinds[name], count, {}))
            addresses[name] = gpu.allocate(sizes[name])
        initial = {addresses[name]: content(init, *self.buffer_type(text), addresses) for name, text, init in buffers}
        images, parameters = {}, []
        for p in self.keys.get("param", []):
            if "buffer" in p:
                parameters.append(addresses[p["name"]].to_bytes(8, "little"))
            elif "same_as" in p:
                parameters.append(addresses[p["same_as"]].to_bytes(8, "little"))
            elif isinstance(p.get("tensormap"), dict) and not p["tensormap"].get("offset"):
                parameters.append(tensor_map.encoded(gpu, p["tensormap"], addresses[p["tensormap"]["buffer"]]))
            elif ("texture" in p or "surface" in p) and not p.keys() & {"bind", "memory", "compare"}:
                images[p["name"]] = image_object.Image(gpu, p)
                parameters.append(images[p["name"]].handle.to_bytes(8, "little"))
            elif "value" in p and p["value"] != "any":
                parameters.append(encode(p["value"], p["type"], addresses))
            else:
                raise driver.Refused("a parameter of another kind, or of any value")
        contents = set()
        for _ in range(runs):
            for address, data in initial.items():
                gpu.write(address, data)
            for p in self.keys.get("param", []):
                if p["name"] in images:
                    image = images[p["name"]]
                    image.write(image_content(p, image))
            for variable in self.keys.get("variable", []):
                address, size = gpu.variable(module, variable["name"])
                if "type" not in variable:
                    raise driver.Refused(f"no type of the variable {variable['name']}")
                kind = variable["type"].split("[")[0]
                gpu.write(address, content(variable.get("init"), kind, size // max(1, width(kind) // 8), addresses))
            gpu.launch(function, parameters, self.keys["grid"], self.keys["block"], self.keys.get("cluster"),
                       self.shared_bytes)
            contents.add(self.condition(gpu, addresses, sizes, kinds, images))
        for address in addresses.values():
            gpu.free(address)
        gpu.unload(module)
        return sorted(contents)

    def condition(self, gpu, addresses, sizes, kinds, images):
        memories = {name: (width(scalar_of(kinds[name])) // 8, gpu.read(address, sizes[name]))
                    for name, address in addresses.items()}
        memories |= {name: (width(image.kind) // 8, image.read()) for name, image in images.items()}
        parts = []
        for name in sorted(memories, key=[p["name"] for p in self.keys.get("param", []) + self.keys.get("buffer", [])].index):
            size, data = memories[name]
            parts += [f"bits({name}[{i}]) == {int.from_bytes(data[i * size:(i + 1) * size], 'little')}"
                      for i in range(len(data) // size)]
        return " && ".join(parts)


def answer(gpu, task):
    try:
        return {"contents": Launch(task["file"]).run(gpu, task["runs"])}
    except driver.Refused as refused:
        return {"refused": str(refused), "broken": "cuCtxSynchronize" in str(refused) or "ILLEGAL" in str(refused)}


def main():
    runs, out, *paths = sys.argv[1:]
    files = []
    for path in map(pathlib.Path, paths):
        files += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    with driver.open_text(out, "w") as lines:
        def report(task, answer):
            print(json.dumps({"file": task["file"]} | (answer or {"refused": "no answer"})), file=lines, flush=True)

        driver.run_all(__file__, [{"file": str(f), "runs": int(runs)} for f in files], 8, 5, report)


if __name__ == "__main__":
    driver.run_script(answer, main)
