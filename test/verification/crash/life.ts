/** One life of the service: from the start of its process to its end, mostly by a kill. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../shared/platform/clock.ts';
import { randomIds } from '../../../shared/platform/ids.ts';

/** What the first sweep after a start looks at. */
export type Sweeps = 'everything' | 'due' | 'nothing';

export interface Order {
  readonly dataDir: string;
  /** How far the service's clock is ahead of the real one. */
  readonly aheadMs: number;
  readonly sweeps: Sweeps;
  readonly engineReports: 'callback' | 'asking';
  readonly pace: number;
  /** Replaces addresses in the functions' environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where functions tell that they are called and that they return. */
  readonly functionsUrl: string;
}

/** Calls one of the service's functions. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly event: unknown;
}

/** What the service's process tells: that it is ready, or what came of a command. */
export type Word =
  | { readonly token: string }
  | { readonly id: string; readonly result?: unknown; readonly error?: string };

export interface Life {
  /** The account's token once the service is ready; undefined when it died before. */
  readonly ready: Promise<string | undefined>;
  /** What killed it, or its exit code. */
  readonly ended: Promise<NodeJS.Signals | number>;
  /** What it has complained of so far. */
  readonly complaints: string;
  kill(): void;
  /** Ends it and its database. */
  close(): Promise<void>;
  invoke(name: string, event: unknown): Promise<unknown>;
}

const program = fileURLToPath(new URL('./crashing-service.ts', import.meta.url));
const ids = randomIds(systemClock);

const gone = (): Error => new Error('the service ended before it answered');

export function startLife(order: Order): Life {
  const child = fork(program, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      // A third of a start is compiling, the same in every life.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      CRASH_ORDER: JSON.stringify(order),
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number);
  const answers = new Map<string, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<string | undefined>();
  child.once('exit', () => {
    ready.resolve(undefined);
    for (const { reject } of answers.values()) reject(gone());
  });
  child.on('message', (word: Word) => {
    if ('token' in word) return ready.resolve(word.token);
    const answer = answers.get(word.id);
    answers.delete(word.id);
    return word.error === undefined ? answer?.resolve(word.result) : answer?.reject(new Error(word.error));
  });

  return {
    ready: ready.promise,
    ended,
    get complaints() {
      return complaints;
    },
    kill: () => void child.kill('SIGKILL'),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
    invoke(name, event) {
      const id = ids.next();
      const answer = Promise.withResolvers<unknown>();
      answers.set(id, answer);
      child.send({ id, name, event } satisfies Command, (error) => error && answer.reject(gone()));
      return answer.promise;
    },
  };
}
