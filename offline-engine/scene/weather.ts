/** Draws weather over a scene. */
import type { FrameSize } from '../image/frame-size.ts';
import type { SeededRandom } from '../image/seeded-random.ts';
import type { WeatherName } from './scenery.ts';
import { ellipse, line, many, rect } from './svg.ts';

type Draw = (canvas: FrameSize, random: SeededRandom) => string;

const cloud = (x: number, y: number, size: number, fill: string): string =>
  [-1.1, -0.4, 0.4, 1.1]
    .map((n) => ellipse(x + n * size, y - (1 - Math.abs(n)) * 0.5 * size, size, 0.62 * size, fill))
    .join('');

const clouds =
  (fill: string): Draw =>
  ({ width: w, height: h }, random) =>
    many(7, () => cloud(random.next() * w, random.between(0.05, 0.25) * h, random.between(7, 14), fill));

const rain: Draw = ({ width: w, height: h }, random) =>
  many(150, () => {
    const [x, y] = [random.between(0, 1.1) * w, random.between(-0.05, 1) * h];
    return line([x, y], [x - 1.4, y + 6], '#d9ecff99', 0.4);
  });

const snow: Draw = ({ width: w, height: h }, random) =>
  many(150, () => {
    const size = random.between(0.3, 1);
    return ellipse(random.next() * w, random.next() * h, size, size, '#ffffff', 'opacity="0.9"');
  });

const drift: Draw = ({ width: w, height: h }) => rect(0, 0.66 * h, w, 0.34 * h, '#ffffff', 'opacity="0.7"');

const fog: Draw = ({ width: w, height: h }, random) =>
  many(9, (n) => ellipse(random.next() * w, (0.35 + 0.07 * n) * h, 0.7 * w, 0.07 * h, '#eef2f4', 'opacity="0.3"'));

const lightning: Draw = ({ width: w, height: h }) =>
  `<polygon points="${0.6 * w},${0.1 * h} ${0.5 * w},${0.34 * h} ${0.56 * w},${0.34 * h} ${0.47 * w},${0.58 * h} ${0.66 * w},${0.28 * h} ${0.59 * w},${0.28 * h} ${0.68 * w},${0.1 * h}" fill="#fff6b0"/>`;

const rainbow: Draw = ({ width: w, height: h }) =>
  ['#e8413c', '#f39a2b', '#f6dc3f', '#57b84e', '#3d8fe0', '#7a58c4']
    .map((color, n) => {
      const radius = Math.min(0.56 * w, 0.6 * h) - 2.2 * n;
      return `<circle cx="${0.5 * w}" cy="${0.68 * h}" r="${radius}" fill="none" stroke="${color}" stroke-width="2.3" opacity="0.85"/>`;
    })
    .join('');

interface Weather {
  /** What is drawn in the sky, behind the place. */
  readonly sky: Draw;
  /** What is drawn over the place, behind the objects. */
  readonly ground: Draw;
  /** What is drawn in front of the objects. */
  readonly falling: Draw;
}

const nothing: Draw = () => '';

const dark: Draw = ({ width, height }) => rect(0, 0, width, height, '#20283a', 'opacity="0.55"');

export const weathers: Readonly<Record<WeatherName, Weather>> = {
  rain: { sky: clouds('#8d99a8'), ground: nothing, falling: rain },
  snow: { sky: nothing, ground: drift, falling: snow },
  fog: { sky: nothing, ground: fog, falling: nothing },
  storm: {
    sky: (canvas, random) => dark(canvas, random) + clouds('#4b5566')(canvas, random) + lightning(canvas, random),
    ground: nothing,
    falling: rain,
  },
  rainbow: { sky: rainbow, ground: nothing, falling: nothing },
  clouds: { sky: clouds('#f4f7fa'), ground: nothing, falling: nothing },
};
