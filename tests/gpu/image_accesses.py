#!/usr/bin/env python3
"""image_accesses.py COUNT FIRST_SEED FOLDER: launches that access a texture or a surface.

The image, how it is sampled, the instruction and the coordinates of each of 32 threads are random. `out` is what the
threads read, in a register of 64 bits for each component. run_launches.py runs them on a GPU, `ptxmc run` computes
what the rules say."""

import random
import struct

import random_launches

THREADS = 32
MODULE = """.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out)
{{
  .reg .b16 %h<4>;
  .reg .b32 %r<4>, %c<4>, %o<4>, %thread;
  .reg .pred %skip;
  .reg .b64 %d<4>, %image, %in, %out, %distance;
  ld.param.u64 %image, [image];
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mul.wide.u32 %distance, %thread, 32;
  add.u64 %in, %in, %distance;
  add.u64 %out, %out, %distance;
  ld.global.v4.b32 {{%c0, %c1, %c2, %c3}}, [%in];
  ld.global.v4.b32 {{%o0, %o1, %o2, %o3}}, [%in+16];
{code}
  ret;
}}
"""


def float_bits(number):
    return struct.unpack("<I", struct.pack("<f", number))[0]


def texel(choices, kind):
    """A number of a format. Those of floating point are small and have few digits, so that sums of them are exact."""
    if kind in ("f16", "f32"):
        return choices.randint(-64, 64) * choices.choice([0.25, 1.0])
    if "norm" in kind:
        return None
    width, is_signed = int(kind[1:]), kind[0] == "s"
    low = -(1 << width - 1) if is_signed else 0
    return choices.choice([choices.randint(low, low + (1 << width) - 1), choices.randint(0, 9)])


def contents(choices, kind, count):
    """The key that gives the contents. TOML has no integer above 2^63 - 1, so that these are written as bits."""
    if "norm" in kind:
        # Of the two patterns for -1 of snorm only one, for the number does not tell them apart.
        highest = (1 << int(kind[5:])) - 1
        patterns = [choices.randint(0, highest) for _ in range(count)]
        return f"bits = {[p + 1 if kind[0] == 's' and p == highest // 2 + 1 else p for p in patterns]}"
    return f"init = {[texel(choices, kind) if kind != 'u64' else choices.getrandbits(62) for _ in range(count)]}"


def geometry(choices, names):
    """Its name, the sizes of a layer, the number of layers (0: none), and the keys of the launch file for it."""
    name = choices.choice(names)
    rank = {"1d": 1, "2d": 2, "3d": 3, "a1d": 1, "a2d": 2, "cube": 2, "acube": 2}[name]
    sizes = [choices.randint(1, 9) for _ in range(rank)]
    if "cube" in name:
        return name, [sizes[0]] * 2, 0, "cube = true" + ("\nlayers = 12" if name == "acube" else "")
    layers = choices.randint(1, 4) if name[0] == "a" else 0
    return name, sizes, layers, f"layers = {layers}" if layers else ""


def real_coordinate(choices, size, is_normalized):
    """Around the texels, often where the nearest texel or the weights of a filter change."""
    texels = choices.choice([choices.uniform(-2, size + 2), choices.randint(-4, 2 * size + 4) / 2,
                             choices.randint(-512, 256 * size + 512) / 256, choices.randint(-2048, 1024 * size + 2048) / 1024])
    return float_bits(texels / size if is_normalized else texels)


def registers(prefix, count):
    return "{" + ", ".join(f"%{prefix}{i}" for i in range(count)) + "}" if count > 1 else f"{{%{prefix}0}}"


def texture_access(choices):
    """The parts of a launch that reads a texture: keys of the image, code, inputs of each thread."""
    is_gather = choices.random() < 0.15
    name, sizes, layers, keys = geometry(choices, ["2d"] if is_gather else ["1d", "2d", "2d", "3d", "a1d", "a2d", "cube", "acube"])
    is_cube = "cube" in name
    kind = choices.choice(["f32", "f32", "f16", "u8", "s8", "u16", "s16", "u32", "s32", "unorm8", "unorm16", "snorm8", "snorm16"])
    channels = choices.choice([1, 2, 4])
    is_normalized_read = kind in ("u8", "s8", "u16", "s16") and choices.random() < 0.5
    is_float = kind[0] == "f" or "norm" in kind or is_normalized_read
    takes_reals = is_gather or is_cube or choices.random() < 0.7
    is_linear = is_float and takes_reals and not is_gather and not is_cube and choices.random() < 0.5
    is_normalized = is_cube or takes_reals and choices.random() < 0.5
    modes = [choices.choice(["clamp", "border", "wrap", "mirror"] if is_normalized else ["clamp", "border"]) for _ in sizes]
    if is_cube:
        modes = ["clamp"] * 2
    components = sizes[0] ** (len(sizes)) * 6 * (2 if name == "acube" else 1) if is_cube else 1
    if not is_cube:
        for size in sizes + [max(layers, 1)]:
            components *= size
    image = f"""texture = "{kind}x{channels}[{', '.join(map(str, sizes))}]"
{keys}
address = {str(modes).replace("'", '"')}
filter = "{'linear' if is_linear else 'nearest'}"
normalized = {str(is_normalized).lower()}
read = "{'normalized-float' if is_normalized_read else 'element'}"
{contents(choices, kind, components * channels)}
"""
    rows = []
    for _ in range(THREADS):
        if is_cube:
            row = [float_bits(choices.uniform(-1, 1)) for _ in range(3)]
        elif takes_reals:
            row = [real_coordinate(choices, size, is_normalized) for size in sizes]
        else:
            row = [choices.randint(-2, size + 1) & 0xFFFFFFFF for size in sizes]
        if name[0] == "a":
            row.insert(0, choices.randrange(2 if is_cube else layers))
        rows.append(row)
    count = {1: 1, 2: 2, 3: 4, 4: 4}[len(rows[0])]
    offsets = ""
    if not is_cube and choices.random() < 0.2:
        number = {1: 1, 2: 2, 3: 4}[len(sizes)]
        offsets = ", " + registers("o", number)
    result = "f32" if is_float else f"{kind[0]}32"
    if is_gather:
        operation = f"tld4.{'rgba'[choices.randrange(channels)]}.2d.v4.{result}.f32"
        channels = 4
    else:
        if kind == "f16" and choices.random() < 0.5:
            result = "f16"
        level = choices.choice([""] * 3 + [".base", ".level"])
        operation = f"tex{level}.{name}.v4.{result}.{'f32' if takes_reals else 's32'}"
        if level == ".level":
            offsets = f", {'0f00000000' if takes_reals else '0'}" + offsets
    target = registers("h" if result == "f16" else "r", 4)
    code = f"  {operation} {target}, [%image, {registers('c', count)}]{offsets};\n"
    for i in range(channels):
        code += f"  cvt.u64.u{16 if result == 'f16' else 32} %d{i}, %{'h' if result == 'f16' else 'r'}{i};\n"
        code += f"  st.global.u64 [%out+{8 * i}], %d{i};\n"
    inputs = [row + [0] * (4 - len(row)) + [choices.randint(-8, 7) & 0xFFFFFFFF for _ in range(4)] for row in rows]
    return image, code, inputs


def surface_access(choices):
    """The same of one that reads or writes a surface."""
    operation = choices.choice(["suld.b", "sust.b", "sust.b", "sust.p", "sured.b", "sured.p"])
    name, sizes, layers, keys = geometry(choices, ["1d", "2d", "3d"] + (["a1d", "a2d"] if operation in ("suld.b", "sust.b") else []))
    clamp = choices.choice(["clamp", "zero"])
    channels = choices.choice([1, 2, 4])
    kind = choices.choice(["u8", "s8", "u16", "s16", "u32", "s32", "f32", "f16", "unorm8", "snorm8", "unorm16", "snorm16"])
    if operation[:5] == "sured":
        channels, kind = 1, choices.choice(["u32", "s32"])
    if operation == "sust.p" and "norm" not in kind:
        kind = choices.choice(["u32", "s32", "f32", "u8", "f16"])
    width = int("".join(filter(str.isdigit, kind)))
    components = channels * max(layers, 1)
    for size in sizes:
        components *= size
    image = f"""surface = "{kind}x{channels}[{', '.join(map(str, sizes))}]"
{keys}
{contents(choices, kind, components)}
"""
    vector = ""
    if operation[-1] == "b" and operation[:5] != "sured":
        parts = choices.choice([1, channels])
        access = width * channels // parts
        while access > 64:
            parts, access = parts * 2, access // 2
        vector = {1: "", 2: ".v2", 4: ".v4"}[parts]
        kind_of_access = f"b{access}"
    elif operation == "sust.p":
        parts, access, kind_of_access = channels, 32, "b32"
        vector = {1: "", 2: ".v2", 4: ".v4"}[parts]
    else:
        parts, access = 1, 32
        function = choices.choice(["add", "min", "max", "and", "or"])
        vector = f".{function}"
        kind_of_access = "b32" if operation == "sured.p" or function in ("and", "or") else kind
    element_bytes = width * channels // 8
    rows = []
    for _ in range(THREADS):
        row = [choices.randint(-1, size) for size in sizes]
        if operation[-1] == "b":
            row[0] *= element_bytes
        if name[0] == "a":
            row.insert(0, choices.randrange(layers))
        rows.append([value & 0xFFFFFFFF for value in row])
    # Threads that write to one place make the result open: only the first of them writes.
    is_skipped = [operation[:4] == "sust" and (row in rows[:i] or clamp == "clamp" and i > 0) for i, row in enumerate(rows)]
    count = {1: 1, 2: 2, 3: 4}[len(rows[0])]
    at = registers("c", count)
    prefix = {8: "h", 16: "h", 32: "r", 64: "d"}[access]
    data = registers(prefix, parts) if parts > 1 else f"%{prefix}0"
    geom = f"{operation}{vector}.{name}" if "sured" in operation else f"{operation}.{name}{vector}"
    full = f"{geom}.{kind_of_access}.{clamp}"
    values = [[choices.getrandbits(32) if kind != "f16" and kind != "f32" and "norm" not in kind or operation != "sust.p"
               else float_bits(choices.choice([choices.uniform(-1.5, 1.5), choices.randint(-9, 9) / 8])) for _ in range(4)]
              for _ in range(THREADS)]
    if operation == "sust.p" and kind == "u8":
        values = [[value & 0xFF for value in row] for row in values]
    code = ""
    if "suld" in operation:
        code += f"  {full} {data}, [%image, {at}];\n"
        for i in range(parts):
            if access != 64:
                code += f"  cvt.u64.u{max(access, 16)} %d{i}, %{prefix}{i};\n" if access != 8 else \
                    f"  cvt.u64.u8 %d{i}, %h{i};\n"
            code += f"  st.global.u64 [%out+{8 * i}], %d{i};\n"
    else:
        for i in range(parts):
            if access == 64:
                code += f"  mov.b64 %d{i}, {{%o{i}, %o{(i + 1) % 4}}};\n"
            elif access <= 16:
                code += f"  cvt.u16.u32 %h{i}, %o{i};\n"
            else:
                code += f"  mov.b32 %r{i}, %o{i};\n"
        code += f"  setp.ne.u32 %skip, %c3, 0;\n  @%skip ret;\n  {full} [%image, {at}], {data};\n"
    inputs = [row + [0] * (3 - len(row)) + [int(skip)] + value for row, skip, value in zip(rows, is_skipped, values)]
    return image, code, inputs


def launch_of(seed):
    """The module and the launch file."""
    choices = random.Random(seed)
    image, code, inputs = (texture_access if choices.random() < 0.7 else surface_access)(choices)
    return MODULE.format(code=code), f"""module = "image-{seed}.ptx"
entry = "k"
grid = [1]
block = [{THREADS}]
[[param]]
name = "image"
{image}[[param]]
name = "in"
buffer = "u32[{8 * THREADS}]"
init = {[value for row in inputs for value in row]}
[[param]]
name = "out"
buffer = "u64[{4 * THREADS}]"
init = 0
"""


if __name__ == "__main__":
    random_launches.write("image", launch_of)
