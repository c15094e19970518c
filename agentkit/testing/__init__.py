"""Test agents without a provider: a scripted chat model and parity checks.

Example:
    ```python
    from agentkit.testing import ScriptedChatModel, call

    model = ScriptedChatModel(script=[call("add", a=1, b=2), "3"])
    ```
"""

from agentkit import _checked as _checked
from agentkit.testing.model import ModelCall, ScriptedChatModel, call
from agentkit.testing.parity import Difference, ParityError, assert_parity

__all__ = [
    "Difference",
    "ModelCall",
    "ParityError",
    "ScriptedChatModel",
    "assert_parity",
    "call",
]
