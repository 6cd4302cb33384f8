"""A typed client of the Generation Service API, for blocking code and for asyncio."""

from . import operations
from ._client import AsyncClient, Client
from ._errors import (
    ApiError,
    GenerationServiceError,
    ResponseError,
    ServiceConnectionError,
    ServiceTimeoutError,
    TaskFailedError,
    UnexpectedResponseError,
)
from ._waiting import WaitProgress
from .operations import *

__all__ = [
    "ApiError",
    "AsyncClient",
    "Client",
    "GenerationServiceError",
    "ResponseError",
    "ServiceConnectionError",
    "ServiceTimeoutError",
    "TaskFailedError",
    "UnexpectedResponseError",
    "WaitProgress",
]
__all__ += operations.__all__
