/** Reading parts of a remote file by range requests. */
import { afterAll, expect, test } from 'vitest';
import { openRangedFile } from '../../shared/platform/ranged-file.ts';
import { OutboundFailed, safeOpen } from '../../shared/platform/safe-fetch.ts';
import { localServer } from '../support/local-server.ts';

const size = 300_000;

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

async function read(start: number, end: number): Promise<number> {
  const budget = { timeoutMs: 60_000, maxFileBytes: size };
  const file = await openRangedFile(safeOpen({ policy: 'local' }), `${server.url}/a`, budget);
  if (file.access !== 'ranges') expect.fail(`the file was opened as ${file.access}`);
  return (await file.read(start, end)).length;
}

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
