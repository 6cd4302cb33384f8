/** The balance of the last 30 days as a line of steps, with a table of its days. */

import { useLanguage } from '../../language/language.tsx';
import { Section } from '../../parts/section.tsx';
import { balancesByDay, type Step } from './balance-steps.ts';
import { ChartFrame, type Plot } from './chart-frame.tsx';
import { DayTable } from './day-table.tsx';
import { useBalanceSteps } from './use-balance-steps.ts';

interface LineProps {
  readonly steps: readonly Step[];
  readonly from: number;
  readonly to: number;
}

/** The corners of the steps, as an SVG path. */
function pathOf({ steps, from, to }: LineProps, { left, width, yOf }: Plot): string {
  const xOf = (time: number): number => left + ((time - from) / Math.max(1, to - from)) * width;
  const corners = steps.map(
    ({ at, balance }, index) => `${index === 0 ? 'M' : 'H'}${xOf(at)}${index === 0 ? ' ' : 'V'}${yOf(balance)}`,
  );
  return `${corners.join('')}H${xOf(to)}`;
}

function Line(props: LineProps) {
  const { format } = useLanguage();
  const { steps, from, to } = props;
  const isShort = to - from < 2 * 86_400_000;
  const shown = (time: number): string =>
    isShort ? format.moment(new Date(time).toISOString()) : format.day(new Date(time).toISOString());
  return (
    <ChartFrame highest={Math.max(...steps.map(({ balance }) => balance))}>
      {(plot) => {
        const path = pathOf(props, plot);
        const end = plot.left + plot.width;
        return (
          <>
            <path className="balance-area" d={`${path}V${plot.yOf(0)}H${plot.left}Z`} />
            <path className="balance-line" d={path} />
            <text x={plot.left} y={plot.labelY}>
              {shown(from)}
            </text>
            <text x={end} y={plot.labelY} textAnchor="end">
              {shown(to)}
            </text>
          </>
        );
      }}
    </ChartFrame>
  );
}

export function BalanceChart() {
  const { text, format } = useLanguage();
  const steps = useBalanceSteps();
  const [first] = steps ?? [];
  // A page without a chart is better than one that says that it is missing: the balance itself is shown above.
  if (!steps || !first || steps.length < 2) return null;
  const title = text.overview.balanceSince(format.day(new Date(first.at).toISOString()));
  return (
    <Section title={title}>
      <Line steps={steps} from={first.at} to={Date.now()} />
      <DayTable
        title={title}
        columns={[text.overview.balance]}
        rows={balancesByDay(steps).map(([day, balance]) => ({ day, values: [balance] }))}
      />
    </Section>
  );
}
