"""Errors as HTTP answers: always `{"code", "why", "clause", "about"}`, fitting status, never a traceback."""

from typing import Any, Final

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException, SerializationException, ValidationException
from msgspec import Struct

from hainan.server.problem import Problem
from hainan.server.store import StoreError
from hainan.server.wording import understandable
from hainan.wire import About, Refusal

STATUS: Final = {
    Refusal.BAD_JSON: 400,
    Refusal.BAD_MESSAGE: 400,
    Refusal.PROTOCOL: 400,
    Refusal.BAD_SETTINGS: 400,
    Refusal.NOT_SIGNED_IN: 401,
    Refusal.WRONG_PASSWORD: 401,
    Refusal.WRONG_ORIGIN: 403,
    Refusal.NOT_YOURS: 403,
    Refusal.NOT_OWNER: 403,
    Refusal.KICKED: 403,
    Refusal.NO_SUCH_ROOM: 404,
    Refusal.NO_SUCH_PLAYER: 404,
    Refusal.NOT_FOUND: 404,
    Refusal.TOO_LONG: 413,
    Refusal.TOO_FAST: 429,
    Refusal.INTERNAL: 500,
    Refusal.STORAGE: 503,
    Refusal.DRAINING: 503,
    Refusal.BUSY: 503,
}
"""The status of each code; 409 for all others: not now, or not in this state."""
_OF_STATUS: Final = {
    401: Refusal.NOT_SIGNED_IN,
    403: Refusal.NOT_YOURS,
    404: Refusal.NOT_FOUND,
    405: Refusal.NOT_FOUND,
    413: Refusal.TOO_LONG,
    429: Refusal.TOO_FAST,
}


class Error(Struct, frozen=True):
    """Why a call was refused."""

    code: Refusal
    why: str
    """A sentence for people."""
    clause: str | None = None
    """The clause of the rule book that forbids it."""
    about: About | None = None
    """For something that was sent and can't be used: where, and the sentence in parts."""


def status_of(problem: Problem) -> int:
    """The HTTP status of a refusal."""
    return STATUS.get(problem.code, 409)


def headers_of(problem: Problem) -> dict[str, str]:
    """Headers that belong to a refusal."""
    headers = {"Cache-Control": "no-store"}
    if problem.wait is not None:
        headers["Retry-After"] = str(max(1, round(problem.wait)))
    if status_of(problem) == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return headers


def body_of(problem: Problem) -> Error:
    """The body of a refusal."""
    return Error(problem.code, problem.why, problem.clause, problem.about)


# ---------------------------------------------------------------- what Litestar raises


def problem_of(error: Exception) -> Problem:
    """The refusal that an exception amounts to."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, RecursionError):
        return Problem(Refusal.BAD_JSON, "nested too deep")
    if isinstance(error, ValidationException):
        return Problem(Refusal.BAD_MESSAGE, _invalid(error))
    if isinstance(error, SerializationException):
        return Problem(Refusal.BAD_JSON, f"not JSON: {error.detail}")
    if isinstance(error, HTTPException):
        return _of_http(error)
    if isinstance(error, StoreError):
        return Problem(Refusal.STORAGE, "the storage doesn't answer: try again in a moment", wait=5)
    return Problem(Refusal.INTERNAL, "something went wrong here; it was logged under this request's id")


def _of_http(error: HTTPException) -> Problem:
    if error.status_code == 405:
        return Problem(Refusal.NOT_FOUND, "this address isn't there for this method")
    if isinstance(error.__cause__, SerializationException | msgspec.DecodeError | RecursionError):
        return problem_of(_root(error))
    code = _OF_STATUS.get(
        error.status_code, Refusal.INTERNAL if error.status_code >= 500 else Refusal.BAD_MESSAGE
    )
    said = {404: "there is nothing at this address", 413: "this is too long"}
    return Problem(code, said.get(error.status_code, "this request can't be understood"))


def _root(error: BaseException) -> Exception:
    cause: Any = error
    while isinstance(cause.__cause__, Exception):
        cause = cause.__cause__
    if isinstance(cause, msgspec.ValidationError):
        return Problem(Refusal.BAD_MESSAGE, understandable(cause))
    if isinstance(cause, msgspec.DecodeError):
        return Problem(Refusal.BAD_JSON, f"not JSON: {cause}")
    return cause if isinstance(cause, RecursionError) else SerializationException("malformed")


def _invalid(error: ValidationException) -> str:
    parts: list[str] = []
    for item in error.extra if isinstance(error.extra, list) else []:
        if isinstance(item, dict):
            said = understandable(str(item.get("message", "is wrong")))
            key = item.get("key")
            parts.append(f"{key}: {said}" if key and key != "data" else said)
    if parts == ["'data'"]:  # Litestar's words for it
        return "a body is missing: it should be a JSON object"
    return "; ".join(parts) or "this request can't be understood"


def answer(error: Exception) -> Response[Error]:
    """The answer to a call that failed, however it did."""
    problem = problem_of(error)
    status = error.status_code if isinstance(error, HTTPException) and error.status_code == 405 else None
    return Response(
        body_of(problem),
        status_code=status or status_of(problem),
        headers=headers_of(problem),
        media_type="application/json",
    )
