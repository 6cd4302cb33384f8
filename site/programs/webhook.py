"""Speaks a sentence, and receives the webhook that says where the recording is."""

import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlsplit

from generation_service import Client
from generation_service.webhooks import WebhookKeys, WebhookRejectedError, verify_webhook

text = sys.argv[1] if len(sys.argv) > 1 else "Olá! Seu vídeo está pronto."
callback_url = os.environ.get("CALLBACK_URL", "http://127.0.0.1:4000/")

client = Client(os.environ["API_URL"], os.environ["API_TOKEN"])
keys = WebhookKeys(os.environ["API_URL"])


class Receiver(BaseHTTPRequestHandler):
    received = False

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = verify_webhook(body, self.headers, keys, webhook_token=os.environ["WEBHOOK_TOKEN"]).event
        except WebhookRejectedError as error:
            print(f"rejected: {error.reason}")
            self.send_response(error.status)
            self.end_headers()
            return
        if event["event"] == "task.completed":
            print(f"completed: {event['resultUrl']}")
        elif event["event"] == "task.failed":
            task = client.get_task(event["taskId"])
            print(f"failed: {event['error']['code']}, credits refunded: {task['creditsRefunded']}")
        Receiver.received = True
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", urlsplit(callback_url).port or 4000), Receiver)
client.generate_voice({"text": text, "voice": "sarah", "callbackUrl": callback_url})
while not Receiver.received:
    server.handle_request()
