#!/usr/bin/env python3
"""compare_launches.py PTXMC RUNS: are the contents that a GPU showed those that ptxmc computes or allows?

RUNS is what run_launches.py wrote, read in the same directory. A content is right if `ptxmc run` ends with it, or else if
`ptxmc check` finds it: it then refutes the assertion that the launch does not end so. Prints the contents that are not
right, and counts."""

import collections
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import driver


def bits_of(text, kind):
    """The bit pattern of an element as `ptxmc run` prints it."""
    formats = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}
    if kind in formats:
        return struct.unpack(formats[kind][1], struct.pack(formats[kind][0], float(text)))[0]
    if "norm" in kind:
        width = int(kind[5:])
        return round(float(text) * ((1 << width - (kind[0] == "s")) - 1)) % (1 << width)
    return int(text) % (1 << int(re.search(r"\d+", kind)[0]))


def computed(ptxmc, files):
    """By file, the content with which `ptxmc run` ends, if it is known."""
    done = subprocess.run([ptxmc, "run", "--json", *files], capture_output=True, text=True)
    contents = {}
    for line in done.stdout.splitlines():
        report = json.loads(line)
        if any("?" in buffer["elements"] for buffer in report.get("buffers", [])):
            continue
        contents[report["file"]] = " && ".join(
            f"bits({buffer['name']}[{i}]) == {bits_of(element, buffer['type'])}"
            for buffer in report.get("buffers", []) for i, element in enumerate(buffer["elements"]))
    return contents


def is_allowed(ptxmc, file, content):
    """Whether `ptxmc check` allows the content; None if it does not know."""
    source = pathlib.Path(file)
    head, _, parameters = source.read_text().split("[final]")[0].partition("[[param]]")
    with tempfile.NamedTemporaryFile("w", suffix=".toml", dir=source.parent) as launch:
        launch.write(f'{head}[final]\nassert = "!({content})"\n[[param]]{parameters}')
        launch.flush()
        done = subprocess.run([ptxmc, "check", "--timeout", "60", "--property", "assertion", "--json", launch.name],
                              capture_output=True, text=True)
    answer = json.loads(done.stdout) if done.stdout else {"unknown": done.stderr}
    return None if answer["unknown"] else "assertion" in answer["verdicts"]


def main():
    ptxmc, runs = sys.argv[1:]
    with driver.open_text(runs, "r") as lines:
        answers = [json.loads(line) for line in lines]
    counts = collections.Counter(refused=sum("refused" in answer for answer in answers))
    answers = [answer for answer in answers if "contents" in answer]
    expected = computed(ptxmc, [answer["file"] for answer in answers])
    for answer in answers:
        for content in answer["contents"]:
            if content == expected.get(answer["file"]):
                counts["computed"] += 1
                continue
            allowed = is_allowed(ptxmc, answer["file"], content)
            counts[{True: "allowed", False: "not allowed", None: "unknown"}[allowed]] += 1
            if not allowed:
                print(f"{answer['file']}: {'unknown' if allowed is None else 'not allowed'}: {content}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
