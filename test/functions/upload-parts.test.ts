/** Uploads and their parts: the number and URLs of the parts, how an upload is completed, and repeated requests. */
import { describe, expect, test } from 'vitest';
import { serviceInTests } from '../support/test-service.ts';

const megabyte = 2 ** 20;

interface PartsUpload {
  readonly fileId: string;
  readonly url: string;
  readonly upload: {
    readonly method: 'PUT';
    readonly parts: readonly { readonly number: number; readonly bytes: number; readonly url: string }[];
    readonly expiresAt: string;
  };
}

const host = await serviceInTests();
const account = await host.account({ planId: 'business' });

async function declare(bytes: number, contentType = 'video/mp4') {
  const response = await host.call('createFile', { token: account.token, body: { contentType, bytes } });
  expect(response.status, response.text).toBe(201);
  return response.body.data as PartsUpload;
}

const complete = (fileId: string, etags: readonly string[], token = account.token) =>
  host.call('completeFile', { token, params: { fileId }, body: { etags } });

describe('an uploaded file', () => {
  test.each([
    [1, 'POST'],
    [100 * megabyte, 'POST'],
    [100 * megabyte + 1, 'PUT'],
  ])('with a size in bytes of %i is uploaded by %s', async (bytes, method) => {
    expect((await declare(bytes)).upload.method).toBe(method);
  });

  test.each([
    ['image/png', 10 * megabyte],
    ['audio/mpeg', 25 * megabyte],
    ['video/mp4', 2048 * megabyte],
  ])('of type %s may have at most %i bytes', async (contentType, bytes) => {
    await declare(bytes, contentType);
    const body = { contentType, bytes: bytes + 1 };
    const response = await host.call('createFile', { token: account.token, body });
    expect([response.status, response.body.error?.message]).toEqual([400, expect.stringMatching(/^bytes must be /)]);
  });

  test.each(['generate:image', 'generate:video', 'generate:audio'] as const)(
    'of any type can be uploaded with only the scope %s',
    async (scope) => {
      const { token } = await host.token(account.accountId, [scope]);
      const body = { contentType: 'audio/wav', bytes: 44 };
      expect((await host.call('createFile', { token, body })).status).toBe(201);
    },
  );
});

describe('an upload in parts', () => {
  test('has a signed URL for each of its parts, for exactly their sizes and an hour', async () => {
    const bytes = 2048 * megabyte - 5;
    const { upload } = await declare(bytes);
    expect(upload.parts.map(({ number }) => number)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
    expect(upload.parts.map((part) => part.bytes)).toEqual(
      upload.parts.map(({ number }) => (number === 32 ? 64 * megabyte - 5 : 64 * megabyte)),
    );
    for (const { number, url } of upload.parts) {
      const signed = new URL(url).searchParams;
      expect(signed.get('partNumber')).toBe(String(number));
      expect(signed.get('X-Amz-SignedHeaders')?.split(';')).toEqual(['content-length', 'host']);
      expect(signed.get('X-Amz-Expires')).toBe('3600');
      // A checksum in the URL would be wrong, because the content is not known when the URL is signed.
      expect(url).not.toContain('checksum');
    }
    const signedAt = new URL(upload.parts[0]?.url ?? '').searchParams.get('X-Amz-Date') ?? '';
    const signedMs = Date.parse(signedAt.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5'));
    expect(Math.abs(Date.parse(upload.expiresAt) - signedMs - 3_600_000)).toBeLessThanOrEqual(1000);
  });

  test('stays unchanged if parts are missing or it is completed with wrong ETags', async () => {
    const { fileId, url, upload } = await declare(101 * megabyte);
    expect((await complete(fileId, ['"one"'])).body.error?.message).toBe(
      'etags must have one item for each of the 2 parts',
    );
    for (const etags of [
      ['"one"', '"two"'],
      ['<Part>', '&'],
    ]) {
      const response = await complete(fileId, etags);
      expect([response.status, response.body.error?.message]).toEqual([400, expect.stringMatching(/^etags must be /)]);
    }
    const body = { videoUrl: url };
    const used = await host.call('generateCortes', { token: account.token, body, headers: { 'x-dry-run': 'true' } });
    expect(used.body.error?.message).toBe('videoUrl has not been uploaded yet');
    const put = await fetch(upload.parts[1]?.url ?? '', { method: 'PUT', body: new Uint8Array(37 * megabyte) });
    expect(put.status).toBe(200);
    expect(put.headers.get('etag')).toMatch(/^".+"$/);
  });

  test('of another account, or with an unknown id, is not found', async () => {
    const { fileId } = await declare(101 * megabyte);
    const stranger = await host.account();
    expect((await complete(fileId, ['"one"', '"two"'], stranger.token)).status).toBe(404);
    expect((await complete(host.service.context.ids.next(), ['"one"'])).status).toBe(404);
  });

  test('is refused for a file that must be uploaded by a form', async () => {
    const { fileId } = await declare(10);
    const response = await complete(fileId, ['"one"']);
    expect([response.status, response.body.error?.message]).toEqual([
      400,
      'fileId must be the id of a file that is uploaded in parts: a form completes its own upload',
    ]);
  });
});

test('once an account’s new files reach 50 GB in a day, only that account’s further files are rejected until the day ends', async () => {
  const [uploader, other] = [await host.account(), await host.account()];
  const dayMs = 24 * 3_600_000;
  const timeOfDay = () => host.clock.now() % dayMs;
  // The time is far from midnight, so that the day does not end during the test.
  if (timeOfDay() > dayMs / 2) host.clock.advance(dayMs - timeOfDay());
  const create = (bytes: number, { token } = uploader, headers: Record<string, string> = {}) =>
    host.call('createFile', { token, headers, body: { contentType: 'video/mp4', bytes } });
  const largest = 2048 * megabyte;
  for (const headers of [{ 'Idempotency-Key': 'first' }, { 'Idempotency-Key': 'first' }])
    expect((await create(largest, uploader, headers)).status).toBe(201);
  for (let count = 2; count <= 25; count += 1) expect((await create(largest)).status).toBe(201);
  const secondsLeft = () => Math.ceil((dayMs - timeOfDay()) / 1000);
  const max = secondsLeft();
  const rejected = await create(1);
  expect([rejected.status, rejected.body.error?.code], rejected.text).toEqual([429, 'RATE_LIMITED']);
  expect(rejected.body.error?.message).toMatch(/on a day \(UTC\).*Retry-After/);
  const seconds = Number(rejected.headers['retry-after']);
  expect(seconds).toBeLessThanOrEqual(max);
  expect(seconds).toBeGreaterThanOrEqual(secondsLeft());
  expect((await create(1, other)).status).toBe(201);
  host.clock.advance(seconds * 1000);
  expect((await create(1)).status).toBe(201);
});

test('a repeated request for an upload with the same idempotency key returns the same form', async () => {
  const request = { token: account.token, body: { contentType: 'image/png', bytes: 10 } };
  const headers = { 'idempotency-key': 'one file' };
  const [first, again] = [
    await host.call('createFile', { ...request, headers }),
    await host.call('createFile', { ...request, headers }),
  ];
  expect(again.text).toBe(first.text);
  expect(again.headers['idempotent-replayed']).toBe('true');
});
