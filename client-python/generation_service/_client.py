"""The clients: every operation, and what takes several calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import httpx

from ._calls import AsyncCalls, SyncCalls
from ._core import Core, Options
from ._uploads import Content, upload
from ._waiting import WaitProgress, wait_for_task, wait_for_tasks
from .operations import (
    AsyncOperations,
    CompletedFile,
    FileRequestContentType,
    SyncOperations,
    Task,
    TaskSummary,
    TaskWithResult,
)


def _core(base_url: str, token: str | None, max_retries: int, attempt: float, call: float) -> Core:
    if not base_url.startswith(("http://", "https://")):
        raise ValueError("base_url must begin with https:// or http://")
    return Core(Options(base_url, token, max_retries, attempt, call))


class SyncFiles:
    """Uploads of files."""

    def __init__(self, calls: SyncCalls) -> None:
        self._calls = calls

    def upload(
        self,
        content: Content,
        *,
        content_type: FileRequestContentType | None = None,
        idempotency_key: str | None = None,
    ) -> CompletedFile:
        """Upload a file, given as path, bytes or open binary file, and get the URL to pass to operations."""
        return self._calls._run(upload(self._calls._core, content, content_type, idempotency_key))


class AsyncFiles:
    """Uploads of files."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def upload(
        self,
        content: Content,
        *,
        content_type: FileRequestContentType | None = None,
        idempotency_key: str | None = None,
    ) -> CompletedFile:
        """Upload a file, given as path, bytes or open binary file, and get the URL to pass to operations."""
        return await self._calls._run(upload(self._calls._core, content, content_type, idempotency_key))


class Client(SyncOperations):
    """Calls the API from any thread.

    `timeout_seconds` is how long a call may take with its retries. Pass an `http_client` to use proxies, certificates
    or event hooks of your own; it is closed with this client.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_retries: int = 4,
        attempt_timeout_seconds: float = 30,
        timeout_seconds: float = 120,
        http_client: httpx.Client | None = None,
    ) -> None:
        core = _core(base_url, token, max_retries, attempt_timeout_seconds, timeout_seconds)
        super().__init__(core, httpx.Client() if http_client is None else http_client)

    def wait_for_task(
        self,
        task_id: str,
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[Task], object] | None = None,
    ) -> TaskWithResult:
        """Wait until a task has completed. Raises `TaskFailedError` if it fails."""
        return self._run(wait_for_task(self._core, task_id, timeout_seconds=timeout_seconds, on_progress=on_progress))

    def wait_for_tasks(
        self,
        task_ids: Iterable[str],
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[WaitProgress], object] | None = None,
    ) -> list[TaskSummary]:
        """Wait until all tasks have ended, the failed ones too: look at `status`."""
        return self._run(wait_for_tasks(self._core, task_ids, timeout_seconds=timeout_seconds, on_progress=on_progress))

    @property
    def files(self) -> SyncFiles:
        """Upload files."""
        return SyncFiles(self)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(AsyncOperations):
    """Calls the API with asyncio. Its arguments are those of `Client`."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        max_retries: int = 4,
        attempt_timeout_seconds: float = 30,
        timeout_seconds: float = 120,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        core = _core(base_url, token, max_retries, attempt_timeout_seconds, timeout_seconds)
        super().__init__(core, httpx.AsyncClient() if http_client is None else http_client)

    async def wait_for_task(
        self,
        task_id: str,
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[Task], object] | None = None,
    ) -> TaskWithResult:
        """Wait until a task has completed. Raises `TaskFailedError` if it fails."""
        flow = wait_for_task(self._core, task_id, timeout_seconds=timeout_seconds, on_progress=on_progress)
        return await self._run(flow)

    async def wait_for_tasks(
        self,
        task_ids: Iterable[str],
        *,
        timeout_seconds: float | None = None,
        on_progress: Callable[[WaitProgress], object] | None = None,
    ) -> list[TaskSummary]:
        """Wait until all tasks have ended, the failed ones too: look at `status`."""
        flow = wait_for_tasks(self._core, task_ids, timeout_seconds=timeout_seconds, on_progress=on_progress)
        return await self._run(flow)

    @property
    def files(self) -> AsyncFiles:
        """Upload files."""
        return AsyncFiles(self)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
