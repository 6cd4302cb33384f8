/** The service's process as a test sees it: told what to do, and every word of its output kept. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Numbered, type Order, type Ready, type Start, startVariable, type Word } from './service-orders.ts';

export interface ObservedService extends Ready {
  readonly dataDir: string;
  /** What it has written to its standard output and standard error so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  order(order: Order): Promise<unknown>;
  /** Ends it; its data stays until {@link ObservedService.remove}. */
  end(): Promise<void>;
  remove(): void;
}

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url));

/** Retries in fractions of a second; a state's time-out comes after a second or two. */
const pace = 0.02;

function startProcess(dataDir: string) {
  const start: Start = { dataDir, pace };
  return fork(program, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      POWERTOOLS_LOG_LEVEL: 'TRACE',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      [startVariable]: JSON.stringify(start),
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

export async function startObservedService(): Promise<ObservedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-secrets-'));
  const child = startProcess(dataDir);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  // Not merely `exit`: what was written last is still on its way then.
  const closed = once(child, 'close');
  const ready = Promise.withResolvers<Ready>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let orders = 0;
  child.on('message', (word: Word) => {
    if ('ready' in word) return ready.resolve(word.ready);
    const asked = waiting.get(word.id);
    waiting.delete(word.id);
    return word.error === undefined ? asked?.resolve(word.result) : asked?.reject(new Error(word.error));
  });
  child.once('close', () => {
    const ended = new Error(`the service ended: ${output.stderr}`);
    ready.reject(ended);
    for (const { reject } of waiting.values()) reject(ended);
  });

  const order = (what: Order): Promise<unknown> => {
    orders += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(orders, answer);
    child.send({ id: orders, ...what } satisfies Numbered);
    return answer.promise;
  };

  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const started = await ready.promise.catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    ...started,
    dataDir,
    output,
    order,
    async end() {
      // Not by disconnecting: after that nobody tells that its output has ended.
      if (child.connected) await order({ do: 'end' });
      await closed;
    },
    remove,
  };
}
