"""The way off the legacy API: a codemod, and a check that two agents behave alike.

Example:
    ```python
    from agentkit.migrate import migrate_source

    print(migrate_source(open("app.py").read()).source)
    ```
"""

from agentkit.migrate.engine import Change, Left, Options, Result, migrate_source

__all__ = ["Change", "Left", "Options", "Result", "migrate_source"]
