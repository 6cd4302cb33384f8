"""A program of a client: the package that openapi-python-client generates."""

import json
import sys

from generation_service.api.account import get_profile
from generation_service.api.billing import list_orders
from generation_service.api.generation import generate_voice
from generation_service.api.tasks import get_task
from generation_service.client import AuthenticatedClient
from generation_service.models import (
    AcceptedTaskResponse,
    CompletedTask,
    ErrorResponse,
    OrderListResponse,
    TaskResponse,
    VoiceRequest,
    VoiceTask,
)
from generation_service.types import Unset

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])

created = generate_voice.sync(client=client, body=VoiceRequest(text="Oi.", voice="SARAH"))
assert isinstance(created, AcceptedTaskResponse), created
read = get_task.sync(created.data.task_id, client=client)
assert isinstance(read, TaskResponse), read
task = read.data
result: str | None = CompletedTask.from_dict(task.to_dict()).result_url if task.status == "completed" else None
spoken: str = VoiceTask.from_dict(task.to_dict()).input_.text

tomorrow = AuthenticatedClient(base_url=sys.argv[3], token=sys.argv[2])
later = get_task.sync("1", client=tomorrow)
assert isinstance(later, TaskResponse), later
error = later.data.error
assert not isinstance(error, Unset)
orders = list_orders.sync(client=tomorrow)
assert isinstance(orders, OrderListResponse), orders
rejected = get_profile.sync(client=tomorrow)
assert isinstance(rejected, ErrorResponse), rejected
print(
    json.dumps(
        {
            "taskType": task.task_type,
            "credits": task.credits_used,
            "hasResult": result is not None,
            "spoken": spoken,
            "tomorrow": [
                later.data.task_type,
                later.data.status,
                error.code,
                orders.data.orders[0].type_,
                rejected.error.code,
            ],
        }
    )
)
