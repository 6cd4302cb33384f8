import { afterEach, describe, expect, it } from 'vitest';
import { accepted, adapterTo, closeAll, faultOf, job, receipt, referenceTo, withResponses } from './fal-subject.ts';

afterEach(closeAll);

/** A job that the queue rejects is never performed, so it costs nothing. */
const uncharged = { charge: { units: 0 } };

/** Many of one thing, and another at the end. */
const repeated = <One, Other>(count: number, one: One, other: Other): (One | Other)[] => [
  ...Array.from({ length: count }, () => one),
  other,
];

const completed = { status: 200, body: { status: 'COMPLETED' } };

describe('fal.ai’s response to a submission', () => {
  it.each([
    [401, {}],
    [403, { detail: 'User is locked' }],
    [402, {}],
    [408, {}],
    [429, {}],
    [500, {}],
    [504, { detail: 'x', error_type: 'request_timeout' }],
  ])('with the status %i and the body %o is a temporary error', async (status, body) => {
    const { engine } = await withResponses(() => ({ status, body }));
    expect(await faultOf(engine.submit(job()))).toContain(`fal.ai responded with ${status} to a submission`);
  });

  it('marked as retryable is a temporary error', async () => {
    const body = { detail: [{ type: 'no_media_generated' }] };
    const { engine } = await withResponses(() => ({ status: 422, body, headers: { 'X-Fal-Retryable': 'true' } }));
    expect(await faultOf(engine.submit(job()))).toContain('(no_media_generated)');
    const final = await withResponses(() => ({ status: 422, body, headers: { 'X-Fal-Retryable': 'false' } }));
    expect(await final.engine.submit(job())).toEqual({ status: 'failed', code: 'CONTENT_REJECTED', ...uncharged });
  });

  it.each([
    [422, { detail: [{ type: 'missing', loc: ['body', 'prompt'] }] }, 'INPUT_INVALID'],
    [422, { detail: 'prompt is too long' }, 'INPUT_INVALID'],
    [422, { detail: [{ type: 'less_than_equal', loc: ['body', 'seed'] }] }, 'INPUT_INVALID'],
    [422, { detail: [{ type: 'string_too_long' }, { type: 'literal_error' }] }, 'INPUT_INVALID'],
    [422, { detail: [{ type: 'string_too_long' }, { type: 'content_policy_violation' }] }, 'CONTENT_REJECTED'],
    [422, { detail: 'x', error_type: 'out_of_ink' }, 'INPUT_INVALID'],
    [422, { detail: repeated(99, { type: 'missing' }, { type: 'content_policy_violation' }) }, 'CONTENT_REJECTED'],
    [422, { detail: repeated(100, { type: 'missing' }, { type: 'content_policy_violation' }) }, 'INPUT_INVALID'],
    [422, { detail: repeated(100, { type: 'missing' }, 0) }, 'INPUT_INVALID'],
    [422, 'no JSON', 'INPUT_INVALID'],
    [400, { detail: [{ type: 'out_of_ink' }] }, 'PROVIDER_ERROR'],
    [400, { detail: 'x', error_type: 'bad_request' }, 'PROVIDER_ERROR'],
    [404, { detail: 'not found' }, 'PROVIDER_ERROR'],
    [413, '', 'PROVIDER_ERROR'],
  ])('with the status %i and the body %o is a rejection that costs nothing: %s', async (status, body, code) => {
    const { engine } = await withResponses(() => ({ status, body }));
    expect(await engine.submit(job())).toEqual({ status: 'failed', code, ...uncharged });
  });

  it.each([
    ['an empty body', () => ({})],
    ['a body that is not JSON', () => 'accepted'],
    ['a body without URLs', () => ({ request_id: 'request-1' })],
    ['an invalid id', (url: string) => receipt(url, { request_id: 'a b\n' })],
    ['a URL of another host', (url: string) => receipt(url, { status_url: 'https://queue.example/status' })],
    ['a URL that begins like the queue’s', (url: string) => receipt(url, { status_url: `${url}.example/status` })],
    ['a URL with user info', (url: string) => receipt(url, { cancel_url: url.replace('//', '//user@') })],
  ])(
    'that accepts the job with %s fails the task at once, because a second submission might be charged again',
    async (_, body) => {
      const { asked, engine } = await withResponses((_input, url) => ({ status: 200, body: body(url) }));
      expect(await engine.submit(job())).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
      expect(asked).toHaveLength(1);
    },
  );

  it('is requested only if the job’s model is a valid endpoint of fal.ai', async () => {
    const { asked, engine } = await withResponses((_, url) => ({ status: 200, body: receipt(url) }));
    for (const model of [
      '',
      'nano',
      '../fal-ai/x',
      'fal-ai/../x',
      'fal-ai//x',
      'fal-ai/x?y',
      'https://evil/x',
      '/fal-ai/x',
    ]) {
      expect(await faultOf(engine.submit(job({ model })))).toContain('names no fal.ai endpoint');
    }
    const { model: _, ...without } = job();
    expect(await faultOf(engine.submit(without))).toContain('names no fal.ai endpoint');
    expect(asked).toEqual([]);
  });
});

describe('the reference of a fal.ai job', () => {
  it('contains no host, so that a queue that has moved is polled at its new URL', async () => {
    const { engine, url } = await withResponses((_, base) => ({ status: 200, body: receipt(base) }));
    const { reference } = await accepted(engine);
    expect(reference).toBe(referenceTo());
    expect(reference).not.toContain(url);
  });

  it('cannot point outside the queue’s path', async () => {
    const { asked, url } = await withResponses((_, base) => ({ status: 200, body: receipt(`${base}/proxy/fal`) }));
    const engine = adapterTo({ queueUrl: `${url}/proxy/fal`, jwksUrl: `${url}/keys` });
    const { reference } = await accepted(engine);
    expect(asked[0]?.path).toMatch(/^\/proxy\/fal\/fal-ai\/nano-banana-2\?/);
    expect(await engine.check(reference)).toMatchObject({ status: 'queued' });
    expect(asked[1]?.path).toBe('/proxy/fal/fal-ai/nano-banana-2/requests/request-1/status?logs=0');
    for (const path of ['/keys', '../keys', 'x/../../../keys', '../falsify/x', '%2e%2e/keys']) {
      expect(await faultOf(engine.check(referenceTo({ status: path })))).toContain(
        'the reference is not to a fal.ai job',
      );
    }
    expect(asked).toHaveLength(2);
  });

  it('that was modified is rejected without sending the key', async () => {
    const elsewhere = await withResponses(() => ({ status: 200, body: {} }));
    const { asked, engine } = await withResponses(() => completed);
    const addresses = [
      elsewhere.url,
      `${elsewhere.url}/fal-ai/x/requests/request-1`,
      elsewhere.url.replace('http:', ''),
      elsewhere.url.replace('http://', '\\\\'),
      elsewhere.url.replace('http://', 'http://user@'),
      'https://queue.fal.run.example/x',
      'file:///etc/passwd',
      'data:,x',
      '',
    ];
    const references = addresses.flatMap((address) => [
      referenceTo({ status: address }),
      referenceTo({ result: address }),
      referenceTo({ cancel: address }),
    ]);
    for (const reference of [...references, '', 'request-1', '{}', 'null', referenceTo({ id: '' })]) {
      for (const act of [engine.check(reference), engine.cancel(reference)]) {
        expect([reference, await faultOf(act)]).toEqual([
          reference,
          expect.stringContaining('the reference is not to a fal.ai job'),
        ]);
      }
    }
    expect([asked, elsewhere.asked]).toEqual([[], []]);
  });
});

describe('a fal.ai job status', () => {
  it.each([
    [200, { status: 'IN_QUEUE' }, { status: 'queued', progress: 0 }],
    [202, { status: 'IN_PROGRESS', logs: null }, { status: 'running', progress: 20 }],
    [404, { detail: 'not found' }, { status: 'lost' }],
  ])('in a response with the status %i and the body %o is parsed', async (status, body, state) => {
    const { engine } = await withResponses(() => ({ status, body }));
    expect(await engine.check(referenceTo())).toEqual(state);
  });

  it.each([
    [200, { status: 'FAILED' }],
    [200, {}],
    [200, 'IN_QUEUE'],
    [401, {}],
    [429, {}],
    [500, { status: 'COMPLETED' }],
  ])('in a response with the status %i and the body %o is an error', async (status, body) => {
    const { engine } = await withResponses(() => ({ status, body }));
    expect(await faultOf(engine.check(referenceTo()))).toContain(`fal.ai responded with ${status} to a status request`);
  });
});

describe('canceling a fal.ai job', () => {
  it.each([
    [200, { status: 'OK' }],
    [202, { status: 'CANCELLATION_REQUESTED' }],
    [400, { status: 'ALREADY_COMPLETED' }],
    [404, { status: 'NOT_FOUND' }],
    [404, 'no JSON'],
  ])('with a response of status %i and the body %o succeeds', async (status, body) => {
    const { asked, engine } = await withResponses(() => ({ status, body }));
    await engine.cancel(referenceTo());
    expect(asked).toMatchObject([{ method: 'PUT', path: '/fal-ai/nano-banana-2/requests/request-1/cancel' }]);
  });

  it.each([
    [400, { detail: 'bad' }],
    [401, {}],
    [500, {}],
  ])('with a response of status %i and the body %o is an error', async (status, body) => {
    const { engine } = await withResponses(() => ({ status, body }));
    expect(await faultOf(engine.cancel(referenceTo()))).toContain(`fal.ai responded with ${status} to a cancellation`);
  });
});
