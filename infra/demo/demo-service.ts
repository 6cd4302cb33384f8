/** The demo's own service: in memory, on a free port, with an account, and removed completely afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoAccount, demoAccount } from '../local/demo-account.ts';
import { type ServiceOptions, startService } from '../local/host.ts';

export interface DemoService extends DemoAccount {
  readonly url: string;
  /** The service's folder, which is removed when the service closes. */
  readonly dataDir: string;
  close(): Promise<void>;
}

/** @throws {Error} if a part of the service cannot start. */
export async function startDemoService(
  options: Pick<ServiceOptions, 'engine' | 'onDatabaseExit'>,
): Promise<DemoService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-demo-'));
  // Removes the folder when the process exits, after the parts of the service that write to it have stopped.
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startService({
    ...options,
    port: 0,
    dataDir,
    inMemory: true,
    urlPolicy: 'local',
    engineCompletion: 'callback',
  });
  try {
    return {
      url: service.url,
      dataDir,
      ...(await demoAccount(service.context, dataDir)),
      close: () => service.close(),
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}
