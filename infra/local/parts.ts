/** The local parts that stand in for what an AWS account has: database, queues and storage, and the offline engine. */
import { join } from 'node:path';
import { webhookQueueLimits } from '../../shared/contracts/hosting.ts';
import { startDatabase } from './database/database.ts';
import type { Keys } from './keys.ts';
import { startOfflineEngine } from './offline-engine/offline-engine.ts';
import type { OfflineEngineFailure } from './offline-engine/offline-engine-settings.ts';
import { startQueuesAndStorage } from './queues-and-storage.ts';

export interface PartsOptions {
  readonly dataDir: string;
  readonly inMemory: boolean;
  readonly keys: Keys;
  readonly engine: { readonly latencyMs: number; readonly failure: OfflineEngineFailure };
  readonly onDatabaseExit: (reason: string) => void;
}

interface Part {
  close(): Promise<void>;
}

/** Starts all parts at once; when one can not start, those that did are stopped again. */
export async function startParts({ dataDir, inMemory, keys, engine, onDatabaseExit }: PartsOptions) {
  const starting = {
    database: startDatabase({ dataDir: join(dataDir, 'database'), inMemory, onExit: onDatabaseExit }),
    queues: startQueuesAndStorage({
      ...(!inMemory && { dataDir: join(dataDir, 'queues-and-storage') }),
      visibilityTimeoutSeconds: webhookQueueLimits.visibilityTimeoutSeconds,
    }),
    offlineEngine: startOfflineEngine({
      key: keys.offlineEngineKey,
      filesDir: join(dataDir, 'offline-engine'),
      ...engine,
    }),
  };
  const settled = await Promise.allSettled(Object.values<Promise<Part>>(starting));
  const close = async () => {
    const running = settled.filter((part) => part.status === 'fulfilled');
    await Promise.all(running.map((part) => part.value.close()));
  };
  const failed = settled.find((part) => part.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const [database, queues, offlineEngine] = await Promise.all([
    starting.database,
    starting.queues,
    starting.offlineEngine,
  ]);
  return { database, queues, offlineEngine, close };
}

export type Parts = Awaited<ReturnType<typeof startParts>>;
