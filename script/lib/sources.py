"""The project's C++ files: each read once, with what it includes."""

import pathlib
import re

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "bench")  # where an include in quotes is looked up, after the file's own folder
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)')


class Include:
    """One line of a file: `file` is what it names in the project, None for a header of a package or of the system."""

    def __init__(self, line, name, file):
        self.line = line
        self.name = name
        self.file = file


class Sources:
    """The files below the root folder of a project, which are named by their absolute paths."""

    def __init__(self, root=PROJECT):
        self.root = root.resolve()
        self._bytes = {}
        self._includes = {}

    def all(self):
        """Every C++ file, sorted."""
        return sorted(
            path for folder in FOLDERS for path in (self.root / folder).rglob("*") if path.suffix in (".cpp", ".hpp"))

    def name(self, path):
        """The path as messages and components have it: relative to the root, with slashes."""
        return path.relative_to(self.root).as_posix()

    def bytes(self, path):
        if path not in self._bytes:
            self._bytes[path] = path.read_bytes()
        return self._bytes[path]

    def text(self, path):
        return self.bytes(path).decode()

    def includes(self, path):
        """What the file includes itself, in its order."""
        if path not in self._includes:
            found = []
            for number, line in enumerate(self.text(path).splitlines(), start=1):
                match = INCLUDE.match(line)
                if match:
                    quoted, angled = match.groups()
                    found.append(Include(number, quoted or angled, self._resolved(path, quoted) if quoted else None))
            self._includes[path] = found
        return self._includes[path]

    def _resolved(self, path, name):
        for folder in [path.parent, *(self.root / folder for folder in FOLDERS), self.root]:
            candidate = (folder / name).resolve()
            if candidate.is_file():
                return candidate
        return None

    def closure(self, path):
        """The file itself and every file of the project that it includes, directly or through others, sorted."""
        seen, pending = {path}, [path]
        while pending:
            for include in self.includes(pending.pop()):
                if include.file and include.file not in seen:
                    seen.add(include.file)
                    pending.append(include.file)
        return sorted(seen)
