import { afterEach, describe, expect, it } from 'vitest';
import { falWords } from '../../../fakes/fal/fal-behavior.ts';
import { startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { falFaultTypes } from '../../../fakes/fal/fal-faults.ts';
import { closeAll, falKey, open } from '../../engines/fal/fal-subject.ts';
import { startReceiver } from '../../offline-engine/callback-receiver.ts';
import { eventually } from '../../support/eventually.ts';
import { endpoint, prompt, type Receipt, startFake } from './fake-subject.ts';

afterEach(closeAll);

describe('requests to the fal.ai fake', () => {
  it('need the key, except those for public keys and files', async () => {
    const { fake, submit, result } = await startFake();
    const receipt = await submit(prompt);
    const { images } = (await (await result(receipt)).json()) as { images: { url: string }[] };
    for (const url of [receipt.status_url, receipt.response_url, receipt.cancel_url, `${fake.queueUrl}/${endpoint}`]) {
      for (const authorization of ['', 'Key key-id:wrong', `Bearer ${falKey}`]) {
        expect((await fetch(url, { headers: { Authorization: authorization } })).status).toBe(401);
      }
    }
    expect((await fetch(fake.jwksUrl)).status).toBe(200);
    expect((await fetch(images[0]?.url ?? '')).headers.get('content-type')).toBe('image/png');
  });

  it('are found only at the URL with owner and alias, not with the whole endpoint or another one', async () => {
    const { fake, ask, submit } = await startFake();
    const { request_id: id, status_url: url } = await submit(
      { image_url: 'https://example.com/a.png' },
      { model: 'fal-ai/birefnet/v2' },
    );
    expect(url).toBe(`${fake.queueUrl}/fal-ai/birefnet/requests/${id}/status`);
    for (const app of ['fal-ai/birefnet/v2', 'fal-ai/esrgan']) {
      expect((await ask(`${fake.queueUrl}/${app}/requests/${id}/status`)).status).toBe(404);
    }
  });

  it('wait while two are running, and run when a slot is free', async () => {
    const { ask, submit, status } = await startFake({ behavior: { queueMs: 0, runMs: 60_000 } });
    const receipts: Receipt[] = [];
    for (const name of ['a', 'b', 'c', 'd']) receipts.push(await submit({ prompt: name }));
    const states = await eventually('two running', async () => {
      const seen = await Promise.all(receipts.map(status));
      return seen.filter((state) => state.status === 'IN_PROGRESS').length === 2 ? seen : undefined;
    });
    expect(states.map((state) => state.status)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
    expect(states.slice(2)).toMatchObject([{ queue_position: 0 }, { queue_position: 1 }]);
    const [first, , third] = receipts;
    if (!first || !third) throw new Error('four jobs were submitted');
    await ask(first.cancel_url, { method: 'PUT' });
    await eventually('the third running', async () => (await status(third)).status === 'IN_PROGRESS' || undefined);
  });

  it('return logs only on request', async () => {
    const { ask, submit, completed } = await startFake();
    const receipt = await submit(prompt);
    await completed(receipt);
    const logs = async (query: string) =>
      ((await (await ask(`${receipt.status_url}${query}`)).json()) as { logs: unknown[] }).logs;
    expect(await logs('?logs=1')).toMatchObject([{ level: 'INFO', source: 'USER' }]);
    expect(await logs('?logs=0')).toEqual([]);
  });

  it('that are canceled while they run end as canceled and send no callback', async () => {
    const { ask, submit, status, result } = await startFake({ behavior: { queueMs: 0, runMs: 60_000 } });
    const receiver = open(await startReceiver());
    const receipt = await submit(prompt, { webhook: receiver.url });
    await eventually('a running job', async () => (await status(receipt)).status === 'IN_PROGRESS' || undefined);
    expect((await ask(receipt.response_url)).status).toBe(400);
    expect(await (await ask(receipt.cancel_url, { method: 'PUT' })).json()).toEqual({
      status: 'CANCELLATION_REQUESTED',
    });
    const response = await result(receipt);
    expect([response.status, response.headers.get('x-fal-error-type')]).toEqual([499, 'client_cancelled']);
    expect(receiver.received).toEqual([]);
  });

  it('with a repeated idempotency key return the first request, unless that is turned off', async () => {
    const honouring = await startFake();
    const first = await honouring.submit(prompt, { key: 'task-1' });
    expect(await honouring.submit(prompt, { key: 'task-1' })).toMatchObject({ request_id: first.request_id });
    expect((await honouring.submit(prompt, { key: 'task-2' })).request_id).not.toBe(first.request_id);

    const ignoring = await startFake({ honoursIdempotencyKeys: false });
    const [one, two] = [await ignoring.submit(prompt, { key: 'k' }), await ignoring.submit(prompt, { key: 'k' })];
    expect(one.request_id).not.toBe(two.request_id);
  });

  it.each(['', 'not JSON', '[]', '"text"'])('with the body %j are bad requests', async (body) => {
    const { ask, fake } = await startFake();
    const response = await ask(`${fake.queueUrl}/${endpoint}`, { method: 'POST', body });
    expect([response.status, response.headers.get('x-fal-error-type')]).toEqual([400, 'bad_request']);
  });

  it('to an unknown endpoint are not found', async () => {
    const { post } = await startFake();
    for (const model of ['fal-ai/unknown', 'fal-ai/nano-banana-2/edit/more', 'constructor']) {
      expect((await post(prompt, { model })).status).toBe(404);
    }
  });
});

describe('behavior requested from the fal.ai fake', () => {
  it('has a word for each documented fault type, and other words for the rest', () => {
    expect(falWords).toEqual(expect.arrayContaining([...falFaultTypes]));
    expect(new Set(falWords).size).toBe(falWords.length);
  });

  it.each([
    ['rate_limit', 429, '1'],
    ['500', 500, null],
    ['503', 503, null],
  ])('by [fal:%s] rejects two submissions with %i and accepts the third', async (word, status, retryAfter) => {
    const { post } = await startFake();
    const responses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const response = await post({ prompt: `[fal:${word}]` }, { key: 'task-1' });
      responses.push([response.status, response.headers.get('retry-after')]);
      await response.body?.cancel();
    }
    expect(responses).toEqual([
      [status, retryAfter],
      [status, retryAfter],
      [200, null],
    ]);
  });

  it('by [fal:hang] leaves the first submission without a response and accepts the second', async () => {
    const { post, fake } = await startFake();
    const hanging = post({ prompt: '[fal:hang]' }).catch(() => 'cut off');
    await eventually('a submission', () => fake.requests.length > 0 || undefined);
    expect((await post({ prompt: '[fal:hang]' })).status).toBe(200);
    await fake.close();
    expect(await hanging).toBe('cut off');
  });

  it('by [fal:forgotten] forgets the first request and keeps the second', async () => {
    const { ask, submit, completed } = await startFake();
    const [first, second] = [await submit({ prompt: '[fal:forgotten]' }), await submit({ prompt: '[fal:forgotten]' })];
    expect((await ask(first.status_url)).status).toBe(404);
    await completed(second);
  });

  it.each([
    ['result-404', 404],
    ['result-500', 500],
    ['error-in-callback', 500],
    ['generation_timeout', 504],
    ['runner_incomplete_response', 502],
  ])('by [fal:%s] ends with a result whose response is %i', async (word, status) => {
    const { submit, result } = await startFake();
    expect((await result(await submit({ prompt: `[fal:${word}]` }))).status).toBe(status);
  });

  it('by [fal:undocumented-type] ends with a 422 with an undocumented type', async () => {
    const { submit, result } = await startFake();
    const response = await result(await submit({ prompt: '[fal:undocumented-type]' }));
    const { detail } = (await response.json()) as { detail: { type: string }[] };
    expect([response.status, detail.map(({ type }) => type)]).toEqual([422, ['less_than_equal']]);
    expect(falFaultTypes).not.toContain('less_than_equal');
  });
});

it('the fal.ai fake can be closed while requests are in progress', async () => {
  const { fake, submit } = await startFake({ behavior: { queueMs: 0, runMs: 60_000 }, concurrency: 1 });
  const receipts: Receipt[] = [];
  for (const name of ['runs', 'waits', 'waits too']) receipts.push(await submit({ prompt: name }));
  expect(receipts).toHaveLength(3);
  await expect(fake.close()).resolves.toBeUndefined();
});

it('the fal.ai fake rejects a key that does not have the form id:secret with a message', async () => {
  await expect(startFalFake({ key: 'secret' })).rejects.toThrow('The key of the fal.ai fake must have the form');
});
