/** Programs that a deployed stage needs on this machine, and that keep running after the command that started them. */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { emulatorDirectory } from './emulated-stage.ts';

/** The base names of the programs' files. */
export type BackgroundName = 'offline-engine' | 'payment-sandbox' | 'social-sandbox' | 'dashboard';

export interface BackgroundProgram {
  readonly name: BackgroundName;
  readonly program: URL;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the program is running with the current secrets. */
  readonly isReady: () => Promise<boolean>;
}

/** Only a hang takes this long, even on a busy machine. */
const patienceMs = 60_000;

const pidFileOf = (name: BackgroundName): string => join(emulatorDirectory, `${name}.pid`);
const logFileOf = (name: BackgroundName): string => join(emulatorDirectory, `${name}.log`);

/** The process of an earlier deployment, if it is still running. */
function runningPid(name: BackgroundName): number | undefined {
  try {
    const pid = Number(readFileSync(pidFileOf(name), 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

async function until(name: BackgroundName, failure: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > end) {
      throw new Error(`The ${name} ${failure} within ${patienceMs / 1000} s; see ${logFileOf(name)}.`);
    }
    await sleep(100);
  }
}

/** Stops a program. @throws {Error} if it does not exit */
export async function stopInBackground(name: BackgroundName): Promise<void> {
  const pid = runningPid(name);
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    await until(name, 'did not exit', () => runningPid(name) === undefined);
  }
  rmSync(pidFileOf(name), { force: true });
}

/** Starts a program, unless it is already running and ready. @throws {Error} */
export async function startInBackground({ name, program, environment, isReady }: BackgroundProgram): Promise<void> {
  if (await isReady()) return;
  await stopInBackground(name);
  mkdirSync(emulatorDirectory, { recursive: true });
  const log = openSync(logFileOf(name), 'w');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH, HOME, ...environment },
  });
  writeFileSync(pidFileOf(name), String(child.pid));
  child.unref();
  await until(name, 'did not respond', isReady);
}

interface Probe {
  readonly url: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whether a service accepts a key: if so, it responds that a resource is missing, and not that the key is invalid. */
export async function acceptsKey({ url, key, headers }: Probe): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { ...headers, Authorization: `Bearer ${key}` } });
    await response.body?.cancel();
    return response.status === 404;
  } catch {
    return false;
  }
}
