/** The tasks of the last seven days, with a table of the same numbers. */
import { useQueries } from '@tanstack/react-query';
import { operateOverviewContracts } from '../../shared/contracts/operate-overview.ts';
import type { Data } from '../api/call.ts';
import { apiQuery } from '../api/use-api.ts';
import { useLanguage } from '../language/language.tsx';
import { ChartFrame } from '../pages/overview/chart-frame.tsx';
import { DayTable } from '../pages/overview/day-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Section } from '../parts/section.tsx';

const shownDays = 7;
const dayMs = 86_400_000;

const lastDays = (): readonly string[] =>
  Array.from({ length: shownDays }, (_, position) =>
    new Date(Date.now() - (shownDays - 1 - position) * dayMs).toISOString().slice(0, 10),
  );

/** The current day in UTC. */
export const today = (): string => lastDays().at(-1) ?? '';

interface Day {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
}

function sumOf(day: string, figures: Data<typeof operateOverviewContracts.getFigures> | undefined): Day {
  const failed = (figures?.rows ?? []).reduce((sum, row) => sum + row.failed, 0);
  const tasks = (figures?.rows ?? []).reduce((sum, row) => sum + row.tasks, 0);
  return { day, failed, completed: tasks - failed };
}

function Bars({ days }: { readonly days: readonly Day[] }) {
  const { format } = useLanguage();
  return (
    <ChartFrame highest={Math.max(...days.map(({ completed, failed }) => completed + failed))}>
      {({ labelY, left, width, yOf }) =>
        days.map(({ completed, day, failed }, index) => {
          const step = width / shownDays;
          const [x, bar] = [left + index * step + step * 0.2, Math.max(1, step * 0.6)];
          return (
            <g key={day}>
              <rect data-medium="image" x={x} y={yOf(completed)} width={bar} height={yOf(0) - yOf(completed)} rx={2} />
              <rect
                fill="var(--mantine-color-red-6)"
                x={x}
                y={yOf(completed + failed)}
                width={bar}
                height={yOf(completed) - yOf(completed + failed)}
                rx={2}
              />
              <text x={x} y={labelY}>
                {format.usageDay(day)}
              </text>
            </g>
          );
        })
      }
    </ChartFrame>
  );
}

export function DayChart() {
  const days = lastDays();
  const found = useQueries({
    queries: days.map((day) => ({
      ...apiQuery(operateOverviewContracts.getFigures, { query: { day, by: 'operation' } }),
      // A past day hardly changes, so it is seldom read again.
      staleTime: day === days.at(-1) ? 60_000 : 3_600_000,
    })),
  });
  const sums = days.map((day, index) => sumOf(day, found[index]?.data));
  const title = 'Tasks that ended in the last seven days';
  return (
    <Section title={title} hint="Completed ones, and above them in red failed ones.">
      {sums.every(({ completed, failed }) => completed + failed === 0) ? (
        <Empty icon="tasks" title="No task has ended." />
      ) : (
        <>
          <Bars days={sums} />
          <DayTable
            title={title}
            columns={['Completed', 'Failed']}
            rows={sums.map(({ completed, day, failed }) => ({ day, values: [completed, failed] }))}
          />
        </>
      )}
    </Section>
  );
}
