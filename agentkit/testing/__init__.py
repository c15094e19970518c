"""Test agents without a provider: a scripted chat model and parity checks.

Example:
    ```python
    from agentkit.testing import ScriptedChatModel, call

    model = ScriptedChatModel(script=[call("add", a=1, b=2), "3"])
    ```
"""

from agentkit.testing.model import ModelCall, ScriptedChatModel, call

__all__ = ["ModelCall", "ScriptedChatModel", "call"]
