"""Textures and surfaces from the fields of a launch file (docs/launch-format.md), made by the CUDA driver."""

import ctypes
import math
import re

import driver

# CUarray_format
FORMATS = {"u8": 0x01, "u16": 0x02, "u32": 0x03, "s8": 0x08, "s16": 0x09, "s32": 0x0A, "f16": 0x10, "f32": 0x20}
NORMALIZED_FORMATS = {"unorm8": 0xC0, "unorm16": 0xC3, "snorm8": 0xC6, "snorm16": 0xC9}  # of one channel
LAYERED, SURFACE, CUBE, GATHER = 0x01, 0x02, 0x04, 0x08                                    # CUDA_ARRAY3D_…
ADDRESS_MODES = {"wrap": 0, "clamp": 1, "mirror": 2, "border": 3}                          # CUaddress_mode
FILTERS = {"nearest": 0, "linear": 1}                                                      # CUfilter_mode
READ_AS_INTEGER, NORMALIZED_COORDINATES = 0x01, 0x02                                       # CU_TRSF_…
HOST, ARRAY = 0x01, 0x03                                                                   # CUmemorytype

size, pointer, unsigned = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint


class ArrayDescriptor(ctypes.Structure):
    _fields_ = [("width", size), ("height", size), ("depth", size), ("format", unsigned), ("channels", unsigned),
                ("flags", unsigned)]


class Copy(ctypes.Structure):
    _fields_ = [(f"{side}_{name}", kind) for side in ("source", "target")
                for name, kind in (("x", size), ("y", size), ("z", size), ("level", size), ("type", unsigned),
                                   ("host", pointer), ("device", ctypes.c_uint64), ("array", pointer),
                                   ("reserved", pointer), ("pitch", size), ("height", size))]
    _fields_ += [("width", size), ("height", size), ("depth", size)]


class Resource(ctypes.Structure):
    _fields_ = [("kind", unsigned), ("array", pointer), ("reserved", ctypes.c_byte * 120), ("flags", unsigned)]


class Sampling(ctypes.Structure):
    _fields_ = [("address_modes", unsigned * 3), ("filter", unsigned), ("flags", unsigned), ("rest", unsigned * 21)]


class Image:
    """The memory of a texture or surface, and the handle that a kernel gets."""

    def __init__(self, gpu, fields):
        self.gpu = gpu
        kind, channels, sizes = re.fullmatch(r"(\w+?)x(\d)\[(.*)\]", fields.get("texture") or fields["surface"]).groups()
        self.kind, self.channels = kind, int(channels)
        self.element_bytes = int(re.search(r"\d+$", kind)[0]) // 8 * self.channels
        self.sizes = [int(text) for text in sizes.split(",")]
        self.layers = fields.get("layers", 6 if fields.get("cube") else 0)
        bits = int(re.search(r"\d+$", kind)[0])
        if kind in NORMALIZED_FORMATS:
            format = NORMALIZED_FORMATS[kind] + {1: 0, 2: 1, 4: 2}[self.channels]
        elif bits == 64 and self.channels <= 2:
            format, channels = FORMATS["u32"], 2 * self.channels
        elif kind in FORMATS:
            format = FORMATS[kind]
        else:
            raise driver.Refused(f"images of {kind}")
        flags = LAYERED * ("layers" in fields) | CUBE * bool(fields.get("cube")) | SURFACE * ("surface" in fields)
        flags |= GATHER * ("texture" in fields and len(self.sizes) == 2 and not self.layers)
        width, height, depth = self.sizes + [0] * (3 - len(self.sizes))
        description = ArrayDescriptor(width, height, self.layers or depth, format, int(channels), flags)
        self.array = pointer()
        gpu.check("cuArray3DCreate_v2", ctypes.byref(self.array), ctypes.byref(description))
        self.handle = self.make_handle(fields)

    def make_handle(self, fields):
        resource, handle = Resource(0, self.array), ctypes.c_uint64()
        if "surface" in fields:
            self.gpu.check("cuSurfObjectCreate", ctypes.byref(handle), ctypes.byref(resource))
            return handle.value
        sampling = Sampling(filter=FILTERS[fields.get("filter", "nearest")])
        modes = fields.get("address", [])
        sampling.address_modes[:] = [ADDRESS_MODES[mode] for mode in modes + ["clamp"] * (3 - len(modes))]
        is_element = fields.get("read", "element") == "element" and self.kind[0] in "us" and "norm" not in self.kind
        sampling.flags = READ_AS_INTEGER * is_element | NORMALIZED_COORDINATES * bool(fields.get("normalized"))
        self.gpu.check("cuTexObjectCreate", ctypes.byref(handle), ctypes.byref(resource), ctypes.byref(sampling), None)
        return handle.value

    def byte_count(self):
        return self.element_bytes * math.prod(self.sizes) * max(self.layers, 1)

    def copy(self, memory, is_read):
        width, height, depth = self.sizes + [1] * (3 - len(self.sizes))
        row = width * self.element_bytes
        host = dict(type=HOST, host=ctypes.addressof(memory), pitch=row, height=height)
        array = dict(type=ARRAY, array=self.array)
        source, target = (array, host) if is_read else (host, array)
        copy = Copy(**{f"source_{k}": v for k, v in source.items()}, **{f"target_{k}": v for k, v in target.items()},
                    width=row, height=height, depth=self.layers or depth)
        self.gpu.check("cuMemcpy3D_v2", ctypes.byref(copy))

    def write(self, data):
        self.copy(ctypes.create_string_buffer(bytes(data), self.byte_count()), is_read=False)

    def read(self):
        memory = ctypes.create_string_buffer(self.byte_count())
        self.copy(memory, is_read=True)
        return memory.raw
