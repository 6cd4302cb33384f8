/** The fake behaves like fal.ai towards fal.ai's own client, which supports no other server. */
import { ApiError, createFalClient, ValidationError } from '@fal-ai/client';
import { afterEach, describe, expect, it } from 'vitest';
import { type FalFakeOptions, startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { type GenerateFiles, generateFiles } from '../../../fakes/fal/perform-fal-job.ts';
import { closeAll, falKey, open, quick } from '../../engines/fal/fal-subject.ts';
import { startReceiver } from '../../offline-engine/callback-receiver.ts';
import { eventually } from '../../support/eventually.ts';

afterEach(closeAll);

const withClient = async (options: Partial<FalFakeOptions> = {}, credentials = falKey) => {
  const fake = open(await startFalFake({ key: falKey, behavior: quick, ...options }));
  const toFake: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== 'https://queue.fal.run') throw new Error(`the client called ${url.origin}`);
    return fetch(`${fake.queueUrl}${url.pathname}${url.search}`, init);
  };
  return { fake, client: createFalClient({ credentials, fetch: toFake, retry: { maxRetries: 0 } }) };
};

const prompt = { prompt: 'a lighthouse' };
const error = (act: Promise<unknown>) => act.then(() => undefined).catch((thrown: unknown) => thrown);

describe('fal.ai’s own client library with the fake', () => {
  it('subscribes to a request, sees it wait, run and complete, and gets the output and the request id', async () => {
    // The jobs are queued in order of arrival: the first one occupies the only slot.
    const held: (() => void)[] = [];
    const make: GenerateFiles = async (...job) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return generateFiles(...job);
    };
    const { client } = await withClient({ concurrency: 1, make });
    await client.queue.submit('fal-ai/nano-banana-2', { input: prompt });
    await eventually('the first job', () => held[0]);
    const seen: string[] = [];
    const { data, requestId } = await client.subscribe('fal-ai/nano-banana-2', {
      input: { ...prompt, num_images: 2, output_format: 'jpeg' },
      pollInterval: 20,
      logs: true,
      onQueueUpdate: ({ status }) => {
        seen.push(status);
        held[status === 'IN_QUEUE' ? 0 : 1]?.();
      },
    });
    expect([...new Set(seen)]).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
    expect(data.images.map(({ content_type }) => content_type)).toEqual(['image/jpeg', 'image/jpeg']);
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const file = await fetch(data.images[0]?.url ?? '');
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 3)).toBe('\xff\xd8\xff');
  });

  it('submits, and gets status and result at the URLs that it derives from an endpoint id with many segments', async () => {
    const { fake, client } = await withClient();
    const endpoint = 'fal-ai/seedvr/upscale/image';
    const submitted = await client.queue.submit(endpoint, { input: { image_url: 'https://example.com/a.png' } });
    const { request_id: requestId } = submitted;
    expect(submitted).toEqual({
      status: 'IN_QUEUE',
      request_id: requestId,
      gateway_request_id: requestId,
      queue_position: 0,
      response_url: `${fake.queueUrl}/fal-ai/seedvr/requests/${requestId}`,
      status_url: `${fake.queueUrl}/fal-ai/seedvr/requests/${requestId}/status`,
      cancel_url: `${fake.queueUrl}/fal-ai/seedvr/requests/${requestId}/cancel`,
    });
    const completed = await client.queue.subscribeToStatus(endpoint, { requestId, pollInterval: 20 });
    expect(completed).toMatchObject({ status: 'COMPLETED', request_id: requestId, metrics: { inference_time: 0 } });
    const { data } = await client.queue.result(endpoint, { requestId });
    expect(data.image.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//);
  });

  it('receives a callback at its webhook with the same result as polling', async () => {
    const { client } = await withClient();
    const receiver = open(await startReceiver());
    const webhookUrl = `${receiver.url}/hook?task=1&x=%2F`;
    const { request_id: requestId } = await client.queue.submit('fal-ai/nano-banana-pro', {
      input: prompt,
      webhookUrl,
    });
    const { body, path } = await receiver.arrived(({ status }) => status === 'OK');
    expect(path).toBe('/hook?task=1&x=%2F');
    const { data } = await client.queue.result('fal-ai/nano-banana-pro', { requestId });
    expect(JSON.parse(body)).toMatchObject({ request_id: requestId, status: 'OK', payload: data });
  });

  it('throws a ValidationError that names the rejected fields', async () => {
    const { client } = await withClient();
    const input = { prompt: 7, aspect_ratio: '5:1', num_images: 9, image_urls: [] } as never;
    const thrown = await error(client.subscribe('fal-ai/nano-banana-2/edit', { input, pollInterval: 20 }));
    if (!(thrown instanceof ValidationError)) throw new Error('it threw something else', { cause: thrown });
    expect(thrown.status).toBe(422);
    const problems = thrown.fieldErrors.map(({ loc, type }) => `${loc.join('.')} ${type}`);
    expect(problems.toSorted()).toEqual([
      'body.aspect_ratio one_of',
      'body.image_urls sequence_too_short',
      'body.num_images less_than',
      'body.prompt value_error',
    ]);
    expect(thrown.getFieldErrors('aspect_ratio')[0]).toMatchObject({ loc: ['body', 'aspect_ratio'] });
  });

  it('throws an ApiError for an error of the queue and for an invalid key', async () => {
    const { client } = await withClient();
    const input = { prompt: '[fal:runner_server_error]' };
    const fault = await error(client.subscribe('fal-ai/nano-banana-2', { input, pollInterval: 20 }));
    expect(fault).toBeInstanceOf(ApiError);
    expect(fault).not.toBeInstanceOf(ValidationError);
    expect(fault).toMatchObject({ status: 500, body: { error_type: 'runner_server_error' } });

    const { client: stranger } = await withClient({}, 'key-id:wrong');
    expect(await error(stranger.queue.submit('fal-ai/nano-banana-2', { input: prompt }))).toMatchObject({
      name: 'ApiError',
      status: 401,
    });
  });

  it('cancels a waiting request, and gets an error if there is nothing left to cancel', async () => {
    const { client } = await withClient({ behavior: { queueMs: 60_000 } });
    const endpoint = 'fal-ai/nano-banana-2';
    const { request_id: requestId } = await client.queue.submit(endpoint, { input: prompt });
    await client.queue.cancel(endpoint, { requestId });
    expect((await client.queue.status(endpoint, { requestId })).status).toBe('COMPLETED');
    expect(await error(client.queue.cancel(endpoint, { requestId }))).toMatchObject({
      status: 400,
      body: { status: 'ALREADY_COMPLETED' },
    });
    expect(await error(client.queue.cancel(endpoint, { requestId: 'unknown' }))).toMatchObject({
      status: 404,
      body: { status: 'NOT_FOUND' },
    });
  });
});
