"""Runs the tests of the installed package: doctests, tests, README, notebooks; the last line is a summary that programs read."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


class Counts:
    """Counts outcomes."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed += 1
        elif report.skipped:
            self.skipped += 1
        elif report.when == "call":
            self.passed += 1

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed += 1


def main():
    """Runs pytest and exits with its code."""
    counts = Counts()
    arguments = [
        "-c",
        str(HERE.parent / "pyproject.toml"),
        "--rootdir",
        str(HERE.parent),
        "--doctest-glob=README.md",
        "--durations=8",
        # Two at a time: some wait for clusters, kernels and signals.
        "--numprocesses=2",
        "--dist=worksteal",
        *(sys.argv[1:] or ["impartial", str(HERE), str(HERE.parent / "README.md")]),
    ]
    code = pytest.main(arguments, plugins=[counts])
    verdict = "ok" if code == 0 else "FAILED"
    print(f"test result: {verdict}. {counts.passed} passed; {counts.failed} failed; {counts.skipped} ignored")
    sys.exit(int(code))


# Processes that the tests start import this file.
if __name__ == "__main__":
    main()
