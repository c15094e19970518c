import gradio as gr
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent


def roman(number: int) -> str:
    """A number in Roman numerals."""
    return "II" if number == 2 else "?"


agent = create_react_agent(ChatOpenAI(), tools=[roman])


def respond(message, history):
    messages = [{"role": h["role"], "content": h["content"]} for h in history]
    result = agent.invoke({"messages": [*messages, {"role": "user", "content": message}]})
    return result["messages"][-1].content


demo = gr.ChatInterface(respond, type="messages")
if __name__ == "__main__":
    demo.launch()
    print("bye")
