/** The fake behaves like Bedrock to the AWS SDK's own client. */
import * as errors from '@aws-sdk/client-bedrock-runtime';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutcomeName } from '../../../fakes/bedrock/bedrock-behavior.ts';
import type { BedrockFake } from '../../../fakes/bedrock/bedrock-fake.ts';
import { eventually } from '../../support/eventually.ts';
import {
  base64Image,
  clientTo,
  closeAll,
  core,
  fastUpscale,
  image,
  invoke,
  removeBackground,
  startFake,
} from './fake-subject.ts';

afterEach(closeAll);

const prompt = { prompt: 'a lighthouse' };

const made = async (fake: BedrockFake, model: string, body: unknown) => {
  const output = (await invoke(fake, model, body)) as { readonly images: readonly string[] };
  expect(output).toEqual({ seeds: [expect.any(Number)], finish_reasons: [null], images: [expect.any(String)] });
  return sharp(Buffer.from(output.images[0] ?? '', 'base64'));
};

const errorOf = async (fake: BedrockFake, model: string, body: unknown) => {
  const thrown = await invoke(fake, model, body).catch((error: unknown) => error);
  if (!(thrown instanceof errors.BedrockRuntimeServiceException)) throw new Error('no Bedrock error was thrown');
  return `${thrown.name}: ${thrown.message}`;
};

describe('a prompt for the Bedrock fake', () => {
  it.each([
    ['16:9', 128, 72],
    ['1:1', 128, 128],
    ['21:9', 128, 55],
    ['2:3', 85, 128],
    ['3:2', 128, 85],
    ['4:5', 102, 128],
    ['5:4', 128, 102],
    ['9:16', 72, 128],
    ['9:21', 55, 128],
  ])('returns an image of the documented ratio %s', async (ratio, width, height) => {
    const fake = await startFake();
    expect(await (await made(fake, core, { ...prompt, aspect_ratio: ratio })).metadata()).toMatchObject({
      width,
      height,
    });
  });

  it('returns an image in the requested format, PNG by default, and the same one for the same seed', async () => {
    const fake = await startFake();
    const format = async (body: object) => (await (await made(fake, core, body)).metadata()).format;
    expect([await format(prompt), await format({ ...prompt, output_format: 'jpeg' })]).toEqual(['png', 'jpeg']);
    const bytes = async (seed: number) => (await made(fake, core, { ...prompt, seed })).toBuffer();
    expect(await bytes(1)).toEqual(await bytes(1));
    expect(await bytes(1)).not.toEqual(await bytes(2));
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: 'x'.repeat(10_001) }, 'prompt'],
    [{ ...prompt, negative_prompt: 'x'.repeat(10_001) }, 'negative_prompt'],
    [{ ...prompt, aspect_ratio: '4:3' }, 'aspect_ratio'],
    [{ ...prompt, output_format: 'webp' }, 'output_format'],
    [{ ...prompt, seed: 4_294_967_296 }, 'seed'],
    [{ ...prompt, seed: -1 }, 'seed'],
    [{ ...prompt, num_images: 2 }, 'num_images'],
    ['not JSON', 'expected object'],
  ])('such as %j is rejected as the model rejects it', async (body, message) => {
    expect(await errorOf(await startFake(), core, body)).toMatch(new RegExp(`^ValidationException: .*${message}`, 's'));
  });

  it('of the greatest documented length is accepted', async () => {
    await made(await startFake(), core, { prompt: 'x'.repeat(10_000), seed: 4_294_967_295 });
  });
});

describe('an image sent to the Bedrock fake', () => {
  it('loses its background: only the area around its middle is opaque', async () => {
    const image = await base64Image({ width: 100, height: 80 }, 'jpeg');
    const cut = await made(await startFake(), removeBackground, { image });
    const { data, info } = await cut.raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 100, height: 80, channels: 4 });
    const alpha = (x: number, y: number) => data[(y * 100 + x) * 4 + 3];
    expect([alpha(0, 0), alpha(99, 79), alpha(50, 40)]).toEqual([0, 0, 255]);
  });

  it.each(['png', 'jpeg', 'webp'] as const)('is returned four times as wide and high, as %s', async (format) => {
    const image = await base64Image({ width: 40, height: 33 }, format);
    const large = await made(await startFake(), fastUpscale, { image, output_format: format });
    expect(await large.metadata()).toMatchObject({ format, width: 160, height: 132 });
  });

  it.each([
    [fastUpscale, { width: 31, height: 100 }, 'at least 32'],
    [fastUpscale, { width: 1537, height: 64 }, 'more than 1536'],
    [fastUpscale, { width: 1025, height: 1024 }, 'exceed 1048576'],
    [removeBackground, { width: 63, height: 64 }, 'at least 64'],
    [removeBackground, { width: 3073, height: 3072 }, 'exceed 9437184'],
    [removeBackground, { width: 161, height: 64 }, 'exceed 2.5'],
  ])('beyond the limits of %s, %o, is rejected', async (model, size, message) => {
    const body = { image: await base64Image(size) };
    expect(await errorOf(await startFake(), model, body)).toMatch(new RegExp(`^ValidationException: .*${message}`));
  });

  it.each([
    [fastUpscale, { width: 1024, height: 1024 }],
    [removeBackground, { width: 160, height: 64 }],
  ])('just within the limits of %s is accepted', async (model, size) => {
    await made(await startFake(), model, { image: await base64Image(size) });
  });

  it('in another format, without base64, as a URL or truncated is rejected', async () => {
    const fake = await startFake();
    const whole = await image({ width: 64, height: 64 });
    const images = [
      await base64Image({ width: 64, height: 64 }, 'gif'),
      'not base64!',
      'http://127.0.0.1/a.png',
      '',
      Buffer.from('text').toString('base64'),
      whole.subarray(0, 60).toString('base64'),
    ];
    for (const image of images)
      expect(await errorOf(fake, removeBackground, { image })).toMatch(/^ValidationException: /);
  });
});

describe('an outcome requested from the Bedrock fake', () => {
  it.each<[OutcomeName, number, abstract new (...given: never[]) => Error]>([
    ['throttled', 429, errors.ThrottlingException],
    ['quota', 400, errors.ServiceQuotaExceededException],
    ['unavailable', 503, errors.ServiceUnavailableException],
    ['internal-error', 500, errors.InternalServerException],
    ['model-error', 424, errors.ModelErrorException],
    ['model-not-ready', 429, errors.ModelNotReadyException],
    ['model-timeout', 408, errors.ModelTimeoutException],
    ['invalid', 400, errors.ValidationException],
    ['denied', 403, errors.AccessDeniedException],
    ['missing', 404, errors.ResourceNotFoundException],
  ])('for %s is status %i, which the SDK maps to its own error class', async (outcome, status, kind) => {
    const fake = await startFake();
    const thrown = await invoke(fake, core, { prompt: `x [bedrock:${outcome}]` }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(kind);
    expect(thrown).toMatchObject({ $metadata: { httpStatusCode: status } });
  });

  it.each([
    ['filtered-prompt', 'Filter reason: prompt'],
    ['filtered-input', 'Filter reason: input image'],
    ['filtered-output', 'Filter reason: output image'],
    ['inference-error', 'Inference error'],
  ])('for %s is a success with only reasons', async (outcome, reason) => {
    expect(await invoke(await startFake(), core, { prompt: `[bedrock:${outcome}]` })).toEqual({
      finish_reasons: [reason],
    });
  });

  it('applies to models without a prompt if it is the fake’s default', async () => {
    const fake = await startFake({ outcome: 'throttled' });
    const body = { image: await base64Image({ width: 64, height: 64 }) };
    expect(await errorOf(fake, removeBackground, body)).toMatch(/^ThrottlingException/);
  });

  it('is ignored for an unknown word, which is an ordinary prompt', async () => {
    await made(await startFake(), core, { prompt: '[bedrock:toString] [bedrock:]' });
  });
});

it('the Bedrock fake rejects unknown models, unknown paths and unsigned requests', async () => {
  const fake = await startFake();
  expect(await errorOf(fake, 'stability.stable-image-remove-background-v1:0', {})).toContain(
    'model identifier is invalid',
  );
  const unsigned = new errors.BedrockRuntimeClient({
    endpoint: fake.url,
    region: 'us-west-2',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    signer: { sign: async (request) => request },
    maxAttempts: 1,
  });
  const command = new errors.InvokeModelCommand({ modelId: core, body: JSON.stringify(prompt) });
  await expect(unsigned.send(command)).rejects.toMatchObject({ name: 'MissingAuthenticationTokenException' });
  const stream = new errors.ConverseStreamCommand({ modelId: core, messages: [] });
  await expect(clientTo(fake).send(stream)).rejects.toMatchObject({ name: 'UnknownOperationException' });
});

it('the Bedrock fake rejects a body of more than 25 MB, and accepts the next one', async () => {
  const fake = await startFake();
  expect(await errorOf(fake, core, { prompt: 'x'.repeat(25_000_001) })).toContain('25000000 bytes');
  await made(fake, core, prompt);
});

it('closing the Bedrock fake ends hanging invocations', async () => {
  const fake = await startFake();
  const hanging = invoke(fake, core, { prompt: '[bedrock:hang]' }).catch((error: unknown) => error);
  expect(await eventually('an invocation', () => fake.requests[0])).toMatchObject({
    modelId: core,
    body: { prompt: '[bedrock:hang]' },
  });
  await closeAll();
  expect(await hanging).toBeInstanceOf(Error);
});
