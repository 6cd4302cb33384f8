import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ImageEngine, sample, startImageEngine } from '../image-client.ts';

let engine: ImageEngine;
beforeAll(async () => {
  engine = await startImageEngine();
});
afterAll(() => engine.close());

/** Any operation would do for this test; this one starts fastest. */
const failureWith = (address: string) =>
  engine.failure('influencer', { name: 'Luana', description: 'Moda', referenceImages: [address] });

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** Inverts bits of the image's data, so that it cannot be decoded. */
const broken = (bytes: Buffer) => {
  const middle = bytes.length / 2;
  return Buffer.concat([
    bytes.subarray(0, middle),
    bytes.subarray(middle, middle + 64).map((byte) => ~byte),
    bytes.subarray(middle + 64),
  ]);
};

/** The header of a PNG that declares the given dimensions, followed by some data. */
const pngOf = async (width: number, height: number) => {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
};

const endless: RequestListener = (_, response) => {
  const write = () => {
    while (!response.destroyed && response.write(Buffer.alloc(2 ** 18)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

describe('input images', () => {
  it.each([
    ['a PNG that ends too early', async () => half(await sample('coffee.png'))],
    ['a JPEG that ends too early', async () => half(await sample('astronaut.jpg'))],
    ['a JPEG without its end marker', async () => (await sample('astronaut.jpg')).subarray(0, -2)],
    ['a JPEG with broken data', async () => broken(await sample('astronaut.jpg'))],
    ['a WebP that ends too early', async () => half(await sample('chelsea.webp'))],
    ['an HTML page', async () => Buffer.from('<!doctype html><title>Not found</title>')],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    [
      'a GIF',
      async () =>
        sharp(await sample('coffee.png'))
          .gif()
          .toBuffer(),
    ],
    [
      'a TIFF',
      async () =>
        sharp(await sample('coffee.png'))
          .tiff()
          .toBuffer(),
    ],
    ['noise', async () => Buffer.concat([(await sample('coffee.png')).subarray(0, 40), randomBytes(4000)])],
    ['an empty file', async () => Buffer.alloc(0)],
  ])('must be complete JPEG, PNG or WebP files: %s ends with INPUT_INVALID', async (_, bytes) => {
    expect(await failureWith(engine.put(await bytes()))).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('referenceImages[0]'),
    });
  });

  it.each([
    [1, 500_000_000],
    [16_385, 10],
    [16_000, 16_000],
    [0, 10],
  ])('are not decoded if their headers declare %i by %i pixels', async (width, height) => {
    expect(await failureWith(engine.put(await pngOf(width, height)))).toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('must be at most 10 MiB, whatever their declared length', async () => {
    expect(await failureWith(engine.put(endless))).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('10485760 bytes'),
    });
  });

  it('end with DOWNLOAD_FAILED if they cannot be downloaded completely and without redirects', async () => {
    const redirect: RequestListener = (_, response) =>
      void response.writeHead(302, { Location: engine.at('coffee.png') }).end();
    const cutOff: RequestListener = (_, response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write('x');
      setImmediate(() => response.destroy());
    };
    const addresses = [engine.at('nothing.png'), 'http://127.0.0.1:1/x.png', engine.put(redirect), engine.put(cutOff)];
    for (const address of addresses) {
      expect(await failureWith(address)).toMatchObject({ code: 'DOWNLOAD_FAILED' });
    }
  });

  it('may be in any field, and the failure names that field', async () => {
    const imageUrl = engine.at('coffee.png');
    const bad = engine.put(Buffer.from('nothing'));
    const inputs = [
      ['image-edit', { imageUrl, prompt: 'x', maskUrl: bad }, 'maskUrl'],
      ['image-edit', { imageUrl, prompt: 'x', referenceImages: [imageUrl, bad] }, 'referenceImages[1]'],
      ['character-replace', { imageUrl, characterImage: bad }, 'characterImage'],
      ['influencer', { name: 'x', description: 'y', referenceImages: [bad] }, 'referenceImages[0]'],
    ] as const;
    for (const [operation, input, field] of inputs) {
      expect(await engine.failure(operation, input)).toMatchObject({ message: expect.stringContaining(field) });
    }
  });

  it.each([
    'http://example.com/a.png',
    'http://127.0.0.1.example.com/a.png',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'no URL',
    '',
  ])('are downloaded only over https or from this machine: “%s” is rejected at once', async (imageUrl) => {
    const response = await engine.request('/v1/jobs', {
      id: imageUrl || 'x',
      operation: 'image-upscale',
      input: { imageUrl },
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });

  it('can be JPEG, PNG and WebP, grayscale, with a palette or with 16 bits per channel', async () => {
    const coffee = sharp(await sample('coffee.png')).resize(120);
    const kinds = [
      await coffee.clone().webp().toBuffer(),
      await coffee.clone().jpeg({ progressive: true }).toBuffer(),
      await coffee.clone().toColorspace('cmyk').jpeg().toBuffer(),
      await coffee.clone().grayscale().toColorspace('b-w').png().toBuffer(),
      await coffee.clone().png({ palette: true, colors: 16 }).toBuffer(),
      await coffee.clone().toColorspace('rgb16').png().toBuffer(),
    ];
    const made = await Promise.all(
      kinds.map((kind) => engine.make('background-remove', { imageUrl: engine.put(kind) })),
    );
    for (const image of made) expect(image).toMatchObject({ width: 120, height: 80, hasAlpha: true });
  });
});
