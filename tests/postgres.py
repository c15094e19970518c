"""A PostgreSQL server of the tests' own, from Debian's packages: own port, own data folder, never as root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    "listen_addresses": "127.0.0.1",
}


def find_binaries() -> Path | None:
    """The folder with `initdb` and `postgres`: Debian keeps them out of the path."""
    folders = [Path(found).resolve().parent] if (found := shutil.which("initdb")) else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


@contextmanager
def server() -> Iterator[str]:
    """Start a server; ends it and removes its data afterwards.

    Yields:
        The connection string.
    """
    binaries = find_binaries()
    assert binaries is not None
    folder = Path(tempfile.mkdtemp(prefix="agentkit-postgres-"))
    user = _somebody()
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    own: dict[str, Any] = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
    data, process = folder / "data", None
    try:
        command = [
            binaries / "initdb",
            "-D",
            data,
            "-U",
            "tests",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
            "--locale=C",
        ]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, **own)
        port = _free_port()
        settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
        command = [binaries / "postgres", "-D", data, "-p", str(port), "-k", folder, *settings]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, **own)
        _wait(folder / "log", process)
        yield f"postgresql://tests@127.0.0.1:{port}/postgres"
    finally:
        if process is not None:
            process.send_signal(signal.SIGINT)  # ends its clients too
            process.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _somebody() -> str | None:
    """Who runs it where the tests run as root, which PostgreSQL refuses."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _wait(log: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the server says that it is ready."""
    with log.open() as lines:
        while process.poll() is None:
            line = lines.readline()
            if "ready to accept connections" in line:
                return
            if not line:
                os.sched_yield()
    raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")
