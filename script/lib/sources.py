"""The project's C++ files, each read once, and their includes."""

import pathlib
import re

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "bench")  # searched for quoted includes, after the file's own folder
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)')


def report(findings):
    """Prints the findings of a check, a line each, and returns its exit status."""
    findings = list(findings)
    print("\n".join(findings), end="\n" if findings else "")
    return 1 if findings else 0


class Include:
    """An include directive; `file` is the included file of the project, or None if there is none."""

    def __init__(self, line, name, file):
        self.line = line
        self.name = name
        self.file = file


class Sources:
    """The files below a project's root folder, by absolute path."""

    def __init__(self, root=PROJECT):
        self.root = root.resolve()
        self._bytes = {}
        self._includes = {}

    def all(self):
        """Returns all C++ files, sorted."""
        return sorted(
            path for folder in FOLDERS for path in (self.root / folder).rglob("*") if path.suffix in (".cpp", ".hpp"))

    def name(self, path):
        """Returns the path relative to the root, with slashes."""
        return path.relative_to(self.root).as_posix()

    def bytes(self, path):
        if path not in self._bytes:
            self._bytes[path] = path.read_bytes()
        return self._bytes[path]

    def text(self, path):
        return self.bytes(path).decode()

    def includes(self, path):
        """Returns the file's direct includes in order."""
        if path not in self._includes:
            includes = []
            for number, line in enumerate(self.text(path).splitlines(), start=1):
                match = INCLUDE.match(line)
                if match:
                    quoted, angled = match.groups()
                    includes.append(Include(number, quoted or angled, self._resolve(path, quoted) if quoted else None))
            self._includes[path] = includes
        return self._includes[path]

    def _resolve(self, path, name):
        for folder in [path.parent, *(self.root / folder for folder in FOLDERS), self.root]:
            candidate = (folder / name).resolve()
            if candidate.is_file():
                return candidate
        return None

    def closure(self, path):
        """Returns the file and all files of the project that it includes directly or indirectly, sorted."""
        seen, pending = {path}, [path]
        while pending:
            for include in self.includes(pending.pop()):
                if include.file and include.file not in seen:
                    seen.add(include.file)
                    pending.append(include.file)
        return sorted(seen)
