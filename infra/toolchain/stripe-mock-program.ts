/** Stripe's official mock of its API, which validates all parameters, built from source on demand. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';
import { pythonEnvironment } from './python-environment.ts';

/** The version that describes the API version of the adapter. */
const version = 'v0.203.0';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../.packages', import.meta.url));

/** Builds the program with the Go compiler from a Python package, so that nothing has to be installed. */
async function build(directory: string): Promise<void> {
  const { program } = await pythonEnvironment('go');
  const work = join(directory, 'work');
  const environment = {
    GOBIN: directory,
    GOPATH: work,
    GOCACHE: join(work, 'cache'),
    GOTOOLCHAIN: 'local',
    GOFLAGS: '-modcacherw',
    CGO_ENABLED: '0',
  };
  await execute(program('go'), ['install', `github.com/stripe/stripe-mock@${version}`], {
    env: { ...process.env, ...environment },
  });
  rmSync(work, { recursive: true, force: true });
}

/** The path of the program; the first call takes a minute. @throws {Error} if it cannot be built */
export async function stripeMockProgram(): Promise<string> {
  const directory = join(root, `stripe-mock-${version}`);
  const path = join(directory, 'stripe-mock');
  mkdirSync(directory, { recursive: true });
  await withFileLock(join(root, 'stripe-mock.lock'), async () => {
    if (!existsSync(path)) await build(directory);
  });
  return path;
}
