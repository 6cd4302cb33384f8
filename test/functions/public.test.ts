/** The public operations. */
import { expect, test } from 'vitest';
import { publicContracts } from '../../shared/contracts/public.ts';
import { catalogKey } from '../../shared/domain/keys.ts';
import { voiceSlugs } from '../support/specified-sets.ts';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();

test('the plans are public, cacheable for a minute and priced in the main unit of their currency', async () => {
  const response = await host.call('listPlans', { headers: { authorization: 'Bearer nonsense' } });
  expect(response.status).toBe(200);
  expect(response.headers['cache-control']).toBe('public, s-maxage=60');
  const { plans, creditPacks } = response.body.data as { plans: unknown[]; creditPacks: { isPopular: boolean }[] };
  expect(plans).toContainEqual(expect.objectContaining({ id: 'starter', priceMonthly: 49.9, currency: 'BRL' }));
  expect(plans).toHaveLength(3);
  expect(creditPacks).toHaveLength(4);
  expect(creditPacks.filter(({ isPopular }) => isPopular)).toHaveLength(1);
});

test('the published example of the plans shows the default plans and packs', async () => {
  const { data: example } = publicContracts.listPlans.example;
  const { body } = await host.call('listPlans');
  expect(body.data).toMatchObject({
    ...example,
    plans: expect.arrayContaining([...example.plans]),
    creditPacks: expect.arrayContaining([...example.creditPacks]),
  });
});

test('the plans can be changed without a deployment', async () => {
  const { table } = host.service.context;
  await table.put({
    Item: { ...catalogKey('plans'), annualBadge: '3 months free' },
  });
  host.clock.advance(30_000);
  const response = await host.call('listPlans');
  expect(response.body.data).toMatchObject({ annualBadge: '3 months free' });
});

const voicesOf = async () => {
  const response = await host.call('listVoices', { headers: { authorization: 'Bearer nonsense' } });
  expect(response.status, response.text).toBe(200);
  expect(response.headers['cache-control']).toBe('public, s-maxage=300');
  return (response.body.data as { voices: { id: string; slug: string; previewUrl: string | null }[] }).voices;
};

test('the voices are listed by name, without a token', async () => {
  const voices = await voicesOf();
  expect(voices.map(({ slug }) => slug)).toEqual(voiceSlugs);
  expect(voices.map(({ id }) => id)).toEqual(voiceSlugs);
  expect(voices[0]).toEqual({
    id: 'aria',
    slug: 'aria',
    name: 'Aria',
    language: 'en-US',
    gender: 'female',
    style: 'expressive',
    previewUrl: null,
  });
});

test('voices are listed with the ids that operators set if the engine identifies voices by ids', async () => {
  const { table } = host.service.context;
  await table.put({ Item: { ...catalogKey('voices'), sarah: 'replaced00000' } });
  const voices = await host.withEnvironment({ ENGINES: 'elevenlabs', ELEVENLABS_API_KEY: 'any' }, async () => {
    host.clock.advance(30_000);
    return voicesOf();
  });
  host.clock.advance(30_000);
  expect(voices).toContainEqual(expect.objectContaining({ slug: 'aria', id: '9BWtsMINqrJLrRacOk9x' }));
  expect(voices).toContainEqual(expect.objectContaining({ slug: 'sarah', id: 'replaced00000' }));
});

test.for([
  ['by id if the engine identifies voices by ids', { ENGINES: 'elevenlabs', ELEVENLABS_API_KEY: 'any' }, true],
  ['by name if the engine has no ids for voices', { ENGINES: 'fal', FAL_KEY: 'any' }, false],
] as const)('listed voices can be chosen for a task %s', async ([, environment, hasIds]) => {
  const { token } = await host.account({ credits: 1000 });
  await host.withEnvironment(environment, async () => {
    host.clock.advance(30_000);
    for (const { id, slug } of await voicesOf()) {
      expect(id !== slug).toBe(hasIds);
      const body = { text: 'Hello', ...(hasIds ? { voiceId: id } : { voice: slug }) };
      const response = await host.call('generateVoice', { token, body, headers: { 'X-Dry-Run': 'true' } });
      expect(response.status, response.text).toBe(200);
    }
    const byId = { text: 'Hello', voiceId: hasIds ? 'notAnIdAtAll' : 'sarah' };
    const response = await host.call('generateVoice', { token, body: byId, headers: { 'X-Dry-Run': 'true' } });
    expect(response.status, response.text).toBe(hasIds ? 200 : 400);
  });
  host.clock.advance(30_000);
});

test('the service is healthy if its dependencies respond', async () => {
  const response = await host.call('getHealth');
  expect(response.body.data).toMatchObject({ status: 'ok', checks: { database: 'ok', storage: 'ok', queue: 'ok' } });
});

test.for([
  ['storage', { RESULTS_BUCKET: 'no-such-bucket' }],
  ['queue', { WEBHOOK_QUEUE_URL: 'http://127.0.0.1:9/000000000000/webhooks' }],
  ['database', { TABLE_NAME: 'no-such-table' }],
] as const)(
  'a failing %s degrades the service’s health, and the health check still responds with 200 and names it',
  async ([part, environment]) => {
    const response = await host.withEnvironment(environment, () => host.call('getHealth'));
    expect(response.status).toBe(200);
    const checks = { database: 'ok', storage: 'ok', queue: 'ok', [part]: 'failing' };
    expect(response.body.data).toMatchObject({ status: 'degraded', checks });
  },
);
