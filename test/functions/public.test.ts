/** The public operations. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicContracts } from '../../shared/contracts/public.ts';
import { catalogKey } from '../../shared/domain/keys.ts';
import { type TestService, testService } from '../support/test-service.ts';

let host: TestService;

beforeAll(async () => {
  host = await testService();
});
afterAll(() => host.close());

test('the plans are public, cacheable for a minute and in the main unit of their currency', async () => {
  const response = await host.call('listPlans', { headers: { authorization: 'Bearer nonsense' } });
  expect(response.status).toBe(200);
  expect(response.headers['cache-control']).toBe('public, s-maxage=60');
  const { plans, creditPacks } = response.body.data as { plans: unknown[]; creditPacks: { isPopular: boolean }[] };
  expect(plans).toContainEqual(expect.objectContaining({ id: 'starter', priceMonthly: 49.9, currency: 'BRL' }));
  expect(plans).toHaveLength(3);
  expect(creditPacks).toHaveLength(4);
  expect(creditPacks.filter(({ isPopular }) => isPopular)).toHaveLength(1);
});

test('the published example shows plans and packs as they are sold by default', async () => {
  const { data: example } = publicContracts.listPlans.example;
  const { body } = await host.call('listPlans');
  expect(body.data).toMatchObject({
    ...example,
    plans: expect.arrayContaining([...example.plans]),
    creditPacks: expect.arrayContaining([...example.creditPacks]),
  });
});

test('the plans can be changed without a deploy', async () => {
  const { table } = host.service.context;
  await table.put({
    Item: { ...catalogKey('plans'), annualBadge: '3 months free' },
  });
  host.clock.advance(30_000);
  const response = await host.call('listPlans');
  expect(response.body.data).toMatchObject({ annualBadge: '3 months free' });
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
  'a failing %s degrades the service, which still responds with 200 and names it',
  async ([part, environment]) => {
    const response = await host.withEnvironment(environment, () => host.call('getHealth'));
    expect(response.status).toBe(200);
    const checks = { database: 'ok', storage: 'ok', queue: 'ok', [part]: 'failing' };
    expect(response.body.data).toMatchObject({ status: 'degraded', checks });
  },
);
