"""The wheel beside the one that flit builds from the same sources: `test_wheel.py <wheel> <source> <folder>`."""

import base64
import csv
import email
import hashlib
import os
import sys
import unittest
import zipfile

from flit_core.buildapi import build_wheel

WHEEL, SOURCE, FOLDER = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
INFORMATION = "generation_service-1.0.0.dist-info"


def files_of(path: str) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Wheel(unittest.TestCase):
    def setUp(self) -> None:
        os.chdir(SOURCE)
        self.files = files_of(WHEEL)
        self.expected = files_of(os.path.join(FOLDER, build_wheel(FOLDER)))

    def test_the_wheel_has_the_same_name_and_files_as_that_of_flit(self) -> None:
        self.assertIn(os.path.basename(WHEEL), os.listdir(FOLDER))
        self.assertEqual(sorted(self.files), sorted(self.expected))
        described = {f"{INFORMATION}/{name}" for name in ("WHEEL", "METADATA", "RECORD")}
        for name in self.files.keys() - described:
            self.assertEqual(self.files[name], self.expected[name], name)

    def test_the_wheel_describes_the_package_as_that_of_flit_does(self) -> None:
        ours, theirs = (
            email.message_from_bytes(files[f"{INFORMATION}/METADATA"]) for files in (self.files, self.expected)
        )
        # Fields that only the newest installers know.
        del theirs["Import-Name"]
        theirs.replace_header("Metadata-Version", "2.4")
        self.assertEqual(sorted(ours.items()), sorted(theirs.items()))
        self.assertEqual(ours.get_payload().rstrip(), theirs.get_payload().rstrip())

    def test_the_record_of_the_wheel_has_the_digest_and_size_of_every_file(self) -> None:
        rows = {
            name: (digest, size)
            for name, digest, size in csv.reader(self.files[f"{INFORMATION}/RECORD"].decode().splitlines())
        }
        self.assertEqual(rows.pop(f"{INFORMATION}/RECORD"), ("", ""))
        for name, content in self.files.items():
            if name != f"{INFORMATION}/RECORD":
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
                self.assertEqual(rows.pop(name), (f"sha256={digest}", str(len(content))), name)
        self.assertEqual(rows, {})


unittest.main()
