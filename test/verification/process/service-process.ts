/** A process of the service that a test starts, controls and stops. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Numbered, type Order, type Ready, type Report, type Start, startVariable } from './orders.ts';

export interface ServiceProcess {
  readonly pid: number | undefined;
  /** Resolves when the service is ready; rejects if the process ends before that. */
  readonly ready: Promise<Ready>;
  /** Everything that the process has written so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Sends an order; rejects if the process ends before it responds. */
  order(order: Order): Promise<unknown>;
  invoke(name: string, event: unknown): Promise<unknown>;
  /** Stops the process, by force if it does not stop by itself, and resolves when all of its output has arrived. */
  close(): Promise<void>;
}

export interface ProcessOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly execArgv?: readonly string[];
}

/** The time after which the process is killed, which is longer than the service takes to stop. */
const stopMs = 20_000;

const program = fileURLToPath(new URL('./service-program.ts', import.meta.url));

function startChild(start: Start, { environment = {}, execArgv = [] }: ProcessOptions) {
  const child = fork(program, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
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
  return { child, output };
}

export function startProcess(start: Start, options: ProcessOptions = {}): ServiceProcess {
  const { child, output } = startChild(start, options);
  const closed = once(child, 'close');
  const ready = Promise.withResolvers<Ready>();
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let orders = 0;
  child.on('message', (report: Report) => {
    if ('ready' in report) return ready.resolve(report.ready);
    const asked = pending.get(report.id);
    pending.delete(report.id);
    return report.error === undefined ? asked?.resolve(report.result) : asked?.reject(new Error(report.error));
  });
  const gone = (how: string | number): Error =>
    new Error(`the service ended before it responded (${how}): ${output.stderr}`);
  child.once('exit', (code: number, signal: NodeJS.Signals | null) => {
    ready.reject(gone(signal ?? code));
    for (const { reject } of pending.values()) reject(gone(signal ?? code));
  });
  const order = (given: Order): Promise<unknown> => {
    orders += 1;
    const result = Promise.withResolvers<unknown>();
    pending.set(orders, result);
    const numbered: Numbered = { id: orders, order: given };
    child.send(numbered, (error) => error && result.reject(gone(error.message)));
    return result.promise;
  };

  return {
    pid: child.pid,
    ready: ready.promise,
    output,
    order,
    invoke: (name, event) => order({ do: 'invoke', name, event }),
    async close() {
      // Disconnecting would end the process too, but then nothing would report the end of its output.
      if (child.connected) order({ do: 'end' }).catch(() => undefined);
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
