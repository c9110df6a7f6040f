#!/usr/bin/env python3
"""Compiles every header of the library alone, so that none relies on what a source or another header includes before it.

Usage: headers.py <folder for precompiled headers> <clang++>

Most of the time goes to what nearly all headers include. So a few headers are precompiled, and every other one is
compiled on top of one that it includes anyway. This hides nothing: a header sees what it includes and what these
headers include in turn, and each of them is compiled alone, too.
"""
import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys

ROOMS = ["core", "storage", "query", "hierarchy", "include"]
# Each includes more than those before it. Others would take more time to write than they save.
PRECOMPILED = [
    "core/entity.hpp",
    "core/plain_list.hpp",
    "core/component.hpp",
    "storage/tables/archetype.hpp",
    "storage/store.hpp",
    "include/strata/world.hpp",
]
# What headers of a folder need beside the standard library.
LIBRARIES = {"json": "nlohmann/json.hpp", "zstd": "zstd.h", "tbb": "oneapi/tbb/task_arena.h"}
INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')


@functools.cache
def included_by(header: str) -> frozenset[str]:
    folder = os.path.dirname(header)
    with open(header) as lines:
        names = [found[1] for found in map(INCLUDE.match, lines) if found]
    names = [os.path.normpath(os.path.join(folder, name)) for name in names]
    return frozenset(names).union(*map(included_by, names))


class Compiler:
    def __init__(self, folder: str, command: str):
        self.folder = folder
        self.command = [command, "-std=c++20", "-x", "c++-header"]
        self.precompiled: list[str] = []

    def precompile(self, header: str) -> str:
        """Returns: what the compiler says if it refuses the header, else nothing."""
        return self._run([header, "-o", self._file(header)])

    def compile(self, header: str) -> str:
        bases = [name for name in self.precompiled if name in included_by(header)]
        base = ["-include-pch", self._file(bases[-1])] if bases else []
        return self._run([header, "-fsyntax-only", *base])

    def finds(self, header: str) -> bool:
        return not self._run(["-fsyntax-only", "-"], f"#include <{header}>\n")

    def _run(self, arguments: list[str], text: str = "") -> str:
        command = self.command + arguments
        run = subprocess.run(command, input=text, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.stdout or f"ended with {run.returncode}\n" if run.returncode else ""

    def _file(self, header: str) -> str:
        return os.path.join(self.folder, header.replace("/", "+") + ".pch")


def main() -> int:
    compiler = Compiler(*sys.argv[1:])
    os.makedirs(compiler.folder, exist_ok=True)
    headers = sorted(str(path) for room in ROOMS for path in pathlib.Path(room).rglob("*.hpp"))
    for part, library in LIBRARIES.items():
        if not compiler.finds(library):
            print(f"skipped: the headers in include/strata/{part}, as there is no <{library}>")
            headers = [header for header in headers if not header.startswith(f"include/strata/{part}/")]
    others = [header for header in headers if header not in PRECOMPILED]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        # The largest first, so that the run does not end with one core at work.
        answers = dict(zip(PRECOMPILED[::-1], pool.map(compiler.precompile, PRECOMPILED[::-1])))
        compiler.precompiled = [header for header in PRECOMPILED if not answers[header]]
        answers.update(zip(others, pool.map(compiler.compile, others)))
    # A header that lacks an include is shown before those that include it.
    for header in sorted(headers, key=lambda header: len(included_by(header))):
        if answers[header]:
            print(f"{header} does not compile alone:\n{answers[header]}")
    refused = sum(map(bool, answers.values()))
    print(f"{len(headers) - refused} of {len(headers)} headers compile alone")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
