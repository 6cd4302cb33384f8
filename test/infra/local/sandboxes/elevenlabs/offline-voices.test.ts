/** The service with the fake of ElevenLabs, which lets the offline engine speak and convert. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client } from '../../../../../client/client.ts';
import { mp3Duration } from '../../../../../infra/demo/speech/mp3-duration.ts';
import { demoAccount } from '../../../../../infra/local/demo-account.ts';
import { type Service, startService } from '../../../../../infra/local/host.ts';
import { eventually } from '../../../../support/eventually.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'generation-service-elevenlabs-'));
let service: Service;
let api: Client;

beforeAll(async () => {
  service = await startService({
    port: 0,
    dataDir,
    inMemory: true,
    fake: 'elevenlabs-fake',
    urlPolicy: 'local',
    engineCompletion: 'callback',
    engine: { latencyMs: 0, failure: 'none' },
    onDatabaseExit: (reason) => {
      throw new Error(reason);
    },
  });
  const { token } = await demoAccount(service.context, dataDir);
  api = client({ baseUrl: service.url, token });
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function soundOf({ data: { taskId } }: Awaited<ReturnType<Client['generateVoice']>>) {
  const task = await eventually('the end of the task', async () => {
    const found = await service.context.tasks.find(taskId);
    return found?.endedAt === undefined ? undefined : found;
  });
  expect(task).toMatchObject({ status: 'completed', engine: 'elevenlabs' });
  const [result] = (await api.getTask({ params: { taskId } })).data.results ?? [];
  const url = result?.url ?? '';
  return { url, bytes: Buffer.from(await (await fetch(url)).arrayBuffer()) };
}

test('a sentence and its conversion to another voice are returned through ElevenLabs as the offline engine speaks them', async () => {
  const spoken = await soundOf(
    await api.generateVoice({ body: { text: 'Olá! O seu vídeo está pronto.', voice: 'brian' } }),
  );
  expect(spoken.bytes.toString('latin1')).toContain('a sandbox voice');
  const changed = await soundOf(await api.changeVoice({ body: { audioUrl: spoken.url, voice: 'lily' } }));
  expect(Math.abs(mp3Duration(changed.bytes) - mp3Duration(spoken.bytes))).toBeLessThan(0.5);
  expect(changed.bytes.equals(spoken.bytes)).toBe(false);
});

test('tasks that ElevenLabs has no route for go to the offline engine', async () => {
  const { data } = await api.generateImage({ body: { prompt: 'Um farol ao amanhecer' } });
  expect(await service.context.tasks.find(data.taskId)).toMatchObject({ engine: 'offline' });
});
