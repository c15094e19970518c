TEMPLATES = {"blog": "You write blog posts.", "mail": "You write mails."}


def get_prompt_template(kind: str) -> str:
    """The prompt of a kind."""
    try:
        return TEMPLATES[kind]
    except KeyError:
        raise ValueError(f"no prompt {kind}") from None
