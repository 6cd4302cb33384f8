/** Every URL in a generation request is resolved before anything is looked up or charged, on the real table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { TaskType } from '../../../shared/contracts/task-types.ts';
import { requestGeneration } from '../../../shared/domain/generation/request-generation.ts';
import { type HostedStores, stores } from '../../../shared/domain/stores.ts';
import { outbound } from '../../../shared/platform/outbound.ts';
import { settingsOf } from '../../../shared/platform/settings.ts';
import { generationNeeds } from '../../support/generation-needs.ts';
import { anAccount, type TestTable, testIds, testTable, testTime } from '../../support/test-table.ts';

const privateUrl = 'https://private.example.com/a.png';
const publicUrl = 'https://public.example.com/a.png';
const unknownUrl = 'https://unknown.example.com/a.png';
const addresses: Readonly<Record<string, readonly string[]>> = {
  'private.example.com': ['8.8.8.8', '10.0.0.1'],
  'public.example.com': ['8.8.8.8'],
};

const clock = { now: () => testTime };
const caller = { accountId: testIds.next(), tokenId: 'token' };
const resolve = async (name: string) => addresses[name] ?? Promise.reject(new Error('no such name'));

let host: TestTable;
let store: HostedStores;

beforeAll(async () => {
  host = await testTable();
  store = stores(host.table, clock);
  await store.accounts.insert({ ...anAccount({ balance: 100 }), accountId: caller.accountId }, undefined);
});
afterAll(() => host.close());

/** The outcome of a request with this body (its rejection or its task), and whether its inputs were fetched. */
async function requested(taskType: TaskType, body: Record<string, unknown>, isDryRun = false, resolving = resolve) {
  const looked: string[] = [];
  const request = {
    body,
    headers: isDryRun ? { 'x-dry-run': 'true' } : {},
    actor: caller,
    idempotency: undefined,
    requestId: testIds.next(),
    retryAfter: () => undefined,
  };
  const needs = generationNeeds(store, {
    outbound: outbound({ settings: settingsOf({ URL_POLICY: 'public' }) }, resolving),
  });
  const inspect = async () => {
    looked.push('looked');
    return {};
  };
  const response = await requestGeneration(request, needs, generationOf(taskType), { cost: () => 1, inspect }).catch(
    String,
  );
  return { response, looked };
}

const standing = async () => ({
  balance: (await store.accounts.find(caller.accountId))?.balance,
  tasks: await store.tasks.ids(caller.accountId, {}, { limit: 10, offset: 0 }),
});

const rejected = (field: string) =>
  `${field} must be an https URL of a public host, at most 2048 characters when percent-encoded, and must not resolve to a private address`;

describe('an address in a request whose host name resolves to a private one', () => {
  test.for<[TaskType, string, Record<string, unknown>]>([
    ['skin-enhance', 'imageUrl', { imageUrl: privateUrl }],
    ['skin-enhance', 'callbackUrl', { imageUrl: publicUrl, callbackUrl: privateUrl }],
    ['character-replace', 'characterImage', { imageUrl: publicUrl, characterImage: privateUrl }],
    [
      'image-edit',
      'referenceImages[1] and maskUrl',
      { imageUrl: publicUrl, prompt: 'a', maskUrl: privateUrl, referenceImages: [unknownUrl, privateUrl] },
    ],
    ['voice', 'callbackUrl', { text: 'Uma frase.', voice: 'sarah', callbackUrl: privateUrl }],
  ])('in a request for %s is rejected with an error that names %s, without side effects', async (given) => {
    const [taskType, fields, body] = given;
    const before = await standing();
    for (const isDryRun of [false, true]) {
      const { response, looked } = await requested(taskType, body, isDryRun);
      expect(response).toBe(`Rejection: ${fields.split(' and ').map(rejected).join('; ')}`);
      expect(looked).toEqual([]);
    }
    expect(await standing()).toEqual(before);
  });
});

test('an address in a request is accepted if its host name does not resolve, or resolves to public addresses only', async () => {
  const body = { imageUrl: unknownUrl, characterImage: publicUrl, callbackUrl: unknownUrl };
  expect(await requested('character-replace', body)).toMatchObject({
    response: { status: 'queued' },
    looked: ['looked'],
  });
});

test('all host names in a request are resolved at the same time', async () => {
  const asked: string[] = [];
  const all = Promise.withResolvers<readonly string[]>();
  const together = (name: string) => {
    asked.push(name);
    if (asked.length === 3) all.resolve(['8.8.8.8']);
    return all.promise;
  };
  const body = { imageUrl: publicUrl, characterImage: unknownUrl, callbackUrl: privateUrl };
  const { response } = await requested('character-replace', body, false, together);
  expect(response).toMatchObject({ status: 'queued' });
});

test('an operation that is switched off is rejected before any host name is resolved', async () => {
  await store.catalog.switchOperation('enhanceSkin', false);
  // The catalog is cached for a while.
  store = stores(host.table, clock);
  const asked: string[] = [];
  const noted = async (name: string) => {
    asked.push(name);
    return resolve(name);
  };
  const { response } = await requested('skin-enhance', { imageUrl: privateUrl }, false, noted);
  await store.catalog.switchOperation('enhanceSkin', true);
  store = stores(host.table, clock);
  expect(response).toBe('Rejection: The operation is switched off.');
  expect(asked).toEqual([]);
});
