/** Reading parts of a remote file by range requests. */
import { afterAll, expect, test } from 'vitest';
import { openRangedFile } from '../../shared/platform/ranged-file.ts';
import { OutboundFailed, safeOpen } from '../../shared/platform/safe-fetch.ts';
import { localServer } from '../support/local-server.ts';

const mebibyte = 2 ** 20;
const size = 20 * mebibyte;

/** The number of the response that has more than the requested range. */
let excessiveResponse = 0;
let responses = 0;
const server = await localServer((request, response) => {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  responses += 1;
  const excess = responses === excessiveResponse ? 1 : 0;
  response.writeHead(206, { 'content-range': `bytes ${first}-${last}/${size}` });
  response.end(Buffer.alloc(Number(last) + 1 - Number(first) + excess));
});
afterAll(() => server.close());

async function opened() {
  const budget = { timeoutMs: 60_000, maxFileBytes: size };
  const file = await openRangedFile(safeOpen({ policy: 'local' }), `${server.url}/a`, budget);
  if (file.access !== 'ranges') expect.fail(`the file was opened as ${file.access}`);
  return file;
}

const read = async (start: number, end: number): Promise<number> => (await (await opened()).read(start, end)).length;

test.each([
  [1, 'the first part'],
  [2, 'a later part'],
])('a server that sends more than was requested has failed (response %i, %s)', async (response) => {
  [excessiveResponse, responses] = [response, 0];
  await expect(read(200_000, 200_100)).rejects.toEqual(new OutboundFailed('protocol'));
});

test('a part is read as requested', async () => {
  [excessiveResponse, responses] = [0, 0];
  expect(await read(200_000, 200_100)).toBe(100);
});

test('of a file that is read as a whole, the beginning and the last sixteen mebibytes are kept, and nothing else', async () => {
  [excessiveResponse, responses] = [0, 0];
  const file = await opened();
  for (let at = 0; at < size; at += mebibyte) await file.read(at, at + mebibyte);
  const requestsFor = async (start: number) => {
    responses = 0;
    await file.read(start, start + 1000);
    return responses;
  };
  expect(await Promise.all([requestsFor(0), requestsFor(size - 16 * mebibyte)])).toEqual([0, 0]);
  expect(await requestsFor(mebibyte)).toBe(1);
});
