/** Pictures that requests name: which are taken, and what is said of those that are not. */

import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { aspectRatios, imageBytesLimit } from '../../../shared/contracts/generate-images.ts';
import { aspectRatioAt } from '../../../shared/domain/generation/aspect-ratio-at.ts';
import { fetchPicture, nearestAspectRatio, probePicture } from '../../../shared/domain/media/picture.ts';
import { imageHeadBytes } from '../../../shared/platform/image-head.ts';
import {
  OutboundFailed,
  OutboundRefused,
  type OutboundResponse,
  type SafeFetch,
} from '../../../shared/platform/safe-fetch.ts';
import { tinyPng } from '../../support/tiny-picture.ts';

const answering = (body: Uint8Array, status = 200) => ({
  fetch: async (): Promise<OutboundResponse> => ({ status, headers: {}, body }),
});
const failing = (fault: Error) => ({
  fetch: async (): Promise<OutboundResponse> => {
    throw fault;
  },
});
const fetched = (outbound: Parameters<typeof fetchPicture>[0]) => fetchPicture(outbound, 'https://example.com/a', 1000);

const solid = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#888' } });

describe('a picture that is taken', () => {
  test.for(['jpeg', 'png', 'webp'] as const)(
    '%s, with its type and dimensions, whatever it is called',
    async (format) => {
      const bytes = await solid(30, 20).toFormat(format).toBuffer();
      expect(await fetched(answering(bytes))).toEqual({ contentType: `image/${format}`, width: 30, height: 20, bytes });
    },
  );

  test('by a camera that lay on its side is as high as it is shown', async () => {
    const bytes = await solid(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await fetched(answering(bytes))).toMatchObject({ width: 20, height: 30 });
  });
});

describe('a picture that is not taken', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  test.for<[string, Buffer, string]>([
    ['a page that is called .png', Buffer.from('<!doctype html><html><img src="a.png">'), 'unreadable'],
    ['an SVG', Buffer.from(svg), 'unreadable'],
    ['a GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000'), 'unreadable'],
    ['nothing at all', Buffer.alloc(0), 'unreadable'],
    ['a PNG that breaks off in its head', tinyPng(9, 9).subarray(0, 20), 'unreadable'],
    ['a PNG without width', tinyPng(0, 9), 'unreadable'],
    ['1 × 500,000,000 pixels', tinyPng(1, 500_000_000, { width: 1, height: 1 }), 'too-large'],
    ['500,000,000 × 1 pixels', tinyPng(500_000_000, 1, { width: 1, height: 1 }), 'too-large'],
    ['more than 50 megapixels', tinyPng(8000, 6251, { width: 1, height: 1 }), 'too-large'],
  ])('%s', async ([, bytes, problem]) => {
    expect(await fetched(answering(bytes))).toBe(problem);
  });

  test.for([
    ['an answer that is no success', answering(tinyPng(9, 9), 404), 'unreachable'],
    ['an address that may not be called', failing(new OutboundRefused()), 'unreachable'],
    ['a host that does not answer in time', failing(new OutboundFailed('timeout')), 'unreachable'],
    ['a file of more than 10 MB', failing(new OutboundFailed('too-large')), 'too-heavy'],
  ] as const)('%s', async ([, outbound, problem]) => {
    expect(await fetched(outbound)).toBe(problem);
  });

  test('what is wrong with ourselves is not blamed on the picture', async () => {
    await expect(fetched(failing(new TypeError('a bug')))).rejects.toThrow('a bug');
  });

  test('no bytes make the reader throw or hang', async () => {
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
        const picture = await fetched(answering(bytes));
        expect(typeof picture === 'string' || picture.width * picture.height > 0).toBe(true);
      }),
    );
  });
});

test('it is asked for with a limit of 10 MB, three redirects and the time that is given', async () => {
  const requests: unknown[] = [];
  await fetchPicture(
    {
      fetch: async (url, request) => {
        requests.push([url, request]);
        return { status: 200, headers: {}, body: tinyPng(1, 1) };
      },
    },
    'https://example.com/a',
    1234,
  );
  const bounds = { maxResponseBytes: imageBytesLimit, onOverflow: 'fail', maxRedirects: 3, timeoutMs: 1234 };
  expect(requests).toEqual([['https://example.com/a', expect.objectContaining({ method: 'GET', ...bounds })]]);
});

/** An address whose answer comes in parts, and then ends like this; it notes how much of it was let come. */
function coming(parts: readonly Uint8Array[], end: Error, status = 200) {
  const given = { parts: 0 };
  const fetch: SafeFetch = async (_url, { look }) => {
    let body = Buffer.alloc(0);
    for (const part of parts) {
      given.parts += 1;
      body = Buffer.concat([body, part]);
      const soFar = { status, headers: {}, body };
      if (look?.(soFar) === 'enough') return soFar;
    }
    throw end;
  };
  return { fetch, given };
}

describe('a picture of which not everything comes', () => {
  const tooLate = new OutboundFailed('timeout');
  const bomb = tinyPng(9000, 9000, { width: 1, height: 1 });
  const probed = (outbound: Parameters<typeof probePicture>[0]) =>
    probePicture(outbound, 'https://example.com/a', 1000);

  test.for([
    ['is probed', probed],
    ['is fetched', fetched],
  ] as const)('is refused for its pixels as soon as its head is there when it %s', async ([, get]) => {
    const bombs = coming([bomb, Buffer.alloc(9), Buffer.alloc(9)], tooLate);
    expect(await get(bombs)).toBe('too-large');
    expect(bombs.given.parts).toBe(1);
  });

  test.for(['timeout', 'connection'] as const)(
    'is what its head says when it ends by a %s and is probed',
    async (end) => {
      const part = coming([tinyPng(1600, 900, { width: 9, height: 9 })], new OutboundFailed(end));
      expect(await probed(part)).toEqual({ contentType: 'image/png', width: 1600, height: 900 });
      expect(await fetched(part)).toBe('unreachable');
    },
  );

  test('is out of reach when its head had not come, or is that of an answer that is no success', async () => {
    expect(await probed(coming([tinyPng(9, 9).subarray(0, 20)], tooLate))).toBe('unreachable');
    expect(await probed(coming([tinyPng(9, 9)], tooLate, 404))).toBe('unreachable');
    expect(await probed(coming([bomb], tooLate, 404))).toBe('unreachable');
  });

  test('is too heavy when it is, whatever its head says', async () => {
    expect(await probed(coming([tinyPng(9, 9)], new OutboundFailed('too-large')))).toBe('too-heavy');
  });

  test.for(['jpeg', 'png', 'webp'] as const)('is never mistaken, wherever a %s breaks off', async (format) => {
    const camera = solid(40, 30).withMetadata({ orientation: 6, density: 300 });
    const bytes = await camera.toFormat(format).toBuffer();
    const whole = await probed(answering(bytes));
    const beginnings = Array.from({ length: bytes.length }, (_, length) => bytes.subarray(0, length));
    const seen = await Promise.all(beginnings.map((beginning) => probed(coming([beginning], tooLate))));
    expect(seen[0]).toBe('unreachable');
    expect(seen.at(-1)).toEqual(whole);
    for (const verdict of seen) expect(['unreachable', whole]).toContainEqual(verdict);
  });

  test('has the aspect ratio that its head tells, and a client that waits is told at once what is too large', async () => {
    const ratioOf = (fetch: SafeFetch) => aspectRatioAt('https://example.com/a', { fetch, admits: async () => true });
    expect(await ratioOf(coming([tinyPng(1600, 900, { width: 9, height: 9 })], tooLate).fetch)).toBe('16:9');
    expect(await ratioOf(coming([], tooLate).fetch)).toBe('1:1');
    await expect(ratioOf(coming([bomb], tooLate).fetch)).rejects.toThrow(/^imageUrl .*50 megapixels/);
  });

  test('is not kept beyond its head when it is probed, and counted all the same', async () => {
    const requests: unknown[] = [];
    const fetch: SafeFetch = async (_url, request) => {
      requests.push(request);
      return { status: 200, headers: {}, body: tinyPng(4, 3) };
    };
    expect(await probed({ fetch })).toEqual({ contentType: 'image/png', width: 4, height: 3 });
    await fetched({ fetch });
    const counted = { maxResponseBytes: imageBytesLimit, onOverflow: 'fail' };
    expect(requests[0]).toMatchObject({ ...counted, maxKeptBytes: imageHeadBytes });
    expect(requests[1]).not.toHaveProperty('maxKeptBytes');
  });
});

describe('the aspect ratio', () => {
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
  ] as const)('of %i × %i is %s', ([width, height, ratio]) => {
    expect(nearestAspectRatio({ width, height })).toBe(ratio);
  });

  test('of a picture that has one of them is that one', () => {
    for (const ratio of aspectRatios) {
      const [width = 0, height = 0] = ratio.split(':').map(Number);
      expect(nearestAspectRatio({ width: width * 100, height: height * 100 })).toBe(ratio);
    }
  });
});
