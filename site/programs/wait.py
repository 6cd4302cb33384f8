"""Speaks a sentence, waits for it, and prints where the recording is."""

import os
import sys

from generation_service import Client, TaskFailedError

text = sys.argv[1] if len(sys.argv) > 1 else "Olá! Seu vídeo está pronto."

with Client(os.environ["API_URL"], os.environ["API_TOKEN"]) as client:
    created = client.generate_voice({"text": text, "voice": "sarah"})
    try:
        task = client.wait_for_task(created["taskId"])
        print(f"completed: {task['resultUrl']}")
    except TaskFailedError as error:
        print(f"failed: {error.code}, credits refunded: {error.task['creditsRefunded']}")
