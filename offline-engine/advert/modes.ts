/**
 * The modes of advertisements, by their slugs in the default catalog: their colors, and how products and people move in
 * front of the backdrop.
 */
import { between, overshooting, passed, smooth, swinging } from '../video/motion.ts';
import type { Place } from '../video/sprite.ts';

interface Moment {
  readonly seconds: number;
  /** How much of the video has passed, from 0 (its beginning) to 1 (its end). */
  readonly share: number;
}

/** How a prop differs from its usual place: offsets are added, sizes and opacities multiplied. */
type Motion = (moment: Moment) => Partial<Place>;

export interface Prop {
  /** An image of the stage, or SVG elements on a canvas of 100 × 100. */
  readonly what: 'product' | 'figure' | 'portrait' | 'first card' | 'second card' | 'third card' | `<${string}`;
  /**
   * The largest width, relative to the shorter side of the frame, and the largest height, relative to the height of the
   * frame.
   */
  readonly fit: readonly [width: number, height: number];
  /** The position relative to the frame: of the center or, for a standing figure, of its lower edge. */
  readonly at: (moment: Moment) => Place;
}

export interface Mode {
  /** The color of the title's background and of the button. */
  readonly accent: string;
  /** The color of letters on the accent color. */
  readonly ink: string;
  /** The camera in front of the backdrop: its zoom, and its offset from -1 to 1. */
  readonly camera: (moment: Moment) => Place;
  /** The layers of the stage, from the back to the front. */
  readonly props: readonly Prop[];
}

const moved =
  (x: number, y: number, motions: readonly Motion[]) =>
  (moment: Moment): Place =>
    motions
      .map((motion) => motion(moment))
      .reduce<Required<Omit<Place, 'isSoft'>>>(
        (place, change) => ({
          x: place.x + (change.x ?? 0),
          y: place.y + (change.y ?? 0),
          scale: place.scale * (change.scale ?? 1),
          widthScale: place.widthScale * (change.widthScale ?? 1),
          radians: place.radians + (change.radians ?? 0),
          opacity: place.opacity * (change.opacity ?? 1),
        }),
        { x, y, scale: 1, widthScale: 1, radians: 0, opacity: 1 },
      );

const prop = (what: Prop['what'], fit: Prop['fit'], [x, y]: readonly [number, number], ...motions: Motion[]): Prop => ({
  what,
  fit,
  at: moved(x, y, motions),
});
const camera = (...motions: Motion[]): Mode['camera'] => moved(0, 0, motions);

const swing =
  (radians: number, perSecond: number): Motion =>
  ({ seconds }) => ({ radians: radians * swinging(seconds, perSecond) });
const sway =
  (x: number, y: number, perSecond: number): Motion =>
  ({ seconds }) => ({ x: x * swinging(seconds, perSecond), y: y * swinging(seconds, perSecond / 2) });
const drift =
  (x: number, y = 0): Motion =>
  ({ share }) => ({ x: x * (share - 0.5), y: y * (share - 0.5) });
const grow =
  (from: number, to: number): Motion =>
  ({ share }) => ({ scale: between(from, to, smooth(share)) });
/** Grows from nothing at one time and shrinks to nothing at another; times are shares of the video's duration. */
const pop =
  (from: number, until = 2): Motion =>
  ({ share }) => ({ scale: overshooting(passed(share, from, 0.08)) * (1 - smooth(passed(share, until, 0.06))) });
const turn =
  (perSecond: number): Motion =>
  ({ seconds }) => ({ widthScale: Math.cos(1.1 * swinging(seconds, perSecond)) });
const spin =
  (radiansPerSecond: number): Motion =>
  ({ seconds }) => ({ radians: radiansPerSecond * seconds });
/** Shows the changes one after the other, each for the same time. */
const steps =
  (...changes: readonly Partial<Place>[]): Motion =>
  ({ share }) => ({ ...changes[Math.floor(share * changes.length)] });

const beatSeconds = 0.5;
/** The camera jumps closer, and to another place, with each beat of the music. */
const beat =
  (scale: number, ...changes: readonly Partial<Place>[]): Motion =>
  ({ seconds }) => {
    const change = changes[Math.floor(seconds / beatSeconds) % changes.length];
    return { ...change, scale: (change?.scale ?? 1) * between(scale, 1, smooth((seconds % beatSeconds) / 0.22)) };
  };

const rectangle = (fill: string): Prop['what'] => `<rect width="100" height="100" fill="${fill}"/>`;
/** Covers the frame with a color. */
const veil = (fill: string, ...motions: Motion[]): Prop => prop(rectangle(fill), [4, 2], [0.5, 0.5], ...motions);
const star =
  '<path d="M50 0L65 15L85 15L85 35L100 50L85 65L85 85L65 85L50 100L35 85L15 85L15 65L0 50L15 35L15 15L35 15Z" fill="#ff2e63"/>';
const disc = '<circle cx="50" cy="50" r="48" fill="#fff" stroke="#ffd54a" stroke-width="3"/>';
const box =
  '<rect y="25" width="100" height="50" rx="2" fill="#c98f55"/><rect x="44" y="25" width="12" height="50" fill="#e9c79a"/>';
const stand = '<path d="M0 50H100V80H0Z" fill="#2a2a33"/><ellipse cx="50" cy="50" rx="49" ry="9" fill="#efe6cf"/>';

const testimonial: Mode = {
  accent: '#ffd54a',
  ink: '#2b2100',
  camera: camera(sway(0.3, 0.3, 0.5)),
  props: [
    prop('figure', [0.92, 0.74], [0.4, 1.01], swing(0.01, 0.6), sway(0.008, 0, 0.4)),
    prop(disc, [0.42, 0.4], [0.77, 0.4], pop(0.3)),
    prop('product', [0.29, 0.29], [0.77, 0.4], pop(0.3), swing(0.06, 0.3)),
  ],
};

const narrated: Mode = {
  accent: '#ffffff',
  ink: '#1b1b22',
  camera: camera(grow(0.94, 1.12), drift(0, -0.5)),
  props: [
    veil('#00000055'),
    prop('product', [0.8, 0.5], [0.5, 0.47], grow(0.76, 1), swing(0.02, 0.12)),
    prop('first card', [0.32, 0.3], [0.2, 0.26], pop(0.28, 0.58)),
    prop('second card', [0.32, 0.3], [0.8, 0.34], pop(0.4, 0.7)),
  ],
};

const modes: Readonly<Record<string, Mode>> = {
  depoimento: testimonial,
  narracao: narrated,
  unboxing: {
    accent: '#ff5a5f',
    ink: '#ffffff',
    camera: camera(sway(1, 0, 0.1), grow(1, 1.05)),
    props: [
      prop('product', [0.74, 0.46], [0.5, 0.46], pop(0.2), sway(0, 0.02, 1.1), swing(0.08, 0.5)),
      prop(box, [0.76, 0.5], [0.5, 0.85], sway(0.015, 0, 5)),
      prop('portrait', [0.3, 0.3], [0.2, 0.56], pop(0.35)),
    ],
  },
  'passo-a-passo': {
    accent: '#2f7df6',
    ink: '#ffffff',
    camera: camera(sway(0.6, 0, 0.05)),
    props: [
      prop('first card', [0.66, 0.44], [0.5, 0.48], pop(-1, 0.24), drift(0.2)),
      prop('second card', [0.66, 0.44], [0.5, 0.48], pop(0.24, 0.48), drift(0.2)),
      prop('third card', [0.66, 0.44], [0.5, 0.48], pop(0.48, 0.72), drift(0.2)),
      prop('product', [0.72, 0.42], [0.5, 0.45], pop(0.72), swing(0.04, 0.4)),
    ],
  },
  'oferta-relampago': {
    accent: '#ffffff',
    ink: '#d3003f',
    camera: camera(beat(1.2, { x: 0.4 }, { y: -0.4 }, { x: -0.4 })),
    props: [
      veil('#ff2e63', beat(1, { opacity: 0 }, { opacity: 0.34 })),
      prop(star, [0.95, 0.7], [0.5, 0.47], spin(0.9), beat(0.8)),
      prop('product', [0.72, 0.46], [0.52, 0.48], swing(0.03, 2), beat(1.3, { radians: -0.1 }, { scale: 0.7 })),
    ],
  },
  vitrine: {
    accent: '#e8c46a',
    ink: '#1a1405',
    camera: camera(drift(0.8)),
    props: [
      veil('#07070dc2'),
      prop(stand, [0.74, 0.5], [0.5, 0.72]),
      prop('product', [0.6, 0.42], [0.5, 0.52], turn(0.2)),
    ],
  },
  provador: {
    accent: '#141414',
    ink: '#ffffff',
    camera: camera(drift(1.2)),
    props: [
      prop(rectangle('#f3d9cf'), [0.84, 0.7], [0.5, 0.42]),
      prop(rectangle('#c9d8d0'), [0.84, 0.7], [0.5, 0.42], steps({ opacity: 0 }, {}, { opacity: 0 }, {})),
      prop(
        'figure',
        [0.8, 0.6],
        [0.5, 0.5],
        steps({ x: -0.12 }, { x: 0.1, scale: 1.35 }, { scale: 1.1 }),
        grow(1, 1.2),
      ),
      prop('product', [0.36, 0.26], [0.5, 0.62], steps({ x: 0.28 }, { x: -0.26 }, { x: 0.28 }), swing(0.05, 0.4)),
    ],
  },
  'estilo-de-vida': {
    accent: '#f4e3c8',
    ink: '#3a2a18',
    camera: camera(drift(1.8), grow(0.98, 1.06)),
    props: [
      prop('figure', [0.85, 0.66], [0.62, 0.96], drift(-0.04), grow(1, 1.05)),
      veil('#ffb45e60', sway(0.01, 0, 0.1)),
      prop('product', [0.56, 0.36], [0.32, 0.64], drift(0.12), grow(0.9, 1.08)),
    ],
  },
};

/** Finds a mode by its slug; a mode that an operator has added is drawn in the style of one that is known here. */
export const modeOf = (slug: string, hasAvatar: boolean): Mode => {
  const known = Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  return known ?? (hasAvatar ? testimonial : narrated);
};
