/** Runs an AWS emulator as a child process of this command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmulatedStage, emulatorDirectory, isEmulatorReady } from './emulated-stage.ts';

export interface Emulator {
  readonly name: string;
  /** Kinds of resources that the emulator accepts but does not create. */
  readonly droppedKinds: readonly string[];
  /** Resolves with a sentence when the process has ended for any reason. */
  readonly ended: Promise<string>;
  readonly stop: () => Promise<void>;
}

interface EmulatorProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly droppedKinds: readonly string[];
}

const startMs = 120_000;
const stopMs = 5000;

async function untilReady(stage: EmulatedStage, child: ChildProcess): Promise<void> {
  const until = performance.now() + startMs;
  while (!(await isEmulatorReady(stage))) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('it does not respond');
    await sleep(100);
  }
}

/**
 * Starts an emulator that keeps its data in memory. @throws {Error} if the address is in use or the emulator does not
 * start
 */
export async function startEmulatorProcess(
  stage: EmulatedStage,
  { name, command, args, environment, droppedKinds }: EmulatorProgram,
): Promise<Emulator> {
  const { emulatorUrl } = stage;
  if (await isEmulatorReady(stage)) throw new Error(`An emulator is already running at ${emulatorUrl}.`);
  mkdirSync(emulatorDirectory, { recursive: true });
  const logFile = join(emulatorDirectory, `${name.toLowerCase()}.log`);
  const log = openSync(logFile, 'w');
  // The emulator runs functions with the first `node` on this PATH. It is detached, because Ctrl-C would otherwise
  // reach it too.
  const child = spawn(command, args, {
    env: {
      PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      HOME: join(process.cwd(), emulatorDirectory),
      ...environment,
    },
    stdio: ['ignore', log, log],
    detached: true,
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code, signal]) => `${name} ended with ${code ?? signal}; see ${logFile}.`);
  try {
    await untilReady(stage, child);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`${name} did not start at ${emulatorUrl}; see ${logFile}.`, { cause });
  }
  return {
    name,
    droppedKinds,
    ended,
    async stop() {
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exit;
      clearTimeout(killing);
    },
  };
}
