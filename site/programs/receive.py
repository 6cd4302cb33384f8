"""Receives webhooks until it is stopped, and handles every event once."""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from generation_service.webhooks import WebhookKeys, WebhookRejectedError, verify_webhook

keys = WebhookKeys(os.environ["API_URL"])
port = int(os.environ.get("PORT", "4000"))

# In your back end, a table with a unique column.
handled: set[str] = set()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            # Rejects what the service did not send, and what is not about one of your tasks.
            webhook = verify_webhook(body, self.headers, keys, webhook_token=os.environ["WEBHOOK_TOKEN"])
        except WebhookRejectedError as error:
            print(f"rejected: {error.reason}", flush=True)
            self.send_response(error.status)
            self.end_headers()
            return
        event = webhook.event
        if webhook.id not in handled:
            if event["event"] == "task.completed":
                print(f"{event['taskId']} completed: {event['resultUrl']}", flush=True)
            elif event["event"] == "task.failed":
                print(f"{event['taskId']} failed: {event['error']['code']}", flush=True)
            handled.add(webhook.id)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", port), Receiver)
print(f"listening on port {port}", flush=True)
server.serve_forever()
