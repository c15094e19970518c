"""Run langchain's tests of HumanInTheLoopMiddleware on agentkit's subclass of it.

The suite comes out of the release's source archive into `.cache/` and is never committed. The tests replace
`interrupt` in langchain's module; here the name is changed to that of the module which calls it in agentkit.
What differs on purpose is in `.ci/expectations/langchain-hitl-<version>.toml`, each with its reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from envs import CACHE, ROOT, clean_env, sdist, unpack_tests

FOLDER = "tests/unit_tests/agents"
FILE = f"{FOLDER}/middleware/implementations/test_human_in_the_loop.py"
THEIRS, OURS = "langchain.agents.middleware.human_in_the_loop.interrupt", "agentkit.middleware._interrupts.interrupt"
INI = """[pytest]
asyncio_mode = auto
addopts = -q -p no:randomly -W ignore
"""


def main() -> int:
    """Lay the suite out, change the patched name, run it."""
    version, *pytest_arguments = sys.argv[1:]
    suite = CACHE / "upstream" / f"langchain-hitl-{version}-{os.getpid()}"
    try:
        unpack_tests(sdist("langchain", version), suite, FOLDER)
        for parent in ("tests", "tests/unit_tests"):
            (suite / parent / "__init__.py").touch()
        path = suite / FILE
        path.write_text(path.read_text().replace(THEIRS, OURS))
        (suite / "pytest.ini").write_text(INI)
        expectations = ROOT / ".ci/expectations" / f"langchain-hitl-{version}.toml"
        command = [sys.executable, "-m", "pytest", "-p", "in_place", "--noconftest", FILE, *pytest_arguments]
        command += ["--agentkit-in-place", "--agentkit-review", f"--expectations={expectations}"]
        environment = clean_env(PYTHONPATH=str(ROOT / ".ci/tools"))
        return subprocess.run(command, cwd=suite, env=environment, check=False).returncode
    finally:
        shutil.rmtree(suite, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
