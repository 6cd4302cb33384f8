import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import type { EngineOutcome } from '../../../shared/engines/engine.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { currentJob } from '../../support/current-job.ts';
import { onFake, onRuntime } from './bedrock-subject.ts';
import { base64Image, closeAll, fastUpscale, image, removeBackground } from './fake-subject.ts';

afterEach(closeAll);

const onlyOutput = (outcome: object) => {
  const { status, outputs = [] } = outcome as Partial<Extract<EngineOutcome, { status: 'done' }>>;
  if (status !== 'done' || !outputs[0]) throw new Error(`it was ${JSON.stringify(outcome)}`);
  return outputs[0];
};

const inputOf = (...request: Parameters<typeof modelRequest>) => modelRequest(...request).input;

describe('a Bedrock job', () => {
  it('is completed on submission: its image is stored, and the result is downloaded from the storage', async () => {
    const { engine, submit, kept } = await onFake();
    const input = inputOf('bedrock/stable-image-core', 'image', {
      prompt: 'um farol',
      aspectRatio: '16:9',
      numImages: 1,
      seed: 0,
    });
    const output = onlyOutput(await submit({ input }));
    expect(output).toEqual({ url: expect.any(String), contentType: 'image/png', width: 128, height: 72 });
    expect(kept).toMatchObject([{ contentType: 'image/png' }]);
    const { body } = await engine.download(output);
    expect(Buffer.concat(await Array.fromAsync(body))).toEqual(kept[0]?.bytes);
  });

  it('with an input image sends the bytes of the image to the model, and returns the image without its background', async () => {
    const { fake, submit, kept, hold } = await onFake();
    const given = await image({ width: 100, height: 80 }, 'jpeg');
    const input = inputOf('bedrock/remove-background', 'background-remove', {
      imageUrl: hold('a', given),
      format: 'webp',
    });
    expect(onlyOutput(await submit({ model: removeBackground, input }))).toMatchObject({
      contentType: 'image/webp',
      width: 100,
      height: 80,
    });
    expect(fake.requests.map(({ body }) => body)).toEqual([{ image: given.toString('base64'), output_format: 'webp' }]);
    expect((await sharp(kept[0]?.bytes).stats()).isOpaque).toBe(false);
  });

  it('upscales an image to four times its width and height', async () => {
    const { submit, hold } = await onFake();
    const imageUrl = hold('a', await image({ width: 40, height: 33 }));
    const input = inputOf('bedrock/fast-upscale', 'image-upscale', { imageUrl });
    expect(onlyOutput(await submit({ model: fastUpscale, input }))).toMatchObject({ width: 160, height: 132 });
  });

  it('sends the bytes of a mask instead of its URL, and leaves every other URL unchanged', async () => {
    const image = await base64Image({ width: 8, height: 8 });
    const { invocations, submit, hold } = await onRuntime(() => ({ finish_reasons: [null], images: [image] }));
    const [one, two] = [Buffer.from('one'), Buffer.from('two')];
    const prompt = 'http://127.0.0.1:1/a.png';
    await submit({ model: 'any', input: { image: hold('one', one), mask: hold('two', two), prompt } });
    const body = { image: one.toString('base64'), mask: two.toString('base64'), prompt };
    expect(invocations).toMatchObject([['any', body, {}]]);
  });

  it('returns the actual type of the image, not the requested one', async () => {
    const image = await base64Image({ width: 8, height: 6 }, 'jpeg');
    const { submit, kept } = await onRuntime(() => ({ seeds: [1], finish_reasons: [null], images: [image] }));
    const output = onlyOutput(await submit({ input: { prompt: 'x', output_format: 'png' } }));
    expect(output).toMatchObject({ contentType: 'image/jpeg', width: 8, height: 6 });
    expect(kept).toMatchObject([{ contentType: 'image/jpeg' }]);
  });
});

describe('the outcome of a Bedrock job', () => {
  it.each([
    ['filtered-prompt', 'CONTENT_REJECTED'],
    ['filtered-input', 'CONTENT_REJECTED'],
    ['filtered-output', 'CONTENT_REJECTED'],
    ['inference-error', 'PROVIDER_ERROR'],
    ['new-reason', 'PROVIDER_ERROR'],
    ['no-image', 'PROVIDER_ERROR'],
    ['no-images', 'PROVIDER_ERROR'],
    ['other-form', 'PROVIDER_ERROR'],
    ['invalid', 'INPUT_INVALID'],
  ])('after a response of the kind “%s” is %s without a retry, and nothing is stored', async (outcome, code) => {
    const { fake, submit, kept } = await onFake();
    expect(await submit({ input: { prompt: `[bedrock:${outcome}]` } })).toEqual({ status: 'failed', code });
    expect(kept).toEqual([]);
    expect(fake.requests).toHaveLength(1);
  });

  it('for an image that the model does not accept is INPUT_INVALID', async () => {
    const { submit, hold } = await onFake();
    const tiny = hold('a', await image({ width: 31, height: 31 }));
    expect(await submit({ model: fastUpscale, input: { image: tiny } })).toEqual({
      status: 'failed',
      code: 'INPUT_INVALID',
    });
  });

  it.each([
    [null],
    ['text'],
    [{}],
    [{ finish_reasons: [], images: ['AAAA'] }],
    [{ finish_reasons: [7] }],
    [{ finish_reasons: [null], images: ['no base64!'] }],
    [{ finish_reasons: [null], images: [''] }],
    [{ finish_reasons: [null], images: null }],
    [{ finish_reasons: [null] }],
  ])('for a response such as %j is PROVIDER_ERROR', async (response) => {
    const { submit } = await onRuntime(() => response);
    expect(await submit()).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  it('is the failure that the response states even if it contains an image', async () => {
    const images = [await base64Image({ width: 8, height: 8 })];
    const { submit, kept } = await onRuntime(() => ({ finish_reasons: ['Filter reason: output image'], images }));
    expect(await submit()).toEqual({ status: 'failed', code: 'CONTENT_REJECTED' });
    expect(kept).toEqual([]);
  });
});

describe('a status request for a Bedrock job', () => {
  it('reports the job as lost, so that it is submitted again; cancellations and callbacks are ignored', async () => {
    const { engine } = await onRuntime(() => undefined);
    expect(await engine.check('another engine’s reference')).toEqual({ status: 'lost' });
    expect(await engine.cancel('reference')).toBeUndefined();
    expect(await engine.readCallback({ headers: {}, body: '{}' }, currentJob())).toBeUndefined();
  });
});
