/** The title that opens an advertisement: readable from the first frame on, and animated in the style of its hook. */
import type { LetteredAt } from './lettered.ts';
import { lettering } from './lettering.ts';
import type { Mode } from './mode.ts';
import { easedBoth, easedOut, passed, swinging } from './motion.ts';
import type { Place } from './sprite.ts';
import type { Stage } from './stage.ts';

/**
 * The movement of a title: its position after some seconds, relative to its final one. The first frame is the poster,
 * so the title must be complete and undistorted in it. `unit` is the frame's shorter side.
 */
type Gesture = (seconds: number, unit: number) => Partial<Place>;

/** From 0 to 1 and back to 0, after a short pause. */
const once = (seconds: number, duration: number): number => Math.sin(Math.PI * passed(seconds, 0.15, duration));

/** Swings that fade out. */
const fading = (seconds: number, timesPerSecond: number, duration: number): number =>
  swinging(seconds, timesPerSecond) * (1 - passed(seconds, 0, duration));

const hop: Gesture = (seconds, unit) => ({ y: -0.03 * unit * Math.abs(fading(seconds, 1.1, 1.4)) });
const pop: Gesture = (seconds) => ({ scale: 1 + 0.07 * once(seconds, 0.45) });
const slide: Gesture = (seconds, unit) => ({ x: 0.03 * unit * fading(seconds, 0.9, 1.6) });
const stamp: Gesture = (seconds) => ({ scale: 1.07 - 0.07 * easedOut(passed(seconds, 0, 0.22)), radians: -0.05 });
const fold: Gesture = (seconds) => ({ stretch: 1 - 0.22 * once(seconds, 0.7) });
const shiver: Gesture = (seconds, unit) => ({ x: 0.012 * unit * fading(seconds, 7, 1.4) });
const rise: Gesture = (seconds, unit) => ({ y: 0.03 * unit * (1 - easedBoth(passed(seconds, 0, 1.2))) });
const rock: Gesture = (seconds) => ({ radians: 0.05 * fading(seconds, 1.6, 1.5) });
const pulse: Gesture = (seconds) => ({ scale: 1 + 0.04 * swinging(seconds, 2) });
const tilt: Gesture = (seconds) => ({ radians: 0.045 * easedBoth(passed(seconds, 0.1, 0.5)) });

const gestures: Readonly<Record<string, Gesture>> = {
  'pergunta-direta': pop,
  'segredo-revelado': fold,
  'erro-comum': stamp,
  'antes-e-depois': slide,
  'primeira-impressao': shiver,
  'lista-rapida': hop,
  desafio: tilt,
  novidade: rock,
  'ultima-chance': pulse,
  'historia-pessoal': rise,
};

export interface Hook {
  readonly id: string;
  readonly title: string;
}

/** Empty if none of the title's characters can be displayed. */
export async function hookTitle(
  { id, title }: Hook,
  { accent, ink, hasTitleBelow }: Mode,
  { size, unit, isWide, hookUntil }: Stage,
): Promise<LetteredAt> {
  const width = Math.min(0.74 * size.width, 1.2 * unit);
  const sprite = await lettering({ text: title, size: 0.078 * unit, width, lines: 3, ink, paper: accent });
  if (!sprite) return () => [];
  const gesture = (Object.hasOwn(gestures, id) && gestures[id]) || hop;
  const x = size.width / 2;
  const y = hasTitleBelow
    ? size.height - 0.12 * unit - sprite.height / 2
    : Math.max(0.09 * unit + sprite.height / 2, isWide ? 0 : 0.15 * size.height);
  return (seconds) => {
    if (seconds >= hookUntil + 0.25) return [];
    const { x: aside = 0, y: down = 0, ...rest } = gesture(seconds, unit);
    const opacity = 1 - passed(seconds, hookUntil, 0.25);
    return [{ sprite, place: { ...rest, x: x + aside, y: y + down, opacity } }];
  };
}
