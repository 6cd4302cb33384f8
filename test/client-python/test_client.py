"""What the scenarios of all clients leave to Python: its types of files, its errors, secrets, and the limiter in depth."""

import io
import json
import pathlib
import pickle
import random
import tempfile
import unittest
from collections.abc import Callable
from typing import Any

import httpx

import generation_service as api
from generation_service._limiter import Limiter

token = "av_secret_0123456789"


def client_of(respond: Callable[[httpx.Request], httpx.Response], **options: Any) -> api.Client:
    client = api.Client(
        "https://api.example.com/", token, http_client=httpx.Client(transport=httpx.MockTransport(respond)), **options
    )
    client._sleep = lambda _: None
    return client


def success(data: object, status: int = 200) -> httpx.Response:
    return httpx.Response(status, json={"success": True, "data": data})


def failure(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"success": False, "error": {"code": code, "message": "…"}}, headers=headers)


class Errors(unittest.TestCase):
    def raised(self, response: httpx.Response, **options: Any) -> Exception:
        with self.assertRaises(api.GenerationServiceError) as caught:
            client_of(lambda _: response, **options).get_profile()
        return caught.exception

    def test_each_error_code_has_its_class(self) -> None:
        error = self.raised(failure(402, "INSUFFICIENT_CREDITS", **{"X-Request-Id": "request-1"}))
        self.assertIs(type(error), api.InsufficientCreditsError)
        assert isinstance(error, api.ApiError)
        self.assertEqual((error.status, error.code, error.request_id), (402, "INSUFFICIENT_CREDITS", "request-1"))

    def test_an_unknown_error_code_can_be_retried_if_its_status_can(self) -> None:
        for status, retryable in ((409, False), (429, True), (500, True)):
            error = self.raised(failure(status, "ASLEEP"), max_retries=0)
            assert isinstance(error, api.ApiError)
            self.assertEqual((type(error), error.code, error.retryable), (api.ApiError, "ASLEEP", retryable))

    def test_a_call_can_have_its_own_number_of_retries(self) -> None:
        count = 0

        def respond(_: httpx.Request) -> httpx.Response:
            nonlocal count
            count += 1
            return failure(500, "INTERNAL_ERROR")

        client = client_of(respond)
        for call in (
            lambda: client.get_profile(max_retries=0),
            lambda: client.generate_voice({"text": ""}, max_retries=2),
        ):
            with self.assertRaises(api.InternalError):
                call()
        self.assertEqual(count, 4)

    def test_only_a_plausible_retry_after_header_is_used(self) -> None:
        for text, seconds in (("7", 7), ("0", 0), ("9" * 400, None), ("-1", None), ("1.5", None), ("²", None)):
            error = self.raised(failure(400, "VALIDATION_ERROR"))
            assert isinstance(error, api.ApiError)
            error.headers = {"retry-after": text}
            self.assertEqual(error.retry_after_seconds, seconds)

    def test_network_errors_are_also_errors_of_the_types_that_python_has_for_them(self) -> None:
        for fault, kind in (
            (httpx.ConnectError("refused"), ConnectionError),
            (httpx.ReadTimeout("late"), TimeoutError),
        ):

            def respond(_: httpx.Request, fault: Exception = fault) -> httpx.Response:
                raise fault

            with self.assertRaises(kind) as caught:
                client_of(respond).get_profile()
            self.assertIs(caught.exception.__cause__, fault)

    def test_errors_of_the_caller_are_raised_without_a_retry(self) -> None:
        with self.assertRaises(ValueError):
            api.Client("api.example.com", token)
        with self.assertRaises((UnicodeEncodeError, httpx.LocalProtocolError)):
            client_of(lambda _: success({})).generate_voice({"text": "a"}, idempotency_key="é")

    def test_errors_can_be_passed_between_processes(self) -> None:
        for response in (failure(402, "INSUFFICIENT_CREDITS"), httpx.Response(302)):
            error = self.raised(response)
            copy = pickle.loads(pickle.dumps(error))
            self.assertEqual((type(copy), str(copy), vars(copy)), (type(error), str(error), vars(error)))


class Secrets(unittest.TestCase):
    def test_no_representation_of_a_client_or_an_error_contains_the_token(self) -> None:
        client = client_of(lambda _: failure(401, "UNAUTHORIZED"))
        with self.assertRaises(api.UnauthorizedError) as caught:
            client.get_profile()
        texts = [repr(client), str(client), repr(client._core), repr(client._core.options), repr(vars(client))]
        self.assertNotIn(token, " ".join([*texts, repr(caught.exception), repr(vars(caught.exception))]))
        self.assertIn("https://api.example.com", repr(client))


class Responses(unittest.TestCase):
    def test_unknown_values_and_members_are_returned_unchanged(self) -> None:
        task = {"id": "t1", "taskType": "music", "status": "paused", "mood": {"new": [1, None]}}
        self.assertEqual(client_of(lambda _: success(task)).get_task("t1"), task)

    def test_ids_are_escaped_in_the_path(self) -> None:
        urls: list[str] = []

        def respond(request: httpx.Request) -> httpx.Response:
            urls.append(request.url.raw_path.decode())
            return success({})

        client_of(respond).get_task("../plans?x#y {z}")
        self.assertEqual(urls, ["/api/v1/tasks/..%2Fplans%3Fx%23y%20%7Bz%7D"])


class Uploads(unittest.TestCase):
    content = b"RIFF" + bytes(range(256)) * 4

    def uploaded(self, content: Any, **options: Any) -> tuple[object, bytes]:
        """What was declared of a file, and the bytes that the storage received."""
        stored: list[bytes] = []
        declared: list[object] = []

        def respond(request: httpx.Request) -> httpx.Response:
            if request.url.path == "/api/v1/files":
                declared.append(json.loads(request.content))
                form = {"method": "POST", "url": "https://storage.example.com/", "fields": {"key": "k"}}
                return success({"fileId": "f", "url": "u", "upload": form}, 201)
            stored.append(request.content)
            return httpx.Response(503 if len(stored) == 1 else 204)

        self.assertEqual(client_of(respond).files.upload(content, **options), {"fileId": "f", "url": "u"})
        # The second attempt sends all of the file again; its boundary is new.
        self.assertEqual([self.content in body for body in stored], [True, True])
        return declared[0], stored[1]

    def test_bytes_paths_and_files_are_sent_completely_even_in_a_retry(self) -> None:
        declared = {"contentType": "audio/wav", "bytes": len(self.content)}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "voice.WAV")
            path.write_bytes(self.content)
            with path.open("rb") as file:
                file.seek(100)
                self.assertEqual(self.uploaded(file)[0], declared)
                self.assertFalse(file.closed)
            self.assertEqual(self.uploaded(path)[0], declared)
            self.assertEqual(self.uploaded(str(path))[0], declared)
        self.assertEqual(self.uploaded(self.content, content_type="audio/wav")[0], declared)

    def test_streams_that_cannot_seek_are_sent_completely(self) -> None:
        class Stream(io.BytesIO):
            def seekable(self) -> bool:
                return False

        declared, _ = self.uploaded(Stream(self.content), content_type="audio/wav")
        self.assertEqual(declared, {"contentType": "audio/wav", "bytes": len(self.content)})

    def test_large_files_have_a_longer_time_out(self) -> None:
        timeouts: list[float] = []

        def respond(request: httpx.Request) -> httpx.Response:
            timeouts.append(request.extensions["timeout"]["read"])
            if request.url.path == "/api/v1/files":
                form = {"method": "POST", "url": "https://storage.example.com/", "fields": {}}
                return success({"fileId": "f", "url": "u", "upload": form}, 201)
            return httpx.Response(204)

        client_of(respond).files.upload(bytes(5_000_000), content_type="video/mp4")
        self.assertEqual(timeouts, [30, 50])

    def test_a_file_whose_type_is_unknown_is_not_sent(self) -> None:
        for content in (b"RIFF", "voice.txt", io.BytesIO(b"RIFF")):
            with self.assertRaisesRegex(ValueError, "content_type"):
                client_of(lambda _: success({})).files.upload(content)


class RateLimit(unittest.TestCase):
    def test_an_attempt_that_waited_longer_than_its_time_limit_still_has_a_time_out(self) -> None:
        now, timeouts = 0.0, []

        def sleep(seconds: float) -> None:
            nonlocal now
            now += seconds

        def respond(request: httpx.Request) -> httpx.Response:
            timeouts.append(request.extensions["timeout"]["read"])
            return failure(500, "INTERNAL_ERROR", RateLimit='"token";r=0;t=200')

        client = client_of(respond, max_retries=1)
        client._core.clock, client._sleep = lambda: now, sleep
        with self.assertRaises(api.InternalError):
            client.get_profile()
        self.assertEqual(timeouts[0], 30)
        self.assertGreater(timeouts[1], 0)

    def test_requests_in_progress_count_against_what_is_left(self) -> None:
        limiter = Limiter()
        for _ in range(4):
            limiter.admit(0)
        limiter.leave(1, {"ratelimit": '"token";r=3;t=20'})
        self.assertEqual(limiter.admit(1), 20)
        limiter.leave(2, {"ratelimit": '"token";r=3;t=20'})
        self.assertEqual(limiter.admit(2), 0)

    def test_no_window_contains_more_requests_than_the_service_admits(self) -> None:
        for seed in range(30):
            chance = random.Random(seed)
            limiter = Limiter()
            now, counted, in_progress = 0.0, [], []
            for _ in range(400):
                wait = limiter.admit(now)
                if wait == 0:
                    ends = now + chance.expovariate(1)
                    # The service counts a request at some time before its response.
                    counted.append(chance.uniform(now, ends))
                    in_progress.append(ends)
                now += chance.expovariate(2) if wait == 0 else wait
                for ends in sorted(ends for ends in in_progress if ends <= now):
                    in_progress.remove(ends)
                    limiter.leave(ends, {})
            counted.sort()
            for first, last in zip(counted, counted[60:], strict=False):
                self.assertGreaterEqual(last - first, 60, seed)
            self.assertGreater(len(counted), 150)


if __name__ == "__main__":
    unittest.main()
