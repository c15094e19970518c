"""Run upstream's own test suite with agentkit's names in the place of the originals.

The suite comes out of the release's source archive into `.cache/` and is never committed. Only the test
process sees agentkit's names. Tests that can't pass are listed, each with its reason, in
`.ci/expectations/<package>-<version>.toml`; one that passes all the same is an error, and so is an entry
that matches no test.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from envs import CACHE, ROOT, clean_env, run, sdist, unpack_tests, uv, versions


@dataclass(frozen=True)
class Suite:
    """Where a release's tests lie in its source archive, and what they import beside the release.

    Attributes:
        folder: What is unpacked and run. Conftests above it are left out: they want services and recorders.
        tools: Distributions to install where they are missing.
        left_out: Files that import a provider's package, which agentkit's environments do not have.
    """

    folder: str
    tools: tuple[str, ...]
    left_out: tuple[str, ...] = ()


SUITES = {
    "langgraph-prebuilt": Suite("tests", ("pytest-mock", "pytest-asyncio", "pytest-xdist", "syrupy")),
    "langchain": Suite(
        "tests/unit_tests/agents",
        ("pytest-mock", "pytest-asyncio", "pytest-xdist", "pytest-socket", "syrupy", "blockbuster"),
        left_out=("middleware/implementations/test_model_fallback.py",),
    ),
}

MEMORY = 8 * 2**30
PYTEST_INI = """[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
addopts = -q -p no:randomly -W ignore
markers =
    requires: needs a library
    benchmark: measures
"""


def main() -> int:
    """Parse the arguments, lay the suite out, run it."""
    options, pytest_arguments = _parser().parse_known_args()
    name, version, python = options.package, options.version, options.python.absolute()
    installed = versions(python, [name])[name]
    if installed != version:
        sys.exit(f"{python} has {name} {installed or '(none)'}, the suite asked for is that of {version}")
    _ensure_tools(python, name)
    expectations = ROOT / ".ci/expectations" / f"{name}-{version}.toml"
    suite = CACHE / "upstream" / f"{name}-{version}-{os.getpid()}"
    try:
        folder = SUITES[name].folder
        unpack_tests(sdist(name, version), suite, folder)
        for file in SUITES[name].left_out:
            (suite / folder / file).unlink(missing_ok=True)
        for parent in list(Path(folder).parents)[:-1]:
            (suite / parent / "__init__.py").touch()
        (suite / "pytest.ini").write_text(PYTEST_INI)
        command = [python, "-m", "pytest", "-p", "in_place", folder, *pytest_arguments]
        if not (options.original or options.record_original):
            command.append("--agentkit-in-place")
        command.append(f"--expectations={expectations}")
        environment = clean_env(
            PYTHONPATH=str(ROOT / ".ci/tools"), LANGGRAPH_TEST_FAST="true", LANGGRAPH_DEFAULT_RECURSION_LIMIT="50"
        )
        parts = [str(part) for part in command]
        if options.record_original:
            parts = [part for part in parts if not part.startswith("--expectations")] + [f"--junitxml={suite}.xml"]
        code = subprocess.run(parts, cwd=suite, env=environment, check=False, preexec_fn=_limit_memory).returncode
        if options.record_original:
            _record(Path(f"{suite}.xml"), expectations)
        return code
    finally:
        shutil.rmtree(suite, ignore_errors=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=".ci/upstream_tests",
        description=(__doc__ or "").partition("\n")[0],
        epilog="Every other argument goes to pytest.",
    )
    parser.add_argument("version", help="the release whose suite to run; it must be the one installed")
    parser.add_argument("--package", default="langgraph-prebuilt", choices=sorted(SUITES))
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="where to test")
    parser.add_argument("--original", action="store_true", help="leave upstream's names: checks the harness")
    parser.add_argument(
        "--record-original",
        action="store_true",
        help="as --original, and write what fails into the expectations file, for an environment's own failures",
    )
    return parser


def _record(report: Path, expectations: Path) -> None:
    """Add what failed with upstream's own names to the expectations, with the error as the reason."""
    entries = []
    for case in ElementTree.parse(report).iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            file = f"{case.get('classname', '')}".replace(".", "/")
            parts = file.split("/")
            classes = [part for part in parts if part[:1].isupper()]
            path = "/".join(part for part in parts if part not in classes) + ".py"
            test = "::".join([path, *classes, case.get("name", "")])
            said = " ".join((failure.get("message") or "").split())[:120]
            reason = f"Fails with upstream's own names in this environment too: {said}"
            entries.append(
                f"[[expected_failure]]\noriginal = true\ntest = {json.dumps(test)}\nreason = {json.dumps(reason)}\n"
            )
    report.unlink()
    if entries:
        head = "" if expectations.exists() else "# Tests that can't pass, each with its reason. `*` is a wildcard.\n\n"
        with expectations.open("a") as file_out:
            file_out.write(head + "\n".join(entries))


def _limit_memory() -> None:
    """An agent that never stops asking for tools must fail its test, not take the machine."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _ensure_tools(python: Path, name: str) -> None:
    missing = [tool for tool, version in versions(python, SUITES[name].tools).items() if not version]
    if missing:
        run([uv(), "pip", "install", "--quiet", "--python", python, *missing])


if __name__ == "__main__":
    sys.exit(main())
