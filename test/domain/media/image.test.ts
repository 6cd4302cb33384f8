/** Input images: which are accepted, what is read from their headers, and the errors for others. */

import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { aspectRatios } from '../../../shared/contracts/image-files.ts';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { aspectRatioAt } from '../../../shared/domain/generation/aspect-ratio-at.ts';
import { nearestAspectRatio, probeImage } from '../../../shared/domain/media/image.ts';
import type { Outbound } from '../../../shared/platform/outbound.ts';
import { OutboundFailed, OutboundRejected } from '../../../shared/platform/safe-fetch.ts';
import { servedFile, unreachable } from '../../support/served-file.ts';
import { tinyJpeg, tinyPng, tinyWebp } from '../../support/tiny-image.ts';

const URL = 'https://example.com/a';
const probed = (outbound: Outbound) => probeImage(outbound, URL, 1000);
const whole = (bytes: Uint8Array, status = 200) => servedFile({ parts: [bytes], status }).outbound;

/** The frame header of a JPEG with one component, as a segment. */
function jpegFrame(kind: number, width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, kind, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return frame;
}

const tinyFrameAt = tinyJpeg.indexOf('ffc0', 0, 'hex');
/** A JPEG with more bytes in front of its frame, or in its scan. */
const jpegWith = (more: Buffer, at = tinyFrameAt): Buffer =>
  Buffer.concat([tinyJpeg.subarray(0, at), more, tinyJpeg.subarray(at)]);

/** Segments without meaning that take 600 KB, with a second frame after them. */
const lateFrame = Buffer.concat([
  ...Array.from({ length: 10 }, () => Buffer.concat([Buffer.from('ffe5ea60', 'hex'), Buffer.alloc(59_998)])),
  jpegFrame(0xc0, 16_000, 16_000),
]);
const tinyScanAt = tinyJpeg.indexOf('ffda', 0, 'hex');

const scans = (count: number): Buffer =>
  jpegWith(Buffer.concat(Array(count).fill(tinyJpeg.subarray(tinyScanAt, -2))), -2);

/** A WebP with a canvas of 30 × 20 pixels before its frame. */
function webpWithin(image: Buffer): Buffer {
  const canvas = Buffer.from('565038580a0000000000000000000000000000', 'hex');
  canvas.writeUIntLE(29, 12, 3);
  canvas.writeUIntLE(19, 15, 3);
  return Buffer.concat([image.subarray(0, 12), canvas.subarray(0, 18), image.subarray(12)]);
}

const solid = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#888' } });

describe('an accepted image', () => {
  test.for(['jpeg', 'png', 'webp'] as const)(
    'in the format %s is read with its type and dimensions, whatever its name',
    async (format) => {
      const bytes = await solid(30, 20).toFormat(format).toBuffer();
      expect(await probed(whole(bytes))).toEqual({ contentType: `image/${format}`, width: 30, height: 20 });
    },
  );

  test('may be a JPEG with a hundred scans', async () => {
    expect(await probed(whole(scans(99)))).toMatchObject({ contentType: 'image/jpeg' });
  });

  test('may be a WebP whose only frame fills its canvas', async () => {
    const frame = await solid(30, 20).webp().toBuffer();
    expect(await probed(whole(webpWithin(frame)))).toMatchObject({ width: 30, height: 20 });
  });

  test('may be a progressive JPEG with another JPEG in its metadata', async () => {
    const bytes = await solid(30, 20).jpeg({ progressive: true }).toBuffer();
    const preview = Buffer.concat([
      Buffer.from([0xff, 0xe1, tinyJpeg.length >> 8, (tinyJpeg.length & 255) + 2]),
      tinyJpeg,
    ]);
    const camera = Buffer.concat([bytes.subarray(0, 2), preview, bytes.subarray(2), tinyJpeg]);
    for (const file of [bytes, camera]) expect(await probed(whole(file))).toMatchObject({ width: 30, height: 20 });
  });

  test.for(['jpeg', 'png', 'webp'] as const)(
    'that is a photo in the format %s has the dimensions at which it is displayed, whatever its orientation',
    async (format) => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const bytes = await solid(30, 20).withMetadata({ orientation }).toFormat(format).toBuffer();
        const shown = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
        const { width, height } = shown.info;
        expect(await probed(whole(bytes))).toMatchObject({ width, height });
      }
    },
  );

  test('is not rotated by EXIF data that decoders ignore: after a PNG’s pixels, or not announced in a WebP’s header', async () => {
    const rotated = solid(30, 20).withMetadata({ orientation: 6 });
    const [png, webp] = [await rotated.png().toBuffer(), await rotated.webp().toBuffer()];
    const [from, to, end] = [png.indexOf('eXIf') - 4, png.indexOf('pHYs') - 4, png.indexOf('IEND') - 4];
    const late = [png.subarray(0, from), png.subarray(to, end), png.subarray(from, to), png.subarray(end)];
    webp.writeUInt8(webp.readUInt8(20) & ~8, 20);
    for (const file of [Buffer.concat(late), webp]) {
      expect((await sharp(file).metadata()).orientation).toBeUndefined();
      expect(await probed(whole(file))).toMatchObject({ width: 30, height: 20 });
    }
  });

  test('has the dimensions at which it is displayed, even if they depend on the last bytes of the file', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const;
    const photo = sharp({ create: { width: 900, height: 800, channels: 3, background: '#888', noise } });
    const bytes = await photo.withMetadata({ orientation: 6 }).webp({ quality: 100 }).toBuffer();
    expect(bytes.length).toBeGreaterThan(600_000);
    const parts = Array.from({ length: 40 }, (_, part) => bytes.subarray(part * 50_000, (part + 1) * 50_000));
    const headers = { 'content-length': String(bytes.length) };
    expect(await probed(servedFile({ parts, headers }).outbound)).toMatchObject({ width: 800, height: 900 });
  });

  test('may be a JPEG without its last two bytes, because browsers display it', async () => {
    const bytes = await solid(30, 20).jpeg().toBuffer();
    expect(await probed(whole(bytes.subarray(0, -2)))).toMatchObject({ contentType: 'image/jpeg', width: 30 });
  });
});

describe('probing an image', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const unreadable = { problem: 'invalid', reason: 'is not a readable JPEG, PNG or WebP file' };
  const tooLarge = { problem: 'outOfLimits', reason: 'must be at most 50 megapixels and 16384 pixels per side' };
  test.for<[string, Buffer, object]>([
    ['an HTML page named .png', Buffer.from('<!doctype html><html><img src="a.png">'), unreadable],
    ['an SVG', Buffer.from(svg), unreadable],
    ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), unreadable],
    ['an empty file', Buffer.alloc(0), unreadable],
    ['a PNG that ends within its header', tinyPng(9, 9).subarray(0, 20), unreadable],
    ['a PNG without width', tinyPng(0, 9), unreadable],
    ['a JPEG whose first frame is coded arithmetically', jpegWith(jpegFrame(0xc9, 16_000, 16_000)), unreadable],
    ['a JPEG whose first frame is a JPEG-LS', jpegWith(jpegFrame(0xf7, 16_000, 16_000)), unreadable],
    ['a JPEG with a second frame header', jpegWith(jpegFrame(0xc0, 64, 64)), unreadable],
    ['a JPEG with a second frame header in its scan', jpegWith(jpegFrame(0xc0, 16_000, 16_000), -4), unreadable],
    ['a JPEG with a second frame header behind 600 KB', jpegWith(lateFrame, tinyScanAt), unreadable],
    ['a JPEG with more than a hundred scans', scans(100), unreadable],
    ['a WebP whose frame is larger than its canvas', webpWithin(tinyWebp), unreadable],
    ['an image of 1 × 500,000,000 pixels', tinyPng(1, 500_000_000, { width: 1, height: 1 }), tooLarge],
    ['an image of 500,000,000 × 1 pixels', tinyPng(500_000_000, 1, { width: 1, height: 1 }), tooLarge],
    ['an image of more than 50 megapixels', tinyPng(8000, 6251, { width: 1, height: 1 }), tooLarge],
  ])('rejects %s', async ([, bytes, problem]) => {
    expect(await probed(whole(bytes))).toEqual(problem);
  });

  test('rejects a JPEG with a second frame header, even one that arrives after the EXIF orientation', async () => {
    const photo = await solid(30, 20).withMetadata({ orientation: 3 }).jpeg().toBuffer();
    const at = photo.indexOf('ffda', 0, 'hex');
    const parts = [photo.subarray(0, at), jpegFrame(0xc0, 16_000, 16_000), photo.subarray(at)];
    expect(await probed(servedFile({ parts }).outbound)).toEqual(unreadable);
  });

  test.for<[string, Outbound, string]>([
    ['a response with status 404', whole(tinyPng(9, 9), 404), 'the server responded with status 404'],
    ['a URL that is not allowed', unreachable(new OutboundRejected()), 'the address is not allowed'],
    ['a host that takes too long', unreachable(new OutboundFailed('timeout')), 'it took too long'],
    ['a host name that does not resolve', unreachable(new OutboundFailed('dns')), 'the host name was not found'],
  ])('reports %s as unreachable', async ([, outbound, why]) => {
    expect(await probed(outbound)).toEqual({ problem: 'unreachable', reason: `could not be downloaded: ${why}` });
  });

  test('rejects a file of more than 10 MB, whether or not its size was announced', async () => {
    const tooLong = new OutboundFailed('too-large');
    const problem = { problem: 'outOfLimits', reason: 'must be at most 10 MB' };
    expect(await probed(unreachable(tooLong))).toEqual(problem);
    expect(await probed(servedFile({ parts: [tinyPng(9, 9)], end: tooLong }).outbound)).toEqual(problem);
  });

  test('does not report an internal error as a problem of the image', async () => {
    await expect(probed(unreachable(new TypeError('a bug')))).rejects.toThrow('a bug');
  });

  test('never throws or hangs, whatever the bytes', async () => {
    const heads = [tinyPng(9, 9), await solid(9, 9).jpeg().toBuffer(), await solid(9, 9).webp().toBuffer()];
    const spoilt = fc
      .constantFrom(...heads)
      .chain((bytes) =>
        fc
          .tuple(fc.nat(bytes.length), fc.uint8Array({ maxLength: 40 }))
          .map(([cut, more]) => Buffer.concat([bytes.subarray(0, cut), more])),
      );
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoilt, fc.uint8Array({ maxLength: 200 })), async (bytes) => {
        const image = await probed(whole(bytes));
        expect('problem' in image || image.width * image.height > 0).toBe(true);
      }),
    );
  });
});

test('an image is requested with limits of 10 MB, three redirects and the given time', async () => {
  const { outbound, requests, seen } = servedFile({ parts: [tinyPng(1, 1)] });
  await probeImage(outbound, URL, 1234);
  const bounds = { maxResponseBytes: inputLimits.image.maxBytes, onOverflow: 'fail', maxRedirects: 3, timeoutMs: 1234 };
  expect(requests).toEqual([[URL, { method: 'GET', ...bounds }]]);
  expect(seen.closed).toBe(1);
});

describe('an incomplete image', () => {
  const tooLate = new OutboundFailed('timeout');
  const bomb = tinyPng(9000, 9000, { width: 1, height: 1 });
  const partial = (parts: readonly Uint8Array[], end: Error, status = 200) => servedFile({ parts, end, status });
  const outOfReach = { problem: 'unreachable' };

  test('is rejected for its dimensions as soon as its header has arrived', async () => {
    const { outbound, seen } = partial([bomb, Buffer.alloc(9), Buffer.alloc(9)], tooLate);
    expect(await probed(outbound)).toMatchObject({ problem: 'outOfLimits' });
    expect(seen).toEqual({ parts: 1, closed: 1 });
  });

  test('is read only up to the end of its header if its length was announced, and completely if not', async () => {
    const parts = [tinyPng(4, 3), Buffer.alloc(9), Buffer.alloc(9)];
    const announced = servedFile({ parts, headers: { 'content-length': '500' } });
    const counted = servedFile({ parts });
    for (const { outbound } of [announced, counted]) expect(await probed(outbound)).toMatchObject({ width: 4 });
    expect([announced.seen.parts, counted.seen.parts]).toEqual([1, 3]);
  });

  test.for(['jpeg', 'png', 'webp'] as const)(
    'counts as truncated if its announced length is too short for a complete %s file',
    async (format) => {
      const bytes = await solid(300, 200).toFormat(format).toBuffer();
      const announced = (parts: readonly Uint8Array[], length: number) =>
        probed(servedFile({ parts, headers: { 'content-length': String(length) } }).outbound);
      const cut = bytes.subarray(0, -13);
      expect(await announced([cut], cut.length)).toEqual({ problem: 'invalid', reason: 'is truncated' });
      expect(await announced([bytes], bytes.length)).toMatchObject({ width: 300, height: 200 });
      // After the first bytes of an image, the rest may still arrive: the image is not truncated.
      expect(await announced([cut, bytes.subarray(-13)], bytes.length)).toMatchObject({ width: 300, height: 200 });
    },
  );

  test('counts as truncated if its header shows that more bytes must follow than were announced', async () => {
    const bytes = tinyPng(300, 200);
    bytes.writeUInt32BE(90_000, 33);
    const { outbound, seen } = servedFile({ parts: [bytes, bytes], headers: { 'content-length': '80000' } });
    expect(await probed(outbound)).toMatchObject({ reason: 'is truncated' });
    expect(seen.parts).toBe(1);
  });

  test.for(['timeout', 'connection'] as const)(
    'has the dimensions in its header if its download ends with a %s error',
    async (end) => {
      const { outbound } = partial([tinyPng(1600, 900, { width: 9, height: 9 })], new OutboundFailed(end));
      expect(await probed(outbound)).toEqual({ contentType: 'image/png', width: 1600, height: 900 });
    },
  );

  test('counts as unreachable if its header did not arrive or the response was unsuccessful', async () => {
    expect(await probed(partial([tinyPng(9, 9).subarray(0, 20)], tooLate).outbound)).toMatchObject(outOfReach);
    expect(await probed(partial([tinyPng(9, 9)], tooLate, 404).outbound)).toMatchObject(outOfReach);
    expect(await probed(partial([bomb], tooLate, 404).outbound)).toMatchObject(outOfReach);
  });

  test.for(['jpeg', 'png', 'webp'] as const)(
    'never yields wrong dimensions, wherever a %s file breaks off',
    async (format) => {
      const camera = solid(40, 30).withMetadata({ orientation: 6, density: 300 });
      const bytes = await camera.toFormat(format).toBuffer();
      const expected = await probed(whole(bytes));
      const beginnings = Array.from({ length: bytes.length + 1 }, (_, length) => bytes.subarray(0, length));
      const seen = await Promise.all(beginnings.map((beginning) => probed(partial([beginning], tooLate).outbound)));
      expect(seen[0]).toMatchObject(outOfReach);
      expect(seen.at(-1)).toEqual(expected);
      for (const found of seen)
        expect(found).toSatisfy((it) => 'problem' in Object(it) || isDeepStrictEqual(it, expected));
    },
  );

  test('has its aspect ratio read from its header, and is rejected immediately if it is too large', async () => {
    const ratioOf = (parts: readonly Uint8Array[]) => aspectRatioAt(URL, partial(parts, tooLate).outbound, 'imageUrl');
    expect(await ratioOf([tinyPng(1600, 900, { width: 9, height: 9 })])).toBe('16:9');
    expect(await ratioOf([])).toBe('1:1');
    await expect(ratioOf([bomb])).rejects.toThrow('imageUrl must be at most 50 megapixels');
  });
});

describe('the nearest supported aspect ratio', () => {
  test.for([
    [1000, 1000, '1:1'],
    [1920, 1080, '16:9'],
    [1080, 1920, '9:16'],
    [640, 480, '4:3'],
    [480, 640, '3:4'],
    [3000, 1000, '21:9'],
    [1, 10_000, '9:16'],
    [1154, 1000, '1:1'],
    [1156, 1000, '4:3'],
  ] as const)('of %i × %i pixels is %s', ([width, height, ratio]) => {
    expect(nearestAspectRatio({ width, height })).toBe(ratio);
  });

  test('of an image whose ratio is itself supported is that ratio', () => {
    for (const ratio of aspectRatios) {
      const [width = 0, height = 0] = ratio.split(':').map(Number);
      expect(nearestAspectRatio({ width: width * 100, height: height * 100 })).toBe(ratio);
    }
  });
});
