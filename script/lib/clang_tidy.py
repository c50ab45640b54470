"""Runs clang-tidy on the project's translation units, and caches which ones are clean.

clang-tidy spends most of its time on headers that all units include: the standard library, CAF, Asio. Units are therefore
checked in batches, each through one file that includes them all, with the macros and include folders of all. Units whose unnamed
namespaces define the same name are put into different batches; if a batch cannot be parsed all the same, it is split in halves,
down to single units. Two checks examine only the compiled file and find nothing in a batch; script/lib/unused_names.py replaces
them.

A unit is checked again if anything relevant has changed: its text, the text of any project header that it includes directly
or indirectly, its compile command, the configured checks, or clang-tidy itself.
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
MAX_BATCH = 40  # units, which take up to 1.7 GB
MERGED_OPTIONS = ("-D", "-I", "-isystem")  # a batch has those of all its units
NAMESPACE = re.compile(r"^namespace ?([\w:]*) ?\{$")
NAMESPACE_END = re.compile(r"^\} // namespace")
ALIAS = re.compile(r"^(?:using|namespace) (\w+) = .*")
TEMPLATE = re.compile(r"^template ?<.*?> (?=\w)")
DEFINITION = re.compile(r"^(?:(?:class|struct|enum|enum class|union|concept) (\w+)"
                        r"|(?:[\w:<>,&*\[\]. ()\"]+?[ &*])?(\w+)(?:\(| =(?: |$)|\{|\[|;))")
FINDING = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:error|warning): ", re.MULTILINE)
UNITY_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
UNPARSED = "[clang-diagnostic-error"


class Unit:
    """A .cpp file and its compiler options; `alone` if it must not be compiled together with others."""

    def __init__(self, path, options, alone):
        self.path = path
        self.options = options
        self.alone = alone
        self.clean = None  # the file that marks the unit as clean


def options_of(entry):
    """Returns the compile command without the compiler, the source file, the object file, and what only GCC knows."""
    arguments = entry.get("arguments") or shlex.split(entry["command"])
    kept = []
    rest = iter(arguments[1:])
    for argument in rest:
        if argument in ("-o", "-include", "--param"):
            next(rest)
        elif argument == "-isystem":
            kept.append(argument + next(rest))
        elif argument not in ("-c", "-Winvalid-pch", "-fpch-preprocess", entry["file"]):
            kept.append(argument)
    return tuple(kept)


def read_units(database):
    """Returns the project's own units, sorted, including those combined by CMake's unity build.

    Omits generated files, which cannot be fixed.
    """
    units = {}
    for entry in json.loads((database / "compile_commands.json").read_text()):
        file = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        combined = UNITY_INCLUDE.findall(file.read_text()) if file.parent.name == "Unity" else []
        for path in map(pathlib.Path, combined or [file]):
            if any(PROJECT / folder in path.parents for folder in FOLDERS):
                units[path] = Unit(path, options_of(entry), alone=is_alone(path, combined))
    return [units[path] for path in sorted(units)]


def is_alone(path, combined):
    """The files in bench/programs each have a main(); elsewhere in bench, CMake combines nothing, but could."""
    if PROJECT / "bench" in path.parents:
        return path.parent == PROJECT / "bench" / "programs"
    return not combined


def key_of(unit, sources, common):
    digest = hashlib.sha256(common)
    digest.update("\0".join(unit.options).encode())
    for path in sources.closure(unit.path):
        digest.update(sources.name(path).encode() + b"\0" + sources.bytes(path))
    return digest.hexdigest()


def batches_of(units, jobs, names_of):
    """Groups units that can be parsed together into parts of about equal size, the largest first.

    `names_of` returns the names that a unit defines for itself, each with its definition if another unit may repeat it.
    """
    groups = collections.defaultdict(list)
    for unit in units:
        groups[group_of(unit)].append(unit)
    batches = []
    for group in groups.values():
        parts = -(-len(group) // MAX_BATCH)
        if len(groups) < jobs:
            parts = max(parts, min(jobs, len(group)))
        batches += parts_of(group, -(-len(group) // parts), names_of)
    return sorted(batches, key=len, reverse=True)


def group_of(unit):
    other_options = tuple(option for option in unit.options if not option.startswith(MERGED_OPTIONS))
    return top_of(unit), namespace_of(unit), other_options, unit.path if unit.alone else None


def namespace_of(unit):
    """Returns what the unit's names are shared with: programs of bench, and the tests of the whole process, have their own."""
    folders = unit.path.relative_to(PROJECT).parts[:-1]
    if folders[0] == "bench":
        return folders
    return folders[:2] in (("tests", "service"), ("tests", "simulation"))


def parts_of(group, size, names_of):
    """Puts each unit into the first part that has room and none of its names."""
    parts = []
    for unit in group:
        names = names_of(unit)
        for part, taken in parts:
            if len(part) < size and not any(name in taken and taken[name] != names[name] for name in names):
                break
        else:
            part, taken = [], {}
            parts.append((part, taken))
        part.append(unit)
        taken.update(names)
    return [part for part, _ in parts]


def own_names(unit, sources):
    """Returns the macros of the unit's options and the names that it defines in namespaces, with what defines them.

    Units may share the names that none of them hides: functions of one name are overloads.
    """
    names = {}
    for option in unit.options:
        if option.startswith("-D"):
            names[option.partition("=")[0]] = option
    for namespace, name, alias in hidden_names(sources.text(unit.path)):
        names[namespace, name] = alias or unit.path
    for namespace, name in shared_names(sources.text(unit.path)):
        names.setdefault((namespace, name), "overload")
    return names


def hidden_names(text):
    """Yields the names that are defined in unnamed namespaces, each with its namespace and, for an alias, its definition.

    Relies on clang-format, which indents nothing in namespaces and ends them with a comment. A name that this overlooks costs
    only time: the batch is split.
    """
    for namespaces, line in lines_of_namespaces(text):
        if "" not in namespaces:
            continue
        alias = ALIAS.match(line)
        match = alias or DEFINITION.match(TEMPLATE.sub("", line))
        if match:
            yield "::".join(filter(None, namespaces)), match[1] or match[2], alias and line


def shared_names(text):
    """Yields the functions and types that are defined in named namespaces, each with its namespace."""
    for namespaces, line in lines_of_namespaces(text):
        match = DEFINITION.match(TEMPLATE.sub("", line))
        if match and "" not in namespaces:
            yield "::".join(namespaces), match[1] or match[2]


def lines_of_namespaces(text):
    """Yields the lines that begin a definition or a declaration in a namespace, each with the names of the namespaces."""
    namespaces = []
    for line in text.splitlines():
        opened = NAMESPACE.match(line)
        if opened:
            namespaces.append(opened[1])
        elif NAMESPACE_END.match(line) and namespaces:
            namespaces.pop()
        elif namespaces and re.match(r"\w", line):
            yield namespaces, line


def top_of(unit):
    return unit.path.relative_to(PROJECT).parts[0]


def check(batch, folder, sources):
    """Returns the clean units of the batch, and clang-tidy's output for the others."""
    status, output = run(batch, folder)
    if UNPARSED in output and len(batch) > 1:
        middle = len(batch) // 2
        left, left_output = check(batch[:middle], folder, sources)
        right, right_output = check(batch[middle:], folder, sources)
        reason = min((line for line in output.splitlines() if UNPARSED in line), key=lambda line: not line.startswith("/"))
        return left + right, f"checked in halves because of {reason}\n{left_output}{right_output}"
    if status == 0:
        return batch, ""
    return clean_units(batch, output, sources), output


def clean_units(batch, output, sources):
    """Returns the units that neither are nor include a file with a finding; none if a finding belongs to no unit."""
    files = {pathlib.Path(path) for path in FINDING.findall(output)}
    closures = {unit: files.intersection(sources.closure(unit.path)) for unit in batch}
    if not files or files.difference(*closures.values()):
        return []
    return [unit for unit in batch if not closures[unit]]


def run(batch, folder):
    """Runs clang-tidy on one file that includes the batch, in a folder with the configuration of the batch."""
    text = "".join(f'#include "{unit.path}" // NOLINT(bugprone-suspicious-include)\n' for unit in batch)
    file = folder / top_of(batch[0]) / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cpp")
    file.write_text(text)
    options = dict.fromkeys(option for unit in batch for option in unit.options)
    result = subprocess.run([CLANG_TIDY, "--quiet", str(file), "--", *options],
                            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    file.unlink()
    # stderr contains only counts of suppressed warnings, unless clang-tidy itself failed.
    return result.returncode, result.stdout or (result.stderr if result.returncode else "")


def make_folder(folder):
    """Creates folders for the files that include a batch, each with the configuration of the included sources."""
    for top in FOLDERS:
        (folder / top).mkdir(parents=True, exist_ok=True)
        checks = PROJECT / top / ".clang-tidy"
        if checks.exists():
            shutil.copy(checks, folder / top)
    return folder


def main():
    parser = argparse.ArgumentParser(description="runs clang-tidy in batches, with a cache")
    parser.add_argument("--database", type=pathlib.Path, required=True,
                        help="folder of compile_commands.json, within the project's folder")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder with the cache of clean units")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--touching", nargs="+", type=pathlib.Path, help="check only units that are or include one of these")
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
    batches = batches_of(pending, options.jobs, lambda unit: own_names(unit, sources))
    known = len(units) - len(pending)
    print(f"{len(units)} units, {known} of them cached as clean; {len(batches)} batches", flush=True)

    unclean = len(pending)
    started = time.monotonic()
    folder = make_folder(options.database.resolve() / "batches")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(check, batch, folder, sources): batch for batch in batches}
        for done, future in enumerate(concurrent.futures.as_completed(running), start=1):
            batch = running[future]
            clean, output = future.result()
            unclean -= len(clean)
            for unit in clean:
                unit.clean.touch()
            print(f"[{done}/{len(batches)}, {time.monotonic() - started:.0f}s] {name_of(batch)}", flush=True)
            if output:
                print(output.strip(), flush=True)

    remove_old_entries(options.cache)
    if unclean:
        print(f"{unclean} of {len(units)} units have findings", flush=True)
    return 1 if unclean else 0


def name_of(batch):
    first, last = (unit.path.relative_to(PROJECT) for unit in (batch[0], batch[-1]))
    return str(first) if len(batch) == 1 else f"{first} to {last}, {len(batch)} units"


def remove_old_entries(cache, days=30):
    for entry in cache.iterdir():
        if entry.stat().st_mtime < time.time() - days * 86400:
            entry.unlink()


if __name__ == "__main__":
    sys.exit(main())
