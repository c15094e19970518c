"""The one door to upstream's private parts.

Every underscored name or module of langgraph, langchain, langchain-core and deepagents that agentkit
uses is imported here and nowhere else, and each has a contract test in `tests/test_upstream.py` that
says what shape is relied on. Nothing that upstream has deprecated is imported.
"""

from __future__ import annotations
