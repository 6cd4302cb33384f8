/** The credits spent on each day of the month, by medium, with a table of the same numbers. */
import type { Medium } from '../../../shared/contracts/generation-contract.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { mediumOf } from '../tasks/task-media.ts';
import { ChartFrame, type Plot } from './chart-frame.tsx';
import { DayTable } from './day-table.tsx';
import { SpendShares } from './spend-shares.tsx';
import { spentOf, type Usage, useMonth } from './use-month.ts';

const media = ['image', 'video', 'audio'] as const satisfies readonly Medium[];

type Day = Readonly<Record<Medium, number>> & { readonly date: string; readonly all: number };

function dayOf(date: string, usage: Usage): Day {
  const entries = usage.filter(({ day }) => day === date);
  const of = (medium: Medium) =>
    entries
      .filter(({ taskType }) => taskType !== undefined && mediumOf(taskType) === medium)
      .reduce((sum, entry) => sum + spentOf(entry), 0);
  const amounts = { image: of('image'), video: of('video'), audio: of('audio') };
  return { date, ...amounts, all: amounts.image + amounts.video + amounts.audio };
}

function Bars({
  day,
  x,
  width,
  yOf,
}: { readonly day: Day; readonly x: number; readonly width: number } & Pick<Plot, 'yOf'>) {
  let below = 0;
  return media.map((medium) => {
    const top = yOf(below + day[medium]);
    const height = yOf(below) - top;
    below += day[medium];
    return height > 0 && <rect key={medium} data-medium={medium} x={x} y={top} width={width} height={height} rx={2} />;
  });
}

function Chart({ days }: { readonly days: readonly Day[] }) {
  const { format } = useLanguage();
  return (
    <ChartFrame highest={Math.max(...days.map(({ all }) => all))}>
      {({ labelY, left, width, yOf }) => {
        // Always divided by 31 days, so that bars have the same width on every day of the month.
        const step = width / 31;
        return days.map((day, index) => {
          const x = left + index * step + step * 0.1;
          return (
            <g key={day.date}>
              <title>{`${format.usageDay(day.date)}: ${format.number(day.all)}`}</title>
              <Bars day={day} x={x} width={Math.max(1, step * 0.8)} yOf={yOf} />
              {index % 7 === 0 && (
                <text x={x} y={labelY}>
                  {format.usageDay(day.date)}
                </text>
              )}
            </g>
          );
        });
      }}
    </ChartFrame>
  );
}

function Legend() {
  const { text } = useLanguage();
  return (
    <div className="legend" aria-hidden="true">
      {media.map((medium) => (
        <span key={medium}>
          <i data-medium={medium} />
          {text.media[medium]}
        </span>
      ))}
    </div>
  );
}

export function SpendChart() {
  const { text, format } = useLanguage();
  const { days, from: firstDay, query } = useMonth();
  const title = text.overview.chart(format.month(firstDay));
  return (
    <Section title={title} action={<Legend />}>
      <Loaded query={query} rows={5}>
        {({ rows: usage, from, to }) => {
          const spent = days.map((date) => dayOf(date, usage));
          if (spent.every(({ all }) => all === 0)) return <Empty icon="billing" title={text.overview.chartEmpty} />;
          return (
            <>
              <Chart days={spent} />
              <DayTable
                title={title}
                columns={media.map((medium) => text.media[medium])}
                rows={spent.map((day) => ({ day: day.date, values: media.map((medium) => day[medium]) }))}
              />
              <SpendShares usage={usage} from={from} to={to} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
