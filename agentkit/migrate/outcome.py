"""What a run of `agentkit migrate` has to tell, for the terminal, the report and JSON alike."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import Any

from agentkit.migrate.files import File, Run


def diff(file: File) -> str:
    """The change of one file as a unified diff."""
    if file.result is None:
        return ""
    old, new = (text.splitlines(keepends=True) for text in (file.old, file.result.source))
    lines = difflib.unified_diff(old, new, f"a/{file.path}", f"b/{file.path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def summary(run: Run) -> dict[str, Any]:
    """The numbers of a run."""
    done = [file for file in run.files if file.result is not None]
    rules = Counter(change.code for file in done if file.changed for change in file.result.changes)  # type: ignore[union-attr]
    return {
        "files": run.seen,
        "changed": sum(file.changed and not file.error for file in run.files),
        "failed": sum(bool(file.error) for file in run.files),
        "left": sum(len(file.result.left) for file in done if file.result),
        "rewrites": dict(sorted(rules.items())),
    }


def as_json(run: Run, *, written: bool) -> dict[str, Any]:
    """The result of a run as JSON."""
    return {
        "written": written,
        "summary": summary(run),
        "files": [
            {
                "path": str(file.path),
                "changed": file.changed,
                "error": file.error or None,
                "changes": [{"code": c.code, "line": c.line} for c in file.result.changes] if file.result else [],
                "left": [{"code": left.code, "line": left.line, "reason": left.reason} for left in file.result.left]
                if file.result
                else [],
                "notes": [{"code": n.code, "line": n.line, "reason": n.reason} for n in file.result.notes]
                if file.result
                else [],
                "node_names": file.result.node_names if file.result else {},
                "diff": diff(file),
            }
            for file in run.files
        ],
    }
