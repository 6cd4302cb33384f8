"""Reads the Content Credentials of the files named on standard input, and prints one JSON array."""
import json
import sys

import c2pa


def read(file, settings):
    context = c2pa.Context(c2pa.Settings.from_dict(settings))
    with open(file["path"], "rb") as stream:
        try:
            with c2pa.Reader(file["contentType"], stream, context=context) as reader:
                return json.loads(reader.json())
        except c2pa.C2paError as error:
            return {"error": str(error)}


given = json.load(sys.stdin)
json.dump([read(file, given["settings"]) for file in given["files"]], sys.stdout)
