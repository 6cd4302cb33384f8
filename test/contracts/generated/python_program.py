"""A program of a client: the package that openapi-python-client generates."""

import json
import sys

from generation_service.api.generation import generate_voice
from generation_service.api.tasks import get_task
from generation_service.client import AuthenticatedClient
from generation_service.models import AcceptedTaskResponse, TaskResponse, VoiceRequest
from generation_service.types import UNSET

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])

created = generate_voice.sync(client=client, body=VoiceRequest(text="Oi.", voice="SARAH"))
assert isinstance(created, AcceptedTaskResponse), created
read = get_task.sync(created.data.task_id, client=client)
assert isinstance(read, TaskResponse), read
task = read.data
has_result: bool = task.results is not UNSET
print(json.dumps({"taskType": task.task_type, "credits": task.credits_used, "hasResult": has_result}))
