#!/usr/bin/env python3
"""run_instructions.py KERNELS VECTORS [PROCESSES]: what a GPU computes.

KERNELS is what the program instruction_kernels prints. VECTORS becomes a file of lines `instruction;inputs;results`,
which `ptxmc eval` compares with the rules. Instructions that the driver refuses are named on standard output."""

import json
import sys

import driver

BYTES_OF_VALUE = 16


def answer(gpu, task):
    """The results of each thread, in hexadecimal."""
    try:
        module = gpu.load(task["ptx"])
        threads, widths = len(task["inputs"]), task["results"]
        source = b"".join(int(value, 16).to_bytes(BYTES_OF_VALUE, "little") for values in task["inputs"] for value in values)
        from_host, to_host = gpu.allocate(len(source)), gpu.allocate(threads * len(widths) * BYTES_OF_VALUE)
        gpu.write(from_host, source)
        gpu.launch(gpu.function(module, "k"), [a.to_bytes(8, "little") for a in (from_host, to_host)], block=(threads,))
        data = gpu.read(to_host, threads * len(widths) * BYTES_OF_VALUE)
        gpu.free(from_host)
        gpu.free(to_host)
        gpu.unload(module)
    except driver.Refused as refused:
        return {"refused": str(refused), "broken": "Module" not in str(refused)}
    numbers = [int.from_bytes(data[i:i + BYTES_OF_VALUE], "little") for i in range(0, len(data), BYTES_OF_VALUE)]
    digits = [f"{number:0{-(-width // 4)}x}" for number, width in zip(numbers, widths * threads)]
    return {"results": [digits[i:i + len(widths)] for i in range(0, len(digits), len(widths))]}


def main():
    kernels, vectors = sys.argv[1:3]
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    with open(kernels) as file:
        tasks = [json.loads(line) for line in file]
    with open(vectors, "w") as out:
        def report(task, answer):
            if answer is None or "refused" in answer:
                print(f"{task['instruction']} {answer['refused'] if answer else 'no answer'}", flush=True)
                return
            for inputs, results in zip(task["inputs"], answer["results"]):
                values = ",".join(value.lstrip("0") or "0" for value in inputs)
                out.write(f"{task['instruction']}{values};{','.join(results)}\n")

        driver.run_all(__file__, tasks, processes, 20, report)


if __name__ == "__main__":
    driver.run_script(answer, main)
