/** Uploaded files: the form, what the storage accepts, and what happens to used and unused files. */
import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { localAccess } from '../../infra/local/local-access.ts';
import { keptBytesPerDay } from '../../shared/contracts/limits.ts';
import { countOnDay } from '../../shared/domain/count-on-day.ts';
import { dayCountsKey, fileKey } from '../../shared/domain/keys.ts';
import { dayAt, dayMs } from '../../shared/platform/clock.ts';
import { type ImageHost, imageHost } from '../support/image-host.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';
import { declareFile, sendForm, type Upload, uploadFile } from '../support/upload-file.ts';

let host: TestService;
let images: ImageHost;
let account: TestAccount;
/** Serves the image at `slow.png`; called when it is requested. */
let onSlowImage: (respond: () => void) => void;

beforeAll(async () => {
  [host, images] = await Promise.all([
    testService(),
    imageHost({
      'slow.png': (response) => onSlowImage(() => response.end(png)),
    }),
  ]);
});
afterAll(() => Promise.all([host.close(), images.close()]));
beforeEach(async () => {
  account = await host.account({ planId: 'pro' });
});

const png = tinyPng(40, 30);
const texts = { title: 'Caneca azul', description: 'Uma caneca de cerâmica.' };

const declare = (bytes: number, contentType?: string) => declareFile(host, account.token, bytes, contentType);

const uploaded = (file?: Uint8Array) => uploadFile(host, account.token, file);

const createProduct = (
  productFileIds: readonly string[],
  body: object = texts,
  token = account.token,
  headers: Record<string, string> = {},
) => host.call('createStudioProduct', { token, body: { ...body, productFileIds }, headers });

async function addressesOf(token = account.token): Promise<string[]> {
  const response = await host.call('listStudioProducts', { token });
  const { products } = response.body.data as { products: { images: { url: string }[] }[] };
  return products.flatMap(({ images }) => images.map(({ url }) => url));
}

const read = async (url: string) => {
  const response = await fetch(url);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

describe('the storage of uploads', () => {
  test('accepts exactly the declared size until the form expires after an hour', async () => {
    const created = await declare(png.length);
    const { Policy = '' } = created.upload.fields;
    const { expiration } = JSON.parse(Buffer.from(Policy, 'base64').toString()) as { expiration: string };
    expect(Date.parse(created.upload.expiresAt)).toBe(Date.parse(expiration));
    expect(Date.parse(expiration) - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(await sendForm(created, png.subarray(1))).toMatchObject({ status: 400, code: 'EntityTooSmall' });
    expect(await sendForm(created, Buffer.concat([png, png]))).toMatchObject({ status: 400, code: 'EntityTooLarge' });
    expect(await sendForm(created, png)).toMatchObject({ status: 204 });
  });

  test.for([
    [{ 'Content-Type': 'image/jpeg' }, 403, 'AccessDenied'],
    [{ key: 'uploads/another' }, 403, 'AccessDenied'],
    [{ 'x-amz-meta-more': 'x' }, 403, 'AccessDenied'],
    [{ Policy: undefined }, 403, 'AccessDenied'],
    [{ key: undefined }, 400, 'InvalidArgument'],
    [{ 'X-Amz-Signature': '0'.repeat(64) }, 403, 'SignatureDoesNotMatch'],
    [
      { Policy: Buffer.from('{"expiration":"2999-01-01T00:00:00Z","conditions":[]}').toString('base64') },
      403,
      'SignatureDoesNotMatch',
    ],
  ] as const)('rejects a form changed by %j', async ([changes, status, code]) => {
    const created = await declare(png.length);
    expect(await sendForm(created, png, changes)).toMatchObject({ status, code });
    expect((await createProduct([created.fileId])).body.error?.message).toBe(
      'productFileIds[0] has not been uploaded yet',
    );
  });

  test('rejects a form of more than a hundred fields before it is parsed', async () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, '']));
    const created = await declare(png.length);
    const code = 'MaxPostPreDataLengthExceeded';
    expect(await sendForm(created, png, fields(100))).toMatchObject({ status: 400, code });
    expect(await sendForm(created, png, fields(50))).toMatchObject({ status: 403, code: 'AccessDenied' });
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=a; boundary=b',
    'multipart/form-data; boundary="\\a"',
  ])('responds with an error document to a body of the type %s', async (type) => {
    const { upload } = await declare(10);
    const body = '--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--a--\r\n';
    const response = await fetch(upload.url, { method: 'POST', body, headers: { 'content-type': type } });
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/xml']);
    expect(await response.text()).toContain('<Code>MalformedPOSTRequest</Code>');
  });

  test('takes the parts of a form by its boundary, and not by a parameter of a similar name', async () => {
    const { upload } = await declare(10);
    const body = `--a\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(101);
    const headers = { 'content-type': 'multipart/form-data; xboundary=zzz; boundary=a' };
    const response = await fetch(upload.url, { method: 'POST', body, headers });
    expect(await response.text()).toContain('<Code>MaxPostPreDataLengthExceeded</Code>');
  });

  test('accepts a file of 10 MB, and no larger one can be declared', async () => {
    const largest = Buffer.concat([png, Buffer.alloc(10 * 2 ** 20 - png.length)]);
    const response = await createProduct([await uploaded(largest)]);
    expect(response.status, response.text).toBe(200);
    const body = { contentType: 'image/png', bytes: largest.length + 1 };
    expect((await host.call('createFile', { token: account.token, body })).status).toBe(400);
  });
});

describe('an uploaded Studio file', () => {
  test('can be used by a product and an avatar, and both show one permanent address of its content', async () => {
    const fileId = await uploaded();
    const first = await createProduct([fileId]);
    expect(first.status, first.text).toBe(200);
    expect((await createProduct([fileId])).status).toBe(200);
    const addresses = await addressesOf();
    expect(new Set(addresses).size).toBe(1);
    const [url = ''] = addresses;
    expect(url).toMatch(new RegExp(`/files/${fileId}-[0-9a-f]{32}\\.png$`));
    expect(await read(url)).toEqual({ status: 200, type: 'image/png', bytes: png });
    const body = { name: 'Ana', avatarFileId: fileId, imageUrl: 'https://example.com/other.png' };
    const avatar = await host.call('createStudioAvatar', { token: account.token, body });
    const { id } = avatar.body.data as { id: string };
    const stored = await host.service.context.avatars.find(account.accountId, id);
    expect(stored?.image).toEqual({ key: url.slice(url.indexOf('files/')) });
  });

  test('that is used is kept permanently and never changes, whatever is uploaded later', async () => {
    const created = await declare(png.length);
    await sendForm(created, png);
    await createProduct([created.fileId]);
    const [before = ''] = await addressesOf();
    const shorter = tinyPng(30, 40);
    const other = Buffer.concat([shorter, Buffer.alloc(png.length - shorter.length)]);
    expect((await sendForm(created, other)).status).toBe(204);
    host.clock.advance(8 * 24 * 3_600_000);
    expect((await createProduct([created.fileId])).status).toBe(200);
    expect(await addressesOf()).toEqual([before, before]);
    expect((await read(before)).bytes).toEqual(png);
    const row = await host.service.context.table.get(fileKey(account.accountId, created.fileId));
    expect(row).not.toHaveProperty('expiresAt');
  });

  test('that is never used expires after seven days', async () => {
    const fileId = await uploaded();
    const row = await host.service.context.table.get(fileKey(account.accountId, fileId));
    expect(row?.expiresAt).toBe(Math.ceil((Number(row?.createdAt) + 7 * 24 * 3_600_000) / 1000));
    host.clock.advance(7 * 24 * 3_600_000 - 60_000);
    const almost = await uploaded();
    host.clock.advance(60_000);
    expect((await createProduct([fileId])).body.error?.message).toBe(
      "productFileIds[0] must be the id of one of the account's files",
    );
    expect((await createProduct([almost])).status).toBe(200);
  });

  test('of another account gets the same response as a missing one', async () => {
    const fileId = await uploaded();
    const stranger = await host.account({ planId: 'pro' });
    const responses = await Promise.all(
      [fileId, host.service.context.ids.next(), `${account.accountId}#${fileId}`].map((id) =>
        createProduct([id], texts, stranger.token),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(new Set(responses.map(({ body }) => body.error?.message)).size).toBe(1);
  });

  test.for([
    ['a truncated PNG', png.subarray(0, -12), /is truncated$/],
    ['text', Buffer.from('no image at all, whatever its name'), /is not a readable JPEG, PNG or WebP file$/],
    ['an image with too many pixels', tinyPng(10_000, 5_001, { width: 1, height: 1 }), /must be at most 50 megapixels/],
    ['an image with too long a side', tinyPng(16_385, 1, { width: 1, height: 1 }), /16384 pixels per side/],
  ] as const)('with %s as its content is rejected', async ([, content, message]) => {
    const fileId = await uploaded(content);
    const response = await createProduct([await uploaded(), fileId]);
    expect([response.status, response.body.error?.message]).toEqual([400, expect.stringMatching(message)]);
    expect(response.body.error?.message).toMatch(/^productFileIds\[1\] /);
    expect(await addressesOf()).toEqual([]);
  });

  test('is kept with its actual content type, not the declared one', async () => {
    const created = await declare(png.length, 'image/webp');
    expect((await sendForm(created, png)).status).toBe(204);
    expect((await createProduct([created.fileId])).status).toBe(200);
    const [url = ''] = await addressesOf();
    expect((await read(url)).type).toBe('image/png');
  });

  test('is accepted by a service whose engines otherwise admit only public addresses', async () => {
    const rich = await host.account({ credits: 100, planId: 'pro' });
    const fileId = await uploadFile(host, rich.token, png);
    const created = await createProduct([fileId], texts, rich.token);
    const { id: productId } = created.body.data as { id: string };
    const job = await host.withEnvironment({ URL_POLICY: 'public' }, async () => {
      const body = { mode: 'unboxing', productId, resolution: '480p', durationSec: 4 };
      const response = await host.call('generateStudioVideo', { token: rich.token, body });
      expect(response.status, response.text).toBe(202);
      return host.engine.jobOf((response.body.data as { taskId: string }).taskId);
    });
    const { product, aspectRatio } = job.input as { product: { images: string[] }; aspectRatio: string };
    expect(aspectRatio).toBe('4:3');
    expect((await read(product.images[0] ?? '')).bytes).toEqual(png);
  });

  test('is stored once, even if the process crashes before it is linked and the request is repeated', async () => {
    const fileId = await uploaded();
    const { context, environment } = host.service;
    const transact = () => Promise.reject(new Error('the process died'));
    const died = await host.withContext({ ...context, table: { ...context.table, transact } }, () =>
      createProduct([fileId]),
    );
    expect(died.status).toBe(500);
    expect((await createProduct([fileId])).status).toBe(200);
    const { AWS_ENDPOINT_URL_S3 = '', RESULTS_BUCKET } = environment;
    const s3 = new S3Client({ ...localAccess(AWS_ENDPOINT_URL_S3), forcePathStyle: true });
    const stored = await s3.send(new ListObjectsV2Command({ Bucket: RESULTS_BUCKET, Prefix: `files/${fileId}` }));
    s3.destroy();
    const [url = ''] = await addressesOf();
    expect(stored.Contents?.map(({ Key }) => Key)).toEqual([url.slice(url.indexOf('files/'))]);
  });

  test('that only an avatar uses is kept permanently, at an address that serves its content', async () => {
    const fileId = await uploaded();
    const body = { name: 'Ana', avatarFileId: fileId };
    const avatar = await host.call('createStudioAvatar', { token: account.token, body });
    const { avatars, settings, table } = host.service.context;
    const stored = await avatars.find(account.accountId, (avatar.body.data as { id: string }).id);
    const key = String(Object(stored?.image).key);
    expect(await read(`${settings.resultsUrl}/${key}`)).toEqual({ status: 200, type: 'image/png', bytes: png });
    const row = await table.get(fileKey(account.accountId, fileId));
    expect(row).toMatchObject({ key });
    expect(row).not.toHaveProperty('expiresAt');
  });
});

describe('concurrent requests with one file id, for which two different files were uploaded,', () => {
  const other = (size: number) => {
    const shorter = tinyPng(30, 40);
    return Buffer.concat([shorter, Buffer.alloc(size - shorter.length)]);
  };
  const headers = { 'idempotency-key': 'one product' };

  /**
   * The response to a request that read the first upload, but got its images only after another request had used the
   * second upload.
   */
  async function outrun(created: Upload) {
    const waiting = Promise.withResolvers<() => void>();
    onSlowImage = waiting.resolve;
    await sendForm(created, png);
    const slow = createProduct([created.fileId], { images: [images.url('slow.png')] }, account.token, headers);
    const respond = await waiting.promise;
    await sendForm(created, other(png.length));
    expect((await createProduct([created.fileId])).status).toBe(200);
    respond();
    return slow;
  }

  test('keep the file that was used first; the other request is rejected and creates no product', async () => {
    const created = await declare(png.length);
    const { status, body } = await outrun(created);
    expect([status, body.error]).toEqual([
      400,
      { code: 'VALIDATION_ERROR', message: 'productFileIds[0] has changed or expired in the meantime' },
    ]);
    const [address = '', ...more] = await addressesOf();
    expect(more).toEqual([]);
    expect((await read(address)).bytes).toEqual(other(png.length));
  });

  test('leave the idempotency key of the rejected request free for a corrected one', async () => {
    await outrun(await declare(png.length));
    const corrected = await createProduct([await uploaded()], texts, account.token, headers);
    expect(corrected.status, corrected.text).toBe(200);
    expect(corrected.headers).not.toHaveProperty('idempotent-replayed');
  });
});

test('files that products and avatars keep are limited per day; a file that is kept already does not count', async () => {
  const [kept, more] = [await uploaded(png), await uploaded(tinyPng(41, 30))];
  expect((await createProduct([kept])).status).toBe(200);
  const { clock, table } = host.service.context;
  const key = dayCountsKey(account.accountId, dayAt(clock.now()));
  const others = keptBytesPerDay - png.length - 10;
  await table.update(countOnDay(key, { name: 'keptBytes', by: others, limit: keptBytesPerDay, at: clock.now() }));

  const avatar = { name: 'Ana', avatarFileId: more, gender: 'feminino', type: 'custom', likenessConsent: true };
  const avatarRefused = await host.call('createStudioAvatar', { token: account.token, body: avatar });
  for (const { status, body, headers } of [await createProduct([more]), avatarRefused]) {
    expect([status, body.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(body.error?.message).toContain('can keep 2147483648 bytes of files on a day');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(await table.get(fileKey(account.accountId, more))).not.toHaveProperty('key');
  expect((await createProduct([kept])).status).toBe(200);
  expect(await addressesOf()).toHaveLength(2);
  host.clock.advance(dayMs);
  expect((await createProduct([more])).status).toBe(200);
});
