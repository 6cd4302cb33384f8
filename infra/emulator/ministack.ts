/** MiniStack, an emulator of AWS that needs no Docker, as a child process in an environment of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pythonEnvironment } from '../toolchain/python-environment.ts';
import { type EmulatedStage, emulatorDirectory, isEmulatorReady } from './emulated-stage.ts';

export interface Ministack {
  /** Resolves with a sentence when it has ended, however that came. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

const startMs = 30_000;
const stopMs = 5000;

/** Its functions run with the first `node` of its PATH and see all of its environment: it gets nothing of ours. */
const environmentFor = (emulatorUrl: string) => ({
  PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  HOME: join(process.cwd(), emulatorDirectory),
  GATEWAY_PORT: new URL(emulatorUrl).port,
  BIND_HOST: '127.0.0.1',
  MINISTACK_HOST: '127.0.0.1',
  IOT_MTLS_ENABLED: '0',
  SFTP_ENABLED: '0',
});

async function untilReady(stage: EmulatedStage, child: ChildProcess): Promise<void> {
  const until = performance.now() + startMs;
  while (!(await isEmulatorReady(stage))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('it does not answer');
    await sleep(100);
  }
}

/** Keeps everything in memory. @throws {Error} when something else is there already, or it does not start. */
export async function startMinistack(stage: EmulatedStage): Promise<Ministack> {
  const { emulatorUrl } = stage;
  const { program } = await pythonEnvironment('ministack');
  if (await isEmulatorReady(stage)) throw new Error(`An emulator runs at ${emulatorUrl} already.`);
  mkdirSync(emulatorDirectory, { recursive: true });
  const logFile = join(emulatorDirectory, 'ministack.log');
  const log = openSync(logFile, 'w');
  // Ctrl-C reaches a whole group of processes; this one is stopped by us, after what needs it.
  const child = spawn(program('ministack'), [], {
    env: environmentFor(emulatorUrl),
    stdio: ['ignore', log, log],
    detached: true,
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code, signal]) => `MiniStack ended with ${code ?? signal}; see ${logFile}.`);
  try {
    await untilReady(stage, child);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`MiniStack did not start at ${emulatorUrl}; see ${logFile}.`, { cause });
  }
  return {
    ended,
    async stop() {
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exit;
      clearTimeout(killing);
    },
  };
}
