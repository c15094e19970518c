"""What the programs of the corpus use of FastAPI: routes that can be called."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any


class HTTPException(Exception):
    def __init__(self, status_code: int, detail: str = "") -> None:
        super().__init__(detail)
        self.status_code = status_code


class _Routes:
    def __init__(self, **options: Any) -> None:
        self.options, self.routes = options, {}
        self.state = types.SimpleNamespace()

    def post(self, path: str, **_: Any) -> Callable[[Any], Any]:
        def keep(function: Any) -> Any:
            self.routes[path] = function
            return function

        return keep

    get = websocket = post

    def include_router(self, router: _Routes, **_: Any) -> None:
        self.routes.update(router.routes)


class FastAPI(_Routes): ...


class APIRouter(_Routes): ...


class StreamingResponse:
    def __init__(self, content: Any, media_type: str = "") -> None:
        self.content = content


def Depends(function: Callable[..., Any]) -> Any:
    return function()
