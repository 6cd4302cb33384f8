import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { OfflineEngineOptions } from '../../offline-engine/offline-engine.ts';
import { startReceiver } from './callback-receiver.ts';
import { engineKey, startEngine, voiceInput } from './engine-client.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0).toReversed()) await thing.close();
});

const start = async (reply?: Parameters<typeof startReceiver>[0], options: Partial<OfflineEngineOptions> = {}) => {
  const engine = await startEngine(options);
  const receiver = await startReceiver(reply);
  opened.push(engine, receiver);
  return { engine, receiver };
};

describe('callbacks of the offline engine', () => {
  it('report the start of a job, its growing progress and finally its end', async () => {
    const { engine, receiver } = await start(undefined, { latencyMs: 1300 });
    const { reference } = await engine.submit(voiceInput(), { callbackUrl: `${receiver.url}/job` });
    await receiver.arrived(({ status }) => status === 'done');

    const progress = receiver.received.map(({ progress }) => progress);
    const statuses = receiver.received.map(({ status }) => status);
    expect(statuses.slice(0, -1).every((status) => status === 'running')).toBe(true);
    expect(statuses.length).toBeGreaterThan(2);
    const times = receiver.received.slice(0, -1).map(({ arrivedAt }) => arrivedAt);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(490);
    expect(progress).toEqual(progress.toSorted((left, right) => left - right));
    expect(new Set(progress).size).toBe(progress.length);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual(await engine.check(reference));
  });

  it('have a signature that covers their time and their exact body', async () => {
    const { engine, receiver } = await start();
    await engine.submit(voiceInput(), { callbackUrl: receiver.url });
    const { headers, body } = await receiver.arrived(({ status }) => status === 'done');
    const expected = createHmac('sha256', engineKey).update(`${headers['x-engine-timestamp']}.${body}`).digest('hex');

    expect(headers['x-engine-timestamp']).toMatch(/^\d{10}$/);
    expect(headers['x-engine-signature']).toBe(expected);
    expect(headers['content-type']).toBe('application/json');
  });

  it('are retried until they get a 2xx response', async () => {
    const { engine, receiver } = await start(({ status }, earlier) =>
      status === 'done' && !earlier.some((callback) => callback.status === 'done') ? 503 : 200,
    );
    await engine.submit(voiceInput(), { callbackUrl: receiver.url });
    await receiver.arrived(({ body }) => receiver.received.filter((callback) => callback.body === body).length === 2);

    expect(receiver.received.slice(-2).map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('do not follow redirects', async () => {
    const { engine, receiver } = await start((_, earlier) => (earlier.length === 0 ? 302 : 200));
    await engine.submit(voiceInput(), { callbackUrl: `${receiver.url}/job` });
    await receiver.arrived(({ status }) => status === 'done');

    expect(receiver.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it('block neither a job nor the engine if there is no receiver', async () => {
    const { engine, receiver } = await start();
    await receiver.close();
    opened.pop();
    const { reference } = await engine.submit(voiceInput(), { callbackUrl: receiver.url });

    expect(await engine.ended(reference)).toMatchObject({ status: 'done' });
  });
});
