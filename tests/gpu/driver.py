"""Kernels in PTX on a GPU, through the CUDA driver's C interface (libcuda.so.1), and many of them in processes
of their own, so that one that fails or does not end stops no other."""

import collections
import ctypes
import gzip
import json
import subprocess
import sys
import threading


class Refused(Exception):
    """The driver does not do what was asked: its message."""


class LaunchAttribute(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_uint * 16)]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared_bytes", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.POINTER(LaunchAttribute)),
                ("attribute_count", ctypes.c_uint)]


CLUSTER_DIMENSION = 4   # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
ERROR_LOG, ERROR_LOG_SIZE = 5, 6


class Gpu:
    """The first GPU. Its memory is that of this object."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.check("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.check("cuDeviceGet", ctypes.byref(device), 0)
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.check("cuCtxSetCurrent", context)

    def check(self, function, *arguments):
        status = getattr(self.library, function)(*arguments)
        if status != 0:
            name = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(name))
            raise Refused(f"{function}: {name.value.decode() if name.value else status}")

    def load(self, ptx):
        """A module of PTX; Refused has the message of the assembler."""
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(ERROR_LOG, ERROR_LOG_SIZE)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        module = ctypes.c_void_p()
        try:
            self.check("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode(), 2, options, values)
        except Refused as refused:
            raise Refused(f"{refused} {log.value.decode(errors='replace')}") from None
        return module

    def unload(self, module):
        self.check("cuModuleUnload", module)

    def function(self, module, name, shared_bytes=0):
        function = ctypes.c_void_p()
        self.check("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        if shared_bytes > 48 * 1024:
            self.check("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared_bytes)
        return function

    def variable(self, module, name):
        """The address and the size of a variable of a module."""
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.check("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), module, name.encode())
        return address.value, size.value

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.check("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address):
        self.check("cuMemFree_v2", ctypes.c_uint64(address))

    def write(self, address, data):
        if data:
            self.check("cuMemcpyHtoD_v2", ctypes.c_uint64(address), bytes(data), ctypes.c_size_t(len(data)))

    def read(self, address, size):
        data = ctypes.create_string_buffer(max(size, 1))
        if size:
            self.check("cuMemcpyDtoH_v2", data, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return data.raw[:size]

    def launch(self, function, parameters, grid=(1,), block=(1,), cluster=None, shared_bytes=0):
        """Launches a kernel with the bytes of each parameter, and waits until it has ended."""
        buffers = [ctypes.create_string_buffer(bytes(p), len(p)) for p in parameters]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(*[ctypes.addressof(b) for b in buffers])

        def three(sizes):
            return (ctypes.c_uint * 3)(*sizes, *[1] * (3 - len(sizes)))

        config = LaunchConfig(three(grid), three(block), shared_bytes, None, None, 0)
        attribute = LaunchAttribute(CLUSTER_DIMENSION)
        if cluster:
            attribute.value[0:3] = three(cluster)
            config.attributes, config.attribute_count = ctypes.pointer(attribute), 1
        self.check("cuLaunchKernelEx", ctypes.byref(config), function, pointers, None)
        self.check("cuCtxSynchronize")


def open_text(name, mode):
    """A text file, compressed if its name ends in .gz."""
    return gzip.open(name, mode + "t") if name.endswith(".gz") else open(name, mode)


def run_script(answer, main):
    """What a script of run_all does: `main()`, or with the argument --serve it answers each line of standard input,
    JSON, with a line of JSON, `answer(gpu, task)`."""
    if sys.argv[1:] != ["--serve"]:
        return main()
    gpu = Gpu()
    for line in sys.stdin:
        print(json.dumps(answer(gpu, json.loads(line))), flush=True)


def run_all(script, tasks, processes, seconds, report):
    """Gives the tasks (values of JSON) to processes `script --serve` (run_script). A process that takes
    longer than `seconds` for a task, or ends, is replaced, and its answer is None. `report(task, answer)` is called
    for each task, in any order."""
    open_tasks = collections.deque(tasks)
    lock = threading.Lock()

    def work():
        process = None
        while True:
            with lock:
                if not open_tasks:
                    break
                task = open_tasks.popleft()
            if process is None:
                process = subprocess.Popen([sys.executable, script, "--serve"], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, text=True)
                first = 30  # it makes its context
            timer = threading.Timer(seconds + first, process.kill)
            timer.start()
            first = 0
            try:
                process.stdin.write(json.dumps(task) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except OSError:
                line = ""
            timer.cancel()
            answer = json.loads(line) if line.endswith("\n") else None
            if answer is None or answer.get("broken"):
                process.kill()
                process.wait()
                process = None
            with lock:
                report(task, answer)
        if process:
            process.stdin.close()
            process.wait()

    workers = [threading.Thread(target=work) for _ in range(processes)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
