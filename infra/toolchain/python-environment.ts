/** Python tools of the project's own: one virtual environment for each file of pinned requirements. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';

export interface PythonEnvironment {
  readonly directory: string;
  /** The path of one of its programs: `python`, or what its packages bring along. */
  readonly program: (name: string) => string;
}

export interface PythonEnvironmentOptions {
  /** Where environments are kept; `.python` in the project by default. */
  readonly root?: string;
  /** Where `<name>.txt` is; beside this file by default. */
  readonly requirementsDir?: string;
  /** The interpreter that makes them. */
  readonly python?: string;
  /** The oldest Python 3 that the pinned versions run on, by its minor version. */
  readonly oldestMinor?: number;
}

const inProject = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const execute = promisify(execFile);

const adviceFor = (oldestMinor: number): string =>
  `install Python 3.${oldestMinor} or newer with its modules venv and pip (Debian and Ubuntu: apt install python3 python3-venv)`;

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join('\n');

/** What a program wrote; its failure becomes a sentence. */
async function run(program: string, args: readonly string[], told: (complaint: string) => string): Promise<string> {
  try {
    return (await execute(program, args)).stdout.trim();
  } catch (cause) {
    const { stderr = '', stdout = '', message } = cause as Error & { stderr?: string; stdout?: string };
    throw new Error(told(lastLines(stderr || stdout || message)), { cause });
  }
}

async function requirePython({ python, oldestMinor }: Making): Promise<void> {
  const advice = adviceFor(oldestMinor);
  const version = 'import sys; print("%d.%d" % sys.version_info[:2])';
  const found = await run(python, ['-c', version], () => `${python} does not run: ${advice}.`);
  const [major = 0, minor = 0] = found.split('.').map(Number);
  if (major !== 3 || minor < oldestMinor) throw new Error(`${python} is Python ${found}: ${advice}.`);
}

interface Making {
  readonly directory: string;
  readonly requirements: string;
  readonly python: string;
  readonly oldestMinor: number;
}

async function make(making: Making): Promise<void> {
  const { directory, requirements, python, oldestMinor } = making;
  await requirePython(making);
  rmSync(directory, { recursive: true, force: true });
  await run(
    python,
    ['-m', 'venv', directory],
    (complaint) => `${python} cannot create a virtual environment: ${adviceFor(oldestMinor)}.\n${complaint}`,
  );
  // Wheels alone: installing must not run what a package brings along.
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
  await run(
    join(directory, 'bin', 'python'),
    [...install, '--require-hashes', '--only-binary', ':all:', '--requirement', requirements],
    (complaint) => `The Python packages of ${requirements} could not be installed.\n${complaint}`,
  );
}

/** Which requirements an environment was made from, and where: its programs do not work when it is moved. */
const stampOf = ({ directory, requirements }: Making): string =>
  `${createHash('sha256').update(readFileSync(requirements)).digest('hex')} ${directory}\n`;

function isMade(making: Making, stampFile: string): boolean {
  // The interpreter is a link to the machine's own, which may have gone since.
  if (!existsSync(stampFile) || !existsSync(join(making.directory, 'bin', 'python'))) return false;
  return readFileSync(stampFile, 'utf8') === stampOf(making);
}

/**
 * The environment `.python/<name>`, made from `python/<name>.txt` (every version pinned, every file by its hash) when
 * there is none or when that file has changed. Processes that want it at once wait for the one that makes it.
 * @throws {Error} with a sentence when there is no such file, no fitting Python, or a package cannot be had.
 */
export async function pythonEnvironment(
  name: string,
  {
    root = inProject('../../.python'),
    requirementsDir = inProject('python'),
    python = 'python3',
    oldestMinor = 11,
  }: PythonEnvironmentOptions = {},
): Promise<PythonEnvironment> {
  const directory = join(root, name);
  const making = { directory, requirements: join(requirementsDir, `${name}.txt`), python, oldestMinor };
  if (!existsSync(making.requirements)) throw new Error(`There are no requirements ${making.requirements}.`);
  mkdirSync(root, { recursive: true });
  await withFileLock(join(root, `${name}.lock`), async () => {
    const stampFile = join(directory, 'made-from');
    if (isMade(making, stampFile)) return;
    await make(making);
    writeFileSync(stampFile, stampOf(making));
  });
  return { directory, program: (program) => join(directory, 'bin', program) };
}
