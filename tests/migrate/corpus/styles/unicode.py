# -*- coding: utf-8 -*-
from langgraph.prebuilt import create_react_agent

größe = create_react_agent("openai:gpt-4o", [], prompt="Antworte höflich – auf Deutsch: ‚ja‘ 🙂")
