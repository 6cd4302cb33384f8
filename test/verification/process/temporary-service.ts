/** A service process with a separate data directory, which is removed when the process is closed. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement, Ready, Start } from './orders.ts';
import { type ProcessOptions, type ServiceProcess, startProcess } from './service-process.ts';

export interface TemporaryService extends Ready, Pick<ServiceProcess, 'order' | 'invoke' | 'output' | 'close'> {
  readonly dataDir: string;
  measure(): Promise<Measurement>;
  /** The number of open files and sockets. */
  openFiles(): number;
}

export async function temporaryService(
  start: Omit<Start, 'dataDir'>,
  options: ProcessOptions = {},
): Promise<TemporaryService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-process-'));
  const service = startProcess({ ...start, dataDir }, options);
  const close = async () => {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const ready = await service.ready.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...service,
    ...ready,
    dataDir,
    measure: () => service.order({ do: 'measure' }) as Promise<Measurement>,
    openFiles: () => readdirSync(`/proc/${service.pid}/fd`).length,
    close,
  };
}
