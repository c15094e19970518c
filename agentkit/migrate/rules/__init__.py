"""What becomes of a call of `create_react_agent`: one rule a module; their words are in `rules.md`."""
