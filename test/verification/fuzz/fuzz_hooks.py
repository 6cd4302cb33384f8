"""How Schemathesis tests this service: which account sends each case, and what holds for every response."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
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
STUDIO_VIDEO = "/api/v1/generate/video-studio"
BATCH = "/api/v1/generate/batch"

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


def name_real(case: Case, name: str, form: re.Pattern[str], real: list[str]) -> None:
    """Replaces every other generated value of a parameter by one of these; malformed and known ones stay as they are."""
    for values in (case.path_parameters or {}, case.query or {}):
        value = values.get(name)
        if real and isinstance(value, str) and form.fullmatch(value) and value not in payer_of_task:
            number = next(generated_ids[case.path])
            if number % 2 == 0:
                values[name] = real[number // 2 % len(real)]


def name_public(case: Case) -> None:
    """What can be named whoever sends the case."""
    tasks = identities["abandoned"] if case.path.endswith("/redeliver") else list(payer_of_task)
    for name in ("taskId", "ids"):
        name_real(case, name, TASK_IDS, tasks)
    name_real(case, "sha256", DIGEST, identities["published"])


def name_own(case: Case) -> None:
    """What only its owner can name."""
    if payer := payer_of(case):
        name_real(case, "orderId", TASK_IDS, [identities["orders"][payer]])
        name_real(case, "fileId", TASK_IDS, [identities["uploads"][payer]["fileId"]])
        name_real_inbox(case, identities["inboxes"][payer])
    elif continues_inbox(case):
        del case.query["after"]


def continues_inbox(case: Case) -> bool:
    """Whether the case has a well-formed `after` in a list of an inbox."""
    after = (case.query or {}).get("after")
    return case.path in ROWS_OF_INBOX and isinstance(after, str) and INBOX_ID.fullmatch(after) is not None


def name_real_inbox(case: Case, inbox: dict[str, str]) -> None:
    """Replaces every other set of generated ids, and all with `after`, by those of an inbox; malformed ids stay."""
    parameters, continues = case.path_parameters or {}, continues_inbox(case)
    if continues:
        case.query["after"] = inbox[ROWS_OF_INBOX[case.path]]
    named = [name for name in INBOX_IDS if name in parameters]
    is_formed = all(isinstance(parameters[name], str) and INBOX_ID.fullmatch(parameters[name]) for name in named)
    if named and is_formed and (continues or next(generated_ids[case.path]) % 2 == 0):
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


def text(shortest: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and shortest <= len(value) <= 200


def texts(most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and 1 <= len(value) <= most and all(map(text(1), value))


def between(limit: int, most: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int | float) and not isinstance(value, bool) and limit < value <= most


# The members of bodies that a schema cannot describe completely: values that it allows, and one that the service takes
# in their place, or none. Limits depend on another member: of an image's bytes, and of a video's seconds.
Members = dict[str, tuple[Callable[[Any], bool], Any]]
MEMBERS: dict[str, Members] = {
    CREDITS: {"packId": (text(1), "pack-100")},
    SUBSCRIPTIONS: {"planId": (text(1), "pro"), "couponCode": (text(1), None)},
    FILES: {"bytes": (between(10 * 1024 * 1024, 2 * 1024**3), 10 * 1024 * 1024)},
    CORTES: {"durationSec": (between(10_800, float("inf")), 10_800)},
}


def own_members(case: Case, owner: str) -> Members:
    """What a body can refer to of the sender's and of the catalog's."""
    members: Members = {}
    if case.path == STUDIO_VIDEO:
        required = ("mode", "productId")
        scene = identities["scenes"].get(owner, {})
        members.update({name: (text(1 if name in required else 0), real) for name, real in scene.items()})
    if files := identities["files"].get(owner):
        members["avatarFileId"] = (text(1), files[0])
    upload = identities["uploads"].get(owner, {})
    if upload and upload["fileId"] == (case.path_parameters or {}).get("fileId"):
        members["etags"] = (texts(32), upload["etags"])
    return members


def with_real_members(body: dict[str, Any], members: Members) -> dict[str, Any]:
    """Replaces well-formed members by real ones; malformed ones stay as they are."""
    replaced = {name: real for name, (is_formed, real) in members.items() if name in body and is_formed(body[name])}
    return {name: value for name, value in {**body, **replaced}.items() if value is not None or name not in replaced}


def with_real_files(body: dict[str, Any], files: list[str]) -> dict[str, Any]:
    """Replaces unique ids by files; with the images at URLs, no more than a product can have."""
    ids, images = body.get("productFileIds"), body.get("images") or []
    if not texts(len(files))(ids) or len(set(ids)) < len(ids) or not isinstance(images, list):
        return body
    real = files[: len(files) - len(images)][: len(ids)]
    others = {name: value for name, value in body.items() if name != "productFileIds"}
    return {**others, "productFileIds": real} if real else others


def with_real_payer(body: dict[str, Any]) -> dict[str, Any]:
    """A tax id with the check digits that a schema cannot express, in place of one of at most 18 characters."""
    payer = body.get("payer")
    if not isinstance(payer, dict) or not isinstance(payer.get("taxId"), str) or len(payer["taxId"]) > 18:
        return body
    return {**body, "payer": {**payer, "taxId": "529.982.247-25"}}


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Distributes the cases of one identity among many tokens, each of which admits 60 requests a minute."""
    name_public(case)
    if case.headers.get("Authorization") == f"Bearer {identities['owner']}":
        case.headers["Authorization"] = f"Bearer {rejected_token(case) or paying_token(case)}"
    name_own(case)
    name_recent_days(case)
    # Webhooks and files stay on this machine; the case itself keeps its URLs, which the contract requires.
    if isinstance(case.body, dict):
        owner = owner_of_token.get(case.headers.get("Authorization", "").removeprefix("Bearer "), "")
        sent = {name: with_local_urls(name, value) for name, value in case.body.items()}
        sent = with_real_files(sent, identities["files"].get(owner, []))
        sent = with_real_members(sent, {**MEMBERS.get(case.path, {}), **own_members(case, owner)})
        if case.path == CREDITS:
            sent = with_real_payer(sent)
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
