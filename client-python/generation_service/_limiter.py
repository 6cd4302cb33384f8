"""Holds requests back, so that the service has to reject none of them for the rate limit."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from threading import Lock


class Limiter:
    """At most `quota` requests in any `window` seconds. A response frees its place a window after it arrived."""

    def __init__(self) -> None:
        self._quota = 60
        self._window = 60
        # How many more requests the service admits, and when it admits another one, as of the last response.
        self._left = self._quota
        self._more_at = 0.0
        self._open = 0
        self._ended: deque[float] = deque()
        self._lock = Lock()

    def admit(self, now: float) -> float:
        """Takes a place and returns 0, or returns after how many seconds to ask again."""
        with self._lock:
            if self._left <= 0 and now < self._more_at:
                return self._more_at - now
            while self._ended and self._ended[0] + self._window - now <= 0:
                self._ended.popleft()
            if self._open + len(self._ended) < self._quota:
                self._open += 1
                self._left -= 1
                return 0.0
            # With all places taken by requests without a response yet, the first to be free is unknown.
            return self._ended[0] + self._window - now if self._ended else 1.0

    def leave(self, now: float, headers: Mapping[str, str]) -> None:
        """Ends a request that was admitted, and adopts what its response says about the limit."""
        policy = _numbers_in(headers.get("ratelimit-policy", ""))
        state = _numbers_in(headers.get("ratelimit", ""))
        with self._lock:
            self._open -= 1
            self._ended.append(now)
            if policy.get("q") and policy.get("w"):
                self._quota, self._window = policy["q"], policy["w"]
            if "r" in state and "t" in state:
                self._left, self._more_at = state["r"] - self._open, now + state["t"]


def _numbers_in(header: str) -> dict[str, int]:
    """The parameters of a header such as `"token";r=59;t=60`."""
    return {name: int(digits) for name, digits in re.findall(r";\s*(\w)=([0-9]{1,9})", header)}
