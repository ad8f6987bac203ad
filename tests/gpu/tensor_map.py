"""Tensor maps from the fields of a launch file (docs/launch-format.md), made by the CUDA driver."""

import ctypes

# CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapInterleave, CUtensorMapFloatOOBfill
ELEMENTS = {"u8": 0, "u16": 1, "u32": 2, "s32": 3, "u64": 4, "s64": 5, "f16": 6, "f32": 7, "f64": 8, "bf16": 9, "f32.ftz": 10,
            "tf32": 11, "tf32.ftz": 12, "b4x16": 13, "b4x16_p64": 14, "b6x16_p32": 15}
SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3, "128B_ATOM_32B": 4, "128B_ATOM_32B_FLIP_8B": 5, "128B_ATOM_64B": 6}
INTERLEAVES = {"none": 0, "16B": 1, "32B": 2}
FILLS = {"zero": 0, "nan": 1}
NO_L2_PROMOTION = 0
BYTES = 128


def array(kind, numbers):
    return (kind * max(len(numbers), 1))(*numbers)


def encoded(gpu, fields, address):
    """The bytes of a tensor map whose tensor begins at `address`."""
    memory = ctypes.create_string_buffer(2 * BYTES)
    aligned = (ctypes.addressof(memory) + 63) // 64 * 64
    rank = len(fields["dims"])
    tensor = (ctypes.c_void_p(aligned), ELEMENTS[fields["element"]], ctypes.c_uint32(rank), ctypes.c_void_p(address),
              array(ctypes.c_uint64, fields["dims"]), array(ctypes.c_uint64, fields.get("strides", [])))
    steps = array(ctypes.c_uint32, fields.get("element_strides", [1] * rank))
    layout = (INTERLEAVES[fields.get("interleave", "none")], SWIZZLES[fields.get("swizzle", "none")], NO_L2_PROMOTION,
              FILLS[fields.get("fill", "zero")])
    if "im2col" in fields:
        column = fields["im2col"]
        gpu.check("cuTensorMapEncodeIm2col", *tensor, array(ctypes.c_int, column["lower"]),
                  array(ctypes.c_int, column["upper"]), ctypes.c_uint32(column["channels"]),
                  ctypes.c_uint32(column["pixels"]), steps, *layout)
    else:
        gpu.check("cuTensorMapEncodeTiled", *tensor, array(ctypes.c_uint32, fields["box"]), steps, *layout)
    return ctypes.string_at(aligned, BYTES)
