"""What of a notebook's cell is not Python: magics and shell lines."""

from __future__ import annotations

import re

# A line that is none, indented by `indent`; where its result is assigned, to `target`.
MAGIC = re.compile(
    r"""^(?P<indent>[ \t]*)(?:
        (?P<target>[A-Za-z_][\w,\ ]*)=\s*[%!].*   # files = !ls
        | [%!?].*                                 # %time f(), !ls, ?f
        | [\w.\[\]'",\ ]+\?{1,2}\s*              # f?
    )$""",
    re.VERBOSE,
)
# Cell magics whose body is Python; the body of any other is left alone.
_PYTHON_CELLS = ("time", "timeit", "capture", "prun")


# A cell that is written to a file of its own, and that no other cell shares names with.
WRITTEN = re.compile(r"%%(?:writefile|file)\s+(?:-a\s+)?\S+\.pyi?\s*$", re.MULTILINE)


def is_python(source: str) -> bool:
    """Whether a cell's source is Python, but for lines that match `MAGIC`."""
    return (
        WRITTEN.match(source) is not None
        or not source.startswith("%%")
        or source[2:].split(None, 1)[:1] in [[name] for name in _PYTHON_CELLS]
    )
