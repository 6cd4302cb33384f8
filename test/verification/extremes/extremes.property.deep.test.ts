/**
 * External parties may send authentic data with extreme values. Whatever they send, every list can still be read, and
 * shows all rows that it showed before.
 */
import { assert, asyncProperty } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { inboundRoutes } from '../../../shared/contracts/inbound.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { LeftOutRow } from '../../../shared/platform/dynamo-table.ts';
import { inboxSettled } from '../../support/inbox-settled.ts';
import { type TestService, testService } from '../../support/test-service.ts';
import { distortions } from './extreme-values.ts';
import { fedRoutes, type Source, sources } from './inbound-sources.ts';
import { outsideParties } from './outside-parties.ts';
import { expectLists, type PlantedAccount, plantAccount } from './planted-account.ts';

const { EXTREMES_RUNS, EXTREMES_SEED } = process.env;
const runs = Number(EXTREMES_RUNS ?? 2);
/** The number of copies of one item; thousands of them would take minutes. */
const maxRepeats = runs < 20 ? 5 : 2000;

/** Open resources, and rows of a list of limited size, must not reach their limits. */
const runsByAccount = 5;

const leftOut: LeftOutRow[] = [];

const { parties, ...outside } = await outsideParties(() => host);
const host: TestService = await testService({ hasIdentity: true, environment: outside.environment });
const { context } = host.service;
const table = { ...context.table, leftOut: (row: LeftOutRow) => void leftOut.push(row) };
host.service.bind({ ...context, ...stores(table, context.clock, context.settings), table });
afterAll(async () => {
  await host.close();
  await outside.close();
});

const sourceNames = {
  socialEvents: 'events of a social network',
  socialReads: 'responses of a social network',
  pixPayments: 'reports of PIX payments',
  subscriptions: 'reports of subscriptions',
  engineReports: 'reports of engines',
  logins: 'the claims of log-ins',
} satisfies Record<keyof typeof sources, string>;

test.for((Object.keys(sources) as (keyof typeof sources)[]).map((name) => [sourceNames[name], name] as const))(
  'extreme values from %s neither break a list nor remove a row from a list',
  async ([, name]) => {
    let account: PlantedAccount | undefined;
    let run = 0;
    const feed: Source = sources[name];
    const holds = asyncProperty(distortions(maxRepeats), async (distort) => {
      if (run % runsByAccount === 0) account = undefined;
      run += 1;
      account ??= await plantAccount(host);
      const shown = await feed(account, distort, parties);
      if (name === 'socialEvents') await inboxSettled(host.service.context);
      await expectLists(account, shown);
      expect(leftOut.splice(0)).toEqual([]);
    });
    const seeded = EXTREMES_SEED === undefined ? {} : { seed: Number(EXTREMES_SEED) };
    await assert(holds, { numRuns: runs, endOnFailure: true, ...seeded });
  },
);

test('the test of extreme values feeds every route that outside parties call', () => {
  expect(Object.keys(fedRoutes).toSorted()).toEqual(Object.keys(inboundRoutes).toSorted());
});
