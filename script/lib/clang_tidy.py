"""Runs clang-tidy over the project's translation units, in parallel, and remembers which ones were clean.

A unit is looked at again when anything that could change the verdict has changed: its own text, the text of any project
header that it includes directly or through others, its compile command, the checks, or clang-tidy itself.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
INCLUDE_FOLDERS = [PROJECT / "src", PROJECT / "tests", PROJECT / "bench"]
CLANG_TIDY = "clang-tidy-14"


class Sources:
    """The project's files, each read once, and what they include."""

    def __init__(self):
        self._text = {}
        self._included = {}

    def text(self, path):
        if path not in self._text:
            self._text[path] = path.read_bytes()
        return self._text[path]

    def included(self, path):
        if path not in self._included:
            found = []
            for name in INCLUDE.findall(self.text(path)):
                for folder in [path.parent, *INCLUDE_FOLDERS]:
                    candidate = (folder / name.decode()).resolve()
                    if candidate.is_file():
                        found.append(candidate)
                        break
            self._included[path] = found
        return self._included[path]

    def closure(self, path):
        """The file itself and every project file it includes, sorted."""
        seen, pending = {path}, [path]
        while pending:
            for header in self.included(pending.pop()):
                if header not in seen:
                    seen.add(header)
                    pending.append(header)
        return sorted(seen)


def key_of(unit, sources, common):
    digest = hashlib.sha256(common)
    digest.update((unit.get("command") or "\0".join(unit["arguments"])).encode())
    for path in sources.closure(unit["path"]):
        digest.update(str(path.relative_to(PROJECT)).encode() + b"\0" + sources.text(path))
    return digest.hexdigest()


def read_units(database):
    units = {}
    for unit in json.loads((database / "compile_commands.json").read_text()):
        path = (pathlib.Path(unit["directory"]) / unit["file"]).resolve()
        if any(folder in path.parents for folder in INCLUDE_FOLDERS):
            units[path] = {**unit, "path": path}
    return [units[path] for path in sorted(units)]


def check(unit, database):
    answer = subprocess.run(
        [CLANG_TIDY, "--quiet", "-p", str(database), str(unit["path"])],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    # stderr holds only counts of suppressed warnings, unless clang-tidy itself failed.
    return answer.returncode, answer.stdout or (answer.stderr if answer.returncode else "")


def main():
    parser = argparse.ArgumentParser(description="clang-tidy with a memory")
    parser.add_argument("--database", type=pathlib.Path, required=True, help="folder of compile_commands.json")
    parser.add_argument("--cache", type=pathlib.Path, required=True, help="folder that remembers clean units")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--touching", nargs="+", type=pathlib.Path, help="only units that are or include one of these")
    options = parser.parse_args()

    sources = Sources()
    units = read_units(options.database)
    if options.touching:
        touched = {path.resolve() for path in options.touching}
        units = [unit for unit in units if touched.intersection(sources.closure(unit["path"]))]

    version = subprocess.run([CLANG_TIDY, "--version"], capture_output=True, check=True).stdout
    checks = [PROJECT / ".clang-tidy", PROJECT / "tests/.clang-tidy"]
    common = version + b"".join(file.read_bytes() for file in checks)
    options.cache.mkdir(parents=True, exist_ok=True)
    for unit in units:
        unit["clean"] = options.cache / key_of(unit, sources, common)
    pending = [unit for unit in units if not unit["clean"].exists()]
    print(f"{len(units)} units, {len(units) - len(pending)} of them known to be clean", flush=True)

    failures = 0
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(check, unit, options.database): unit for unit in pending}
        for done, future in enumerate(concurrent.futures.as_completed(running), start=1):
            unit = running[future]
            status, said = future.result()
            name = unit["path"].relative_to(PROJECT)
            print(f"[{done}/{len(pending)}, {time.monotonic() - started:.0f}s] {name}", flush=True)
            if status == 0:
                unit["clean"].touch()
            else:
                failures += 1
                print(said.strip(), flush=True)

    forget_old(options.cache)
    if failures:
        print(f"{failures} of {len(units)} units have findings", flush=True)
    return 1 if failures else 0


def forget_old(cache, days=30):
    for entry in cache.iterdir():
        if entry.stat().st_mtime < time.time() - days * 86400:
            entry.unlink()


if __name__ == "__main__":
    sys.exit(main())
