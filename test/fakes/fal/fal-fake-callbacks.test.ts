import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, open } from '../../engines/fal/fal-subject.ts';
import { type ReceivedCallback, startReceiver } from '../../offline-engine/callback-receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { startFake } from './fake-subject.ts';

afterEach(closeAll);

/** Verifies as documented for receivers. */
const isGenuine = async (callback: ReceivedCallback, jwksUrl: string): Promise<boolean> => {
  const { keys } = (await (await fetch(jwksUrl)).json()) as { keys: { kty: string; crv: string; x: string }[] };
  const header = (name: string) => callback.headers[`x-fal-webhook-${name}`] ?? '';
  const digest = createHash('sha256').update(callback.body).digest('hex');
  const message = [header('request-id'), header('user-id'), header('timestamp'), digest].join('\n');
  const signature = Buffer.from(header('signature'), 'hex');
  return keys.some((key) => verify(null, Buffer.from(message), createPublicKey({ key, format: 'jwk' }), signature));
};

describe('callbacks of the fal.ai fake', () => {
  const called = async (word: string, { reply = 200, times = 1 } = {}) => {
    const started = await startFake();
    const receiver = open(await startReceiver((_, earlier) => (earlier.length + 1 < times ? 500 : reply)));
    const receipt = await started.submit({ prompt: `x [fal:${word}]` }, { webhook: receiver.url });
    const arrived = (count: number) =>
      eventually(`${count} callbacks`, () => (receiver.received.length >= count ? receiver.received : undefined));
    return { ...started, receiver, receipt, arrived };
  };
  const bodyOf = ({ body }: ReceivedCallback) => JSON.parse(body) as Readonly<Record<string, unknown>>;

  it('are signed with a published key, and retried until they are accepted', async () => {
    const { fake, arrived, receipt } = await called('none', { times: 3 });
    const callbacks = await arrived(3);
    expect(new Set(callbacks.map(({ body }) => body)).size).toBe(1);
    for (const callback of callbacks) {
      expect(callback.headers['x-fal-webhook-request-id']).toBe(receipt.request_id);
      expect(await isGenuine(callback, fake.jwksUrl)).toBe(true);
      expect(await isGenuine({ ...callback, body: `${callback.body} ` }, fake.jwksUrl)).toBe(false);
    }
  });

  it('are abandoned after the last delay', async () => {
    const { fake, receiver, arrived, result, receipt } = await called('none', { reply: 500 });
    await arrived(4);
    await result(receipt);
    await fake.close();
    expect(receiver.received).toHaveLength(4);
  });

  it('contain a failed request’s status and its documented error', async () => {
    const { arrived } = await called('image_too_small');
    const [callback] = await arrived(1);
    expect(callback && bodyOf(callback)).toMatchObject({
      status: 'ERROR',
      error: 'Invalid status code: 422',
      payload: { detail: [{ type: 'image_too_small', loc: ['body'] }] },
    });
  });

  it('are faulty in the requested way, and then correct', async () => {
    const forged = await called('forged');
    const [wrong, right] = await forged.arrived(2);
    if (!wrong || !right) throw new Error('two arrive');
    expect(await isGenuine(wrong, forged.fake.jwksUrl)).toBe(false);
    expect(await isGenuine(right, forged.fake.jwksUrl)).toBe(true);

    const stale = await called('stale');
    const ages = (await stale.arrived(2)).map(({ headers }) => Number(headers['x-fal-webhook-timestamp']));
    expect((ages[1] ?? 0) - (ages[0] ?? 0)).toBeGreaterThanOrEqual(600);

    const reordered = await called('reordered');
    expect((await reordered.arrived(2)).map(({ status }) => status)).toEqual(['OK', 'ERROR']);

    const duplicate = await called('duplicate');
    const bodies = (await duplicate.arrived(2)).map(({ body }) => body);
    expect(bodies[0]).toBe(bodies[1]);

    const other = await called('another-job');
    const ids = (await other.arrived(2)).map((callback) => bodyOf(callback).request_id);
    expect(ids[0]).not.toBe(ids[1]);

    const without = await called('payload_error');
    const [callback] = await without.arrived(1);
    expect(callback && bodyOf(callback)).toMatchObject({
      status: 'OK',
      payload: null,
      payload_error: expect.any(String),
    });
    expect((await without.result(without.receipt)).status).toBe(200);
  });

  it('are signed with the new key after a rotation, and the old key can stay published', async () => {
    const { fake, arrived } = await called('none');
    const [callback] = await arrived(1);
    if (!callback) throw new Error('one arrives');
    fake.signer.rotate({ keepsOld: true });
    expect(await isGenuine(callback, fake.jwksUrl)).toBe(true);
    fake.signer.rotate({ keepsOld: false });
    expect(await isGenuine(callback, fake.jwksUrl)).toBe(false);
  });
});
