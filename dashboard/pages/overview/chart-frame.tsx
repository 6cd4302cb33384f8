/** The frame of a chart: its scale, with three lines, and the space in which its marks are drawn. */
import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useLanguage } from '../../language/language.tsx';

const size = { height: 200, left: 44, bottom: 24, top: 8 };
const plotHeight = size.height - size.bottom - size.top;

/** The next higher round number whose half is also a whole number, for the scale of the axis. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return (
    [1, 2, 4, 6, 8, 10]
      .map((factor) => factor * power)
      .find((candidate) => candidate >= value && candidate % 2 === 0) ?? value
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
  readonly children: (plot: Plot) => ReactNode;
}

export function ChartFrame({ highest, children }: FrameProps) {
  const { format } = useLanguage();
  const { ref, width } = useElementSize();
  const maximum = roundedUp(highest);
  const yOf = (value: number): number => size.height - size.bottom - (value / maximum) * plotHeight;
  return (
    <div ref={ref}>
      <svg className="chart" aria-hidden="true">
        {[0, 0.5, 1].map((part) => {
          const y = yOf(maximum * part);
          return (
            <g key={part}>
              <line x1={size.left} x2={width} y1={y} y2={y} />
              <text x={size.left - 8} y={y + 4} textAnchor="end">
                {format.number(maximum * part)}
              </text>
            </g>
          );
        })}
        {children({ left: size.left, width: Math.max(0, width - size.left), yOf, labelY: size.height - 6 })}
      </svg>
    </div>
  );
}
