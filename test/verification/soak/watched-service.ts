/** The service's process as the soak sees it: started, asked how it is, and ended. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Look, type Order, type Report, type Started, serviceVariables } from './service-orders.ts';

export interface WatchedServiceOptions {
  readonly awsUrl: string;
  readonly databaseUrl: string;
  readonly engine: { readonly url: string; readonly key: string };
  /** What the state machine's waits are multiplied with. */
  readonly pace: number;
}

export interface WatchedService extends Started {
  look(): Promise<Look>;
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** How many files and sockets are open. */
  openFiles(): number;
  /** What it has written to its standard error. */
  readonly complaints: string;
  close(): Promise<void>;
}

/** Code that was not used for a while is kept, so that its being compiled again is not taken for growth. */
const memoryFlags = ['--expose-gc', '--no-flush-bytecode'];

const program = fileURLToPath(new URL('./service-process.ts', import.meta.url));

/** Longer than the service takes to stop. */
const stopMs = 20_000;

const variablesOf = (options: WatchedServiceOptions, dataDir: string) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  POWERTOOLS_LOG_LEVEL: 'SILENT',
  DYNAMODB_ENDPOINT: options.databaseUrl,
  [serviceVariables.awsUrl]: options.awsUrl,
  [serviceVariables.dataDir]: dataDir,
  [serviceVariables.engineUrl]: options.engine.url,
  [serviceVariables.engineKey]: options.engine.key,
  [serviceVariables.pace]: String(options.pace),
});

export async function startWatchedService(options: WatchedServiceOptions): Promise<WatchedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-soak-'));
  const child = fork(program, {
    execArgv: memoryFlags,
    env: variablesOf(options, dataDir),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });

  const started = Promise.withResolvers<Started>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let orders = 0;
  child.on('message', (message) => {
    const report = message as Report;
    if ('started' in report) return started.resolve(report.started);
    const asked = waiting.get(report.id);
    waiting.delete(report.id);
    if ('error' in report) asked?.reject(new Error(report.error));
    else asked?.resolve(report.result);
  });
  child.once('exit', (code, signal) => {
    const ended = new Error(`the service ended with ${code ?? signal}: ${complaints}`);
    started.reject(ended);
    for (const { reject } of waiting.values()) reject(ended);
  });

  const order = (what: Omit<Order, 'id'>): Promise<unknown> => {
    orders += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(orders, answer);
    child.send({ id: orders, ...what } satisfies Order);
    return answer.promise;
  };

  const { url, environment } = await started.promise.catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  return {
    url,
    environment,
    look: () => order({ what: 'look' }) as Promise<Look>,
    invoke: (functionName, event) => order({ what: 'invoke', functionName, event }),
    openFiles: () => readdirSync(`/proc/${child.pid}/fd`).length,
    get complaints() {
      return complaints;
    },
    async close() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exited;
      clearTimeout(timer);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
