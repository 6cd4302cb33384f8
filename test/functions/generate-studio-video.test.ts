/** Studio videos: what a request may refer to, what it costs, and what the engine is given. */

import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { registry } from '../../shared/contracts/registry.ts';
import { studioRow } from '../../shared/domain/catalog/studio-row.ts';
import { unusedCircuit } from '../../shared/domain/generation/circuit.ts';
import { imageHost } from '../support/image-host.ts';
import { giveAvatar, giveProduct } from '../support/studio-cast.ts';
import { type TestAccount, testService } from '../support/test-service.ts';
import { tinyPng } from '../support/tiny-image.ts';

let account: TestAccount;
let productId: string;
let avatarId: string;

const credits = 1000;

const [host, images] = await Promise.all([
  testService(),
  imageHost({
    'wide.png': (response) => response.end(tinyPng(42, 20)),
    'tall.png': (response) => response.end(tinyPng(10, 17)),
    'missing.png': (response) => response.writeHead(404).end(),
    'large.png': (response) => response.end(tinyPng(10_000, 5_001, { width: 1, height: 1 })),
    'page.png': (response) => response.end('<!doctype html>'),
  }),
]);
afterAll(() => Promise.all([host.close(), images.close()]));
beforeEach(async () => {
  host.engine.play({});
  account = await host.account({ credits, planId: 'pro' });
  const { accountId } = account;
  const { context } = host.service;
  const pair = [{ url: images.url('wide.png') }, { url: images.url('two.png') }];
  productId = await giveProduct(context, { accountId, images: pair });
  avatarId = await giveAvatar(context, { accountId, gender: 'feminino', image: { url: images.url('ana.png') } });
});

const request = (changes: object = {}) => ({ mode: 'unboxing', productId, resolution: '480p', ...changes });

const post = (changes: object = {}, headers: Record<string, string> = {}) =>
  host.call('generateStudioVideo', { token: account.token, body: request(changes), headers });

const dryRun = async (changes: object) => {
  const response = await post(changes, { 'x-dry-run': 'true' });
  return (response.body.data as { cost: number }).cost;
};

/** The engine's job of an accepted request. */
const jobOf = async (changes: object = {}) => {
  const response = await post(changes);
  expect(response.status, response.text).toBe(202);
  return host.engine.jobOf((response.body.data as { taskId: string }).taskId);
};

const untouched = async () => {
  const { accounts, tasks } = host.service.context;
  expect(await accounts.find(account.accountId)).toMatchObject({ balance: credits });
  expect(await tasks.ids(account.accountId, {}, { limit: 10, offset: 0 })).toEqual([]);
};

describe('the price of a Studio video', () => {
  // Calculated by hand from the default catalog: 80 or 130, 90 or 150, 50 or 84 credits for 15 seconds.
  test.for<[string, string, number, number]>([
    ['unboxing', '480p', 15, 80],
    ['unboxing', '480p', 4, 22],
    ['unboxing', '480p', 3 * 3, 48],
    ['unboxing', '720p', 15, 130],
    ['unboxing', '720p', 14, 122],
    ['unboxing', '720p', 4, 35],
    ['depoimento', '480p', 5, 30],
    ['depoimento', '720p', 4, 40],
    ['depoimento', '720p', 11, 110],
    ['vitrine', '480p', 6, 20],
    ['vitrine', '480p', 7, 24],
    ['vitrine', '720p', 10, 56],
  ])('of mode %s in %s for %i seconds is %i credits', async ([mode, resolution, durationSec, cost]) => {
    const cast = mode === 'depoimento' ? { avatarId } : {};
    expect(await dryRun({ mode, resolution, durationSec, ...cast })).toBe(cost);
  });

  test('is that of 15 seconds if the request omits the duration, and is debited once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await post({}, headers);
    const again = await post({}, headers);
    expect(again.body.data).toEqual(first.body.data);
    expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(credits - 80);
  });

  test('of the published example is the published price', async () => {
    const { body, dryRun: published } = registry.generateStudioVideo.example;
    expect(await dryRun({ ...body, productId })).toBe(published.cost);
  });

  test('changes with the prices in the catalog', async () => {
    const { catalog } = host.service.context;
    const { modes } = await catalog.read(studioRow);
    const dear = modes.map((mode) => ({ ...mode, costsByResolution: { '480p': 16, '720p': 31 } }));
    await catalog.change('studio', { modes: dear });
    host.clock.advance(30_000);
    const costs = [await dryRun({ durationSec: 14 }), await dryRun({ resolution: '720p', durationSec: 4 })];
    await catalog.change('studio', { modes: undefined });
    host.clock.advance(30_000);
    expect(costs).toEqual([15, 9]);
  });
});

test('the response for a Studio video has a variation group of its own, which the task does not show', async () => {
  const [one, other] = [await post(), await post()];
  const groups = [one, other].map(({ body }) => (body.data as { variationGroup: string }).variationGroup);
  for (const group of groups) expect(group).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  expect(new Set(groups).size).toBe(2);
  const task = await host.task(account.token, (one.body.data as { taskId: string }).taskId);
  expect(task).not.toHaveProperty('variationGroup');
  expect(task.input).toEqual({ ...request(), aspectRatio: 'auto', durationSec: 15 });
});

describe('a Studio video request', () => {
  test.for(['mode', 'productId'])('with an unknown %s gets 502 before any debit', async (field) => {
    const response = await post({ [field]: 'unknown' });
    expect([response.status, response.body.error?.code]).toEqual([502, 'GENERATION_FAILED']);
    await untouched();
  });

  test('with an unknown avatar gets 502 before any debit, also as a dry run', async () => {
    for (const headers of [{}, { 'x-dry-run': 'true' }]) {
      const response = await post({ avatarId: 'unknown' }, headers);
      expect([response.status, response.body.error?.code]).toEqual([502, 'GENERATION_FAILED']);
    }
    await untouched();
  });

  test.for(['hookId', 'settingId'])('with an unknown %s gets 400 and an error that names the field', async (field) => {
    const response = await post({ [field]: 'unknown' });
    expect([response.status, response.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.body.error?.message).toMatch(new RegExp(`^${field} must be `));
    await untouched();
  });

  test('treats products and avatars of other accounts as unknown', async () => {
    const { token, accountId } = await host.account({ credits, planId: 'pro' });
    const own = await giveProduct(host.service.context, { accountId, images: [{ url: images.url() }] });
    const messageFor = async (changes: object) => {
      const { status, body } = await host.call('generateStudioVideo', { token, body: request(changes) });
      return [status, body.error?.message];
    };
    expect(await messageFor({})).toEqual([502, 'The product does not exist.']);
    expect(await messageFor({ productId: own, avatarId })).toEqual([502, 'The avatar does not exist.']);
    expect((await messageFor({ productId: own }))[0]).toBe(202);
  });

  test('treats an empty avatar id as omitted', async () => {
    const { input } = await jobOf({ hookId: '', settingId: '', avatarId: '' });
    expect(input.scene).not.toHaveProperty('hook');
    expect(input.scene).not.toHaveProperty('setting');
    expect(input).not.toHaveProperty('avatar');
    const { status, body } = await post({ mode: 'depoimento', avatarId: '' });
    expect([status, body.error?.message]).toEqual([400, 'avatarId is required in mode depoimento']);
  });
});

describe('the avatar policy of a Studio mode:', () => {
  const statusOf = async (mode: string, isGiven: boolean) => {
    const { status, body } = await post({ mode, ...(isGiven && { avatarId }) });
    return [status, body.error?.message];
  };

  test.for(['depoimento', 'provador'])('%s requires an avatar', async (mode) => {
    expect(await statusOf(mode, false)).toEqual([400, `avatarId is required in mode ${mode}`]);
    expect((await statusOf(mode, true))[0]).toBe(202);
  });

  test.for(['narracao', 'oferta-relampago', 'vitrine'])('%s forbids an avatar', async (mode) => {
    expect(await statusOf(mode, true)).toEqual([400, `avatarId is not allowed in mode ${mode}`]);
    expect((await statusOf(mode, false))[0]).toBe(202);
  });

  test.for(['unboxing', 'passo-a-passo', 'estilo-de-vida'])('%s allows an avatar or none', async (mode) => {
    expect([(await statusOf(mode, true))[0], (await statusOf(mode, false))[0]]).toEqual([202, 202]);
  });
});

describe('the engine of a Studio video', () => {
  test('receives the texts of the catalog, the product and the avatar, with copies of their images', async () => {
    const { input } = await jobOf({
      avatarId,
      hookId: 'desafio',
      settingId: 'cozinha',
      resolution: '720p',
      aspectRatio: '9:16',
      durationSec: 8,
    });
    expect(input).toMatchObject({
      mode: 'unboxing',
      resolution: '720p',
      aspectRatio: '9:16',
      durationSec: 8,
      scene: {
        mode: { slug: 'unboxing', direction: expect.stringContaining('unboxing') },
        hook: { id: 'desafio', title: 'Duvida? Então olha' },
        setting: { id: 'cozinha', direction: expect.stringContaining('kitchen') },
      },
      product: { title: 'Caneca azul', description: 'Feita à mão em cerâmica.' },
      avatar: { name: 'Ana', gender: 'feminino' },
    });
    const { product, avatar } = input as { product: { images: string[] }; avatar: { image: string } };
    expect(product.images).toHaveLength(2);
    const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
    for (const url of [...product.images, avatar.image]) expect(url).not.toContain(images.url(''));
    expect(await bytes(product.images[0] ?? '')).toEqual(Buffer.from(tinyPng(42, 20)));
    expect(await bytes(avatar.image)).toEqual(Buffer.from(tinyPng(12, 9)));
  });

  test.for<[string, object, object]>([
    [
      'receives the line exactly as written',
      { userPrompt: ' Olha!\n"Que" linda ' },
      { speechPolicy: 'optional', line: ' Olha!\n"Que" linda ' },
    ],
    ['writes a line if the request has none', {}, { speechPolicy: 'optional' }],
    ['writes a line if the requested one is blank', { userPrompt: '  ' }, { speechPolicy: 'optional' }],
    [
      'receives no line where speech is forbidden',
      { mode: 'vitrine', userPrompt: 'Olha!' },
      { speechPolicy: 'forbidden' },
    ],
  ])('%s', async ([, changes, speech]) => {
    const { speechPolicy, line } = (await jobOf(changes)).input;
    expect({ speechPolicy, line }).toEqual(speech);
  });

  test.for<[string, string]>([
    ['wide.png', '21:9'],
    ['tall.png', '9:16'],
    ['tiny.png', '4:3'],
    ['missing.png', '1:1'],
    ['large.png', '1:1'],
  ])('receives the aspect ratio nearest to the product’s first image: %s gives %s', async ([path, aspectRatio]) => {
    const { accountId } = account;
    const shown = await giveProduct(host.service.context, { accountId, images: [{ url: images.url(path) }] });
    const response = await post({ productId: shown });
    const taskId = (response.body.data as { taskId: string }).taskId;
    expect((await host.service.context.tasks.find(taskId))?.derived).toMatchObject({ aspectRatio });
  });

  test.for<[string, string, string]>([
    [
      'missing.png',
      'DOWNLOAD_FAILED',
      'product.images[0] could not be downloaded: the server responded with status 404',
    ],
    ['page.png', 'INPUT_INVALID', 'product.images[0] '],
    ['large.png', 'INPUT_INVALID', 'product.images[0] must be at most 50 megapixels'],
  ])(
    'does not receive a product whose image %s cannot be used: the task fails and is refunded',
    async ([path, code, detail]) => {
      const { accountId } = account;
      const shown = await giveProduct(host.service.context, { accountId, images: [{ url: images.url(path) }] });
      const response = await post({ productId: shown });
      const task = await host.ended(account.token, (response.body.data as { taskId: string }).taskId);
      expect(task).toMatchObject({ status: 'failed', error: { code }, creditsRefunded: 80 });
      expect(task.error?.message).toContain(detail);
      expect((await host.service.context.accounts.find(accountId))?.balance).toBe(credits);
    },
  );
});

test('a Studio video request gets 403 before any lookup if the account’s plan lacks the Studio', async () => {
  const { token } = await host.account({ planId: 'starter' });
  const response = await host.call('generateStudioVideo', { token, body: request({ mode: 'unknown' }) });
  expect([response.status, response.body.error?.code]).toEqual([403, 'FORBIDDEN']);
  expect(response.body.error?.message).toContain('studio');
});

test('a Studio video request gets FEATURE_DISABLED and Retry-After while the operation is switched off', async () => {
  const { catalog } = host.service.context;
  await catalog.switchOperation('generateStudioVideo', false);
  host.clock.advance(30_000);
  const response = await post();
  await catalog.switchOperation('generateStudioVideo', true);
  host.clock.advance(30_000);
  expect([response.status, response.body.error?.code]).toEqual([503, 'FEATURE_DISABLED']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
});

test('a Studio video request gets PROVIDER_UNAVAILABLE and Retry-After while the engine is down', async () => {
  const { context } = host.service;
  const now = host.clock.now();
  const { accountId } = account;
  const down = { ...unusedCircuit, accounts: { [accountId]: { failures: 5, usedAt: now, openUntil: now + 30_000 } } };
  const circuits = { ...context.circuits, read: async () => new Map([['offline/video-studio', down]]) };
  const response = await host.withContext({ ...context, circuits }, () => post());
  expect([response.status, response.body.error?.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  await untouched();
});
