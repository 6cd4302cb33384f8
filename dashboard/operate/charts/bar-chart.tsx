/** A bar for each day, stacked from several series, with the sum of each and a table of the same numbers. */
import { useLanguage } from '../../language/language.tsx';
import { ChartFrame, type Plot } from '../../pages/overview/chart-frame.tsx';
import { DayTable } from '../../pages/overview/day-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/section.tsx';

export interface Series {
  readonly name: string;
  readonly color: string;
  /** One number for each day; those below zero are drawn below the line. */
  readonly values: readonly number[];
  /** Draws all of them below the line, because they reduce what is above it. */
  readonly isBelow?: boolean;
  /** What the legend says of all days, if that is not the sum. */
  readonly total?: string;
}

interface BarChartProps {
  readonly title: string;
  /** Says what the words of the chart mean. */
  readonly hint: string;
  /** Shown instead of a chart without bars. */
  readonly empty: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** Writes a number of the chart. */
  readonly write?: (value: number) => string;
  /** A column that only the table has. */
  readonly extra?: { readonly name: string; readonly values: readonly string[] };
  /** The smallest unit of the numbers. */
  readonly least?: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The room that the name of a day needs. */
const labelWidth = 48;

interface StackProps extends Pick<Plot, 'yOf'> {
  readonly parts: readonly { readonly color: string; readonly height: number }[];
  readonly x: number;
  readonly width: number;
}

function Stack({ parts, x, width, yOf }: StackProps) {
  const end = { above: 0, below: 0 };
  return parts.map(({ color, height }) => {
    const side = height < 0 ? 'below' : 'above';
    const [from, to] = [yOf(end[side]), yOf(end[side] + height)];
    end[side] += height;
    return (
      height !== 0 && (
        <rect key={color} fill={color} x={x} y={Math.min(from, to)} width={width} height={Math.abs(from - to)} rx={2} />
      )
    );
  });
}

function Bars({ days, series, write, least }: Required<Pick<BarChartProps, 'days' | 'series' | 'write' | 'least'>>) {
  const { format } = useLanguage();
  const stackOf = (index: number) =>
    series.map(({ color, isBelow = false, name, values }) => {
      const value = values[index] ?? 0;
      return { color, name, value, height: isBelow ? -value : value };
    });
  const ends = (sign: 1 | -1) =>
    days.map((_, index) => sum(stackOf(index).flatMap(({ height }) => (height * sign > 0 ? [height] : []))));
  return (
    <ChartFrame highest={Math.max(...ends(1))} lowest={Math.min(...ends(-1))} least={least}>
      {({ labelY, left, width, yOf }) => {
        const step = width / days.length;
        const labeled = Math.ceil(labelWidth / Math.max(1, step));
        return days.map((day, index) => {
          const [x, parts] = [left + index * step, stackOf(index)];
          const named = parts.filter(({ value }) => value !== 0).map(({ name, value }) => `${name} ${write(value)}`);
          return (
            <g key={day}>
              <title>{[format.usageDay(day), ...named].join('\n')}</title>
              <rect fill="transparent" x={x} y={0} width={step} height={labelY} />
              <Stack parts={parts} x={x + step * 0.15} width={Math.max(1, step * 0.7)} yOf={yOf} />
              {index % labeled === 0 && (
                <text x={x + step * 0.15} y={labelY}>
                  {format.usageDay(day)}
                </text>
              )}
            </g>
          );
        });
      }}
    </ChartFrame>
  );
}

export function BarChart({ title, hint, empty, days, series, write, extra, least = 1 }: BarChartProps) {
  const { format } = useLanguage();
  const written = write ?? format.number;
  const columns = [...series.map(({ name }) => name), ...(extra ? [extra.name] : [])];
  if (series.every(({ values }) => values.every((value) => value === 0)))
    return (
      <Section title={title} hint={hint}>
        <Empty icon="tasks" title={empty} />
      </Section>
    );
  return (
    <Section title={title} hint={hint}>
      <div className="legend">
        {series.map(({ color, name, total, values }) => (
          <span key={name}>
            <i style={{ background: color }} />
            {name} <strong>{total ?? written(sum(values))}</strong>
          </span>
        ))}
      </div>
      <Bars days={days} series={series} write={written} least={least} />
      <DayTable
        title={title}
        columns={columns}
        rows={days.map((day, index) => ({
          day,
          values: [
            ...series.map(({ values }) => written(values[index] ?? 0)),
            ...(extra ? [extra.values[index] ?? ''] : []),
          ],
        }))}
      />
    </Section>
  );
}
