/** Installs the Python client's wheel, so that tests use exactly what its users get. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClients } from '../../infra/local/clients/build-clients.ts';
import { pythonEnvironment } from '../../infra/toolchain/python-environment.ts';
import { builtFolder } from '../../shared/platform/built-folder.ts';

const execute = promisify(execFile);
const source = join(process.cwd(), 'client-python');

export interface InstalledPythonClient {
  /** A directory for the programs of a test. */
  readonly directory: string;
  /** The interpreter, and the variables with which its programs find the package. */
  readonly program: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Runs a program of the environment, and returns what it printed. @throws {Error} with everything that it wrote */
  readonly run: (program: string, args: readonly string[], variables?: Record<string, string>) => Promise<string>;
  readonly remove: () => void;
}

/** The wheel that the service serves. */
export async function pythonWheel(): Promise<string> {
  await buildClients();
  const folder = builtFolder('clients');
  const [file = ''] = globSync('*.whl', { cwd: folder });
  return join(folder, file);
}

/** Installs the wheel at a path or URL: the one that the service serves, unless told otherwise. */
export async function installPythonClient(wheel?: string): Promise<InstalledPythonClient> {
  const directory = mkdtempSync(join(tmpdir(), 'client-python-'));
  const site = join(directory, 'site');
  const python = await pythonEnvironment('clients');
  const found = { ...python.variables, PYTHONPATH: site, MYPYPATH: site };
  const run: InstalledPythonClient['run'] = async (program, args, variables = {}) => {
    const env = { ...process.env, ...found, ...variables };
    const options = { cwd: directory, env };
    return execute(python.program(program), args, options).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${program} failed:\n${stdout}${stderr}`);
      },
    );
  };
  const alone = ['--quiet', '--no-deps', '--no-index', '--no-cache-dir', '--disable-pip-version-check'];
  await execute('python3', ['-m', 'pip', 'install', ...alone, '--target', site, wheel ?? (await pythonWheel())]);
  return {
    directory,
    program: python.program('python'),
    variables: found,
    run,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The Python programs in the package's README. */
export const readmeSamples = (): readonly string[] =>
  [...readFileSync(join(source, 'README.md'), 'utf8').matchAll(/^```python\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  );
