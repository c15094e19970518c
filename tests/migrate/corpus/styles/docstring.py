"""How to use it.

```python
from langgraph.prebuilt import create_react_agent

agent = create_react_agent("openai:gpt-4o", [], prompt="x")
```
"""


def helper():
    r"""Also here.

    ```py
    from langgraph.prebuilt import create_react_agent
    ```
    """
