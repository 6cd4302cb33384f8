"""Runs Lambda functions as Node processes of this machine instead of containers."""

import json
import os
import subprocess
import threading
from pathlib import Path
from queue import Queue

from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

FUNCTION_PROCESS = Path(__file__).with_name("function-process.mjs")
HOST = "127.0.0.1"
END_OF_LOG = "--- end of the log of an invocation ---"
CRASHED = json.dumps({"errorType": "Runtime.ExitError", "errorMessage": "The function's process ended."}).encode()


class NodeExecutor(RuntimeExecutor):
    """One execution environment: a process that handles one invocation after the other."""

    process: subprocess.Popen | None = None

    def start(self, env_vars: dict[str, str]) -> None:
        code = self.function_version.config.code.get_unzipped_code_location()
        self.responses, responses = os.pipe()
        environment = {name: str(value) for name, value in env_vars.items()}
        self.process = subprocess.Popen(
            [os.environ["LAMBDA_NODE"], "--enable-source-maps", str(FUNCTION_PROCESS), str(responses), END_OF_LOG],
            env={**environment, "LAMBDA_TASK_ROOT": str(code), "PATH": os.environ["PATH"]},
            cwd=code,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[responses],
        )
        os.close(responses)
        self.reader = os.fdopen(self.responses, "rb")
        self.logs: list[str] = []
        self.collected: Queue[list[str]] = Queue()
        threading.Thread(target=self._collect_logs, daemon=True).start()
        ready = self.reader.readline()
        logs = self._take_logs()
        if json.loads(ready or "{}").get("ready") is not True:
            raise RuntimeError(f"{self.function_version.qualified_arn} did not start: {logs}")

    def _collect_logs(self) -> None:
        lines: list[str] = []
        for bytes_of_line in self.process.stdout:
            line = bytes_of_line.decode(errors="replace")
            if line.rstrip("\n") == END_OF_LOG:
                self.collected.put(lines)
                lines = []
            else:
                lines.append(line)
                del lines[:-1000]
        # The process has ended: what it wrote last belongs to the invocation that it did not respond to.
        self.collected.put(lines)

    def _take_logs(self) -> str:
        self.logs = self.collected.get()
        return self.get_logs()

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()

    def get_address(self) -> str:
        return HOST

    def get_endpoint_from_executor(self) -> str:
        return HOST

    def get_runtime_endpoint(self) -> str:
        return ""

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        try:
            self.process.stdin.write(json.dumps(payload).encode() + b"\n")
            self.process.stdin.flush()
            line = self.reader.readline()
        except OSError:
            line = b""
        if not line:
            return InvocationResult(payload["invoke-id"], CRASHED, is_error=True, logs=self._take_logs())
        response = json.loads(line)
        body = json.dumps(response["payload"]).encode()
        return InvocationResult(payload["invoke-id"], body, is_error=response["isError"], logs=self._take_logs())

    def get_logs(self) -> str:
        return "".join(self.logs)

    @classmethod
    def prepare_version(cls, function_version) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version) -> None:
        pass


class NodeExecutorPlugin(RuntimeExecutorPlugin):
    name = "node"

    def load(self, *args, **kwargs):
        return NodeExecutor
