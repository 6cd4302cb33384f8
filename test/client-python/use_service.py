"""A program of the Python client: everything that takes several calls, on a network that loses and repeats messages."""

import asyncio
import gc
import json
import sys
import time
import warnings

from generation_service import AsyncClient, Client, NotFoundError, ValidationError

url, token, callback_url = sys.argv[1:]
speech = {"text": "Uma frase curta.", "voice": "sarah", "callbackUrl": callback_url}
# The retries of a bad network, which takes no real time to get better.
hurry = 0.02


def blocking() -> dict[str, object]:
    with Client(url, token) as client:
        client._sleep = lambda seconds: time.sleep(seconds * hurry)
        created = [client.generate_voice(speech)["taskId"] for _ in range(8)]
        task = client.wait_for_task(created[0])
        tasks = client.wait_for_tasks(created)
        file = client.files.upload(b"\x89PNG\r\n\x1a\n", content_type="image/png")
        errors: list[str] = []
        for call in (lambda: client.get_task("unknown"), lambda: client.generate_voice({"text": ""})):
            try:
                call()
            except (NotFoundError, ValidationError) as error:
                errors.append(f"{type(error).__name__} {error.status} {bool(error.request_id)} {error.retryable}")
        return {
            "created": created,
            "awaited": [task["id"] for task in tasks if task["status"] == "completed"],
            "hasResult": task["resultUrl"].startswith("http"),
            "price": client.generate_voice.dry_run(speech)["cost"],
            "batch": client.generate_batch.dry_run({"items": [{"operation": "generateVoice", "body": {**speech}}]}),
            "listed": sorted(task["id"] for task in client.iterate_tasks(status="completed")),
            "file": sorted(file),
            "errors": errors,
        }


async def asynchronous() -> dict[str, object]:
    async with AsyncClient(url, token) as client:
        client._sleep = lambda seconds: asyncio.sleep(seconds * hurry)
        accepted = await asyncio.gather(*[client.generate_voice(speech) for _ in range(8)])
        created = [task["taskId"] for task in accepted]
        tasks = await client.wait_for_tasks(created)
        return {
            "created": created,
            "awaited": [task["id"] for task in tasks if task["status"] == "completed"],
            "price": (await client.generate_voice.dry_run(speech))["cost"],
        }


leaks: list[str] = []
warnings.simplefilter("error", ResourceWarning)
sys.unraisablehook = lambda unraisable: leaks.append(str(unraisable.exc_value))
outcomes = [blocking(), asyncio.run(asynchronous())]
gc.collect()
print(json.dumps([*outcomes, leaks]))
