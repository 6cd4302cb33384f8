"""Speaks a sentence, and receives the webhook that says where the recording is."""

import os
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from generation_service import Client
from generation_service.webhooks import WebhookKeys, WebhookRejectedError, verify_webhook

text = sys.argv[1] if len(sys.argv) > 1 else "Olá! Seu vídeo está pronto."
callback_url = os.environ.get("CALLBACK_URL", "http://127.0.0.1:4000/")
webhook_token = os.environ.get("WEBHOOK_TOKEN")
wait_seconds = os.environ.get("WAIT_SECONDS", "60")
if not webhook_token:
    sys.exit("Set WEBHOOK_TOKEN, which was shown with the API token.")

client = Client(os.environ["API_URL"], os.environ["API_TOKEN"])
keys = WebhookKeys(os.environ["API_URL"])


class Receiver(BaseHTTPRequestHandler):
    received = False

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, keys, webhook_token=webhook_token).event
        except WebhookRejectedError as error:
            print(f"rejected: {error.reason}")
            self.send_response(error.status)
            self.end_headers()
            return
        # Webhooks about other tasks of the account pass the same checks.
        if event["taskId"] == task_id:
            if event["event"] == "task.completed":
                print(f"completed: {event['resultUrl']}")
            elif event["event"] == "task.failed":
                task = client.get_task(task_id)
                print(f"failed: {event['error']['code']}, credits refunded: {task['creditsRefunded']}")
            Receiver.received = True
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", urlsplit(callback_url).port or 4000), Receiver)
task_id = client.generate_voice({"text": text, "voice": "sarah", "callbackUrl": callback_url})["taskId"]
deadline = time.monotonic() + float(wait_seconds)
while not Receiver.received:
    server.timeout = deadline - time.monotonic()
    if server.timeout <= 0:
        # A webhook can get lost: the task itself always says how it is doing.
        sys.exit(f"no webhook arrived in {wait_seconds} s: the task is {client.get_task(task_id)['status']}")
    server.handle_request()
