/** How a long video is copied into the service's own storage, from servers of every kind. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  copyRange,
  copyRangesOf,
  copyWhole,
  partBytes,
  probeServer,
  type RemoteFile,
} from '../../../shared/domain/clips/copy-source.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { safeOpen } from '../../../shared/platform/safe-fetch.ts';
import type { UploadedPart } from '../../../shared/platform/work-storage.ts';
import { localServer } from '../../support/local-server.ts';

/** The size of a video that is copied in two parts of one range. */
const size = partBytes + 1000;
const bytes = Buffer.alloc(size, 'a long video ');
const etag = '"one"';
const limits = { types: ['video/mp4'], maxBytes: size } as const;

interface Requested {
  readonly start: number;
  readonly end: number;
  readonly ifRange: string | undefined;
}

type Respond = (response: ServerResponse, requested: Requested, count: number) => unknown;

let respond: Respond;
let requests: Requested[];
/** The stored contents by part number. */
let stored: Map<number, Buffer>;

const partial = (response: ServerResponse, { start, end }: Requested, headers: Record<string, string> = {}) =>
  response.writeHead(206, { etag, 'content-range': `bytes ${start}-${end - 1}/${size}`, ...headers });

const serveRanges: Respond = (response, requested) =>
  partial(response, requested).end(bytes.subarray(requested.start, requested.end));

const server = await localServer((request, response) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = last === undefined ? size : Number(last) + 1;
  const ifRange = request.headers['if-range'] as string | undefined;
  requests.push({ start, end, ifRange });
  respond(response, { start, end, ifRange }, requests.length);
});
afterAll(() => server.close());
beforeEach(() => {
  requests = [];
  stored = new Map();
  respond = serveRanges;
});

const remote = (change: Partial<RemoteFile> = {}): RemoteFile => ({
  url: `${server.url}/a.mp4`,
  limits,
  deadlineAt: systemClock.now() + 60_000,
  ...change,
});

const upload = { key: 'inputs/a/source.mp4', uploadId: 'one' };

const needs = {
  clock: systemClock,
  outbound: { open: safeOpen({ policy: 'local' }) },
  isWanted: async () => true,
  pause: async () => undefined,
  work: {
    async uploadPart(to: object, number: number, part: Uint8Array): Promise<UploadedPart> {
      expect(to).toEqual(upload);
      stored.set(number, Buffer.from(part));
      return { number, etag: `"${number}"` };
    },
  },
};

const whole = { first: 1, start: 0, end: size };
const copy = (range = whole, version = { size, etag }) => copyRange(needs, { file: remote(), upload, version }, range);
const copyAll = () => copyWhole(needs, { file: remote(), upload });

const bothParts = [
  { number: 1, etag: '"1"' },
  { number: 2, etag: '"2"' },
];

const expectAllStored = () => {
  expect(new Set(stored.keys())).toEqual(new Set([1, 2]));
  expect(Buffer.concat([stored.get(1) ?? Buffer.of(), stored.get(2) ?? Buffer.of()]).equals(bytes)).toBe(true);
};

describe('the request for a source’s first byte', () => {
  test('lets the copy request ranges of one version if the server sends a strong ETag', async () => {
    expect(await probeServer(needs, remote())).toEqual({ size, etag });
    expect(requests).toEqual([{ start: 0, end: 1, ifRange: undefined }]);
  });

  test.each<[string, Respond]>([
    ['without ranges', (response) => response.writeHead(200, { etag }).end(bytes)],
    ['with a weak ETag', (response, requested) => partial(response, requested, { etag: 'W/"one"' }).end('a')],
    ['without an ETag', (response) => response.writeHead(206, { 'content-range': `bytes 0-0/${size}` }).end('a')],
    ['without a size', (response) => response.writeHead(206, { etag, 'content-range': 'bytes 0-0/*' }).end('a')],
    ['with another range', (response) => response.writeHead(206, { etag, 'content-range': `bytes 1-1/${size}` }).end()],
  ])('makes the copy read the whole file when the server responds %s', async (_, given) => {
    respond = given;
    expect(await probeServer(needs, remote())).toBe('whole');
  });

  test('reports a file beyond the limit and a missing file as problems', async () => {
    expect(await probeServer(needs, remote({ limits: { ...limits, maxBytes: size - 1 } }))).toMatchObject({
      problem: 'outOfLimits',
    });
    respond = (response) => response.writeHead(404).end();
    expect(await probeServer(needs, remote())).toMatchObject({
      problem: 'unreachable',
      reason: 'could not be downloaded: the server responded with status 404',
    });
  });
});

test('the ranges of a multipart copy cover the file without gaps, and their parts are numbered consecutively', () => {
  const total = 5 * 2 ** 30 - 1;
  const ranges = copyRangesOf(total);
  expect(ranges[0]).toEqual({ first: 1, start: 0, end: 8 * partBytes });
  for (const [index, { start, first }] of ranges.entries()) {
    expect(start).toBe(index === 0 ? 0 : ranges[index - 1]?.end);
    expect(first).toBe(1 + start / partBytes);
  }
  expect(ranges.at(-1)?.end).toBe(total);
  expect(copyRangesOf(1)).toEqual([{ first: 1, start: 0, end: 1 }]);
});

describe('copying a source in ranges', () => {
  test('uploads it in parts, on the condition that the file is unchanged', async () => {
    expect(await copy()).toEqual(bothParts);
    expectAllStored();
    expect(requests).toEqual([{ start: 0, end: size, ifRange: etag }]);
  });

  test('continues after the stored parts when a response is interrupted', async () => {
    respond = (response, requested, count) => {
      if (count > 1) return serveRanges(response, requested, count);
      partial(response, requested, { 'content-length': String(size) });
      return response.write(bytes.subarray(0, partBytes + 10), () => response.destroy());
    };
    expect(await copy()).toEqual(bothParts);
    expectAllStored();
    expect(requests.map(({ start }) => start)).toEqual([0, partBytes]);
  });

  test('retries a server that is briefly overloaded, at most four times', async () => {
    respond = (response, requested, count) =>
      count < 4 ? response.writeHead(503).end() : serveRanges(response, requested, count);
    expect(await copy()).toEqual(bothParts);
    requests = [];
    respond = (response) => response.writeHead(503).end();
    expect(await copy()).toMatchObject({ problem: 'unreachable' });
    expect(requests).toHaveLength(4);
  });

  const change = 'could not be downloaded: the file changed while it was being read';
  const lie = 'could not be downloaded: the server sent other bytes than were requested';
  test.each<[string, string, Respond]>([
    ['with the whole of a changed file', change, (response) => response.writeHead(200, { etag: '"two"' }).end(bytes)],
    [
      'with a range of a changed file',
      change,
      (response, requested) => partial(response, requested, { etag: '"two"' }).end(bytes),
    ],
    [
      'that states another file size',
      change,
      (response, { start, end }) =>
        response.writeHead(206, { etag, 'content-range': `bytes ${start}-${end - 1}/${size + 1}` }).end(bytes),
    ],
    ['stating that the file has become too short', change, (response) => response.writeHead(416).end()],
    [
      'with another range than requested',
      lie,
      (response) => response.writeHead(206, { etag, 'content-range': `bytes 1-${size - 1}/${size}` }).end(bytes),
    ],
    [
      'with more bytes than it announced',
      lie,
      (response, requested) =>
        partial(response, requested).end(Buffer.concat([bytes.subarray(0, size - 5), bytes.subarray(0, 6)])),
    ],
  ])('stops at a response %s', async (_, reason, given) => {
    respond = given;
    const limitsOfMore = { ...limits, maxBytes: 2 * size };
    const file = remote({ limits: limitsOfMore });
    const found = await copyRange(needs, { file, upload, version: { size, etag } }, whole);
    expect(found).toEqual({ problem: 'unreachable', reason });
    expect(requests).toHaveLength(1);
  });

  test('reports a download problem if the response ends too early every time', async () => {
    respond = (response, requested) => {
      partial(response, requested).write('too short');
      setImmediate(() => response.destroy());
    };
    expect(await copy()).toMatchObject({ problem: 'unreachable' });
    expect(stored.size).toBe(0);
  });

  test('makes no further request after the deadline', async () => {
    respond = (response) => response.writeHead(503).end();
    const file = remote({ deadlineAt: systemClock.now() + 900 });
    expect(await copyRange(needs, { file, upload, version: { size, etag } }, whole)).toMatchObject({
      problem: 'unreachable',
    });
    expect(requests).toHaveLength(1);
  });

  test('stops once it is aborted', async () => {
    let asked = 0;
    const isWanted = async () => {
      asked += 1;
      return asked === 1;
    };
    const file = remote();
    const parts = await copyRange({ ...needs, isWanted }, { file, upload, version: { size, etag } }, whole);
    expect(parts).toEqual(bothParts.slice(0, 1));
    expect([...stored.keys()]).toEqual([1]);
  });

  test('throws when the storage fails, and does not blame the file', async () => {
    const broken = { uploadPart: () => Promise.reject(new Error('the storage is down')) };
    const copying = copyRange({ ...needs, work: broken }, { file: remote(), upload, version: { size, etag } }, whole);
    await expect(copying).rejects.toThrow('the storage is down');
  });
});

describe('copying a source from a server without range support', () => {
  test('stores the same parts as a copy in ranges, from one complete response', async () => {
    respond = (response) => response.writeHead(200, { 'content-length': String(size) }).end(bytes);
    expect(await copyAll()).toEqual(bothParts);
    expectAllStored();
  });

  test('requests an interrupted file again from its beginning', async () => {
    respond = (response, _requested, count) => {
      response.writeHead(200, { 'content-length': String(size) });
      if (count > 1) return response.end(bytes);
      return response.write(bytes.subarray(0, partBytes + 10), () => response.destroy());
    };
    expect(await copyAll()).toEqual(bothParts);
    expectAllStored();
  });

  test('stops a response that exceeds the limit, whether its length was announced or not', async () => {
    respond = (response) => response.writeHead(200).end(Buffer.concat([bytes, bytes.subarray(0, 1)]));
    expect(await copyAll()).toMatchObject({ problem: 'outOfLimits' });
    expect(requests).toHaveLength(1);
  });
});
