"""Waits for tasks by polling, as often as the service suggests."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from ._core import Core, Flow, Response, Sleep
from ._errors import ServiceTimeoutError, TaskFailedError
from .operations import GET_TASK, IDS_PER_CALL, LIST_TASKS, Task, TaskSummary, TaskWithResult

_ended = ("completed", "failed")
# A wait should outlast an outage of the service.
_patience: dict[str, Any] = {"max_retries": 10, "timeout_seconds": 300}
# Polling uses at most half of the rate limit.
_seconds_per_poll = 2.0
_longest_pause_seconds = 30.0


class WaitProgress(NamedTuple):
    """How many of the tasks have ended."""

    ended: int
    total: int


class _Pauses:
    """The pauses between polls: as long as the service suggests, else longer each time."""

    def __init__(self, core: Core, timeout_seconds: float | None) -> None:
        self._core = core
        self._timeout_seconds = timeout_seconds
        self._end = math.inf if timeout_seconds is None else core.clock() + timeout_seconds
        self._count = 0

    def first(self, seconds: float) -> Flow[None]:
        if seconds > 0:
            yield Sleep(min(seconds, self._end - self._core.clock()))

    def next(self, hint: float | None, at_least: float = 0.0) -> Flow[None]:
        """Pauses, but not longer than until the end of the wait, for a last poll."""
        left = self._end - self._core.clock()
        if left <= 0:
            raise ServiceTimeoutError(f"The wait took longer than {self._timeout_seconds} seconds.")
        seconds = min(1.5**self._count, _longest_pause_seconds) if hint is None else hint
        self._count += 1
        yield Sleep(min(max(seconds, at_least), left))


def _get_task(core: Core, task_id: str) -> Flow[Response[Task]]:
    return (yield from core.call(GET_TASK, params={"taskId": task_id}, **_patience))


def wait_for_task(
    core: Core, task_id: str, *, timeout_seconds: float | None, on_progress: Callable[[Task], object] | None
) -> Flow[TaskWithResult]:
    """The completed task. Raises `TaskFailedError` if it fails."""
    pauses = _Pauses(core, timeout_seconds)
    yield from pauses.first(core.wait_before_first_poll(task_id))
    while True:
        response = yield from _get_task(core, task_id)
        task = response.data
        if on_progress is not None:
            on_progress(task)
        if task["status"] == "failed":
            raise TaskFailedError(task)
        if task["status"] in _ended:
            return cast(TaskWithResult, task)
        yield from pauses.next(core.wait_of_hint(response.headers))


def wait_for_tasks(
    core: Core,
    task_ids: Iterable[str],
    *,
    timeout_seconds: float | None,
    on_progress: Callable[[WaitProgress], object] | None,
) -> Flow[list[TaskSummary]]:
    """All tasks in the order of their ids, failed ones too."""
    ids = list(task_ids)
    open_ids = list(dict.fromkeys(ids))
    found: dict[str, TaskSummary] = {}
    pauses = _Pauses(core, timeout_seconds)
    yield from pauses.first(min((core.wait_before_first_poll(task_id) for task_id in open_ids), default=0.0))
    while open_ids:
        hints: list[float] = []
        polled = [open_ids[start : start + IDS_PER_CALL] for start in range(0, len(open_ids), IDS_PER_CALL)]
        for some in polled:
            page = yield from core.call(LIST_TASKS, query={"ids": ",".join(some)}, **_patience)
            found.update({task["id"]: task for task in page.data["tasks"]})
            hint = core.wait_of_hint(page.headers)
            hints.extend([] if hint is None else [hint])
            # Unknown tasks are left out of lists; asked for alone, the service says so.
            for task_id in [task_id for task_id in some if task_id not in found]:
                found[task_id] = (yield from _get_task(core, task_id)).data
        open_ids = [task_id for task_id in open_ids if found[task_id]["status"] not in _ended]
        if on_progress is not None:
            on_progress(WaitProgress(len(set(ids)) - len(open_ids), len(set(ids))))
        if open_ids:
            yield from pauses.next(min(hints, default=None), _seconds_per_poll * (len(polled) - 1))
    return [found[task_id] for task_id in ids]
