/** Builds the Python client's wheel and installs it, so that tests use exactly what its users get. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonEnvironment } from '../../infra/toolchain/python-environment.ts';

const execute = promisify(execFile);
const source = join(process.cwd(), 'client-python');

export interface InstalledPythonClient {
  /** A directory for the programs of a test. */
  readonly directory: string;
  readonly wheel: string;
  /** Runs a program of the environment, and returns what it printed. @throws {Error} with everything that it wrote */
  readonly run: (program: string, args: readonly string[], variables?: Record<string, string>) => Promise<string>;
  readonly remove: () => void;
}

export async function installPythonClient(): Promise<InstalledPythonClient> {
  const directory = mkdtempSync(join(tmpdir(), 'client-python-'));
  const site = join(directory, 'site');
  const python = await pythonEnvironment('clients');
  const run: InstalledPythonClient['run'] = async (program, args, variables = {}) => {
    const env = { ...process.env, ...python.variables, PYTHONPATH: site, MYPYPATH: site, ...variables };
    const options = { cwd: directory, env };
    return execute(python.program(program), args, options).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${program} failed:\n${stdout}${stderr}`);
      },
    );
  };
  const build = `import os, sys; os.chdir(sys.argv[1]); from flit_core.buildapi import build_wheel; print(build_wheel(sys.argv[2]))`;
  const wheel = join(directory, (await run('python', ['-c', build, source, directory])).trim());
  await execute('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-index', '--target', site, wheel]);
  return { directory, wheel, run, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** The Python programs in the package's README. */
export const readmeSamples = (): readonly string[] =>
  [...readFileSync(join(source, 'README.md'), 'utf8').matchAll(/^```python\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  );
