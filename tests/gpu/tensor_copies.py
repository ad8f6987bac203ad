#!/usr/bin/env python3
"""tensor_copies.py COUNT FIRST_SEED FOLDER: launches that copy a box of a tensor between global and shared memory.

The tensor map, the direction, the reduction and the coordinates are random. `out` is the shared memory after a copy into
it, `tensor` the tensor after a copy into global memory. run_launches.py runs them on a GPU, `ptxmc run` computes what the manual says."""

import math
import random

import random_launches

SIZES = {"u8": 1, "u16": 2, "u32": 4, "s32": 4, "u64": 8, "s64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}
REDUCTIONS = {"u32": ["add", "min", "max", "inc", "dec", "and", "or", "xor"], "s32": ["add", "min", "max", "and", "or", "xor"],
              "u64": ["add", "min", "max", "and", "or", "xor"], "s64": ["min", "max", "and", "or", "xor"],
              "f16": ["add", "min", "max"], "bf16": ["add", "min", "max"], "f32": ["add"]}
SWIZZLES = {"none": 256, "32B": 32, "64B": 64, "128B": 128}
LARGEST_BOX = 4096  # bytes, with what a swizzle adds to rows
SHARED_BYTES = LARGEST_BOX + 1024

MODULE = """.version 8.7
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 source, .param .u64 out)
{{
  .reg .pred %p, %q;
  .reg .b32 %base, %tile, %bar, %r<8>;
  .reg .b64 %map, %source, %out, %a;
  .shared .align 1024 .b8 tile[{shared}];
  .shared .align 8 .b64 bar;
  mov.b64 %map, map;
  cvta.param.u64 %map, %map;
  ld.param.u64 %source, [source];
  ld.param.u64 %out, [out];
  mov.u32 %base, tile;
  add.u32 %tile, %base, {offset};
  mov.u32 %bar, bar;
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p, %r0, 0;
{code}
  ret;
}}
"""

LOAD = """FILL:
  setp.ge.u32 %q, %r0, {all_words};
  @%q bra FILLED;
  mul.lo.u32 %r1, %r0, 4;
  add.u32 %r2, %base, %r1;
  or.b32 %r3, %r0, 0x5a5a0000;
  st.shared.u32 [%r2], %r3;
  add.u32 %r0, %r0, 32;
  bra FILL;
FILLED:
  mov.u32 %r0, %tid.x;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p bra MEET;
  mbarrier.init.shared::cta.b64 [%bar], 1;
  fence.mbarrier_init.release.cluster;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], {bytes};
  cp.async.bulk.tensor.{rank}d.shared::cluster.global.{mode}.mbarrier::complete_tx::bytes [%tile], [%map, {{{at}}}], [%bar]{offsets};
MEET:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], 0;
  @!%q bra WAIT;
COPY:
  setp.ge.u32 %q, %r0, {all_words};
  @%q ret;
  mul.lo.u32 %r1, %r0, 4;
  add.u32 %r2, %base, %r1;
  ld.shared.u32 %r3, [%r2];
  cvt.u64.u32 %a, %r1;
  add.u64 %a, %a, %out;
  st.global.u32 [%a], %r3;
  add.u32 %r0, %r0, 32;
  bra COPY;"""

STORE = """COPY:
  setp.ge.u32 %q, %r0, {all_words};
  @%q bra MEET;
  mul.lo.u32 %r1, %r0, 4;
  cvt.u64.u32 %a, %r1;
  add.u64 %a, %a, %source;
  ld.global.u32 %r3, [%a];
  add.u32 %r2, %base, %r1;
  st.shared.u32 [%r2], %r3;
  add.u32 %r0, %r0, 32;
  bra COPY;
MEET:
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p ret;
  {operation} [%map, {{{at}}}], [%tile];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;"""


def bits(kind, count, choices):
    """Elements as words of 32 bits; floating-point numbers are small and integral."""
    size = SIZES[kind]
    values = []
    for _ in range(count):
        if kind in ("f16", "bf16", "f32", "f64"):
            number = choices.randint(-8, 8)
            sign, magnitude = int(number < 0), abs(number)
            exponent_bits, fraction_bits = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}[kind]
            if magnitude:
                exponent = magnitude.bit_length() - 1
                fraction = (magnitude << fraction_bits >> exponent) - (1 << fraction_bits)
                number = exponent + (1 << exponent_bits - 1) - 1 << fraction_bits | fraction
            else:
                number = 0
            values.append(sign << 8 * size - 1 | number)
        else:
            values.append(choices.choice([choices.getrandbits(8 * size), choices.randrange(4)]))
    data = b"".join(value.to_bytes(size, "little") for value in values)
    data += bytes(-len(data) % 4)
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def launch_of(seed):
    """The module and the launch file."""
    choices = random.Random(seed)
    while True:
        kind = choices.choice(list(SIZES))
        size = SIZES[kind]
        is_column = choices.random() < 0.3
        rank = choices.randint(3, 5) if is_column else choices.randint(1, 5)
        swizzle = choices.choice(list(SWIZZLES))
        per_16_bytes = 16 // size
        dims = [per_16_bytes * choices.randint(1, 5) - choices.choice([0, 0, 1])] + [choices.randint(1, 6) for _ in range(rank - 1)]
        strides, row = [], -(-dims[0] * size // 16) * 16
        for dim in dims[1:]:
            row += 16 * choices.choice([0, 0, 1])
            strides.append(row)
            row *= dim
        steps = [1] + [choices.choice([1, 1, 2, 3]) for _ in range(rank - 1)]
        inner = per_16_bytes * choices.randint(1, 4)
        if inner * size > SWIZZLES[swizzle] or inner > 256:
            continue
        fields = {"buffer": '"tensor"', "element": f'"{kind}"', "dims": dims, "strides": strides, "element_strides": steps,
                  "swizzle": f'"{swizzle}"'}
        # An H100 refuses a box that does not begin at a multiple of 16 bytes.
        at = [per_16_bytes * choices.randint(-1, dims[0] // per_16_bytes)] + [choices.randint(-2, dim) for dim in dims[1:]]
        is_load = choices.random() < 0.6
        offsets, mode = "", "tile"
        if is_column:
            lower = [choices.randint(-2, 1) for _ in range(rank - 2)]
            upper = [choices.randint(-2, 1) for _ in range(rank - 2)]
            sizes = [dim + u - l for dim, l, u in zip(dims[1:-1], lower, upper)]
            if min(sizes) < 1:
                continue
            pixels = choices.randint(1, 12)
            fields["im2col"] = f"{{ lower = {lower}, upper = {upper}, channels = {inner}, pixels = {pixels} }}"
            at[1:-1] = [l + choices.randrange(s) for l, s in zip(lower, sizes)]
            at[-1] = choices.randrange(dims[-1])
            count, mode = inner * pixels, "im2col" if is_load else "im2col_no_offs"
            if is_load:
                offsets = ", {" + ", ".join(str(choices.randint(0, 2)) for _ in lower) + "}"
        else:
            box = [inner] + [choices.randint(1, 5) for _ in range(rank - 1)]
            fields["box"] = box
            count = math.prod(-(-b // s) for b, s in zip(box, steps))
        if is_load and kind in ("f16", "bf16", "f32", "f64") and choices.random() < 0.3:
            fields["fill"] = '"nan"'
        pitch = inner * size if swizzle == "none" else SWIZZLES[swizzle]
        if count // inner * pitch <= LARGEST_BOX and count * size % 16 == 0:
            break
    offset = 128 * choices.randrange(8)
    coordinates = ", ".join(map(str, at))
    total = -(-(row // 4 if rank > 1 else -(-dims[0] * size // 4)) // 1)
    operation = f"cp.async.bulk.tensor.{rank}d.global.shared::cta.{mode}.bulk_group"
    if not is_load and kind in REDUCTIONS and choices.random() < 0.5:
        operation = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{choices.choice(REDUCTIONS[kind])}.{mode}.bulk_group"
    code = LOAD.format(bytes=count * size, rank=rank, mode=mode, at=coordinates, offsets=offsets,
                       all_words=SHARED_BYTES // 4) if is_load else \
        STORE.format(all_words=SHARED_BYTES // 4, operation=operation, at=coordinates)
    tensor = bits(kind, total * 4 // size, choices)
    keys = ", ".join(f"{key} = {value}" for key, value in fields.items())
    return MODULE.format(shared=SHARED_BYTES, offset=offset, code=code), f"""module = "tensor-{seed}.ptx"
entry = "k"
grid = [1]
block = [32]
[[param]]
name = "map"
tensormap = {{ {keys} }}
[[param]]
name = "tensor"
buffer = "u32[{len(tensor)}]"
init = {tensor}
[[param]]
name = "source"
buffer = "u32[{SHARED_BYTES // 4}]"
init = {bits(kind, SHARED_BYTES // size, choices)}
[[param]]
name = "out"
buffer = "u32[{SHARED_BYTES // 4}]"
init = 0
"""


if __name__ == "__main__":
    random_launches.write("tensor", launch_of)
