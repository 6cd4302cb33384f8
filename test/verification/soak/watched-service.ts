/** The soaked service's process: started, measured and stopped. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../process/service-process.ts';
import type { Look, Order, Start, Started } from './service-orders.ts';

export interface WatchedServiceOptions extends Omit<Start, 'dataDir'> {
  readonly databaseUrl: string;
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

/** Keeps code that was not used for a while, so that its recompilation is not mistaken for growth. */
const memoryFlags = ['--expose-gc', '--no-flush-bytecode'];

export async function startWatchedService({ databaseUrl, ...options }: WatchedServiceOptions): Promise<WatchedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-soak-'));
  const start: Start = { dataDir, ...options };
  const service = startProcess<Started, Order>({
    program: new URL('./service-process.ts', import.meta.url),
    start,
    environment: { DYNAMODB_ENDPOINT: databaseUrl },
    execArgv: memoryFlags,
  });
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const started = await service.ready.catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    ...started,
    look: () => service.order({ do: 'measure' }) as Promise<Look>,
    invoke: (name, event) => service.order({ do: 'invoke', name, event }),
    openFiles: () => readdirSync(`/proc/${service.pid}/fd`).length,
    get complaints() {
      return service.output.stderr;
    },
    async close() {
      await service.close();
      remove();
    },
  };
}
