"""The demo's model: scripted, or the one that AGENTKIT_MODEL names."""

import os

from langchain.chat_models import init_chat_model

from agentkit.testing import ScriptedChatModel, call

NOTE = "the demo works"
SCRIPT = [[call("save_note", text=NOTE), call("count_words", text=NOTE)]]

name = os.environ.get("AGENTKIT_MODEL")
model = init_chat_model(name) if name else ScriptedChatModel(script=SCRIPT)
