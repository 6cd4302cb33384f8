"""Uploads a picture, removes its background, and prints where the result is."""

import os
import sys

from generation_service import Client

path = sys.argv[1] if len(sys.argv) > 1 else "photo.png"

with Client(os.environ["API_URL"], os.environ["API_TOKEN"]) as client:
    file = client.files.upload(path)
    created = client.remove_background({"imageUrl": file["url"]})
    task = client.wait_for_task(created["taskId"])
    print(f"completed: {task['resultUrl']}")
