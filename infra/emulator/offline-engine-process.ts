/** The offline engine as a process that outlives the command that started it. */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { emulatorDirectory } from './emulated-stage.ts';

export const engineKeyVariable = 'OFFLINE_ENGINE_KEY';

export const engineFiles = join(emulatorDirectory, 'offline-engine');
const pidFile = join(emulatorDirectory, 'offline-engine.pid');
const logFile = join(emulatorDirectory, 'offline-engine.log');
const program = new URL('engine/main.ts', import.meta.url).pathname;
const patienceMs = 20_000;

/** The process of an earlier deployment, if it is still running. */
function runningPid(): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

const isReachable = async (url: string, key: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/v1/jobs/none`, { headers: { Authorization: `Bearer ${key}` } });
    await response.body?.cancel();
    return response.status === 404;
  } catch {
    return false;
  }
};

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what} within ${patienceMs / 1000} s; see ${logFile}.`);
    await sleep(100);
  }
}

/** @throws {Error} when it does not exit. */
export async function stopOfflineEngine(): Promise<void> {
  const pid = runningPid();
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    await until('The offline engine did not exit', () => runningPid() === undefined);
  }
  rmSync(pidFile, { force: true });
}

/** Starts it at the stage's URL; one that already runs there with the same key is reused. @throws {Error} */
export async function startOfflineEngineProcess(url: string, key: string): Promise<void> {
  if (await isReachable(url, key)) return;
  await stopOfflineEngine();
  mkdirSync(emulatorDirectory, { recursive: true });
  const log = openSync(logFile, 'w');
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH, HOME, [engineKeyVariable]: key },
  });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
  await until('The offline engine did not respond', () => isReachable(url, key));
}
