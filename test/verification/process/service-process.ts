/** A process of the service that a test starts, orders, kills and stops. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Numbered, type Report, startVariable } from './orders.ts';

export interface ServiceProcess<Ready, Order> {
  readonly pid: number | undefined;
  /** Rejects when the process ends before it is ready. */
  readonly ready: Promise<Ready>;
  /** The signal that killed it, or its exit code. */
  readonly exited: Promise<NodeJS.Signals | number>;
  /** Everything that it has written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Rejects when the process ends before it responds. */
  order(order: Order): Promise<unknown>;
  kill(): void;
  /** Disconnects, so that the service stops by itself, and resolves when it has; kills it when it does not. */
  close(): Promise<void>;
  /** Resolves when the process has ended and all of its output has arrived. */
  readonly closed: Promise<unknown>;
}

export interface ProcessOptions {
  /** Beside the module that starts it. */
  readonly program: URL;
  /** What {@link startOf} gives the program. */
  readonly start: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
}

/** Longer than the service takes to stop. */
const stopMs = 20_000;

export function startProcess<Ready, Order>({
  program,
  start,
  environment = {},
  execArgv = [],
}: ProcessOptions): ServiceProcess<Ready, Order> {
  const child = fork(fileURLToPath(program), {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      // A third of a start is compiling, the same in every process.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      [startVariable]: JSON.stringify(start),
      ...environment,
    },
    execArgv: [...execArgv],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const exited = once(child, 'exit').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number);
  const closed = once(child, 'close');
  const ready = Promise.withResolvers<Ready>();
  // A process may be killed before anybody waits for it.
  ready.promise.catch(() => undefined);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let orders = 0;
  child.on('message', (report: Report) => {
    if ('ready' in report) return ready.resolve(report.ready as Ready);
    const asked = waiting.get(report.id);
    waiting.delete(report.id);
    return report.error === undefined ? asked?.resolve(report.result) : asked?.reject(new Error(report.error));
  });
  const gone = (how: string | number): Error =>
    new Error(`the service ended before it answered (${how}): ${output.stderr}`);
  child.once('exit', (code: number, signal: NodeJS.Signals | null) => {
    ready.reject(gone(signal ?? code));
    for (const { reject } of waiting.values()) reject(gone(signal ?? code));
  });

  return {
    pid: child.pid,
    ready: ready.promise,
    exited,
    closed,
    output,
    order(order) {
      orders += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(orders, answer);
      child.send({ id: orders, order } satisfies Numbered, (error) => error && answer.reject(gone(error.message)));
      return answer.promise;
    },
    kill: () => void child.kill('SIGKILL'),
    async close() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exited;
      clearTimeout(timer);
    },
  };
}
