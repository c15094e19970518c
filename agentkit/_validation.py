"""Validate tool calls against schemas, for ValidationNode and ValidationMiddleware."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import ToolCall, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, create_schema_from_function
from langchain_core.utils.pydantic import is_basemodel_subclass
from langgraph.prebuilt.tool_node import INVALID_TOOL_NAME_ERROR_TEMPLATE
from pydantic import BaseModel, ValidationError, create_model
from pydantic.v1 import BaseModel as BaseModelV1
from pydantic.v1 import ValidationError as ValidationErrorV1
from pydantic.v1 import create_model as create_model_v1

Schema = type[BaseModel] | type[BaseModelV1]
FormatError = Callable[[BaseException, ToolCall, Any], str]


def default_format_error(error: BaseException, call: ToolCall, schema: Any) -> str:
    """Say what is wrong and ask for another call."""
    return f"{error!r}\n\nRespond after fixing all validation errors."


class CallValidator:
    """Checks tool calls against schemas by tool name.

    Args:
        schemas: Tools, pydantic classes (also of pydantic v1) or functions.
        format_error: Makes the text of an error message from the error, the call and the schema.

    Raises:
        ValueError: If a schema is none of these.
    """

    def __init__(self, schemas: Sequence[Any], format_error: FormatError | None = None) -> None:
        self.format_error = format_error or default_format_error
        self.schemas_by_name: dict[str, Schema] = {}
        self._injected: dict[str, set[str]] = {}
        for schema in schemas:
            name, model, injected = _schema_of(schema)
            self.schemas_by_name[name] = model
            self._injected[name] = injected

    def check(self, call: ToolCall) -> ToolMessage:
        """Validate one call.

        Args:
            call: The tool call.

        Returns:
            A message with the validated arguments as JSON, or an error message.
        """
        schema = self.schemas_by_name.get(call["name"])
        if schema is None:
            names = ", ".join(self.schemas_by_name)
            text = INVALID_TOOL_NAME_ERROR_TEMPLATE.format(requested_tool=call["name"], available_tools=names)
            return _message(text, call, is_error=True)
        injected = self._injected[call["name"]]
        arguments = {name: value for name, value in call["args"].items() if name not in injected}
        try:
            if issubclass(schema, BaseModel):
                content = schema.model_validate(arguments).model_dump_json(exclude=injected or None)
            else:
                content = schema.validate(arguments).json(exclude=injected or None)
        except (ValidationError, ValidationErrorV1) as error:
            return _message(self.format_error(error, call, schema), call, is_error=True)
        return _message(content, call, is_error=False)


def _message(content: str, call: ToolCall, *, is_error: bool) -> ToolMessage:
    return ToolMessage(
        content=content,
        name=call["name"],
        tool_call_id=str(call["id"]),
        status="error" if is_error else "success",
        additional_kwargs={"is_error": True} if is_error else {},
    )


def _schema_of(schema: Any) -> tuple[str, Schema, set[str]]:
    """The tool name, the class that validates, and the parameters the model does not fill in."""
    if isinstance(schema, BaseTool):
        return (schema.name, *_schema_of_tool(schema))
    if isinstance(schema, type) and issubclass(schema, BaseModel | BaseModelV1):
        return schema.__name__, schema, set()
    if callable(schema):
        tool = StructuredTool.from_function(
            schema,
            description=schema.__doc__ or schema.__name__,
            args_schema=create_schema_from_function("Validation", schema),
        )
        return (schema.__name__, *_schema_of_tool(tool))
    raise ValueError(
        f"Unsupported input to ValidationNode. Expected BaseModel, tool or function. Got: {type(schema)}. "
        "A JSON schema has no validators to run: write it as a pydantic class."
    )


def _schema_of_tool(tool: BaseTool) -> tuple[Schema, set[str]]:
    schema: Any = tool.args_schema
    if schema is None:
        raise ValueError(f"Tool {tool.name} does not have an args_schema defined.")
    if not isinstance(schema, type) or not is_basemodel_subclass(schema):
        raise ValueError(
            "Validation node only works with tools that have a pydantic BaseModel args_schema. "
            f"Got {tool.name} with args_schema: {schema}."
        )
    injected = _field_names(schema) - _field_names(tool.tool_call_schema)
    if not injected:
        return schema, injected
    # A subclass keeps the validators of the class, which a model of the other fields alone would lose.
    make: Any = create_model if issubclass(schema, BaseModel) else create_model_v1
    return make(schema.__name__, __base__=schema, **dict.fromkeys(injected, (Any, None))), injected


def _field_names(schema: Any) -> set[str]:
    return set(schema.model_fields if issubclass(schema, BaseModel) else schema.__fields__)
