import { afterEach, describe, expect, it } from 'vitest';
import { base64Image, closeAll, image, removeBackground } from '../../fakes/bedrock/fake-subject.ts';
import type { ImageResponse } from '../../support/image-host.ts';
import { faultOf, onFake, onRuntime } from './bedrock-subject.ts';

afterEach(closeAll);

describe('a model’s fault', () => {
  it.each([
    ['throttled', 'throttled (ThrottlingException)'],
    ['quota', 'throttled (ServiceQuotaExceededException)'],
    ['unavailable', 'unavailable (ServiceUnavailableException)'],
    ['internal-error', 'unavailable (InternalServerException)'],
    ['model-error', 'unavailable (ModelErrorException)'],
    ['model-not-ready', 'unavailable (ModelNotReadyException)'],
    ['model-timeout', 'timeout (ModelTimeoutException)'],
    ['denied', 'misconfigured (AccessDeniedException)'],
    ['missing', 'misconfigured (ResourceNotFoundException)'],
    ['wrong-model', 'misconfigured (ValidationException)'],
    ['no-json', 'unavailable (SyntaxError)'],
  ])('of the kind “%s” is thrown, so that it is retried: %s', async (outcome, message) => {
    const { fake, submit, kept } = await onFake();
    expect(await faultOf(submit({ input: { prompt: `[bedrock:${outcome}]` } }))).toContain(message);
    expect([kept.length, fake.requests.length]).toEqual([0, 1]);
  });

  it.each(['hang', 'stall'])('without a response is thrown within the time limit: %s', async (outcome) => {
    const { submit } = await onFake({}, { timeLimitMs: 500 });
    expect(await faultOf(submit({ input: { prompt: `[bedrock:${outcome}]` } }))).toContain('not invoked: timeout');
  });

  it('contains neither the model’s nor the job’s text', async () => {
    const { submit } = await onFake({}, { timeLimitMs: 500 });
    for (const outcome of [
      'throttled',
      'denied',
      'missing',
      'wrong-model',
      'needs-profile',
      'no-json',
      'gateway',
      'hang',
    ]) {
      const message = await faultOf(submit({ input: { prompt: `a lighthouse [bedrock:${outcome}]` } }));
      expect(message).not.toMatch(/lighthouse|too many|do not have|end of its life|identifier|profile|<html|upstream/i);
      expect(message).not.toMatch(/secret-/);
    }
  });
});

describe('an image in the storage', () => {
  const withImage = async (response: ImageResponse, timeLimitMs = 20_000) => {
    const subject = await onFake({}, { timeLimitMs });
    const input = { image: subject.serve('a', response) };
    return { ...subject, act: () => subject.submit({ model: removeBackground, input }) };
  };
  const ofLength =
    (bytes: number): ImageResponse =>
    (response) =>
      response.writeHead(200).end(Buffer.alloc(bytes));

  it('of more than 10 MB is INPUT_INVALID, and no model is invoked', async () => {
    const { act, fake } = await withImage(ofLength(10 * 2 ** 20 + 1));
    expect(await act()).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
    expect(fake.requests).toEqual([]);
  });

  it('of 10 MB is sent to the model', async () => {
    const { act, fake } = await withImage(ofLength(10 * 2 ** 20));
    await act();
    expect(fake.requests).toHaveLength(1);
  });

  it.each<[string, ImageResponse, string]>([
    [
      'that was deleted',
      (response) => response.writeHead(403).end('<Error>secret-words</Error>'),
      'responded with 403',
    ],
    ['that redirects', (response) => response.writeHead(307, { location: '/tiny.png' }).end(), 'could not be read'],
    ['without a response', () => undefined, 'timeout'],
    ['that stalls', (response) => response.writeHead(200).write('x'), 'timeout'],
    ['that ends early', (response) => response.destroy(), 'could not be read'],
  ])('%s is a temporary error without its URL', async (_, response, reason) => {
    const { act, fake } = await withImage(response, 2000);
    const message = await faultOf(act());
    expect(message).toContain(reason);
    expect(message).not.toMatch(/secret-|127\.0\.0\.1/);
    expect(fake.requests).toEqual([]);
  });

  it.each(['', 'AAAA', 'file:///etc/passwd', 'data:image/png;base64,AAAA', 7, null])(
    'is read only by an http URL, not by %j',
    async (image) => {
      const { fake, submit } = await onFake();
      expect(await faultOf(submit({ input: { image } }))).toContain('the field image of the model');
      expect(fake.requests).toEqual([]);
    },
  );

  it('leaves the model the remaining time', async () => {
    let now = 1000;
    const image = await base64Image({ width: 8, height: 8 });
    const { invocations, submit, serve } = await onRuntime(() => ({ finish_reasons: [null], images: [image] }), {
      clock: { now: () => now },
      timeLimitMs: 30_000,
    });
    const slow = serve('a', (response) => {
      now += 12_000;
      response.end('x');
    });
    await submit({ input: { image: slow } });
    expect(invocations[0]?.[2]).toEqual({ timeoutMs: 18_000 });
  });
});

describe('a generated image', () => {
  it('that cannot be stored throws, so that the job is submitted again', async () => {
    const { submit } = await onFake();
    const keep = () => Promise.reject(new Error('the bucket is away'));
    await expect(submit({ keep })).rejects.toThrow('the bucket is away');
  });

  it('that was deleted cannot be downloaded; the error does not contain its URL', async () => {
    const { engine, serve } = await onRuntime(() => undefined);
    const url = serve('a', (response) => response.writeHead(404).end('secret-words'));
    const message = await faultOf(engine.download({ url, contentType: 'image/png' }));
    expect(message).toContain('responded with 404');
    expect(message).not.toMatch(/secret-|127\.0\.0\.1/);
  });

  it('that ends early fails when it is read; the error does not contain its URL', async () => {
    const { engine, serve } = await onRuntime(() => undefined);
    const url = serve('a', (response) => {
      response.writeHead(200, { 'content-length': 99 });
      response.write('secret-words', () => response.destroy());
    });
    const { body } = await engine.download({ url, contentType: 'image/png' });
    const message = await faultOf(Array.fromAsync(body));
    expect(message).toContain('could not be read');
    expect(message).not.toMatch(/secret-|127\.0\.0\.1/);
  });
});

it('a job without a model throws, and nothing is read or invoked', async () => {
  const { fake, submit, hold } = await onFake();
  const input = { image: hold('a', await image({ width: 64, height: 64 })) };
  expect(await faultOf(submit({ model: '', input }))).toContain('names no Bedrock model');
  expect(fake.requests).toEqual([]);
});
