"""The result of a run as one self-contained HTML page."""

from __future__ import annotations

from html import escape

from agentkit.migrate.explain import RULES
from agentkit.migrate.files import File, Run
from agentkit.migrate.outcome import diff, summary

_STYLE = """
:root { color-scheme: light dark; --add: #d7f5dd; --del: #fbdcdc; --line: #8884; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --add: #16401f; --del: #4a1d1d; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .2rem 1rem .2rem 0; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .6rem 0; }
summary { padding: .5rem .8rem; cursor: pointer; background: var(--soft); overflow-wrap: anywhere; }
ul { margin: .5rem 1rem; } pre { overflow-x: auto; margin: 0; padding: .5rem 0; font-size: 13px; }
pre span { display: block; padding: 0 .8rem; white-space: pre; min-width: max-content; }
.add { background: var(--add); } .del { background: var(--del); } .at { opacity: .6; }
"""


def page(run: Run, *, written: bool) -> str:
    """Write the page: the numbers, then each file with its diff and what stays and why."""
    numbers = summary(run)
    rules = "".join(
        f"<tr><td>{code}</td><td>{count}</td><td>{escape(RULES[code].title)}</td></tr>"
        for code, count in numbers["rewrites"].items()
    )
    verb = "changed" if written else "would change"
    files = "".join(_file(file) for file in run.files)
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'>"
        f"<title>agentkit migrate</title><style>{_STYLE}</style></head><body>"
        "<h1>agentkit migrate</h1>"
        f"<p>{numbers['files']} files looked at, {numbers['changed']} {verb}, "
        f"{numbers['left']} left on the shim, {numbers['failed']} failed.</p>"
        f"<table><tr><th>rule</th><th>rewrites</th><th>what</th></tr>{rules}</table>"
        f"{files}</body></html>\n"
    )


def _file(file: File) -> str:

    left = file.result.left if file.result else []
    notes = [f"line {item.line}: {item.code} left on the shim: {item.reason}" for item in left]
    notes += [f"line {n.line}: {n.code} rewritten: {n.reason}" for n in (file.result.notes if file.result else [])]
    if file.error:
        notes.append(f"failed: {file.error}")
    reasons = "".join(f"<li>{escape(note)}</li>" for note in notes)
    lines = "".join(_line(line) for line in diff(file).splitlines())
    opened = " open" if len(lines) < 20_000 else ""
    return (
        f"<details{opened}><summary>{escape(str(file.path))}</summary>"
        f"{f'<ul>{reasons}</ul>' if reasons else ''}<pre>{lines}</pre></details>"
    )


def _line(line: str) -> str:
    kind = "add" if line.startswith("+") else "del" if line.startswith("-") else "at" if line.startswith("@") else ""
    return f"<span class='{kind}'>{escape(line) or ' '}</span>"
