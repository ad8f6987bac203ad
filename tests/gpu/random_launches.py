"""Scripts `SCRIPT COUNT FIRST_SEED FOLDER`, which write random launches for run_launches.py."""

import pathlib
import sys


def write(name, launch_of):
    """Writes NAME-SEED.ptx and NAME-SEED.toml, which are what `launch_of(seed)` returns."""
    count, first, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        module, launch = launch_of(seed)
        (folder / f"{name}-{seed}.ptx").write_text(module)
        (folder / f"{name}-{seed}.toml").write_text(launch)
