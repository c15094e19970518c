"""Fail where a package whose mistakes let calls through has less than 95 % of its lines and branches covered."""

from __future__ import annotations

import subprocess
import sys

FLOOR = 95
PACKAGES = ("middleware", "hitl", "permissions", "prebuilt")


def main() -> int:
    """Report each package's coverage from the data of the last run; 1 where one is below the floor."""
    below = 0
    for package in PACKAGES:
        command = [sys.executable, "-m", "coverage", "report", f"--include=agentkit/{package}/*"]
        total = subprocess.run([*command, "--format=total"], capture_output=True, text=True, check=True).stdout.strip()
        print(f"agentkit.{package}: {total} %")
        if int(total) < FLOOR:
            below = 1
            print(f"  at least {FLOOR} % are needed; run: {' '.join(command)}")
    return below


if __name__ == "__main__":
    sys.exit(main())
