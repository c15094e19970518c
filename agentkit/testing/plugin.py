"""A pytest plugin: run a test suite with `langgraph.prebuilt` served by agentkit.

Example:
    ```
    pytest -p agentkit.testing.plugin --agentkit-install
    ```
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--agentkit-install`.

    Args:
        parser: The parser of pytest's options.
    """
    parser.getgroup("agentkit").addoption(
        "--agentkit-install",
        action="store_true",
        help="serve agentkit's versions of the deprecated names of langgraph.prebuilt (agentkit.install())",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Install before any conftest or test module is imported.

    Args:
        early_config: The configuration so far, which has this plugin's option.
    """
    if early_config.known_args_namespace.agentkit_install:
        import agentkit

        agentkit.install()
