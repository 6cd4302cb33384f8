"""Speaks several sentences at once, and prints where each recording is."""

import os
import sys

from generation_service import Client

with Client(os.environ["API_URL"], os.environ["API_TOKEN"]) as client:
    created = [client.generate_voice({"text": text, "voice": "sarah"}) for text in sys.argv[1:]]
    tasks = client.wait_for_tasks(
        [task["taskId"] for task in created],
        on_progress=lambda progress: print(f"{progress.ended} of {progress.total}", file=sys.stderr),
    )
    for task in tasks:
        result = task["resultUrl"] if task["status"] == "completed" else task["error"]["code"]
        print(f"{task['label']} {task['status']}: {result}")
