import os
from flask import Flask, jsonify, request
from langgraph.prebuilt import create_react_agent as build_agent
app = Flask(__name__)
agent = build_agent(os.environ.get('MODEL', 'openai:gpt-4o'), tools=[], prompt=os.getenv('PROMPT'))
@app.route('/ask', methods=['POST'])
def ask():
  result = agent.invoke({'messages': [('user', request.json['q'])]})
  return jsonify(answer=result['messages'][-1].content)
