"""All prompts of the project."""

CODER = """You write code.
Use type hints.
"""

REVIEW_PROMPT: str = "You review code."
