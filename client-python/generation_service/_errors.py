"""The errors that calls raise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from .operations import ErrorCode, Task, TaskErrorCode


class GenerationServiceError(Exception):
    """The base of all errors of this package."""

    def __reduce__(self) -> tuple[object, ...]:
        """Lets errors be pickled, such as for other processes, although their constructors take other arguments."""
        return _restored, (type(self), self.args), vars(self)


class ServiceConnectionError(GenerationServiceError, ConnectionError):
    """No complete response arrived; `__cause__` is the error of httpx."""

    retryable = True


class ServiceTimeoutError(GenerationServiceError, TimeoutError):
    """An attempt or a wait took too long."""

    retryable = True


class ResponseError(GenerationServiceError):
    """A response with its status and headers (by lower-case name)."""

    def __init__(self, message: str, *, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers

    @property
    def request_id(self) -> str | None:
        """Quote it when you contact support."""
        return self.headers.get("x-request-id")

    @property
    def retryable(self) -> bool:
        """Whether the same request, with the same key, can succeed later."""
        return self.status < 300 or self.status == 429 or self.status >= 500

    @property
    def retry_after_seconds(self) -> float | None:
        """How long the service asks to wait before the request is repeated."""
        return seconds_of(self.headers.get("retry-after"))


class UnexpectedResponseError(ResponseError):
    """A response that is not the service's, such as a proxy's error page."""


class ApiError(ResponseError):
    """An error response of the service. Each error code has its own class."""

    _classes: ClassVar[dict[str, type[ApiError]]] = {}
    _retry: ClassVar[str | None] = None

    def __init_subclass__(cls, *, code: str, retry: str) -> None:
        cls._classes[code] = cls
        cls._retry = retry

    def __init__(self, message: str, *, code: str, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(message, status=status, headers=headers)
        self.code: ErrorCode = code

    @classmethod
    def of(cls, message: str, *, code: str, status: int, headers: Mapping[str, str]) -> ApiError:
        """An error of the class of its code; later versions of the service may have others."""
        return cls._classes.get(code, ApiError)(message, code=code, status=status, headers=headers)

    @property
    def retryable(self) -> bool:
        """Whether the same request, with the same key, can succeed later. A new code is judged by its status."""
        if self._retry is None:
            return super().retryable
        return self._retry == "yes" or (self._retry == "with Retry-After" and self.retry_after_seconds is not None)


class TaskFailedError(GenerationServiceError):
    """The task that was waited for has failed; its credits were refunded."""

    def __init__(self, task: Task) -> None:
        error = task.get("error")
        super().__init__(error["message"] if error else "The task failed.")
        self.code: TaskErrorCode = error["code"] if error else "INTERNAL_ERROR"
        self.task = task


def seconds_of(text: str | None) -> float | None:
    """The number of seconds in a header, if it has one."""
    return float(text) if text is not None and re.fullmatch("[0-9]{1,9}", text) else None


def _restored(cls: type[GenerationServiceError], args: tuple[object, ...]) -> GenerationServiceError:
    return cls.__new__(cls, *args)
