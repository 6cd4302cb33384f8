"""Verifies that webhooks come from the service. Needs the extra `webhooks`, which installs `cryptography`."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal, Protocol, TypeAlias, cast

import httpx
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._errors import GenerationServiceError
from .operations import TaskCompleted, TaskFailed

WebhookEvent: TypeAlias = TaskCompleted | TaskFailed
"""What a webhook is about. There may be new events later: ignore those that you do not know."""

WebhookRejection: TypeAlias = Literal[
    "body is not text or bytes",
    "header missing or malformed",
    "timestamp too old",
    "timestamp too far ahead",
    "keys not available",
    "no usable key",
    "no matching signature",
    "wrong webhook token",
    "body is not an event",
]

_version = "v1a,"
_keep_seconds = 300.0
# Forged webhooks ask for fresh keys too, but must not cause a request each.
_fresh_seconds = 5.0
_timeout_seconds = 10.0
# Ids contain no dots: the signed text joins id, timestamp and body by dots, so it would be ambiguous.
_id_form = re.compile(r"[^.\s]{1,256}")
_timestamp_form = re.compile(r"[0-9]{1,12}")
_key_faults = (httpx.HTTPError, ValueError)


class Headers(Protocol):
    """Headers as web frameworks have them."""

    def items(self) -> Iterable[tuple[str, Any]]: ...


class WebhookRejectedError(GenerationServiceError):
    """The request is not a webhook of the service, or not one for you: respond with `status`."""

    def __init__(self, reason: WebhookRejection) -> None:
        super().__init__(reason)
        self.reason: WebhookRejection = reason
        self.status = 503 if reason == "keys not available" else 400


@dataclass(frozen=True)
class Webhook:
    """A verified webhook. Its id is the same for every attempt at an event: store it to detect duplicates."""

    id: str
    timestamp: int
    event: WebhookEvent


class _KeyCache:
    """The keys as last fetched, which stay in use while their address fails."""

    def __init__(self, base_url: str) -> None:
        self.url = f"{base_url.rstrip('/')}/.well-known/webhook-keys.json"
        self._keys: object = None
        self._kept_since = -_keep_seconds
        self._asked_at = -_fresh_seconds
        self._failure: Exception | None = None
        self.clock: Callable[[], float] = time.monotonic

    def known(self) -> object:
        """The keys, unless they are too old."""
        return self._keys if self.clock() - self._kept_since < _keep_seconds else None

    def current(self, fresh: bool) -> object:
        """The keys, unless they must be fetched now. Raises what the last request raised, if that was a moment ago."""
        if not fresh and (keys := self.known()) is not None:
            return keys
        if self.clock() - self._asked_at < _fresh_seconds:
            if self._failure is not None:
                raise self._failure
            return self._keys
        self._asked_at = self.clock()
        return None

    def keep(self, response: httpx.Response) -> object:
        self._keys = response.raise_for_status().json()
        self._kept_since = self._asked_at
        self._failure = None
        return self._keys

    def fail(self, error: Exception) -> None:
        self._failure = error


class WebhookKeys:
    """Fetches the keys that webhooks are signed with, and keeps them for five minutes. Make one, not one a webhook."""

    def __init__(self, base_url: str, *, http_client: httpx.Client | None = None) -> None:
        self._cache = _KeyCache(base_url)
        self._lock = Lock()
        self._get = httpx.get if http_client is None else http_client.get

    def fetch(self, *, fresh: bool = False) -> object:
        # Forged webhooks, which ask for fresh keys, must not keep others waiting.
        if not fresh and (known := self._cache.known()) is not None:
            return known
        with self._lock:
            keys = self._cache.current(fresh)
            if keys is not None:
                return keys
            try:
                return self._cache.keep(self._get(self._cache.url, timeout=_timeout_seconds))
            except Exception as error:
                self._cache.fail(error)
                raise


class AsyncWebhookKeys:
    """Fetches the keys that webhooks are signed with, and keeps them for five minutes. Make one, not one a webhook."""

    def __init__(self, base_url: str, *, http_client: httpx.AsyncClient | None = None) -> None:
        self._cache = _KeyCache(base_url)
        self._lock = asyncio.Lock()
        self._http = http_client

    async def fetch(self, *, fresh: bool = False) -> object:
        if not fresh and (known := self._cache.known()) is not None:
            return known
        async with self._lock:
            keys = self._cache.current(fresh)
            if keys is not None:
                return keys
            try:
                return self._cache.keep(await self._request())
            except Exception as error:
                self._cache.fail(error)
                raise

    async def _request(self) -> httpx.Response:
        if self._http is not None:
            return await self._http.get(self._cache.url, timeout=_timeout_seconds)
        async with httpx.AsyncClient() as http:
            return await http.get(self._cache.url, timeout=_timeout_seconds)


class _Claim:
    """What a request claims to be, before its signature is verified."""

    def __init__(self, body: object, headers: object, now: float | None, tolerance_seconds: float) -> None:
        if not isinstance(body, (str, bytes, bytearray, memoryview)):
            raise WebhookRejectedError("body is not text or bytes")
        self.body = body.encode() if isinstance(body, str) else bytes(body)
        self.id = _only_value(headers, "webhook-id", _id_form)
        seconds = _only_value(headers, "webhook-timestamp", _timestamp_form)
        self.timestamp = int(seconds)
        age = (time.time() if now is None else now) // 1 - self.timestamp
        if not abs(age) <= tolerance_seconds:
            raise WebhookRejectedError("timestamp too far ahead" if age < 0 else "timestamp too old")
        self._signed = f"{self.id}.{seconds}.".encode() + self.body
        parts = [part for value in _values(headers, "webhook-signature") for part in value.split(" ")]
        self._signatures = [_decoded(part[len(_version) :]) for part in parts if part.startswith(_version)]
        self._tokens = _values(headers, "x-webhook-token")

    def rejection(self, key_set: object) -> WebhookRejection | None:
        """Why none of the keys proves the claim, unless one does."""
        listed = key_set.get("keys") if isinstance(key_set, Mapping) else key_set
        keys = [key for jwk in listed for key in _public_keys(jwk)] if isinstance(listed, list) else []
        if not keys:
            return "no usable key"
        is_signed = any(_is_valid(key, signature, self._signed) for key in keys for signature in self._signatures)
        return None if is_signed else "no matching signature"

    def accepted(self, rejection: WebhookRejection | None, webhook_token: str | None) -> Webhook:
        if rejection is not None:
            raise WebhookRejectedError(rejection)
        if webhook_token is not None:
            given = self._tokens[0] if len(self._tokens) == 1 else ""
            if not hmac.compare_digest(given.encode(), webhook_token.encode()):
                raise WebhookRejectedError("wrong webhook token")
        try:
            event = json.loads(self.body)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise WebhookRejectedError("body is not an event")
        return Webhook(self.id, self.timestamp, cast("WebhookEvent", event))


def _values(headers: object, name: str) -> list[str]:
    """All values of a header, by case-insensitive name."""
    items = getattr(headers, "items", tuple)
    found = [value for given, value in items() if str(given).lower() == name]
    listed = [item for value in found for item in (value if isinstance(value, (list, tuple)) else [value])]
    return [item for item in listed if isinstance(item, str)]


def _only_value(headers: object, name: str, form: re.Pattern[str]) -> str:
    """The value of a header that must be present exactly once and well-formed."""
    values = _values(headers, name)
    if len(values) != 1 or not form.fullmatch(values[0]):
        raise WebhookRejectedError("header missing or malformed")
    return values[0]


def _decoded(text: str) -> bytes:
    """The bytes of canonical base64; none if the text is anything else."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return decoded if base64.b64encode(decoded) == text.encode() else b""


def _public_keys(jwk: Any) -> list[Ed25519PublicKey]:
    """The key of a JWK; none if it is of another kind."""
    if not isinstance(jwk, Mapping) or jwk.get("kty") != "OKP" or jwk.get("crv") != "Ed25519":
        return []
    try:
        return [Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(f"{jwk.get('x')}="))]
    except ValueError:
        return []


def _is_valid(key: Ed25519PublicKey, signature: bytes, signed: bytes) -> bool:
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def verify_webhook(
    body: str | bytes,
    headers: Headers,
    keys: Mapping[str, object] | WebhookKeys,
    *,
    webhook_token: str | None = None,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> Webhook:
    """Verify a webhook by its headers (Standard Webhooks, Ed25519). Raises `WebhookRejectedError`.

    `body` is the raw body as received. `keys` is `WebhookKeys`, or the JSON of `/.well-known/webhook-keys.json`.
    The signature proves that the service sent these bytes; your token's `webhook_token` proves that they are for you.
    """
    claim = _Claim(body, headers, now, tolerance_seconds)
    if not isinstance(keys, WebhookKeys):
        return claim.accepted(claim.rejection(keys), webhook_token)
    try:
        rejection = claim.rejection(keys.fetch()) and claim.rejection(keys.fetch(fresh=True))
    except _key_faults as error:
        raise WebhookRejectedError("keys not available") from error
    return claim.accepted(rejection, webhook_token)


async def verify_webhook_async(
    body: str | bytes,
    headers: Headers,
    keys: AsyncWebhookKeys,
    *,
    webhook_token: str | None = None,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> Webhook:
    """Verify a webhook like `verify_webhook`, with keys that are fetched without blocking."""
    claim = _Claim(body, headers, now, tolerance_seconds)
    try:
        rejection = claim.rejection(await keys.fetch()) and claim.rejection(await keys.fetch(fresh=True))
    except _key_faults as error:
        raise WebhookRejectedError("keys not available") from error
    return claim.accepted(rejection, webhook_token)
