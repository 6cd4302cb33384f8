/** Studio products over HTTP: saved fields, texts generated from images, rejected requests, and the list. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImageResponse, imageHost } from '../support/image-host.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';

let account: TestAccount;
const files: Record<string, ImageResponse> = {};

const [host, images] = await Promise.all([testService(), imageHost(files)]);
afterAll(async () => {
  await host.close();
  await images.close();
});
beforeEach(async () => {
  account = await host.account({ planId: 'pro' });
});

const png = tinyPng(12, 9);

const texts = { title: 'Caneca azul', description: 'Uma caneca de cerâmica.' };

const create = (body: object, headers: Record<string, string> = {}, token = account.token) =>
  host.call('createStudioProduct', { token, body, headers });

interface Listed {
  readonly products: readonly { readonly id: string; readonly title: string; readonly images: readonly object[] }[];
}

const list = async (query = '', token = account.token) => {
  const response = await host.call('listStudioProducts', { token, query });
  expect(response.status, response.text).toBe(200);
  return response.body.data as Listed;
};

const idOf = (response: { readonly body: { readonly data?: unknown } }) => (response.body.data as { id: string }).id;

describe('a product with a title and a description', () => {
  test('is saved as given, listed at once, and costs nothing', async () => {
    const [first, second] = [images.url('one.png'), images.url('two.png')];
    const response = await create({ ...texts, images: [first, { url: second, role: 'detail' }] });
    expect([response.status, response.body.data]).toEqual([200, { id: expect.any(String), ...texts }]);
    expect(await list()).toEqual({
      products: [
        { id: idOf(response), ...texts, images: [{ url: first }, { url: second }], createdAt: expect.any(String) },
      ],
      limit: 20,
      offset: 0,
    });
    expect(await host.service.context.products.find(account.accountId, idOf(response))).toMatchObject({
      images: [{ url: first }, { url: second, role: 'detail' }],
    });
    expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(1000);
  });

  test('does not have its images downloaded', async () => {
    let requests = 0;
    files['unread.png'] = (response) => {
      requests += 1;
      response.writeHead(404).end();
    };
    expect((await create({ ...texts, images: [images.url('unread.png')] })).status).toBe(200);
    expect(requests).toBe(0);
  });

  test('is not shown to another account', async () => {
    const id = idOf(await create({ ...texts, images: [images.url()] }));
    const stranger = await host.account({ planId: 'pro' });
    expect(await list('', stranger.token)).toMatchObject({ products: [] });
    expect(await host.service.context.products.find(stranger.accountId, id)).toBeUndefined();
    expect(await host.service.context.products.find(account.accountId, `${account.accountId}#${id}`)).toBeUndefined();
  });
});

describe('an omitted text of a product', () => {
  test('is generated from the images, and a given text is kept', async () => {
    const { title } = texts;
    const written = await create({ title, images: [images.url()] });
    expect(written.body.data).toMatchObject({ title, description: expect.stringMatching(/modelo/) });
    const both = await create({ images: [images.url('a.png'), images.url('b.png')] });
    expect(both.body.data).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    });
  });

  test.for([
    [
      'missing.png',
      (response) => response.writeHead(404).end(),
      /^The title or the description .* images\[1\] could not be downloaded/,
    ],
    ['page.png', (response) => response.end('<html>'), /images\[1\] is not a readable JPEG, PNG or WebP file/],
  ] as const satisfies readonly (readonly [string, ImageResponse, RegExp])[])(
    'leads to a 502 if the image %s cannot be used, and no product is created',
    async ([name, handler, message]) => {
      files[name] = handler;
      const response = await create({ images: [images.url(), images.url(name)] });
      expect([response.status, response.body.error?.code]).toEqual([502, 'GENERATION_FAILED']);
      expect(response.body.error?.message).toMatch(message);
      expect(await list()).toMatchObject({ products: [] });
    },
  );
});

describe('a product request is rejected', () => {
  const seven = Array.from({ length: 7 }, () => 'https://example.com/a.png');
  test.for([
    [{ ...texts }, /^images or productFileIds is required$/],
    [{ ...texts, images: [] }, /^images must be a list of 1 to 6 items$/],
    [{ ...texts, images: seven }, /^images must be a list of 1 to 6 items$/],
    [{ ...texts, images: seven.slice(1), productFileIds: ['a'] }, /at most 6 items in total$/],
    [{ ...texts, images: ['http://example.com/a.png'] }, /^images\[0\] must be an https URL of a public host/],
    [{ ...texts, images: [{ url: 'http://192.168.0.1/a' }] }, /^images\[0\]\.url must be an https URL of a public/],
    [{ ...texts, images: ['https://10.0.0.1/a.png'] }, /^images\[0\] must be an https URL of a public host/],
    [{ ...texts, images: [{ role: 'front' }] }, /^images\[0\] must be an https URL of a public host, or an object/],
    [{ ...texts, images: [{}] }, /, or an object with such a `url` and an optional `role`$/],
    [{ ...texts, images: [7] }, /^images\[0\] must be an https URL of a public host, or an object/],
    [{ ...texts, productFileIds: ['a', 'a'] }, /^productFileIds must be a list of unique file ids$/],
    [{ ...texts, productFileIds: [''] }, /^productFileIds\[0\] must be a string of 1 to 200 characters$/],
    [{ ...texts, productFileIds: ['unknown'] }, /^productFileIds\[0\] must be the id of one of the account's files$/],
  ] as const)('with %j', async ([body, message]) => {
    const response = await create(body);
    expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.body.error?.message).toMatch(message);
    expect(await list()).toMatchObject({ products: [] });
  });

  test('if the plan lacks the Studio or the operation is switched off, and saved products are unchanged', async () => {
    const withoutStudio = await host.account({ planId: 'starter' });
    const forbidden = await create({ ...texts, images: [images.url()] }, {}, withoutStudio.token);
    expect([forbidden.status, forbidden.body.error?.code]).toEqual([403, 'FORBIDDEN']);
    await create({ ...texts, images: [images.url()] }, { 'idempotency-key': 'before' });
    const { catalog } = host.service.context;
    await catalog.switchOperation('createStudioProduct', false);
    host.clock.advance(30_001);
    const off = await create({ ...texts, images: [images.url()] });
    const repeat = await create({ ...texts, images: [images.url()] }, { 'idempotency-key': 'before' });
    const listed = await list();
    await catalog.switchOperation('createStudioProduct', true);
    host.clock.advance(30_001);
    expect([off.status, off.body.error?.code, off.headers['retry-after']]).toEqual([503, 'FEATURE_DISABLED', '30']);
    expect([repeat.status, repeat.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(listed.products).toHaveLength(1);
  });
});

describe('an Idempotency-Key for a product', () => {
  test('creates one product and downloads its image once, however many identical requests arrive concurrently', async () => {
    let requests = 0;
    files['raced.png'] = (response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    };
    const body = { images: [images.url('raced.png')] };
    const all = await Promise.all(Array.from({ length: 6 }, () => create(body, { 'idempotency-key': 'raced' })));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(requests).toBe(1);
    expect((await list()).products).toHaveLength(1);
  });

  test('can be used again after a failure', async () => {
    files['late.png'] = (response) => response.writeHead(404).end();
    const body = { images: [images.url('late.png')] };
    expect((await create(body, { 'idempotency-key': 'late' })).status).toBe(502);
    files['late.png'] = (response) => response.writeHead(200).end(png);
    expect((await create(body, { 'idempotency-key': 'late' })).status).toBe(200);
  });
});

test('products are listed newest first, in pages without overlaps or gaps', async () => {
  const created: string[] = [];
  for (let count = 0; count < 5; count += 1) created.push(idOf(await create({ ...texts, images: [images.url()] })));
  const idsAt = async (query: string) => (await list(query)).products.map(({ id }) => id);
  const pages = await Promise.all([0, 2, 4, 5, 10_000].map((offset) => idsAt(`limit=2&offset=${offset}`)));
  expect(pages.flat()).toEqual(created.toReversed());
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1, 0, 0]);
});
