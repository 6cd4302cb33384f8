"""How Schemathesis tests this service: which account sends each case, and what holds for every response."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response

identities: dict[str, Any] = json.loads(Path(os.environ["FUZZ_IDENTITIES"]).read_text())
payers: dict[str, list[str]] = identities["payers"]
rejected: dict[str, str] = identities["rejected"]

payer_of_token: dict[str, str] = {token: payer for payer, tokens in payers.items() for token in tokens}
owner_of_token = {**payer_of_token, **{token: reason for reason, token in rejected.items()}}
payer_of_task: dict[str, str] = dict(identities["tasks"])
first_tasks: list[str] = list(payer_of_task)
abandoned: list[str] = identities["abandoned"]

payers_in_turn = itertools.cycle(payers)
tokens_in_turn = {payer: itertools.cycle(tokens) for payer, tokens in payers.items()}

# Only generations can lack credits or slots. One case in so many is sent with a token that is rejected.
generators_rejected = itertools.cycle(rejected.values())
readers_rejected = itertools.cycle(token for reason, token in rejected.items() if reason not in ("busy", "poor"))
GENERATIONS_PER_REJECTION = 6
READINGS_PER_REJECTION = 12

TASK_IDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:,[0-9a-f-]{36})*")
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
DIGEST = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
INBOX_ID = re.compile(r"[A-Za-z0-9_-]{22}")
INBOX_IDS = ("conversationId", "postId", "commentId")
INBOX = "/api/v1/piloto/inbox"
# What `after` names in each list of an inbox, which rejects the id of anything else.
ROWS_OF_INBOX = {
    f"{INBOX}/conversations": "conversationId",
    f"{INBOX}/conversations/{{conversationId}}/messages": "messageId",
    f"{INBOX}/comments": "postId",
    f"{INBOX}/comments/{{postId}}": "commentId",
}
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')
WELL_FORMED_URL = re.compile(r"https://[A-Za-z0-9.-]+(?:[:/?#][!-~]*)?")
LONGEST_URL = 2048

CREDITS = "/api/v1/credits"
FILES = "/api/v1/files"
CORTES = "/api/v1/generate/cortes"
SUBSCRIPTIONS = "/api/v1/subscriptions"
LONGEST_TAX_ID = 18

STUDIO_VIDEO = "/api/v1/generate/video-studio"
BATCH = "/api/v1/generate/batch"

# Limits that depend on another member, which the schema therefore leaves out: of an image's bytes, of a video's seconds.
DEPENDENT_LIMITS = {FILES: ("bytes", 10 * 1024 * 1024, 2 * 1024**3), CORTES: ("durationSec", 10_800, float("inf"))}

# Of each path by itself: what one operation sends does not depend on which operations there are.
generations: dict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
readings: dict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
generated_ids: dict[str, Iterator[int]] = defaultdict(itertools.count)


def close(schema: Any) -> None:
    """Clients must ignore properties and values that they do not know; the service must return none of them."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema and "unevaluatedProperties" not in schema:
            schema.setdefault("additionalProperties", False)
        if schema.get("type") == "string" and "anyOf" in schema:
            schema["anyOf"] = schema["anyOf"][:1]
        for member in schema.values():
            close(member)
    elif isinstance(schema, list):
        for member in schema:
            close(member)


def referenced(schemas: dict[str, Any], value: Any, names: set[str]) -> set[str]:
    """The names of all schemas that a part of the document refers to, directly or not."""
    for name in set(REFERENCE.findall(json.dumps(value))) - names:
        names.add(name)
        referenced(schemas, schemas[name], names)
    return names


@schemathesis.hook
def before_load_schema(context: HookContext, raw_schema: dict[str, Any]) -> None:
    schemas = raw_schema["components"]["schemas"]
    bodies = [item["post"]["requestBody"] for item in raw_schema["paths"].values() if "requestBody" in item.get("post", {})]
    # The service ignores what it does not know in a request.
    requests = referenced(schemas, bodies, set())
    for name, schema in schemas.items():
        if name not in requests:
            close(schema)


def rejected_token(case: Case) -> str | None:
    """The next token that is rejected, when it is its turn."""
    # A missing product is reported before a lack of credits or slots, which the items of a batch report.
    if "/generate/" in case.path and case.path not in (STUDIO_VIDEO, BATCH):
        return next(generators_rejected) if next(generations[case.path]) % GENERATIONS_PER_REJECTION == 0 else None
    return next(readers_rejected) if next(readings[case.path]) % READINGS_PER_REJECTION == 0 else None


def paying_token(case: Case) -> str:
    """Of the account whose task the case names, where it names one, so that real ids lead to real tasks."""
    named = (case.path_parameters or {}).get("taskId") or (case.query or {}).get("ids")
    payer = payer_of_task.get(str(named)) or next(payers_in_turn)
    return next(tokens_in_turn[payer])


def payer_of(case: Case) -> str | None:
    """The payer that sends the case, unless its token is rejected or unknown."""
    return payer_of_token.get(case.headers.get("Authorization", "").removeprefix("Bearer "))


def name_real_order(case: Case) -> None:
    """Replaces every other generated id by that of an order of the sender; malformed ids stay as they are."""
    value = (case.path_parameters or {}).get("orderId")
    payer = payer_of(case)
    if isinstance(value, str) and TASK_IDS.fullmatch(value) and payer and next(generated_ids[case.path]) % 2 == 0:
        case.path_parameters["orderId"] = identities["orders"][payer]


def name_real_file(case: Case) -> None:
    """Replaces every other generated digest by that of a published file; malformed ones stay as they are."""
    value, published = (case.path_parameters or {}).get("sha256"), identities["published"]
    number = next(generated_ids[case.path]) if isinstance(value, str) and DIGEST.fullmatch(value) else 1
    if number % 2 == 0:
        case.path_parameters["sha256"] = published[number // 2 % len(published)]


def name_real_upload(case: Case) -> list[str] | None:
    """Replaces every other generated id by that of an upload of the sender; its ETags, if it did."""
    value = (case.path_parameters or {}).get("fileId")
    payer = payer_of(case)
    if isinstance(value, str) and TASK_IDS.fullmatch(value) and payer and next(generated_ids[case.path]) % 2 == 0:
        upload = identities["uploads"][payer]
        case.path_parameters["fileId"] = upload["fileId"]
        return upload["etags"]
    return None


def with_real_etags(body: dict[str, Any], etags: list[str] | None) -> dict[str, Any]:
    """The ETags of a real upload in place of well-formed ones."""
    sent = body.get("etags")
    is_formed = isinstance(sent, list) and 1 <= len(sent) <= 32 and all(is_text(one, 1) for one in sent)
    return {**body, "etags": etags} if etags and is_formed else body


def name_real_tasks(case: Case) -> None:
    """Replaces every other generated id by that of an existing task; malformed ids stay as they are."""
    for values, name in ((case.path_parameters or {}, "taskId"), (case.query or {}, "ids")):
        value = values.get(name)
        if isinstance(value, str) and TASK_IDS.fullmatch(value) and value not in payer_of_task:
            number = next(generated_ids[case.path])
            tasks = first_tasks if number % 4 == 0 else list(payer_of_task)
            if case.path.endswith("/redeliver"):
                tasks = abandoned
            if number % 2 == 0:
                values[name] = tasks[number // 4 % len(tasks)]


def continues_inbox(case: Case) -> bool:
    """Whether the case has a well-formed `after` in a list of an inbox."""
    after = (case.query or {}).get("after")
    return case.path in ROWS_OF_INBOX and isinstance(after, str) and INBOX_ID.fullmatch(after) is not None


def name_real_inbox(case: Case) -> None:
    """Replaces every other set of generated ids, and all with `after`, by those of the sender's inbox; malformed ids stay."""
    parameters, payer, continues = case.path_parameters or {}, payer_of(case), continues_inbox(case)
    inbox = identities["inboxes"].get(payer, {})
    if continues:
        case.query["after"] = inbox.get(ROWS_OF_INBOX[case.path])
        if not payer:
            del case.query["after"]
    named = [name for name in INBOX_IDS if name in parameters]
    is_formed = all(isinstance(parameters[name], str) and INBOX_ID.fullmatch(parameters[name]) for name in named)
    if named and payer and is_formed and (continues or next(generated_ids[case.path]) % 2 == 0):
        parameters.update({name: inbox[name] for name in named})


def name_recent_days(case: Case) -> None:
    """Replaces days by those of the last week: a schema cannot express how long ago a report may begin."""
    query, today = case.query or {}, datetime.now(UTC).date()
    for name, days_ago in (("from", 7), ("to", 0)):
        value = query.get(name)
        if not isinstance(value, str) or not DAY.fullmatch(value):
            continue
        try:
            date.fromisoformat(value)
        except ValueError:
            continue
        query[name] = str(today - timedelta(days=days_ago))


# Every other URL is replaced by that of an image.
LOCAL_FILES = {"callbackUrl": "receiver", "motionVideo": "video", "videoUrl": "video", "audioUrl": "sound"}


def with_local_urls(name: str, value: Any) -> Any:
    """Replaces URLs of other hosts by URLs of this machine."""
    if isinstance(value, list):
        return [with_local_urls(name, one) for one in value]
    if isinstance(value, dict):
        return {member: with_local_urls(member, one) for member, one in value.items()}
    if isinstance(value, str) and len(value) <= LONGEST_URL and WELL_FORMED_URL.fullmatch(value):
        return identities[LOCAL_FILES.get(name, "image")]
    return value


def is_text(value: Any, shortest: int) -> bool:
    return isinstance(value, str) and shortest <= len(value) <= 200


def with_real_scene(body: dict[str, Any], token: str) -> dict[str, Any]:
    """What a Studio video refers to, of the sender and of the catalog, in place of generated values."""
    scene = identities["scenes"].get(owner_of_token.get(token, ""))
    if not scene:
        return body
    required = {name: 1 for name in ("mode", "productId")}
    shortest = {**required, **{name: 0 for name in ("hookId", "settingId", "avatarId")}}
    return {**body, **{name: scene[name] for name in shortest if is_text(body.get(name), shortest[name])}}


def with_real_files(body: dict[str, Any], token: str) -> dict[str, Any]:
    """Replaces generated ids by files of the sender; with the images at URLs, no more than a product can have."""
    files = identities["files"].get(owner_of_token.get(token, ""))
    if not files:
        return body
    sent = dict(body)
    if isinstance(body.get("avatarFileId"), str) and 1 <= len(body["avatarFileId"]) <= 200:
        sent["avatarFileId"] = files[0]
    ids, images = body.get("productFileIds"), body.get("images") or []
    if isinstance(images, list) and isinstance(ids, list) and 1 <= len(ids) <= len(files) and is_unique(ids):
        sent["productFileIds"] = files[: len(files) - len(images)][: len(ids)]
        if not sent["productFileIds"]:
            del sent["productFileIds"]
    return sent


def with_real_payment(body: dict[str, Any]) -> dict[str, Any]:
    """A pack that exists, and a tax id with the check digits that a schema cannot express."""
    sent, payer = dict(body), body.get("payer")
    if is_text(body.get("packId"), 1):
        sent["packId"] = "pack-100"
    if isinstance(payer, dict) and isinstance(payer.get("taxId"), str) and len(payer["taxId"]) <= LONGEST_TAX_ID:
        sent["payer"] = {**payer, "taxId": "529.982.247-25"}
    return sent


def with_real_plan(body: dict[str, Any]) -> dict[str, Any]:
    """A plan that exists, and no coupon: a schema cannot express which ones there are."""
    sent = dict(body)
    if is_text(body.get("planId"), 1):
        sent["planId"] = "pro"
    if is_text(body.get("couponCode"), 1):
        del sent["couponCode"]
    return sent


def within_limit(body: dict[str, Any], name: str, limit: int, most: float) -> dict[str, Any]:
    """Replaces a number that the schema allows and that exceeds what is allowed with the body's other members."""
    value = body.get(name)
    is_allowed = isinstance(value, int | float) and not isinstance(value, bool) and limit < value <= most
    return {**body, name: limit} if is_allowed else body


def is_unique(ids: list[Any]) -> bool:
    """Whether the service would take these ids, if the files existed."""
    well_formed = all(isinstance(one, str) and 1 <= len(one) <= 200 for one in ids)
    return well_formed and len(set(ids)) == len(ids)


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Distributes the cases of one identity among many tokens, each of which admits 60 requests a minute."""
    name_real_tasks(case)
    if case.headers.get("Authorization") == f"Bearer {identities['owner']}":
        case.headers["Authorization"] = f"Bearer {rejected_token(case) or paying_token(case)}"
    name_real_order(case)
    name_real_inbox(case)
    name_real_file(case)
    name_recent_days(case)
    etags = name_real_upload(case)
    # Webhooks and files stay on this machine; the case itself keeps its URLs, which the contract requires.
    if isinstance(case.body, dict):
        token = case.headers.get("Authorization", "").removeprefix("Bearer ")
        sent = with_real_files({name: with_local_urls(name, value) for name, value in case.body.items()}, token)
        sent = with_real_etags(sent, etags)
        if case.path == STUDIO_VIDEO:
            sent = with_real_scene(sent, token)
        if case.path in DEPENDENT_LIMITS:
            sent = within_limit(sent, *DEPENDENT_LIMITS[case.path])
        if case.path == CREDITS:
            sent = with_real_payment(sent)
        if case.path == SUBSCRIPTIONS:
            sent = with_real_plan(sent)
        if sent != case.body:
            kwargs["json"] = sent


@schemathesis.hook
def after_call(context: HookContext, case: Case, response: Response) -> None:
    """Records which account created the task."""
    payer = payer_of(case)
    if response.status_code == 202 and payer is not None:
        payer_of_task[response.json()["data"]["taskId"]] = payer


@schemathesis.check
def form_of_every_response(ctx: CheckContext, response: Response, case: Case) -> None:
    """Includes undeclared responses: the tool's own checks skip unknown methods and media types."""
    headers, body = response.headers, response.json()
    assert headers["content-type"] == ["application/json; charset=utf-8"], "the Content-Type is wrong"
    assert headers.get("x-request-id", [""])[0], "X-Request-Id is missing"
    assert "cache-control" in headers, "Cache-Control is missing"
    assert not any(name.startswith("access-control-") for name in headers), "there is a CORS header"
    succeeded = response.status_code < 300
    assert body.get("success") is succeeded, "success does not fit the status"
    assert set(body) == {"success", "data" if succeeded else "error"}, "the envelope has other members"
    assert succeeded or set(body["error"]) == {"code", "message"}, "the error has other members"


@schemathesis.check
def unknown_method_is_not_found(ctx: CheckContext, response: Response, case: Case) -> None:
    """An unknown method gets 404 NOT_FOUND like an unknown path, for any caller."""
    declared = {method.upper() for method in case.operation.schema[case.operation.path]}
    if response.request.method not in declared:
        assert response.status_code == 404, f"{response.request.method} got {response.status_code}"
        assert response.json()["error"]["code"] == "NOT_FOUND", "the code is wrong"
