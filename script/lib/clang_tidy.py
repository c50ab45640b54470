"""Runs clang-tidy over the project's translation units and remembers which ones were clean.

Most of clang-tidy's time goes into headers that all units include: the standard library, CAF, Asio. So units with the
same compile command are looked at in batches, each through one file that includes them all. A batch that cannot be
parsed as a whole is looked at in halves, down to single units: two of its files may give one name to two things. Two
checks look only at the file that is compiled and see nothing in a batch; script/lib/unused_names.py replaces them.

A unit is looked at again when anything that could change the verdict has changed: its own text, the text of any project
header that it includes directly or through others, its compile command, the checks, or clang-tidy itself.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

from sources import FOLDERS, PROJECT, Sources

CLANG_TIDY = "clang-tidy-14"
BATCH = 40  # units at most: a batch of so many takes up to 1.7 GB
FINDING = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:error|warning): ", re.MULTILINE)
UNITY_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
UNPARSED = "[clang-diagnostic-error"


class Unit:
    """A .cpp file and the compiler's options for it; `alone` if it must not be compiled together with others."""

    def __init__(self, path, options, alone):
        self.path = path
        self.options = options
        self.alone = alone
        self.clean = None  # the file that exists once the unit was found to be clean


def options_of(entry):
    """The compile command without the compiler, the source file and the object file."""
    arguments = entry.get("arguments") or shlex.split(entry["command"])
    kept = []
    rest = iter(arguments[1:])
    for argument in rest:
        if argument == "-o":
            next(rest)
        elif argument != "-c" and argument != entry["file"]:
            kept.append(argument)
    return tuple(kept)


def read_units(database):
    """The project's own units, sorted, also those that CMake's unity build has put together.

    What the build generates is left out: it is nobody's to mend. Programs of bench each have their own main().
    """
    units = {}
    for entry in json.loads((database / "compile_commands.json").read_text()):
        file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        together = UNITY_INCLUDE.findall(file.read_text()) if file.parent.name == "Unity" else []
        for path in map(pathlib.Path, together or [file]):
            if any(PROJECT / folder in path.parents for folder in FOLDERS):
                units[path] = Unit(path, options_of(entry), alone=not together or PROJECT / "bench" in path.parents)
    return [units[path] for path in sorted(units)]


def key_of(unit, sources, common):
    digest = hashlib.sha256(common)
    digest.update("\0".join(unit.options).encode())
    for path in sources.closure(unit.path):
        digest.update(sources.name(path).encode() + b"\0" + sources.bytes(path))
    return digest.hexdigest()


def batches_of(units, jobs):
    """Units of one compile command and of one set of checks together, in equal parts, the largest first."""
    groups = collections.defaultdict(list)
    for unit in units:
        groups[top_of(unit), unit.options, unit.path if unit.alone else None].append(unit)
    batches = []
    for group in groups.values():
        parts = -(-len(group) // BATCH)
        if len(groups) < jobs:
            parts = max(parts, min(jobs, len(group)))
        batches += [group[len(group) * part // parts:len(group) * (part + 1) // parts] for part in range(parts)]
    return sorted(batches, key=len, reverse=True)


def top_of(unit):
    return unit.path.relative_to(PROJECT).parts[0]


def check(batch, folder, sources):
    """The units of the batch that are clean, and what clang-tidy says of the others."""
    status, said = run(batch, folder)
    if UNPARSED in said and len(batch) > 1:
        middle = len(batch) // 2
        left, left_said = check(batch[:middle], folder, sources)
        right, right_said = check(batch[middle:], folder, sources)
        reason = next(line for line in said.splitlines() if UNPARSED in line)
        return left + right, f"looked at in halves, because of {reason}\n{left_said}{right_said}"
    if status == 0:
        return batch, ""
    return not_blamed(batch, said, sources), said


def not_blamed(batch, said, sources):
    """The units that neither are nor include a file with a finding; none if a finding cannot be laid to any unit."""
    found = {pathlib.Path(path) for path in FINDING.findall(said)}
    closures = {unit: found.intersection(sources.closure(unit.path)) for unit in batch}
    if not found or found.difference(*closures.values()):
        return []
    return [unit for unit in batch if not closures[unit]]


def run(batch, folder):
    """Runs clang-tidy on one file that includes the batch, in a folder where it finds the checks of the batch."""
    text = "".join(f'#include "{unit.path}" // NOLINT(bugprone-suspicious-include)\n' for unit in batch)
    file = folder / top_of(batch[0]) / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cpp")
    file.write_text(text)
    answer = subprocess.run([CLANG_TIDY, "--quiet", str(file), "--", *batch[0].options],
                            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    file.unlink()
    # stderr holds only counts of suppressed warnings, unless clang-tidy itself failed.
    return answer.returncode, answer.stdout or (answer.stderr if answer.returncode else "")


def make_folder(folder):
    """Folders for the files that include a batch, each with the checks of the sources that it stands for."""
    for top in FOLDERS:
        (folder / top).mkdir(parents=True, exist_ok=True)
        checks = PROJECT / top / ".clang-tidy"
        if checks.exists():
            shutil.copy(checks, folder / top)
    return folder


def main():
    parser = argparse.ArgumentParser(description="clang-tidy in batches, with a memory")
    parser.add_argument("--database", type=pathlib.Path, required=True,
                        help="folder of compile_commands.json, somewhere in the project's folder")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder that remembers clean units")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--touching", nargs="+", type=pathlib.Path, help="only units that are or include one of these")
    options = parser.parse_args()

    sources = Sources()
    units = read_units(options.database)
    if options.touching:
        touched = {path.resolve() for path in options.touching}
        units = [unit for unit in units if touched.intersection(sources.closure(unit.path))]

    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    checks = sorted([PROJECT / ".clang-tidy", *(PROJECT.glob("*/.clang-tidy"))])
    common = version + b"".join(file.read_bytes() for file in checks)
    options.cache.mkdir(parents=True, exist_ok=True)
    for unit in units:
        unit.clean = options.cache / key_of(unit, sources, common)
    pending = [unit for unit in units if not unit.clean.exists()]
    batches = batches_of(pending, options.jobs)
    known = len(units) - len(pending)
    print(f"{len(units)} units, {known} of them known to be clean; {len(batches)} batches", flush=True)

    unclean = len(pending)
    started = time.monotonic()
    folder = make_folder(options.database.resolve() / "batches")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(check, batch, folder, sources): batch for batch in batches}
        for done, future in enumerate(concurrent.futures.as_completed(running), start=1):
            batch = running[future]
            clean, said = future.result()
            unclean -= len(clean)
            for unit in clean:
                unit.clean.touch()
            print(f"[{done}/{len(batches)}, {time.monotonic() - started:.0f}s] {name_of(batch)}", flush=True)
            if said:
                print(said.strip(), flush=True)

    forget_old(options.cache)
    if unclean:
        print(f"{unclean} of {len(units)} units have findings", flush=True)
    return 1 if unclean else 0


def name_of(batch):
    first, last = (unit.path.relative_to(PROJECT) for unit in (batch[0], batch[-1]))
    return str(first) if len(batch) == 1 else f"{first} to {last}, {len(batch)} units"


def forget_old(cache, days=30):
    for entry in cache.iterdir():
        if entry.stat().st_mtime < time.time() - days * 86400:
            entry.unlink()


if __name__ == "__main__":
    sys.exit(main())
