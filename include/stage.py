#!/usr/bin/env python3
"""Writes the library in the forms in which it is passed on.

stage.py headers FOLDER    strata/*.hpp, and strata/detail/... for the headers that they include
stage.py two-files FOLDER  strata.hpp and strata.cpp: all headers in one, all sources in the other

In the rooms, headers include each other by relative paths; in FOLDER by installed ones, <strata/detail/...>.
CMake writes the same headers by include/stage.cmake; tests/consumers/run compares the two.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ["core", "storage", "query", "hierarchy", "include/strata"]
INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)
PUBLIC_INCLUDE = re.compile(r"^#include <(strata/[^>]+)>\n", re.MULTILINE)
# An include that stands alone in a condition is a part of the condition.
ANY_INCLUDE = re.compile(r"(?:^#if .*\n)?^#include .*\n", re.MULTILINE)


def included(file: Path, name: str) -> Path:
    return (file.parent / name).resolve()


def with_included(files: list[Path], found: dict[Path, str] | None = None) -> dict[Path, str]:
    """Returns: the text of the files and of all headers that they include, each after what it includes itself."""
    found = {} if found is None else found
    for file in files:
        if file in found:
            continue
        text = file.read_text()
        own = [included(file, name) for name in INCLUDE.findall(text)]
        own += [ROOT / "include" / name for name in PUBLIC_INCLUDE.findall(text)]
        with_included(own, found)
        found[file] = text
    return found


def installed(file: Path) -> str:
    """Returns: the name by which an installed header is included."""
    path = file.relative_to(ROOT)
    return str(path.relative_to("include")) if path.parts[0] == "include" else f"strata/detail/{path}"


def write(file: Path, text: str) -> None:
    """Writes a file, unless it has the text already: then nothing that depends on it is built again."""
    if not file.exists() or file.read_text() != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def stage_headers(folder: Path) -> None:
    public = sorted((ROOT / "include/strata").glob("*.hpp"))
    public += [ROOT / f"include/strata/{name}" for name in ("json/json.hpp", "tbb/tbb_executor.hpp", "zstd/zstd.hpp")]
    for file, text in with_included(public).items():
        text = INCLUDE.sub(lambda found: f"#include <{installed(included(file, found[1]))}>\n", text)
        write(folder / installed(file), text)


def joined(first: str, texts: list[str]) -> str:
    """Returns: one file with the texts, without what they include of each other, and with each standard header once."""
    seen: set[str] = set()

    def once(include: re.Match[str]) -> str:
        line = include[0]
        if line.startswith("#if"):
            return line
        if INCLUDE.match(line) or PUBLIC_INCLUDE.match(line) or line in seen:
            return ""
        seen.add(line)
        return line

    parts = [ANY_INCLUDE.sub(once, text.replace("#pragma once\n", "")).strip() for text in texts]
    return "\n\n".join([first, *parts]) + "\n"


def stage_two_files(folder: Path) -> None:
    # The first header refuses compilers that are too old, before they see anything else.
    public = with_included([ROOT / "core/compiler.hpp", *sorted((ROOT / "include/strata").glob("*.hpp"))])
    # What needs other libraries is no part of the two files.
    found = (file for room in ROOMS for file in (ROOT / room).rglob("*.cpp"))
    sources = sorted(file for file in found if file.parent.name != "json")
    inner = [text for file, text in with_included(sources).items() if file not in public]
    write(folder / "strata.hpp", joined("// strata: all headers in one.\n#pragma once", list(public.values())))
    write(folder / "strata.cpp", joined('// strata: all sources in one.\n#include "strata.hpp"', inner))


def main() -> None:
    forms = {"headers": stage_headers, "two-files": stage_two_files}
    if len(sys.argv) != 3 or sys.argv[1] not in forms:
        sys.exit(__doc__)
    # Below where Meson installs, if it does.
    forms[sys.argv[1]](Path(os.environ.get("MESON_INSTALL_DESTDIR_PREFIX", "")) / sys.argv[2])


if __name__ == "__main__":
    main()
