/** Creates virtual environments for the project's Python tools, one per file of pinned requirements. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';

export interface PythonEnvironment {
  readonly directory: string;
  /** The path of a program in the environment: `python`, or one of its packages' programs. */
  readonly program: (name: string) => string;
  /** Environment variables for its programs: they cache compiled code, whatever the caller's variables say. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface PythonEnvironmentOptions {
  /** The folder of the environments; `.python` in the project by default. */
  readonly root?: string;
  /** The folder that contains `<name>.txt`; that of this file by default. */
  readonly requirementsDir?: string;
  /** The interpreter that creates the environments. */
  readonly python?: string;
  /** The minor version of the oldest Python 3 that the pinned versions support. */
  readonly oldestMinor?: number;
}

const inProject = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const execute = promisify(execFile);

const adviceFor = (oldestMinor: number): string =>
  `install Python 3.${oldestMinor} or newer with its modules venv and pip (Debian and Ubuntu: apt install python3 python3-venv)`;

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join('\n');

/** Runs a program and returns its output; a failure becomes a readable error. */
async function run(program: string, args: readonly string[], describe: (complaint: string) => string): Promise<string> {
  try {
    return (await execute(program, args)).stdout.trim();
  } catch (cause) {
    const { stderr = '', stdout = '', message } = cause as Error & { stderr?: string; stdout?: string };
    throw new Error(describe(lastLines(stderr || stdout || message)), { cause });
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

/** Whether the interpreter's own pip can install into other environments, which requires pip 22.3. */
const canInstallElsewhere = (python: string): Promise<boolean> =>
  execute(python, ['-m', 'pip', '--python', python, '--version']).then(
    () => true,
    () => false,
  );

async function make(making: Making): Promise<void> {
  const { directory, requirements, python, oldestMinor } = making;
  await requirePython(making);
  rmSync(directory, { recursive: true, force: true });
  const own = join(directory, 'bin', 'python');
  // Uses the interpreter's pip if possible, because installing another one takes longer than some tools.
  const isShared = await canInstallElsewhere(python);
  await run(
    python,
    ['-m', 'venv', ...(isShared ? ['--without-pip'] : []), directory],
    (complaint) => `${python} cannot create a virtual environment: ${adviceFor(oldestMinor)}.\n${complaint}`,
  );
  // Installs only wheels, so that no code of packages runs. All dependencies are listed, so none need to be resolved.
  const safely = ['--no-input', '--no-compile', '--no-deps', '--require-hashes', '--only-binary', ':all:'];
  const install = ['install', '--quiet', '--disable-pip-version-check', ...safely, '--requirement', requirements];
  await run(
    isShared ? python : own,
    ['-m', 'pip', ...(isShared ? ['--python', own] : []), ...install],
    (complaint) => `The Python packages of ${requirements} could not be installed.\n${complaint}`,
  );
}

/** Identifies the requirements and location of an environment, whose programs do not work after it is moved. */
const stampOf = ({ directory, requirements }: Making): string =>
  `${createHash('sha256').update(readFileSync(requirements)).digest('hex')} ${directory}\n`;

function isMade(making: Making, stampFile: string): boolean {
  // The interpreter is a link to the machine's Python, which may have been removed since.
  if (!existsSync(stampFile) || !existsSync(join(making.directory, 'bin', 'python'))) return false;
  return readFileSync(stampFile, 'utf8') === stampOf(making);
}

/**
 * The environment `.python/<name>`, created from `python/<name>.txt` (every version pinned, every file by its hash) if
 * it is missing or that file has changed. Concurrent processes wait for the one that creates it. @throws {Error} if
 * there is no such file or no suitable Python, or a package cannot be installed
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
  if (!existsSync(making.requirements)) throw new Error(`The requirements file ${making.requirements} does not exist.`);
  mkdirSync(root, { recursive: true });
  await withFileLock(join(root, `${name}.lock`), async () => {
    const stampFile = join(directory, 'made-from');
    if (isMade(making, stampFile)) return;
    await make(making);
    writeFileSync(stampFile, stampOf(making));
  });
  const variables = { PYTHONDONTWRITEBYTECODE: '', PYTHONPYCACHEPREFIX: join(directory, 'compiled') };
  return { directory, program: (program) => join(directory, 'bin', program), variables };
}
