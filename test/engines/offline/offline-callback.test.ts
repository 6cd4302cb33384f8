/** Which callbacks the adapter to the offline engine accepts. */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { offlineEngine } from '../../../shared/engines/offline/offline-engine.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { startReceiver } from '../../offline-engine/callback-receiver.ts';
import { engineKey } from '../../offline-engine/engine-client.ts';
import { currentJob } from '../../support/current-job.ts';
import { closeAll, job, open, withEngine } from './offline-subject.ts';

afterEach(closeAll);

describe('the adapter to the offline engine', () => {
  it('accepts only callbacks that the engine has signed', async () => {
    const { engine } = await withEngine({ latencyMs: 600 });
    const adapter = offlineEngine({ url: engine.url, key: async () => engineKey, clock: systemClock });
    const receiver = open(await startReceiver());
    expect(await adapter.submit(job({ callbackUrl: receiver.url }))).toMatchObject({ completion: 'callback' });
    const last = await receiver.arrived(({ status }) => status === 'done');
    const [first] = receiver.received;
    if (!first) throw new Error('nothing arrived');

    expect(await adapter.readCallback(first, currentJob())).toEqual({ status: 'running', progress: 0 });
    expect(await adapter.readCallback(last, currentJob())).toMatchObject({
      status: 'done',
      outputs: [{ contentType: 'audio/mpeg' }],
    });
    expect(await adapter.readCallback({ ...last, body: last.body.replace('100', '99') }, currentJob())).toBeUndefined();
    expect(await adapter.readCallback({ ...last, body: first.body }, currentJob())).toBeUndefined();
    expect(await adapter.readCallback({ ...last, headers: {} }, currentJob())).toBeUndefined();
    const other = offlineEngine({ url: engine.url, key: async () => 'another key', clock: systemClock });
    expect(await other.readCallback(last, currentJob())).toBeUndefined();
  });

  it('rejects a callback whose timestamp is over five minutes off, or whose signature is malformed', async () => {
    const now = 1_800_000_000;
    const adapter = offlineEngine({
      url: 'http://127.0.0.1:1',
      key: async () => engineKey,
      clock: { now: () => now * 1000 },
    });
    const body = JSON.stringify({ reference: 'r', status: 'running', progress: 40.7 });
    const read = (seconds: number | string, signature?: string) => {
      const right = createHmac('sha256', engineKey).update(`${seconds}.${body}`).digest('hex');
      const headers = { 'x-engine-timestamp': `${seconds}`, 'x-engine-signature': signature ?? right };
      return adapter.readCallback({ headers, body }, currentJob());
    };

    for (const seconds of [now, now - 300, now + 300]) {
      expect(await read(seconds)).toEqual({ status: 'running', progress: 40 });
    }
    for (const seconds of [now - 301, now + 301, 0, '', 'NaN', '-1', `${now}.0`, '1e10']) {
      expect(await read(seconds)).toBeUndefined();
    }
    for (const signature of ['', '00', 'f'.repeat(64), 'z'.repeat(64), 'é'.repeat(64)]) {
      expect(await read(now, signature)).toBeUndefined();
    }
  });

  it.each([
    ['a body that is not JSON', 'done'],
    ['an unknown format', JSON.stringify({ reference: 'r', status: 'finished' })],
    ['a completed job without an output', JSON.stringify({ reference: 'r', status: 'done', outputs: [] })],
    ['progress that is not a number', JSON.stringify({ reference: 'r', status: 'running', progress: '5' })],
  ])('rejects a signed callback with %s', async (_, body) => {
    const adapter = offlineEngine({
      url: 'http://127.0.0.1:1',
      key: async () => engineKey,
      clock: { now: () => 1000 },
    });
    const signature = createHmac('sha256', engineKey).update(`1.${body}`).digest('hex');
    const headers = { 'x-engine-timestamp': '1', 'x-engine-signature': signature };
    expect(await adapter.readCallback({ headers, body }, currentJob())).toBeUndefined();
  });
});
