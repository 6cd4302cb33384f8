/** The frame of a chart: its scale, with lines, and the space in which its marks are drawn. */
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useLanguage } from '../../language/language.tsx';

const size = { height: 200, left: 44, bottom: 24, top: 8 };
const plotHeight = size.height - size.bottom - size.top;

/** The next higher round number whose half is as round, and a whole number if the values are. */
function roundedUp(value: number, least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, value)));
  return (
    [1, 2, 4, 6, 8, 10]
      .map((factor) => factor * power)
      .find((candidate) => candidate >= value && (least < 1 || candidate % 2 === 0)) ?? value
  );
}

export interface Plot {
  readonly left: number;
  /** The width of the space for marks, which begins at `left`. */
  readonly width: number;
  /** Where a value is on the vertical axis. */
  readonly yOf: (value: number) => number;
  /** The baseline of the labels below the horizontal axis. */
  readonly labelY: number;
}

interface FrameProps {
  /** The highest value that the chart shows. */
  readonly highest: number;
  /** The lowest value, if some are below zero. */
  readonly lowest?: number;
  /** The smallest unit of the values. */
  readonly least?: number;
  readonly children: (plot: Plot) => ReactNode;
}

export function ChartFrame({ highest, lowest = 0, least = 1, children }: FrameProps) {
  const { format } = useLanguage();
  const { ref, width } = useElementSize();
  const step = roundedUp(Math.max(highest, -lowest), least) / 2;
  const above = lowest < 0 ? Math.ceil(highest / step) : 2;
  const below = Math.ceil(-lowest / step);
  const yOf = (value: number): number =>
    size.height - size.bottom - ((value / step + below) / (above + below)) * plotHeight;
  return (
    <div ref={ref}>
      <svg className="chart" aria-hidden="true">
        {Array.from({ length: above + below + 1 }, (_, index) => (index - below) * step).map((value) => {
          const y = yOf(value);
          return (
            <g key={value}>
              <line x1={size.left} x2={width} y1={y} y2={y} />
              <text x={size.left - 8} y={y + 4} textAnchor="end">
                {format.number(value)}
              </text>
            </g>
          );
        })}
        {children({ left: size.left, width: Math.max(0, width - size.left), yOf, labelY: size.height - 6 })}
      </svg>
    </div>
  );
}
