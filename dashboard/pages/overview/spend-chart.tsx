/** The credits spent on each day of the month, by medium, with a table of the same numbers. */
import { useElementSize } from '@mantine/hooks';
import type { Medium } from '../../../shared/contracts/generation-contract.ts';
import { useLanguage } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Section } from '../../parts/section.tsx';
import { mediumOf } from '../tasks/task-media.ts';
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

/** The next higher round number whose half is also a whole number, for the scale of the axis. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return (
    [1, 2, 4, 6, 8, 10]
      .map((factor) => factor * power)
      .find((candidate) => candidate >= value && candidate % 2 === 0) ?? value
  );
}

const size = { height: 200, left: 44, bottom: 24, top: 8 };
const plotHeight = size.height - size.bottom - size.top;

function Bars({
  day,
  x,
  width,
  maximum,
}: {
  readonly day: Day;
  readonly x: number;
  readonly width: number;
  readonly maximum: number;
}) {
  let y = size.height - size.bottom;
  return media.map((medium) => {
    const height = (day[medium] / maximum) * plotHeight;
    y -= height;
    return height > 0 && <rect key={medium} data-medium={medium} x={x} y={y} width={width} height={height} rx={2} />;
  });
}

function Chart({ days }: { readonly days: readonly Day[] }) {
  const { format } = useLanguage();
  const maximum = roundedUp(Math.max(...days.map(({ all }) => all)));
  const { ref, width } = useElementSize();
  // Always divided by 31 days, so that bars have the same width on every day of the month.
  const step = Math.max(0, width - size.left) / 31;
  return (
    <div ref={ref}>
      <svg className="chart" aria-hidden="true">
        {[0, 0.5, 1].map((part) => {
          const y = size.height - size.bottom - part * plotHeight;
          return (
            <g key={part}>
              <line x1={size.left} x2={width} y1={y} y2={y} />
              <text x={size.left - 8} y={y + 4} textAnchor="end">
                {format.number(maximum * part)}
              </text>
            </g>
          );
        })}
        {days.map((day, index) => {
          const x = size.left + index * step + step * 0.1;
          return (
            <g key={day.date}>
              <title>{`${format.usageDay(day.date)}: ${format.number(day.all)}`}</title>
              <Bars day={day} x={x} width={Math.max(1, step * 0.8)} maximum={maximum} />
              {index % 7 === 0 && (
                <text x={x} y={size.height - 6}>
                  {format.usageDay(day.date)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function HiddenTable({ days, title }: { readonly days: readonly Day[]; readonly title: string }) {
  const { text, format } = useLanguage();
  return (
    <table className="visually-hidden">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{text.overview.day}</th>
          {media.map((medium) => (
            <th scope="col" key={medium}>
              {text.media[medium]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.date}>
            <th scope="row">{format.usageDay(day.date)}</th>
            {media.map((medium) => (
              <td key={medium}>{format.number(day[medium])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
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
              <HiddenTable days={spent} title={title} />
              <SpendShares usage={usage} from={from} to={to} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
