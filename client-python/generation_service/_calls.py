"""Runs the flows of calls with httpx, in two ways: blocking, and with asyncio."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

import httpx

from ._core import Answer, Core, Data, Flow, Form, Result, Route, Rows, Send, Sleep
from ._errors import GenerationServiceError, ServiceConnectionError, ServiceTimeoutError

Body = TypeVar("Body")
Price = TypeVar("Price")

# Other errors of httpx are mistakes of the caller, which no retry mends.
_faults = (
    httpx.TimeoutException,
    httpx.NetworkError,
    httpx.ProxyError,
    httpx.RemoteProtocolError,
    httpx.DecodingError,
    asyncio.TimeoutError,
)


def _request_of(send: Send) -> dict[str, Any]:
    """The arguments of httpx, whose time-outs hold for each of its steps."""
    request: dict[str, Any] = {"method": send.method, "url": send.url, "headers": send.headers, "timeout": send.timeout}
    if isinstance(send.body, Form):
        file = ("file", send.body.file, send.body.content_type)
        return {**request, "data": send.body.fields, "files": {"file": file}}
    return {**request, "content": send.body}


def _raise_in(flow: Flow[Any], cause: Exception) -> Send | Sleep:
    """Continues a flow with the error that it knows for an error of httpx."""
    fault: GenerationServiceError
    if isinstance(cause, (httpx.TimeoutException, asyncio.TimeoutError)):
        fault = ServiceTimeoutError("There was no complete response in time.")
    else:
        fault = ServiceConnectionError(f"No complete response arrived: {str(cause) or type(cause).__name__}")
    fault.__cause__ = cause
    return flow.throw(fault)


class SyncCalls:
    """Runs flows in the caller's thread."""

    def __init__(self, core: Core, http: httpx.Client) -> None:
        self._core = core
        self._http = http
        self._sleep: Callable[[float], None] = time.sleep

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.options.base_url!r})"

    def _run(self, flow: Flow[Result]) -> Result:
        try:
            effect = next(flow)
            while True:
                try:
                    answer = self._perform(effect)
                except _faults as error:
                    effect = _raise_in(flow, error)
                else:
                    effect = flow.send(answer)
        except StopIteration as stop:
            return cast(Result, stop.value)
        finally:
            flow.close()

    def _perform(self, effect: Send | Sleep) -> Answer | None:
        if isinstance(effect, Sleep):
            self._sleep(effect.seconds)
            return None
        end = self._core.clock() + effect.timeout
        with self._http.stream(**_request_of(effect)) as response:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if self._core.clock() > end:
                    raise httpx.ReadTimeout("The body took too long.")
        return Answer(response.status_code, response.headers, bytes(content))

    def _call(self, route: Route[Data], **request: Any) -> Data:
        return self._run(self._core.call(route, **request)).data

    def _iterate(self, route: Route[Any], **request: Any) -> Iterator[Any]:
        rows = Rows(self._core, route, request)
        while not rows.ended:
            yield from self._run(rows.page())


class AsyncCalls:
    """Runs flows with asyncio."""

    def __init__(self, core: Core, http: httpx.AsyncClient) -> None:
        self._core = core
        self._http = http
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._core.options.base_url!r})"

    async def _run(self, flow: Flow[Result]) -> Result:
        try:
            effect = next(flow)
            while True:
                try:
                    answer = await self._perform(effect)
                except _faults as error:
                    effect = _raise_in(flow, error)
                else:
                    effect = flow.send(answer)
        except StopIteration as stop:
            return cast(Result, stop.value)
        finally:
            flow.close()

    async def _perform(self, effect: Send | Sleep) -> Answer | None:
        if isinstance(effect, Sleep):
            await self._sleep(effect.seconds)
            return None
        response = await asyncio.wait_for(self._http.request(**_request_of(effect)), effect.timeout)
        return Answer(response.status_code, response.headers, response.content)

    async def _call(self, route: Route[Data], **request: Any) -> Data:
        return (await self._run(self._core.call(route, **request))).data

    async def _iterate(self, route: Route[Any], **request: Any) -> AsyncIterator[Any]:
        rows = Rows(self._core, route, request)
        while not rows.ended:
            for row in await self._run(rows.page()):
                yield row


class SyncGeneration(Generic[Body, Data, Price]):
    """An operation that generates: call it to create a task."""

    def __init__(self, calls: SyncCalls, route: Route[Data]) -> None:
        self._calls = calls
        self._route = route

    def __call__(
        self,
        body: Body,
        *,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> Data:
        return self._calls._call(
            self._route,
            body=body,
            idempotency_key=idempotency_key,
            headers=headers,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
        )

    def dry_run(
        self, body: Body, *, headers: Mapping[str, str] | None = None, timeout_seconds: float | None = None
    ) -> Price:
        """What the same call would cost: every check runs, and nothing is created or debited."""
        route = cast("Route[Price]", self._route)
        return self._calls._call(route, body=body, headers=headers, timeout_seconds=timeout_seconds, dry_run=True)


class AsyncGeneration(Generic[Body, Data, Price]):
    """An operation that generates: call it to create a task."""

    def __init__(self, calls: AsyncCalls, route: Route[Data]) -> None:
        self._calls = calls
        self._route = route

    async def __call__(
        self,
        body: Body,
        *,
        idempotency_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> Data:
        return await self._calls._call(
            self._route,
            body=body,
            idempotency_key=idempotency_key,
            headers=headers,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
        )

    async def dry_run(
        self, body: Body, *, headers: Mapping[str, str] | None = None, timeout_seconds: float | None = None
    ) -> Price:
        """What the same call would cost: every check runs, and nothing is created or debited."""
        route = cast("Route[Price]", self._route)
        return await self._calls._call(route, body=body, headers=headers, timeout_seconds=timeout_seconds, dry_run=True)
