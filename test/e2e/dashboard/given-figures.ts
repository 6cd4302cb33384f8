/** Gives the last days figures of every kind, so that each chart has bars above and below its line. */

import type { Service } from '../../../infra/local/host.ts';
import { countFigures } from '../../../shared/domain/figures/figures-store.ts';
import { saveUnused } from '../../../shared/domain/figures/unused-credits.ts';
import { dayAt, dayMs } from '../../../shared/platform/clock.ts';

/** What an account had on a day; engines charged more than the credits are worth on the fourth. */
const countsOf = (day: number) => ({
  'tasks image fal': 40 + day,
  'failed image fal PROVIDER_ERROR': 3,
  'failed image fal CONTENT_REJECTED': day % 3,
  'failed image fal CANCELED': 21,
  'credits image fal': 16 * day,
  'cost image fal': day === 4 ? 4_800_000 : 190_000 * day,
  'sold purchase': 100 * day,
  given: 20,
  taken: day === 2 ? 100 : 0,
  'revenue pack mercado-pago': 2980 * day,
  'revenue subscription stripe': 14_990,
  'returned pack mercado-pago': day === 2 ? 1490 : 0,
});

export async function giveFigures({ clock, table }: Service['context'], accountId: string): Promise<void> {
  for (let day = 1; day < 7; day += 1) {
    const at = clock.now() - day * dayMs;
    await table.transact(countFigures(accountId, at, countsOf(day)));
    await saveUnused(table, { day: dayAt(at), credits: 12_000 - 300 * day, ofErased: 0, isRecounted: true });
  }
}
