import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { startReceiver } from '../../offline-engine/callback-receiver.ts';
import { currentJob } from '../../support/current-job.ts';
import { eventually } from '../../support/eventually.ts';
import { accepted, closeAll, onFake, open, referenceTo } from './fal-subject.ts';
import { done, keyRequests, report, signed, unknown } from './signed-report.ts';

afterEach(closeAll);

const arrivedAt = ({ received }: Awaited<ReturnType<typeof startReceiver>>, count: number) =>
  eventually(`${count} callbacks`, () => (received.length >= count ? received : undefined));

describe('a fal.ai callback', () => {
  it('is accepted, and so is a repeated one', async () => {
    const { engine } = await onFake();
    const receiver = open(await startReceiver());
    const { reference } = await accepted(engine, {
      input: { prompt: '[fal:duplicate]' },
      callbackUrl: `${receiver.url}/x`,
    });
    const callbacks = await arrivedAt(receiver, 2);
    const polled = await engine.check(reference);
    expect(polled.status).toBe('done');
    // A callback does not say what fal.ai charges.
    for (const callback of callbacks) {
      expect({ charge: { units: 1 }, ...(await engine.readCallback(callback, currentJob(reference))) }).toEqual(polled);
    }
  });

  it.each(['forged', 'stale'])('that is %s is rejected, and the genuine one after it is accepted', async (word) => {
    const { engine } = await onFake();
    const receiver = open(await startReceiver());
    await accepted(engine, { input: { prompt: `[fal:${word}]` }, callbackUrl: receiver.url });
    const [first, second] = await arrivedAt(receiver, 2);
    if (!first || !second) throw new Error('two arrive');
    expect(await engine.readCallback(first, unknown)).toBeUndefined();
    expect(await engine.readCallback(second, unknown)).toMatchObject({ status: 'done' });
  });

  it('is rejected more than five minutes before or after its timestamp, without fetching fal.ai’s keys', async () => {
    const { engine, fake } = await onFake(
      { clock: { now: () => 1_800_000_000_000 } },
      { clock: { now: () => 1_800_000_000_000 } },
    );
    for (const ageSeconds of [301, -301, 100_000, Number.NaN]) {
      expect(await engine.readCallback(signed(fake, report(), { ageSeconds }), unknown)).toBeUndefined();
    }
    expect(keyRequests(fake)).toBe(0);
    for (const ageSeconds of [300, 0, -300]) {
      expect(await engine.readCallback(signed(fake, report(), { ageSeconds }), unknown)).toEqual(done);
    }
  });

  it('is rejected if any signed part is missing, malformed or from another callback', async () => {
    const { engine, fake } = await onFake();
    const { headers, body } = signed(fake);
    const other = signed(fake, body, { requestId: 'request-2' }).headers;
    const wrong: Readonly<Record<string, readonly string[]>> = {
      'x-fal-webhook-request-id': ['', 'request-2'],
      'x-fal-webhook-user-id': ['', 'another user'],
      'x-fal-webhook-timestamp': [
        '',
        '0',
        'NaN',
        '-1',
        '1e9',
        `${headers['x-fal-webhook-timestamp']}.0`,
        '9'.repeat(13),
      ],
      'x-fal-webhook-signature': [
        '',
        '00',
        'f'.repeat(128),
        'z'.repeat(128),
        'é'.repeat(128),
        other['x-fal-webhook-signature'] ?? '',
      ],
    };
    for (const [name, values] of Object.entries(wrong)) {
      const { [name]: _, ...without } = headers;
      expect(await engine.readCallback({ headers: without, body }, unknown)).toBeUndefined();
      for (const value of values) {
        expect([
          name,
          value,
          await engine.readCallback({ headers: { ...headers, [name]: value }, body }, unknown),
        ]).toEqual([name, value, undefined]);
      }
    }
    expect(await engine.readCallback({ headers, body }, unknown)).toEqual(done);
  });

  it('is rejected if any character of its body is added, removed or changed', async () => {
    const { engine, fake } = await onFake();
    const { headers, body } = signed(fake, report({ error: 'prüfung ✓' }));
    expect(await engine.readCallback({ headers, body }, unknown)).toEqual(done);
    const change = fc.record({
      at: fc.nat(body.length),
      removed: fc.nat(3),
      added: fc.string({ unit: 'binary', maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, removed, added }) => {
        const tampered = body.slice(0, at) + added + body.slice(at + removed);
        fc.pre(tampered !== body);
        expect(await engine.readCallback({ headers, body: tampered }, unknown)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a body that is not JSON', 'done'],
    ['a body that is not an object', '"OK"'],
    ['no request id', report({ request_id: undefined })],
    ['an unknown status', report({ status: 'FINISHED' })],
  ])('that is signed but has %s is rejected', async (_, body) => {
    const { engine, fake } = await onFake();
    expect(await engine.readCallback(signed(fake, body), unknown)).toBeUndefined();
  });
});

describe('a fal.ai report', () => {
  const nothingNew = { status: 'queued', progress: 0 };

  it('about a job other than the referenced one changes nothing', async () => {
    const { engine, fake } = await onFake();
    const other = { request_id: 'request-2', gateway_request_id: 'request-3' };
    for (const changes of [other, { ...other, status: 'ERROR' }, { ...other, payload: null }]) {
      expect(await engine.readCallback(signed(fake, report(changes)), currentJob(referenceTo()))).toEqual(nothingNew);
    }
  });

  it('is accepted with either of fal.ai’s two ids of the job, even before the job’s reference is stored', async () => {
    const { engine, fake } = await onFake();
    for (const changes of [
      { gateway_request_id: 'retry-7' },
      { request_id: 'retry-7' },
      { gateway_request_id: undefined },
    ]) {
      expect(await engine.readCallback(signed(fake, report(changes)), currentJob(referenceTo()))).toEqual(done);
    }
    expect(await engine.readCallback(signed(fake), unknown)).toEqual(done);
  });

  it('without a payload makes the adapter request the result from fal.ai', async () => {
    const { engine } = await onFake();
    const receiver = open(await startReceiver());
    const { reference } = await accepted(engine, {
      input: { prompt: '[fal:payload_error]' },
      callbackUrl: receiver.url,
    });
    const callback = await receiver.arrived(() => true);
    expect(await engine.readCallback(callback, currentJob(reference))).toMatchObject({
      status: 'done',
      outputs: [{ contentType: 'image/png' }],
    });
    expect(await engine.readCallback(callback, unknown)).toMatchObject({ status: 'running' });
  });

  it('without a payload about a lost job changes nothing', async () => {
    const { engine, fake } = await onFake();
    for (const status of ['OK', 'ERROR']) {
      const body = report({ status, payload: null, payload_error: 'not serializable' });
      expect(await engine.readCallback(signed(fake, body), currentJob(referenceTo()))).toEqual(nothingNew);
    }
  });

  it.each([
    [
      'the plain text of a 422 response',
      { error: 'Invalid status code: 422', payload: { detail: 'bad prompt' } },
      'INPUT_INVALID',
    ],
    [
      'the plain text of a 500 response',
      { error: 'Invalid status code: 500', payload: { detail: 'oops' } },
      'PROVIDER_ERROR',
    ],
    ['a type beside the payload', { payload: { detail: 'x' }, error_type: 'startup_timeout' }, 'PROVIDER_TIMEOUT'],
    ['an unknown type', { payload: { detail: [{ type: 'out_of_ink' }] } }, 'PROVIDER_ERROR'],
    [
      'an unknown type in a 422 response',
      { error: 'Invalid status code: 422', payload: { detail: [{ type: 'less_than_equal' }] } },
      'INPUT_INVALID',
    ],
    ['nothing but the status 422', { error: 'Invalid status code: 422', payload: null }, 'INPUT_INVALID'],
    ['no payload', { payload: null }, 'PROVIDER_ERROR'],
    [
      'several errors',
      { payload: { detail: [{ type: 'missing' }, { type: 'content_policy_violation' }] } },
      'CONTENT_REJECTED',
    ],
  ])('of an error with %s ends the job with the matching error code', async (_, changes, code) => {
    const { engine, fake } = await onFake();
    const body = report({ status: 'ERROR', ...changes });
    expect(await engine.readCallback(signed(fake, body), unknown)).toEqual({ status: 'failed', code });
  });
});
