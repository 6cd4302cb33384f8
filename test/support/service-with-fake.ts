/** The service with a fake of a provider, as `npm start -- --engine` starts it, and the results that it generates. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Client, client } from '../../client/client.ts';
import { demoAccount } from '../../infra/local/demo-account.ts';
import { type Service, type ServiceOptions, startService } from '../../infra/local/host.ts';
import { eventually } from './eventually.ts';

export interface ServiceWithFake {
  readonly service: Service;
  readonly api: Client;
  readonly dataDir: string;
  /** The result of a task that must be processed by an engine. */
  resultOf(
    created: Awaited<ReturnType<Client['generateImage']>>,
    engine: string,
  ): Promise<{ readonly url: string; readonly bytes: Buffer }>;
  close(): Promise<void>;
}

export async function serviceWithFake(fake: NonNullable<ServiceOptions['fake']>): Promise<ServiceWithFake> {
  const dataDir = mkdtempSync(join(tmpdir(), 'service-with-fake-'));
  const service = await startService({
    port: 0,
    dataDir,
    inMemory: true,
    fake,
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const { token } = await demoAccount(service.context, dataDir);
  const api = client({ baseUrl: service.url, token });
  return {
    service,
    api,
    dataDir,
    async resultOf({ data: { taskId } }, engine) {
      const task = await eventually('the end of the task', async () => {
        const found = await service.context.tasks.find(taskId);
        return found?.endedAt === undefined ? undefined : found;
      });
      expect(task).toMatchObject({ status: 'completed', engine });
      const [result] = (await api.getTask({ params: { taskId } })).data.results ?? [];
      const url = result?.url ?? '';
      return { url, bytes: Buffer.from(await (await fetch(url)).arrayBuffer()) };
    },
    async close() {
      await service.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
