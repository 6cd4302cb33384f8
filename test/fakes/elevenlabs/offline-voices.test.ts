/** The service with the fake of ElevenLabs, which lets the offline engine speak and convert. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resultFacts } from '../../../infra/demo/result-facts.ts';
import { type ServiceWithFake, serviceWithFake } from '../../support/service-with-fake.ts';

let host: ServiceWithFake;

beforeAll(async () => {
  host = await serviceWithFake('elevenlabs-fake');
});
afterAll(() => host.close());

test('a sentence and its voice change are returned through the ElevenLabs fake as the offline engine speaks them', async () => {
  const body = { text: 'Olá! O seu vídeo está pronto.', voice: 'brian' };
  const spoken = await host.resultOf(await host.api.generateVoice({ body }), 'elevenlabs');
  expect(spoken.bytes.toString('latin1')).toContain('a sandbox voice');
  const changed = await host.resultOf(
    await host.api.changeVoice({ body: { audioUrl: spoken.url, voice: 'lily' } }),
    'elevenlabs',
  );
  const [before, after] = [await resultFacts(spoken.bytes), await resultFacts(changed.bytes)];
  expect(after.durationSec).toBeCloseTo(before.durationSec ?? 0, 0);
  expect(changed.bytes.equals(spoken.bytes)).toBe(false);
});

test('tasks without a route to ElevenLabs go to the offline engine', async () => {
  const { data } = await host.api.generateImage({ body: { prompt: 'Um farol ao amanhecer' } });
  expect(await host.service.context.tasks.find(data.taskId)).toMatchObject({ engine: 'offline' });
});
