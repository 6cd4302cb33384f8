/** Reads the figures of the last days, one request for each. */
import { useQueries } from '@tanstack/react-query';
import { operateOverviewContracts } from '../../../shared/contracts/operate-overview.ts';
import { apiQuery } from '../../api/use-api.ts';
import { figureDay } from './figure-days.ts';

const dayMs = 86_400_000;

const lastDays = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.now() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );

/** The current day in UTC. */
export const today = (): string => lastDays(1)[0] ?? '';

export const figuresQuery = (day: string, by: 'operation' | 'engine' | 'account') => ({
  ...apiQuery(operateOverviewContracts.getFigures, { query: { day, by } }),
  // A past day hardly changes, so it is seldom read again.
  staleTime: day === today() ? 60_000 : 3_600_000,
});

/** The sums of the last days: all of them or none, because a missing day would look like one without tasks. */
export const useFigureDays = (count: number) =>
  useQueries({
    queries: lastDays(count).map((day) => figuresQuery(day, 'operation')),
    combine: (found) => {
      const days = found.flatMap(({ data }) => (data ? [figureDay(data)] : []));
      return {
        data: days.length === count ? days : undefined,
        error: found.find(({ error }) => error !== null)?.error ?? null,
        refetch: () => found.filter(({ isError }) => isError).map(({ refetch }) => refetch()),
      };
    },
  });
