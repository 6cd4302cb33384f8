"""Plays the scenarios of the clients with both Python clients, and prints what failed as JSON."""

from __future__ import annotations

import asyncio
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import httpx
from scenario_server import Json, ScenarioServer, matches

import generation_service as api


class Aborted(BaseException):
    """What a caller raises to abort a blocking call."""


kinds: dict[type[BaseException], str] = {
    api.ApiError: "api",
    api.ServiceConnectionError: "connection",
    api.ServiceTimeoutError: "timeout",
    api.UnexpectedResponseError: "unexpected-response",
    api.TaskFailedError: "task-failed",
    Aborted: "aborted",
    asyncio.CancelledError: "aborted",
}


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


class Stage:
    """The clock, the chance and the server of a scenario, and what the client did."""

    def __init__(self, scenario: Json) -> None:
        self.server = ScenarioServer()
        self.scenario = json.loads(json.dumps(scenario).replace("{{server}}", self.server.url))
        self.now = 0.0
        self.waits: list[float] = []
        self.progress: list[float] = []
        self.status = 0
        self.sent = 0

    def random(self) -> float:
        return float(self.scenario.get("random", 0.5))

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def note_progress(self, progress: Any) -> None:
        self.progress.append(progress.ended if isinstance(progress, api.WaitProgress) else progress["progress"])

    def timeout_of(self, request: httpx.Request, is_aborted: bool = False) -> float:
        """The time-out of an attempt; the real one is short where the server does not respond."""
        timeout = request.extensions["timeout"]
        seconds = float(timeout["read"])
        is_short = is_aborted or self.server.will_hang()
        request.extensions["timeout"] = dict.fromkeys(timeout, 0.3 if is_short else 60)
        return seconds

    def verdict(self, step: Json, outcome: Json) -> list[str]:
        """What differs from the step."""
        problems = list(self.server.problems)
        if self.server.exchanges:
            problems.append(f"{len(self.server.exchanges)} requests were not sent")
        waits = step.get("waits")
        if waits is not None:
            fits = len(waits) == len(self.waits) and all(
                low - 1e-6 <= wait <= high + 1e-6 for (low, high), wait in zip(waits, self.waits, strict=True)
            )
            if not fits:
                problems.append(f"waits are {self.waits} instead of {waits}")
        if "progress" in step and step["progress"] != self.progress:
            problems.append(f"progress is {self.progress} instead of {step['progress']}")
        expected = {name: step[name] for name in ("returns", "throws") if name in step}
        if not matches(expected, outcome):
            problems.append(f"outcome is {outcome} instead of {expected}")
        return problems


def thrown(error: BaseException) -> Json:
    """An error as scenarios describe it."""
    kind = next((kind for cls, kind in kinds.items() if isinstance(error, cls)), type(error).__name__)
    names = ("code", "status", "requestId", "retryable", "retryAfterSeconds")
    found = {name: getattr(error, snake_case(name), None) for name in names}
    return {"throws": {**found, "kind": kind, "message": str(error)}}


def request_of(step: Json) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call."""
    request = step.get("request", {})
    call = step["call"]
    if call == "upload":
        content = request["text"].encode() if "text" in request else bytes(request["bytes"])
        return [content], {"content_type": request.get("contentType")}
    positional = list(request.get("params", {}).values())
    positional += [request[name] for name in ("body", "taskId", "taskIds") if name in request]
    named = {snake_case(name): value for name, value in request.get("query", {}).items()}
    for name in ("headers", "idempotencyKey", "timeoutSeconds", "maxRetries"):
        if name in request:
            named[snake_case(name)] = request[name]
    return positional, named


def method_of(client: Any, call: str) -> Any:
    if call == "upload":
        return client.files.upload
    name, _, variant = call.partition(".")
    if variant == "each":
        return getattr(client, snake_case(name).replace("list_", "iterate_"))
    method = getattr(client, snake_case(name))
    return method.dry_run if variant == "dryRun" else method


def returned(stage: Stage, step: Json, result: Any) -> Json:
    is_helper = step["call"].startswith(("waitFor", "upload")) or step["call"].endswith(".each")
    return {"returns": result if is_helper else {"status": stage.status, "data": result}}


def prepare(stage: Stage, step: Json) -> tuple[list[Any], dict[str, Any]]:
    stage.waits, stage.progress, stage.sent = [], [], 0
    stage.server.play(step.get("exchanges", []))
    positional, named = request_of(step)
    if step["call"].startswith("waitFor"):
        named["on_progress"] = stage.note_progress
    return positional, named


def run_blocking(scenario: Json) -> list[str]:
    stage = Stage(scenario)
    aborts: Json = {}

    class Transport(httpx.HTTPTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            stage.sent += 1
            is_aborted = aborts.get("request") == stage.sent
            seconds = stage.timeout_of(request, is_aborted)
            try:
                response = super().handle_request(request)
            except httpx.TimeoutException:
                if is_aborted:
                    raise Aborted from None
                stage.now += seconds
                raise
            stage.status = response.status_code
            return response

    def sleep(seconds: float) -> None:
        stage.wait(seconds)
        if aborts.get("wait") == len(stage.waits):
            raise Aborted

    http = httpx.Client(transport=Transport())
    with api.Client(stage.server.url, "av_test", http_client=http, **options_of(stage)) as client:
        client._core.clock, client._core.random, client._sleep = lambda: stage.now, stage.random, sleep
        problems: list[str] = []
        for step in stage.scenario["steps"]:
            positional, named = prepare(stage, step)
            aborts = step.get("abort", {})
            if "before" in aborts:
                # A blocking call has no signal that could be aborted before it.
                continue
            try:
                result = method_of(client, step["call"])(*positional, **named)
                outcome = returned(stage, step, list(result) if step["call"].endswith(".each") else result)
            except BaseException as error:  # noqa: BLE001 - compared with the scenario
                outcome = thrown(error)
            problems += stage.verdict(step, outcome)
    stage.server.close()
    return problems


def options_of(stage: Stage) -> dict[str, Any]:
    return {snake_case(name): value for name, value in stage.scenario.get("options", {}).items()}


async def run_async(scenario: Json) -> list[str]:
    stage = Stage(scenario)
    aborts: Json = {}
    call: asyncio.Future[Any]
    loop = asyncio.get_running_loop()
    stage.server.on_abort = lambda: loop.call_soon_threadsafe(call.cancel)

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            seconds = stage.timeout_of(request)
            try:
                response = await super().handle_async_request(request)
            except httpx.TimeoutException:
                stage.now += seconds
                raise
            stage.status = response.status_code
            return response

    async def sleep(seconds: float) -> None:
        stage.wait(seconds)
        if aborts.get("wait") == len(stage.waits):
            call.cancel()
        await asyncio.sleep(0)

    async def run(step: Json) -> Json:
        positional, named = prepare(stage, step)
        try:
            result = method_of(client, step["call"])(*positional, **named)
            if step["call"].endswith(".each"):
                return returned(stage, step, [row async for row in result])
            return returned(stage, step, await result)
        except BaseException as error:  # noqa: BLE001 - compared with the scenario
            return thrown(error)

    http = httpx.AsyncClient(transport=Transport())
    async with api.AsyncClient(stage.server.url, "av_test", http_client=http, **options_of(stage)) as client:
        client._core.clock, client._core.random, client._sleep = lambda: stage.now, stage.random, sleep
        problems: list[str] = []
        for step in stage.scenario["steps"]:
            aborts = step.get("abort", {})
            call = asyncio.ensure_future(run(step))
            if "before" in aborts:
                call.cancel()
                await asyncio.wait([call])
                problems += stage.verdict(step, {"throws": {"kind": "aborted"}})
                continue
            problems += stage.verdict(step, await call)
    stage.server.close()
    return problems


class SimulatedService:
    """A service whose tasks end with time, and that rejects what exceeds its rate limit."""

    def __init__(self, simulation: Json) -> None:
        self.simulation = simulation
        self.now = 0.0
        self.recent: list[float] = []
        self.count = 0
        self.rejected = 0
        self.ids = [f"task-{number}" for number in range(simulation["tasks"])]

    def status_of(self, task_id: str) -> str:
        number, count = self.ids.index(task_id), len(self.ids)
        first, last = self.simulation["endsAfterSeconds"]
        if self.now < first + (last - first) * (number / max(1, count - 1)):
            return "processing"
        return self.final_status_of(number)

    def final_status_of(self, number: int) -> str:
        every = self.simulation["failsEvery"]
        return "failed" if every and number % every == every - 1 else "completed"

    def respond(self, request: httpx.Request) -> httpx.Response:
        self.now += 0.05
        self.recent = [at for at in self.recent if at > self.now - 60]
        if len(self.recent) >= 60:
            self.rejected += 1
            error = {"code": "RATE_LIMITED", "message": "too many requests"}
            return httpx.Response(429, json={"success": False, "error": error}, headers={"Retry-After": "1"})
        self.count += 1
        self.recent.append(self.now)
        tasks = [{"id": task, "status": self.status_of(task)} for task in request.url.params["ids"].split(",")]
        more_in = math.ceil(self.recent[0] + 60 - self.now)
        headers = {"RateLimit": f'"token";r={60 - len(self.recent)};t={more_in}'}
        if any(task["status"] == "processing" for task in tasks):
            headers["Retry-After"] = str(self.simulation["retryAfterSeconds"])
        return httpx.Response(200, json={"success": True, "data": {"tasks": tasks}}, headers=headers)

    def verdict(self, tasks: list[api.TaskSummary]) -> list[str]:
        expected = [(task_id, self.final_status_of(number)) for number, task_id in enumerate(self.ids)]
        problems = [] if [(task["id"], task["status"]) for task in tasks] == expected else ["tasks are wrong"]
        if self.rejected:
            problems.append(f"{self.rejected} requests were rejected")
        if self.count > self.simulation["maxRequests"]:
            problems.append(f"{self.count} requests were sent")
        return problems


def simulate_blocking(simulation: Json) -> list[str]:
    service = SimulatedService(simulation)

    def sleep(seconds: float) -> None:
        service.now += seconds

    http = httpx.Client(transport=httpx.MockTransport(service.respond))
    with api.Client("https://api.example.com", "av_test", http_client=http) as client:
        client._core.clock, client._sleep = lambda: service.now, sleep
        return service.verdict(client.wait_for_tasks(service.ids))


async def simulate_async(simulation: Json) -> list[str]:
    service = SimulatedService(simulation)

    async def sleep(seconds: float) -> None:
        service.now += seconds

    http = httpx.AsyncClient(transport=httpx.MockTransport(service.respond))
    async with api.AsyncClient("https://api.example.com", "av_test", http_client=http) as client:
        client._core.clock, client._sleep = lambda: service.now, sleep
        return service.verdict(await client.wait_for_tasks(service.ids))


def main(files: list[str]) -> None:
    outcomes: dict[str, list[str]] = {}
    for scenario in [scenario for file in files for scenario in json.loads(Path(file).read_text())]:
        title = scenario["title"]
        is_simulation = "steps" not in scenario
        outcomes[f"Client: {title}"] = (simulate_blocking if is_simulation else run_blocking)(scenario)
        outcomes[f"AsyncClient: {title}"] = asyncio.run((simulate_async if is_simulation else run_async)(scenario))
    print(json.dumps(outcomes))


main(sys.argv[1:])
