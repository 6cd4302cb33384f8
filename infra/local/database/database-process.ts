/**
 * Runs the process of a local database: starts it on a free port, monitors it, and ends it together with this process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RememberedDatabase } from './database-orphan.ts';
import type { DatabaseProgram } from './database-program.ts';

export interface DatabaseProcess {
  readonly url: string;
  close(): Promise<void>;
}

export interface DatabaseProcessOptions {
  readonly program: DatabaseProgram;
  /** The database's directory; if absent, the database is in memory. */
  readonly directory?: string;
  /** Called immediately with every process that is started. */
  readonly onSpawn?: (spawned: RememberedDatabase) => void;
  readonly onExit?: (reason: string) => void;
}

/** The performance measure of a database's start, until it accepts connections. */
export const databaseStart = 'start of the database';

const readySeconds = 15;
const pollMs = 20;
const terminateSeconds = 5;
const portAttempts = 5;
const keptOutputLength = 2000;

interface Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
  readonly port: number;
}

export async function startDatabaseProcess(options: DatabaseProcessOptions): Promise<DatabaseProcess> {
  for (let attempt = 1; ; attempt++) {
    const started = await launch(options, await freePort());
    if ('url' in started) return started;
    // Another program may have taken the port since it was chosen.
    if (attempt === portAttempts || !started.failure.includes('already in use'))
      throw new Error(`The local database did not start: ${started.failure}`);
  }
}

async function launch(
  options: DatabaseProcessOptions,
  port: number,
): Promise<DatabaseProcess | { readonly failure: string }> {
  // A separate process group, so that Ctrl-C reaches only the service, which closes its database last.
  const { program, directory } = options;
  const start = performance.now();
  const child = spawn(program.command, program.args(port, directory), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const endWithUs = (): void => void child.kill();
  process.once('exit', endWithUs);
  if (child.pid !== undefined) options.onSpawn?.({ pid: child.pid, port });

  const ended = whenEnded(child);
  const failure = await readiness({ child, ended, port }, program.readyText);
  if (failure !== undefined) {
    await terminate(child, ended);
    process.off('exit', endWithUs);
    return { failure };
  }
  performance.measure(databaseStart, { start });
  let closing = false;
  const watch = async (): Promise<void> => {
    const reason = await ended;
    process.off('exit', endWithUs);
    if (!closing) options.onExit?.(`The local database ended unexpectedly (${reason}).`);
  };
  void watch();
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      closing = true;
      await terminate(child, ended);
    },
  };
}

/** Resolves with the way in which the process ended and its last output; never rejects. */
function whenEnded(child: ChildProcess): Promise<string> {
  let output = '';
  const keep = (chunk: unknown): void => {
    output = (output + String(chunk)).slice(-keptOutputLength);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const { promise, resolve } = Promise.withResolvers<string>();
  child.once('error', (error) => resolve(error.message));
  child.once('close', (code, signal) =>
    resolve([signal ?? `exit code ${code}`, output.trim()].filter(Boolean).join(': ')),
  );
  return promise;
}

/** Resolves with undefined once the process is listening, otherwise with the reason why it is not. */
async function readiness({ child, ended, port }: Launched, readyText?: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const over = new AbortController();
  const timer = setTimeout(() => resolve(`not ready after ${readySeconds} s`), readySeconds * 1000);
  if (readyText === undefined) void whenListening(port, over.signal).then(() => resolve(undefined));
  else void whenWritten(child, readyText).then(() => resolve(undefined));
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

function whenWritten(child: ChildProcess, text: string): Promise<void> {
  let output = '';
  return new Promise((resolve) => {
    child.stderr?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-keptOutputLength);
      if (output.includes(text)) resolve();
    });
  });
}

async function whenListening(port: number, over: AbortSignal): Promise<void> {
  while (!over.aborted && !(await isListening(port))) await sleep(pollMs);
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

async function terminate(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill();
  const timer = setTimeout(() => child.kill('SIGKILL'), terminateSeconds * 1000);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('The system has no free port.');
  return address.port;
}
