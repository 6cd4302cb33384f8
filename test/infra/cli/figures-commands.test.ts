/** The figures of a day on the command line. */

import { afterAll, expect, it } from 'vitest';
import { countFigures } from '../../../shared/domain/figures/figures-store.ts';
import { dayAt } from '../../../shared/platform/clock.ts';
import { startOperatedService } from './operated-service.ts';

const service = await startOperatedService();

afterAll(() => service.close());

it('`figures show` prints the figures of a day: first the rows by name, then credits and payments', async () => {
  const account = await service.newAccount(100);
  await service.done('credits', 'grant', '--account', account, '--amount', '-30', '--kind', 'adjustment');
  const today = dayAt(service.context.clock.now());
  expect(await service.done('figures', 'show', '--by', 'engine')).toMatchObject({
    day: today,
    by: 'engine',
    rows: [],
    totals: { creditsSold: 0, creditsGiven: 70, creditsTaken: 0, unusedChange: 70, revenueCents: {} },
  });
  const { stdout } = await service.admin(['figures', 'show', '--day', today]);
  expect(stdout).toContain(`No task ended on ${today}.`);
  expect(stdout).toMatch(/creditsGiven +70\n/);
  const counts = { 'tasks voice offline': 1, 'cost voice offline': 2500, 'revenue pack mercado-pago': 1490 };
  await service.context.table.transact(countFigures(account, service.context.clock.now(), counts));
  expect(await service.done('figures', 'show')).toMatchObject({
    rows: [{ costMicros: 2500 }],
    totals: { revenueCents: { 'pack mercado-pago': 1490 }, engineCostMicros: { offline: 2500 } },
  });
  const { stdout: inMoney } = await service.admin(['figures', 'show']);
  expect(inMoney).toMatch(/ US\$ 0\.0000 +US\$ 0\.0025 +US\$ -0\.0025\n/);
  expect(inMoney).toMatch(/^revenue +pack mercado-pago R\$ 14\.90$/m);
  expect(inMoney).toMatch(/^engineCost +offline US\$ 0\.0025$/m);
  const { exitCode, stderr } = await service.admin(['figures', 'show', '--day', '2026-13-01']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--day must be a day such as 2026-11-21')]);
});
