/** The observed service's process, with all of its output. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startProcess } from '../process/service-process.ts';
import type { Order, Ready, Start } from './service-orders.ts';

export interface ObservedService extends Ready, Pick<ServiceProcess<Ready, Order>, 'order' | 'output'> {
  readonly dataDir: string;
  /** Ends it; its data stays until {@link ObservedService.remove}. */
  end(): Promise<void>;
  remove(): void;
}

/** Retries in fractions of a second; a state's time-out comes after a second or two. */
const pace = 0.02;

export async function startObservedService(): Promise<ObservedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-secrets-'));
  const start: Start = { dataDir, pace };
  const service = startProcess<Ready, Order>({
    program: new URL('./service-process.ts', import.meta.url),
    start,
    environment: { POWERTOOLS_LOG_LEVEL: 'TRACE' },
  });
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  const ready = await service.ready.catch((error: unknown) => {
    remove();
    throw error;
  });
  let isEnding = false;
  return {
    ...ready,
    dataDir,
    output: service.output,
    order: (order) => service.order(order),
    async end() {
      // Not by disconnecting: after that, nothing reports the end of its output.
      if (!isEnding) await service.order({ do: 'end' });
      isEnding = true;
      await service.closed;
    },
    remove,
  };
}
