from langchain_community.agent_toolkits import SQLDatabaseToolkit
from langchain_community.utilities import SQLDatabase
from langchain_core.messages import SystemMessage
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent

db = SQLDatabase.from_uri("sqlite:///Chinook.db")
llm = ChatOpenAI(model="gpt-4o-mini")
toolkit = SQLDatabaseToolkit(db=db, llm=llm)
tools = toolkit.get_tools()
SQL_PREFIX = """You are an agent designed to interact with a SQL database.
Limit your query to at most {top_k} results. Dialect: {dialect}.""".format(top_k=5, dialect=db.dialect)
system_message = SystemMessage(content=SQL_PREFIX)
agent_executor = create_react_agent(llm, tools, prompt=system_message)
