"""What a client sends, in which order and after which waits, without any input or output of its own.

Everything here is a flow: a generator that yields what to do (`Send`, `Sleep`) and is sent what came of it. The
synchronous and the asynchronous client run the same flows.
"""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO, Generic, TypeVar
from urllib.parse import quote, urlencode

from ._errors import ApiError, GenerationServiceError, ResponseError, UnexpectedResponseError, seconds_of
from ._limiter import Limiter

_budget = 20.0
_page_rows = 100
# The slowest connection, in bytes a second, on which an attempt to upload is not given up.
_slowest_upload = 250_000
_most_hints = 1000

Data = TypeVar("Data")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Form:
    """A file as a form: the fields come before it."""

    fields: Mapping[str, str]
    file: BinaryIO
    content_type: str


@dataclass(frozen=True)
class Send:
    """Send a request."""

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)
    body: bytes | Form | None = field(repr=False, default=None)
    timeout: float = 0.0


@dataclass(frozen=True)
class Sleep:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    """A response: its headers are by lower-case name."""

    status: int
    headers: Mapping[str, str]
    content: bytes


Flow = Generator[Send | Sleep, Any, Result]


@dataclass(frozen=True)
class Route(Generic[Data]):
    """Where and how an operation is called.

    A keyed one takes an `Idempotency-Key`; a public one needs no token; a repeatable one is a POST that is safe to repeat
    without a key; `rows` and `cursor` name the list in a page of rows, and the member of a row to continue after.
    """

    method: str
    path: str
    keyed: bool = False
    public: bool = False
    repeatable: bool = False
    rows: str = ""
    cursor: str = ""


@dataclass(frozen=True)
class Response(Generic[Data]):
    """The unwrapped response to a call."""

    status: int
    headers: Mapping[str, str]
    data: Data


@dataclass(frozen=True)
class Options:
    base_url: str
    token: str | None = field(repr=False)
    max_retries: int
    attempt_timeout_seconds: float
    timeout_seconds: float


class Core:
    """The flows of calls, and what all calls of a client share: its rate limit and its budget of retries."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._limiter = Limiter()
        self._budget = _budget
        self._poll_at: dict[str, float] = {}
        self.clock: Callable[[], float] = time.monotonic
        self.random: Callable[[], float] = random.random

    def call(
        self,
        route: Route[Data],
        *,
        params: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> Flow[Response[Data]]:
        """Calls an operation. The key of its first attempt is kept for the others."""
        key = None if dry_run else idempotency_key or (str(uuid.uuid4()) if route.keyed else None)
        token = self.options.token
        send = Send(
            route.method,
            self._url(route.path, params or {}, query or {}),
            {
                "Accept": "application/json",
                **({"Authorization": f"Bearer {token}"} if token is not None else {}),
                **({"Content-Type": "application/json"} if body is not None else {}),
                **({"Idempotency-Key": key} if key is not None else {}),
                **({"X-Dry-Run": "true"} if dry_run else {}),
                **(headers or {}),
            },
            json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() if body is not None else None,
        )
        is_safe = route.method != "POST" or route.repeatable or key is not None or dry_run
        limits = replace(
            self.options,
            max_retries=self.options.max_retries if max_retries is None else max_retries,
            timeout_seconds=self.options.timeout_seconds if timeout_seconds is None else timeout_seconds,
        )
        is_limited = token is not None and not route.public
        response: Response[Data] = yield from self._attempts(
            send, _read, limits, is_safe=is_safe, is_limited=is_limited
        )
        self._keep_hint(response)
        return response

    def store(self, send: Send, size: int) -> Flow[Answer]:
        """Sends a file, or a part of one, to the storage."""
        attempt = 30 + size / _slowest_upload
        limits = replace(self.options, attempt_timeout_seconds=attempt, timeout_seconds=5 * attempt)
        return (yield from self._attempts(send, _stored, limits, is_safe=True, is_limited=False))

    def wait_of_hint(self, headers: Mapping[str, str]) -> float | None:
        """How long a response asks to wait, with jitter so that clients do not come back at once."""
        seconds = seconds_of(headers.get("retry-after"))
        return None if seconds is None else seconds * self._jitter()

    def wait_before_first_poll(self, task_id: str) -> float:
        """How long to wait before the first poll of a task; 0 unless this client created it."""
        return max(0.0, self._poll_at.pop(task_id, 0.0) - self.clock()) * self._jitter()

    def _jitter(self) -> float:
        return 1 + self.random() / 10

    def _keep_hint(self, response: Response[Any]) -> None:
        """Remembers when to poll a task that was created."""
        seconds = seconds_of(response.headers.get("retry-after"))
        task_id = response.data.get("taskId") if isinstance(response.data, dict) else None
        if seconds is None or not isinstance(task_id, str):
            return
        self._poll_at[task_id] = self.clock() + seconds
        # Back ends that wait for webhooks never ask for the hints.
        if len(self._poll_at) > _most_hints:
            self._poll_at.pop(next(iter(self._poll_at)), None)

    def _url(self, path: str, params: Mapping[str, str], query: Mapping[str, object]) -> str:
        filled = path.format_map({name: quote(value, safe="") for name, value in params.items()})
        pairs = {name: str(value) for name, value in query.items() if value is not None}
        return f"{self.options.base_url.rstrip('/')}{filled}{'?' if pairs else ''}{urlencode(pairs)}"

    def _attempts(
        self, send: Send, read: Callable[[Answer], Result], limits: Options, *, is_safe: bool, is_limited: bool
    ) -> Flow[Result]:
        retries = 0
        end: float | None = None
        while True:
            while is_limited and (held := self._limiter.admit(self.clock())) > 0:
                yield Sleep(held)
            end = self.clock() + limits.timeout_seconds if end is None else end
            # The rate limit can have held the attempt back beyond the end; no time-out may be 0 or less.
            timeout = max(0.001, min(limits.attempt_timeout_seconds, end - self.clock()))
            try:
                result = yield from self._attempt(replace(send, timeout=timeout), read, is_limited)
            except GenerationServiceError as error:
                wait = self._wait_before_retry(error, retries, is_safe) if retries < limits.max_retries else None
                if wait is None or self.clock() + wait >= end:
                    raise
            else:
                self._budget = min(_budget, self._budget + 0.1)
                return result
            yield Sleep(wait)
            retries += 1

    def _attempt(self, send: Send, read: Callable[[Answer], Result], is_limited: bool) -> Flow[Result]:
        if not is_limited:
            return read((yield send))
        headers: Mapping[str, str] = {}
        try:
            answer = yield send
            headers = answer.headers
            return read(answer)
        finally:
            self._limiter.leave(self.clock(), headers)

    def _wait_before_retry(self, error: GenerationServiceError, retries: int, is_safe: bool) -> float | None:
        """How long to wait before the next attempt, if there may be one."""
        headers: Mapping[str, str] = {}
        if isinstance(error, ResponseError):
            had_no_effect = isinstance(error, ApiError) and error.status in (429, 503)
            is_safe = error.retryable and (is_safe or had_no_effect)
            headers = error.headers
        if not is_safe:
            return None
        wait = self.wait_of_hint(headers)
        if wait is not None:
            return wait
        if self._budget < 1:
            return None
        self._budget -= 1
        return self.random() * min(60.0, 2.0**retries)


class Rows:
    """The pages of a list, each after the last row of the one before."""

    def __init__(self, core: Core, route: Route[Any], request: Mapping[str, Any]) -> None:
        self.ended = False
        self._core = core
        self._route = route
        self._request = request
        self._query: dict[str, Any] = {"limit": None, **request.get("query", {})}
        self._query["limit"] = self._query["limit"] or _page_rows

    def page(self) -> Flow[list[Any]]:
        """The next rows."""
        query = self._query
        response = yield from self._core.call(self._route, **{**self._request, "query": query})
        rows: list[Any] = response.data[self._route.rows]
        # A page can be short before the last, because rows that cannot be read are left out.
        self.ended = not rows
        if rows:
            query.update(after=rows[-1][self._route.cursor], offset=None)
        return rows


def _read(answer: Answer) -> Response[Any]:
    """The data of a success. Raises the error of any other response."""
    try:
        envelope = json.loads(answer.content)
    except ValueError:
        text = f"The response with status {answer.status} is not JSON."
        raise UnexpectedResponseError(text, status=answer.status, headers=answer.headers) from None
    members = envelope if isinstance(envelope, dict) else {}
    if 200 <= answer.status < 300 and members.get("success") is True:
        return Response(answer.status, answer.headers, members.get("data"))
    error = members.get("error")
    if isinstance(error, dict) and isinstance(error.get("code"), str):
        message = str(error.get("message"))
        raise ApiError.of(message, code=error["code"], status=answer.status, headers=answer.headers)
    text = f"The response with status {answer.status} does not have the form of the service's responses."
    raise UnexpectedResponseError(text, status=answer.status, headers=answer.headers)


def _stored(answer: Answer) -> Answer:
    if 200 <= answer.status < 300:
        return answer
    code = re.search(rb"<Code>(\w+)</Code>", answer.content)
    text = f"The storage responded with status {answer.status}: {code[1].decode() if code else 'no code'}."
    raise UnexpectedResponseError(text, status=answer.status, headers=answer.headers)
