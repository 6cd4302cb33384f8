import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pythonEnvironment } from '../../../infra/toolchain/python-environment.ts';

let directory: string;
let requirementsFile: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'python-environment-'));
  requirementsFile = join(directory, 'tools.txt');
  writeFileSync(requirementsFile, 'tool==1.0 --hash=sha256:00\n');
});
afterEach(() => rmSync(directory, { recursive: true }));

/**
 * Replaces Python, whose environments take many seconds to create: creates one that is sufficient for this test,
 * installs everything except `gone`, and records its arguments.
 */
const standIn = `#!/bin/sh
echo "$@" >> "$DIRECTORY/asked"
for last; do :; done
case "$*" in
  "-c "*) echo 3.12 ;;
  "-m venv "*) mkdir -p "$last/bin" && cp "$0" "$last/bin/python" ;;
  "-m pip "*--version) ;;
  "-m pip "*) if grep -q gone "$DIRECTORY/tools.txt"; then echo "no package gone found" >&2; exit 1; fi ;;
esac
`;

function interpreter(script = standIn): string {
  const path = join(directory, 'python3');
  writeFileSync(path, script.replaceAll('$DIRECTORY', directory), { mode: 0o755 });
  return path;
}

const make = (python = interpreter()) =>
  pythonEnvironment('tools', { root: join(directory, 'environments'), requirementsDir: directory, python });

const withoutPip = standIn.replace('--version)', '--version) exit 1');

const asked = (what: RegExp): string[] => readFileSync(join(directory, 'asked'), 'utf8').match(what) ?? [];
const timesMade = (): number => asked(/-m venv/g).length;

test('a Python environment is created once for its requirements, and again when the requirements change', async () => {
  const { directory: made, program } = await make();
  expect(program('python')).toBe(join(made, 'bin', 'python'));
  await make();
  expect(timesMade()).toBe(1);
  writeFileSync(join(made, 'left-over'), '');
  writeFileSync(requirementsFile, 'tool==1.1 --hash=sha256:11\n');
  await make();
  expect(timesMade()).toBe(2);
  expect(existsSync(join(made, 'left-over'))).toBe(false);
});

test('programs of a Python environment store their compiled code in it, even if the machine forbids Python to store any', async () => {
  const { directory: made, variables } = await make();
  const python = spawnSync('python3', ['-c', 'import sys; print(sys.dont_write_bytecode, sys.pycache_prefix)'], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...variables },
    encoding: 'utf8',
  });
  expect(python.stdout.trim()).toBe(`False ${join(made, 'compiled')}`);
});

test('a Python environment installs only wheels with pinned hashes', async () => {
  await make();
  const [install = ''] = asked(/-m pip .* install .*/g);
  expect(install).toContain(`--require-hashes --only-binary :all: --requirement ${requirementsFile}`);
});

test('if the machine’s pip is recent enough, it installs into the Python environment, which gets no pip of its own', async () => {
  const { directory: made } = await make();
  expect(asked(/-m venv .*/g)).toEqual([`-m venv --without-pip ${made}`]);
  expect(asked(/-m pip .* install/g)).toEqual([`-m pip --python ${join(made, 'bin', 'python')} install`]);
});

test('on a machine without pip, or with one that is too old, the Python environment gets its own pip', async () => {
  const { directory: made } = await make(interpreter(withoutPip));
  expect(asked(/-m venv .*/g)).toEqual([`-m venv ${made}`]);
  expect(asked(/-m pip install/g)).toHaveLength(1);
});

test('concurrent callers all get the Python environment that the first of them creates', async () => {
  const python = interpreter(standIn.replace('mkdir', 'sleep 1 && mkdir'));
  const made = await Promise.all([make(python), make(python), make(python)]);
  expect(new Set(made.map((one) => one.directory)).size).toBe(1);
  expect(timesMade()).toBe(1);
});

test('an incomplete Python environment is created again', async () => {
  const unfinished = join(directory, 'environments', 'tools', 'bin');
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'python'), 'torn');
  const { program } = await make();
  expect(readFileSync(program('python'), 'utf8')).toContain('-m venv');
});

test('a Python environment without its interpreter is created again', async () => {
  const { program } = await make();
  rmSync(program('python'));
  await make();
  expect(existsSync(program('python'))).toBe(true);
});

test('a Python environment that was moved is created again, because its programs would not run', async () => {
  await make();
  const stamp = join(directory, 'environments', 'tools', 'made-from');
  writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(directory, '/elsewhere'));
  await make();
  expect(timesMade()).toBe(2);
});

test('the error on a machine without Python says what to install', async () => {
  await expect(make(join(directory, 'no-python'))).rejects.toThrow(
    /no-python does not run: install Python 3\.11 or newer with its modules venv and pip/,
  );
});

test('a Python version that is too old is rejected', async () => {
  const old = interpreter('#!/bin/sh\necho 3.9');
  await expect(make(old)).rejects.toThrow(/is Python 3\.9: install Python 3\.11 or newer/);
});

test('the error for a Python without venv says what to install', async () => {
  const python = interpreter('#!/bin/sh\n[ "$1" = -c ] && echo 3.12 || { echo "No module named venv" >&2; exit 1; }');
  const message = /cannot create a virtual environment: install .*venv.*\nNo module named venv/s;
  await expect(make(python)).rejects.toThrow(message);
});

test('packages that cannot be installed are reported with pip’s message, and the next attempt starts again', async () => {
  writeFileSync(requirementsFile, 'gone==1.0 --hash=sha256:00\n');
  await expect(make()).rejects.toThrow(/packages of .*tools\.txt could not be installed\.\nno package gone found/);
  await expect(make()).rejects.toThrow(/could not be installed/);
  writeFileSync(requirementsFile, 'tool==1.0 --hash=sha256:00\n');
  await expect(make()).resolves.toBeDefined();
});

test('a Python environment cannot be created without a requirements file', async () => {
  rmSync(requirementsFile);
  await expect(make()).rejects.toThrow(`The requirements file ${requirementsFile} does not exist.`);
});
