/** The title that opens an advertisement, which arrives in the manner of its hook. */
import type { Frame } from '../video/frame.ts';
import { lettering } from './lettering.ts';
import type { Mode } from './mode.ts';
import { easedBoth, easedOut, overshooting, passed, swinging } from './motion.ts';
import { type Place, paintSprite } from './sprite.ts';
import type { Stage } from './stage.ts';

/** How a title arrives: where it is after some seconds, relative to where it stays. `unit` is the frame's shorter side. */
type Arrival = (seconds: number, unit: number) => Partial<Place>;

const drop: Arrival = (seconds, unit) => ({ y: -0.6 * unit * (1 - overshooting(passed(seconds, 0, 0.5))) });
const pop: Arrival = (seconds) => ({ scale: Math.max(0.02, overshooting(passed(seconds, 0, 0.45))) });
const slide: Arrival = (seconds, unit) => ({ x: -1.6 * unit * (1 - easedOut(passed(seconds, 0, 0.45))) });
const stamp: Arrival = (seconds) => {
  const share = easedOut(passed(seconds, 0, 0.22));
  return { scale: 2.6 - 1.6 * share, opacity: share, radians: -0.07 * share };
};
const unfold: Arrival = (seconds) => ({ stretch: Math.max(0.02, easedBoth(passed(seconds, 0, 0.5))) });
const shiver: Arrival = (seconds, unit) => ({
  scale: Math.max(0.02, overshooting(passed(seconds, 0, 0.3))),
  x: 0.012 * unit * swinging(seconds, 7) * (1 - passed(seconds, 0.9, 0.5)),
});
const rise: Arrival = (seconds, unit) => ({
  y: 0.25 * unit * (1 - easedOut(passed(seconds, 0, 0.7))),
  opacity: passed(seconds, 0, 0.6),
});
const spin: Arrival = (seconds) => {
  const share = easedOut(passed(seconds, 0, 0.6));
  return { scale: Math.max(0.02, share), radians: -2 * Math.PI * (1 - share) };
};
const pulse: Arrival = (seconds) => ({
  scale: Math.max(0.02, overshooting(passed(seconds, 0, 0.35))) * (1 + 0.05 * swinging(seconds, 2)),
});
const tilt: Arrival = (seconds, unit) => ({
  y: 0.5 * unit * (1 - easedOut(passed(seconds, 0, 0.5))),
  radians: 0.4 * (1 - overshooting(passed(seconds, 0, 0.8))),
});

const arrivals: Readonly<Record<string, Arrival>> = {
  'pergunta-direta': pop,
  'segredo-revelado': unfold,
  'erro-comum': stamp,
  'antes-e-depois': slide,
  'primeira-impressao': shiver,
  'lista-rapida': drop,
  desafio: tilt,
  novidade: spin,
  'ultima-chance': pulse,
  'historia-pessoal': rise,
};

export interface Hook {
  readonly id: string;
  readonly title: string;
}

/** Paints nothing if none of the title can be displayed. */
export async function hookTitle(
  { id, title }: Hook,
  { accent, ink }: Mode,
  { size, unit, isWide, hookUntil }: Stage,
): Promise<(frame: Frame, seconds: number) => void> {
  const width = Math.min(0.86 * size.width, 1.3 * unit);
  const sprite = await lettering({ text: title, size: 0.088 * unit, width, lines: 3, ink, paper: accent });
  const arrive = (Object.hasOwn(arrivals, id) && arrivals[id]) || drop;
  const [x, y] = [size.width / 2, (isWide ? 0.2 : 0.17) * size.height];
  return (frame, seconds) => {
    if (!sprite || seconds >= hookUntil + 0.25) return;
    const { x: aside = 0, y: down = 0, opacity = 1, ...rest } = arrive(seconds, unit);
    const leaving = 1 - passed(seconds, hookUntil, 0.25);
    paintSprite(frame, sprite, { ...rest, x: x + aside, y: y + down, opacity: opacity * leaving });
  };
}
