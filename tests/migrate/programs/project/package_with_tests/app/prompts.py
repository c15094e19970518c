SYSTEM_PROMPT = """You are the assistant of an app."""
