SYSTEM_PROMPT = "You plan."


def make_prompt(role):
    return f"You are a {role}."
