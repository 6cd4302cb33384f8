/** The account's usage since the first of the month, in UTC. */
import { usageContracts } from '../../../shared/contracts/usage.ts';
import type { Data } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';

export type Usage = Data<typeof usageContracts.getUsage>['rows'];

export const spentOf = ({ creditsRefunded, creditsUsed }: Usage[number]): number => creditsUsed - creditsRefunded;

const dayMs = 86_400_000;

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Every day of the month until today, such as `2026-11-22`. */
function daysUntil(today: string): string[] {
  const count = Number(today.slice(8));
  const start = Date.parse(`${today.slice(0, 8)}01T00:00:00Z`);
  return Array.from({ length: count }, (_, index) => dateOf(start + index * dayMs));
}

const total = (usage: Usage, name: 'creditsUsed' | 'creditsRefunded' | 'tasks'): number =>
  usage.reduce((sum, entry) => sum + entry[name], 0);

export function useMonth() {
  const days = daysUntil(dateOf(Date.now()));
  const [from = ''] = days;
  const to = days.at(-1) ?? from;
  const query = useApi(
    usageContracts.getUsage,
    { query: { from, to, groupBy: 'day,taskType' } },
    { refetchInterval: 30_000 },
  );
  const usage = query.data?.rows;
  const totals = usage && {
    spent: total(usage, 'creditsUsed') - total(usage, 'creditsRefunded'),
    creditsRefunded: total(usage, 'creditsRefunded'),
    tasks: total(usage, 'tasks'),
  };
  return { days, from, query, totals };
}
