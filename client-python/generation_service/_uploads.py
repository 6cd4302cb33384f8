"""Uploads files: as a form, or in parts if they are large."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO, TypeAlias, cast

from ._core import Core, Flow, Form, Send
from .operations import COMPLETE_FILE, CREATE_FILE, CompletedFile, FileRequestContentType

Content: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"

_types: dict[str, FileRequestContentType] = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".m4a": "audio/mp4",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".flac": "audio/flac",
    ".weba": "audio/webm",
    ".mka": "audio/x-matroska",
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
}


def upload(
    core: Core, content: Content, content_type: FileRequestContentType | None, idempotency_key: str | None
) -> Flow[CompletedFile]:
    """Uploads all of a file, and returns its id and its address as an input."""
    media_type = content_type or _type_of(content)
    with _opened(content) as file:
        size = file.seek(0, os.SEEK_END)
        body = {"contentType": media_type, "bytes": size}
        created = (yield from core.call(CREATE_FILE, body=body, idempotency_key=idempotency_key)).data
        how = created["upload"]
        if how["method"] == "POST":
            form = Form(how["fields"], file, media_type)
            yield from core.store(Send("POST", how["url"], body=form), size)
            return {"fileId": created["fileId"], "url": created["url"]}
        etags: list[str] = []
        file.seek(0)
        for part in how["parts"]:
            send = Send("PUT", part["url"], body=file.read(part["bytes"]))
            answer = yield from core.store(send, part["bytes"])
            etags.append(answer.headers.get("etag", ""))
    completed = yield from core.call(COMPLETE_FILE, params={"fileId": created["fileId"]}, body={"etags": etags})
    return completed.data


def _type_of(content: Content) -> FileRequestContentType:
    name = content if isinstance(content, (str, os.PathLike)) else getattr(content, "name", "")
    suffix = PurePath(name).suffix.lower() if isinstance(name, (str, os.PathLike)) else ""
    if suffix not in _types:
        raise ValueError(f"content_type is required: the name of the file ends with none of {', '.join(_types)}")
    return _types[suffix]


@contextmanager
def _opened(content: Content) -> Iterator[BinaryIO]:
    """A file that can be read from any position. A stream that cannot is copied to a temporary file."""
    if isinstance(content, (bytes, bytearray, memoryview)):
        yield io.BytesIO(content)
    elif isinstance(content, (str, os.PathLike)):
        with open(content, "rb") as file:
            yield file
    elif content.seekable():
        yield content
    else:
        with tempfile.TemporaryFile() as copy:
            shutil.copyfileobj(content, copy)
            yield cast(BinaryIO, copy)
