"""The verdicts of the Python client on webhooks: valid ones by an independent signer, and all kinds of invalid ones."""

import asyncio
import base64
import json
import os
import random
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import httpx

from generation_service.webhooks import (
    AsyncWebhookKeys,
    Webhook,
    WebhookKeys,
    WebhookRejectedError,
    WebhookRejection,
    verify_webhook,
    verify_webhook_async,
)

fixture = json.loads(Path(os.environ["VECTORS"]).read_text())
shared = json.loads(Path(os.environ["SHARED"]).read_text())
keys = {"keys": fixture["keys"]}
vectors = fixture["vectors"]
sample = vectors[0]


def headers_of(vector: dict[str, Any], **changes: str) -> dict[str, str]:
    signed = {"id": vector["id"], "timestamp": str(vector["timestamp"]), "signature": " ".join(vector["signatures"])}
    return {f"Webhook-{name.title()}": text for name, text in {**signed, **changes}.items()}


def reason_of(verify: Callable[[], object]) -> str | None:
    try:
        verify()
    except WebhookRejectedError as error:
        return error.reason
    return None


def verdict(headers: dict[str, str] | None = None, **changes: Any) -> str | None:
    """Why a changed sample is rejected, unless it is accepted."""
    arguments = {"body": sample["body"], "keys": keys, "now": sample["timestamp"], **changes}
    return reason_of(lambda: verify_webhook(headers=headers or headers_of(sample), **arguments))


class VerifyWebhook(unittest.TestCase):
    def test_the_cases_that_all_clients_share_have_their_verdicts(self) -> None:
        for case in shared["cases"]:
            arguments = {"now": shared["now"], "webhook_token": shared["webhookToken"]}
            found = reason_of(
                lambda case=case, arguments=arguments: verify_webhook(
                    case["body"], case["headers"], {"keys": shared["keys"]}, **arguments
                )
            )
            self.assertEqual(found is None, case["valid"], case["title"])

    def test_a_rejection_has_the_status_that_all_clients_share(self) -> None:
        statuses = shared["statuses"]
        for reason in get_args(WebhookRejection):
            self.assertEqual(WebhookRejectedError(reason).status, statuses.get(reason, statuses["rejected"]), reason)

    def test_vectors_are_accepted_as_text_and_as_bytes_with_either_key(self) -> None:
        for vector in vectors:
            for body in (vector["body"], vector["body"].encode()):
                for some in (keys, {"keys": fixture["keys"][:1]}, {"keys": fixture["keys"][1:]}):
                    found = verdict(headers_of(vector), body=body, keys=some, now=vector["timestamp"])
                    self.assertEqual(found, None if vector["body"].startswith("{") else "body is not an event")

    def test_the_result_is_the_event_with_its_id_and_time(self) -> None:
        found = verify_webhook(sample["body"], headers_of(sample), keys, now=sample["timestamp"])
        event = {"event": "task.completed", "taskId": "0193a5c4"}
        self.assertEqual(found, Webhook(sample["id"], sample["timestamp"], event))

    def test_a_change_of_one_bit_in_any_signed_part_is_rejected(self) -> None:
        signature = bytearray(base64.b64decode(sample["signatures"][0][4:]))
        signature[0] ^= 1
        flipped = f"v1a,{base64.b64encode(signature).decode()}"
        found = {
            verdict(body=f"{sample['body']} "),
            verdict(headers_of(sample, id=f"{sample['id']}0")),
            verdict(headers_of(sample, timestamp=str(sample["timestamp"] + 1))),
            verdict(headers_of(sample, signature=flipped)),
            verdict(headers_of(sample, signature=sample["signatures"][0].replace("v1a,", "v1,"))),
            verdict(headers_of(sample, signature=sample["signatures"][0].rstrip("="))),
            verdict(headers_of(sample, signature="")),
        }
        self.assertEqual(found, {"no matching signature"})

    def test_the_time_window_is_five_minutes_and_can_be_configured(self) -> None:
        reasons = [verdict(now=sample["timestamp"] + late) for late in (-301, -300, 0, 300.999, 301)]
        self.assertEqual(reasons, ["timestamp too far ahead", None, None, None, "timestamp too old"])
        self.assertEqual(verdict(now=sample["timestamp"] + 10, tolerance_seconds=9), "timestamp too old")
        self.assertEqual(verdict(now=float("nan")), "timestamp too old")
        with mock.patch("time.time", lambda: sample["timestamp"] + 301):
            self.assertEqual(verdict(now=None), "timestamp too old")

    def test_missing_or_malformed_headers_are_rejected(self) -> None:
        wrong = {"id": ["", "msg.1", "1 0", "9" * 400], "timestamp": ["", "soon", " 1", "1.0", "1e9", "-1", "9" * 400]}
        for name, texts in wrong.items():
            for text in texts:
                self.assertEqual(verdict(headers_of(sample, **{name: text})), "header missing or malformed")
        self.assertEqual(verdict({"Webhook-Id": sample["id"]}), "header missing or malformed")
        self.assertEqual(verdict({**headers_of(sample), "webhook-id": "msg_2"}), "header missing or malformed")

    def test_the_webhook_token_must_be_equal(self) -> None:
        genuine = {**headers_of(sample), "X-Webhook-Token": "whk_1"}
        self.assertEqual(verdict(genuine, webhook_token="whk_1"), None)
        self.assertEqual(verdict(genuine, webhook_token="whk_2"), "wrong webhook token")
        self.assertEqual(verdict(webhook_token="whk_1"), "wrong webhook token")

    def test_keys_of_other_types_are_ignored(self) -> None:
        first = fixture["keys"][0]
        strange = [{**first, "x": "AAAA"}, {**first, "x": "ü"}, {**first, "crv": "X25519"}, {"kty": "OKP"}, None, 7]
        self.assertEqual(verdict(keys={"keys": [*strange, first]}), None)
        self.assertEqual([verdict(keys=some) for some in ({"keys": strange}, {}, {"keys": "x"})], ["no usable key"] * 3)

    def test_a_body_that_is_already_parsed_is_rejected(self) -> None:
        self.assertEqual(verdict(body=json.loads(sample["body"])), "body is not text or bytes")

    def test_no_input_raises_anything_but_a_rejection(self) -> None:
        chance = random.Random(4)
        texts = ["", "v1a,", "é", "\0", sample["id"], str(sample["timestamp"]), "v1a,====", "9" * 12]
        names = ["webhook-id", "webhook-timestamp", "webhook-signature", "x-webhook-token"]
        for _ in range(500):
            headers = {name: chance.choice(texts) for name in names if chance.random() < 0.9}
            body = chance.choice([b"\xff", "é", sample["body"]])
            self.assertIsNotNone(verdict(headers, body=body, webhook_token="é"))


class Served:
    """A service of keys that counts its requests."""

    def __init__(self, answers: list[dict[str, Any] | int]) -> None:
        self.answers = answers
        self.requests: list[str] = []

    def respond(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(str(request.url))
        answer = self.answers.pop(0)
        if isinstance(answer, int):
            return httpx.Response(answer)
        return httpx.Response(200, json=answer)


other_keys = {"keys": fixture["keys"][1:]}


class CachedKeys(unittest.TestCase):
    def verdicts(self, answers: list[dict[str, Any] | int], times: list[float]) -> tuple[list[str | None], int]:
        """The verdicts on the sample at some times with a key that rotates, and the number of requests for keys."""
        served = Served(answers)
        headers = headers_of(sample, signature=sample["signatures"][0])
        found: list[str | None] = []
        http = httpx.Client(transport=httpx.MockTransport(served.respond))
        source = WebhookKeys("https://api.example.com/", http_client=http)
        for at in times:
            source._cache.clock = lambda at=at: at
            found.append(reason_of(lambda: verify_webhook(sample["body"], headers, source, now=sample["timestamp"])))
        self.assertEqual(set(served.requests), {"https://api.example.com/.well-known/webhook-keys.json"})
        return found, len(served.requests)

    def test_keys_are_kept_for_five_minutes(self) -> None:
        self.assertEqual(self.verdicts([keys, keys], [0, 299, 301]), ([None, None, None], 2))

    def test_keys_are_fetched_again_if_none_matches_but_not_for_every_forged_webhook(self) -> None:
        found = self.verdicts([other_keys, keys], [0, 6])
        self.assertEqual(found, (["no matching signature", None], 2))
        found = self.verdicts([other_keys, other_keys], [0, 1, 2, 4.9])
        self.assertEqual(found[1], 1)

    def test_webhooks_are_rejected_until_keys_can_be_fetched(self) -> None:
        self.assertEqual(self.verdicts([503, keys], [0, 10]), (["keys not available", None], 2))

    def test_keys_stay_in_use_while_their_address_fails_which_is_asked_every_five_seconds(self) -> None:
        served = Served([keys, 503, 503])
        source = WebhookKeys(
            "https://api.example.com", http_client=httpx.Client(transport=httpx.MockTransport(served.respond))
        )
        source._cache.clock = lambda: 0.0
        self.assertEqual(source.fetch(), keys)
        source._cache.clock = lambda: 6.0
        for _ in range(3):
            with self.assertRaises(httpx.HTTPStatusError):
                source.fetch(fresh=True)
        self.assertEqual(source.fetch(), keys)
        self.assertEqual(len(served.requests), 2)
        source._cache.clock = lambda: 301.0
        with self.assertRaises(httpx.HTTPStatusError):
            source.fetch()

    def test_the_asyncio_verifier_gives_the_same_results(self) -> None:
        served = Served([other_keys, keys])
        headers = headers_of(sample, signature=sample["signatures"][0])

        async def main() -> list[str | None]:
            http = httpx.AsyncClient(transport=httpx.MockTransport(served.respond))
            source = AsyncWebhookKeys("https://api.example.com", http_client=http)
            found: list[str | None] = []
            for at in (0, 6, 7):
                source._cache.clock = lambda at=at: at
                try:
                    await verify_webhook_async(sample["body"], headers, source, now=sample["timestamp"])
                    found.append(None)
                except WebhookRejectedError as error:
                    found.append(error.reason)
            return found

        self.assertEqual(asyncio.run(main()), ["no matching signature", None, None])
        self.assertEqual(len(served.requests), 2)


if __name__ == "__main__":
    unittest.main()
