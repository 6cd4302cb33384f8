"""Sends a webhook of the service, and two forged ones, to the programs of README and reference that verify webhooks."""

import contextlib
import io
import json
import os
import sys
import threading
from http.server import HTTPServer

import httpx
from receiver import Receiver
from reference import is_genuine

from generation_service.webhooks import WebhookKeys

delivery = json.loads(sys.argv[1])
genuine = (delivery["body"].encode(), {**delivery["headers"]})
other_token = (genuine[0], {**genuine[1], "x-webhook-token": "whk_other"})
requests = [genuine, (genuine[0] + b" ", genuine[1]), other_token]

keys = WebhookKeys(os.environ["API_URL"])
reference = [is_genuine(body, headers, keys, os.environ["WEBHOOK_TOKEN"]) for body, headers in requests]

Receiver.log_message = lambda *_: None
server = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
own = ("content-length", "host", "connection", "transfer-encoding")
with contextlib.redirect_stdout(io.StringIO()):
    statuses = [
        httpx.post(
            f"http://127.0.0.1:{server.server_port}",
            content=body,
            headers={name: text for name, text in headers.items() if name not in own},
        ).status_code
        for body, headers in requests
    ]
print(json.dumps({"receiver": statuses, "reference": reference}))
