"""Imported first by each public module: refuses versions that are known not to work together."""

from agentkit._compat import check

check()
