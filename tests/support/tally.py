#!/usr/bin/env python3
"""Counts test cases over the test programs of a Meson build folder.

Prints `N passed, N failed` and exits with 1 if any failed or none passed. A doctest program counts as its cases;
a script counts as one. A program that failed without saying which case did (a crash, a time-out) counts as one more
failure.
"""
import json
import pathlib
import re
import sys

SUMMARY = re.compile(r"\[doctest\] test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def tally(log: pathlib.Path) -> tuple[int, int]:
    passed = failed = 0
    for line in log.read_text().splitlines():
        test = json.loads(line)
        summaries = SUMMARY.findall(COLOUR.sub("", test.get("stdout", "")))
        cases_failed = sum(int(bad) for _, bad in summaries)
        passed += sum(int(good) for good, _ in summaries)
        failed += cases_failed
        fine = test["result"] in ("OK", "EXPECTEDFAIL")
        if fine and not summaries:
            passed += 1
        if not fine and cases_failed == 0:
            failed += 1
    return passed, failed


def main() -> int:
    log = pathlib.Path(sys.argv[1]) / "meson-logs" / "testlog.json"
    passed, failed = tally(log) if log.exists() else (0, 0)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
