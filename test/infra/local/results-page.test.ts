/** Results as browsers and players request them, and abandoned downloads. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { localAccess } from '../../../infra/local/local-access.ts';
import { resultsPage } from '../../../infra/local/results-page.ts';
import { eventually } from '../../support/eventually.ts';
import { serviceInTests } from '../../support/test-service.ts';

const host = await serviceInTests();
host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
const account = await host.account();
const task = await host.ended(account.token, await host.speak(account.token));
const resultUrl = task.resultUrl ?? '';

const get = async (range?: string) => {
  const response = await fetch(resultUrl, { headers: range === undefined ? {} : { range } });
  return { status: response.status, headers: response.headers, bytes: (await response.arrayBuffer()).byteLength };
};

test('a result is served completely, to pages on any origin, and with content sniffing disabled', async () => {
  const { status, headers, bytes } = await get();
  expect(status).toBe(200);
  expect(bytes).toBe(1018);
  expect(headers.get('content-type')).toBe('audio/mpeg');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test.for(['GET', 'HEAD'])(
  'the response to %s of a result offers ranges to players and has a request id',
  async (method) => {
    const { headers } = await fetch(resultUrl, { method });
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test.for<[range: string, bytes: number, contentRange: string]>([
  ['bytes=0-', 1018, 'bytes 0-1017/1018'],
  ['bytes=1000-', 18, 'bytes 1000-1017/1018'],
  ['bytes=-4', 4, 'bytes 1014-1017/1018'],
])(
  'a player’s range request %j for a result gets a 206 response with the matching length and range',
  async ([range, length, place]) => {
    const { status, headers, bytes } = await get(range);
    expect([status, bytes, headers.get('content-length')]).toEqual([206, length, String(length)]);
    expect([headers.get('content-range'), headers.get('accept-ranges')]).toEqual([place, 'bytes']);
    expect(headers.get('content-type')).toBe('audio/mpeg');
  },
);

test('a range request for a result gets exactly the requested part', async () => {
  const { status, headers, bytes } = await get('bytes=0-9');
  expect([status, bytes]).toEqual([206, 10]);
  expect(headers.get('content-range')).toBe('bytes 0-9/1018');
});

test.for(['x', 'bytes=5-1', 'bytes=0-1,4-5'])(
  'an invalid or multiple range request %j for a result gets the whole file',
  async (range) => {
    expect(await get(range)).toMatchObject({ status: 200, bytes: 1018 });
  },
);

test('a range request beyond the end of a result is rejected', async () => {
  expect((await get('bytes=99999-')).status).toBe(416);
});

test('GET of an unknown result gets 404', async () => {
  const other = resultUrl.replace(/-[0-9a-f]{32}/, `-${'0'.repeat(32)}`);
  expect((await fetch(other)).status).toBe(404);
});

test('HEAD of a result returns its headers without its body', async () => {
  const response = await fetch(resultUrl, { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe('1018');
  expect(response.headers.get('content-type')).toBe('audio/mpeg');
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test('HEAD of an unknown result gets 404', async () => {
  const other = resultUrl.replace(/-[0-9a-f]{32}/, `-${'0'.repeat(32)}`);
  expect((await fetch(other, { method: 'HEAD' })).status).toBe(404);
});

async function store({ pathname }: URL, Body: Buffer): Promise<void> {
  const { service } = host;
  const s3 = new S3Client({ ...localAccess(service.environment.AWS_ENDPOINT_URL_S3 ?? ''), forcePathStyle: true });
  const Bucket = service.context.settings.resultsBucket;
  await s3.send(new PutObjectCommand({ Bucket, Key: pathname.slice(1), Body, ContentType: 'audio/mpeg' }));
  s3.destroy();
}

const openSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

/** Requests a result and disconnects after the first bytes. */
async function abandon(url: URL): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
  await once(socket, 'data');
  socket.destroy();
  await once(socket, 'close');
}

describe('a result of 20 MB', () => {
  const content = Buffer.alloc(20 * 2 ** 20, Buffer.from([1, 2, 3, 4, 5, 6, 7]));
  const url = new URL(resultUrl.replace(/\/\d+\.mp3$/, '/3.mp3'));
  beforeAll(() => store(url, content));

  test.for<[range: string, start: number, end: number]>([
    ['', 0, content.length],
    ['bytes=0-', 0, content.length],
    ['bytes=1000-16777999', 1000, 16_778_000],
    ['bytes=-9000000', content.length - 9_000_000, content.length],
    ['bytes=3-99999999', 3, content.length],
  ])('is sent completely, in pieces, in response to the range “%s”', async ([range, start, end]) => {
    const response = await fetch(url, { headers: range === '' ? {} : { range } });
    expect(response.status).toBe(range === '' ? 200 : 206);
    expect(response.headers.get('content-length')).toBe(String(end - start));
    const place = range === '' ? null : `bytes ${start}-${end - 1}/${content.length}`;
    expect(response.headers.get('content-range')).toBe(place);
    expect(Buffer.from(await response.arrayBuffer()).equals(content.subarray(start, end))).toBe(true);
  });

  test('is only read from the storage as it is received', async () => {
    const ranges: unknown[] = [];
    const storage = createServer(({ headers }, response) => {
      ranges.push(headers.range);
      response.writeHead(206, { etag: '"a"', 'content-range': `bytes 0-1/${400 * 2 ** 20}` });
      response.end(Buffer.alloc(8 * 2 ** 20));
    }).listen(0, '127.0.0.1');
    const page = resultsPage(async () => `http://127.0.0.1:${(storage.address() as AddressInfo).port}`);
    const front = createServer((request, response) => void page(request, response, 'id')).listen(0, '127.0.0.1');
    await Promise.all([once(storage, 'listening'), once(front, 'listening')]);
    const socket = connect((front.address() as AddressInfo).port, '127.0.0.1').pause();
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await eventually('a piece', () => ranges[0]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(ranges.length).toBeLessThan(5);
    socket.destroy();
    for (const server of [front, storage]) {
      server.closeAllConnections();
      server.close();
    }
  });
});

test('a hundred abandoned downloads of results leave no connection open', async () => {
  const url = new URL(resultUrl.replace(/\/\d+\.mp3$/, '/2.mp3'));
  await store(url, Buffer.alloc(2 * 1024 * 1024));
  const before = openSockets();
  for (let done = 0; done < 100; done += 20) await Promise.all(Array.from({ length: 20 }, () => abandon(url)));
  // Some connections to the storage are kept alive for later requests.
  await eventually('about as few connections as before', () => (openSockets() < before + 25 ? true : undefined));
}, 300_000);
