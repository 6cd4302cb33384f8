/** Stripe's own mock of its API, which knows all parameters of all requests, built from source on demand. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withFileLock } from './file-lock.ts';
import { pythonEnvironment } from './python-environment.ts';

/** It describes the version of the API that the adapter is written for. */
const version = 'v0.203.0';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../.packages', import.meta.url));

/** With the compiler from a package of Python, so that nothing has to be installed for it. */
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

/** The path of the program; the first call takes a minute. @throws {Error} if it cannot be built. */
export async function stripeMockProgram(): Promise<string> {
  const directory = join(root, `stripe-mock-${version}`);
  const path = join(directory, 'stripe-mock');
  mkdirSync(directory, { recursive: true });
  await withFileLock(join(root, 'stripe-mock.lock'), async () => {
    if (!existsSync(path)) await build(directory);
  });
  return path;
}
