/** The modes of advertisements, by the slugs of the default catalog: colors, and what moves how before the backdrop. */
import { between, overshooting, passed, smooth, sway, swinging } from '../video/motion.ts';
import type { Place } from '../video/sprite.ts';

export interface Moment {
  readonly seconds: number;
  /** How much of the video has passed, from 0 to 1. */
  readonly share: number;
}

/** A place relative to the frame. */
type At = Place & {
  /** Whether `y` is the lower edge instead of the center. */
  readonly stands?: true;
};

export interface Prop {
  /** An image of the stage, or SVG elements on a canvas of 100 × 100. */
  readonly what: 'product' | 'figure' | 'portrait' | 'first card' | 'second card' | 'third card' | `<${string}`;
  /** The largest width relative to the frame's shorter side, and the largest height relative to the frame's. */
  readonly fit: readonly [width: number, height: number];
  readonly at: (moment: Moment) => At;
}

export interface Mode {
  /** The color of the title's background and of the button. */
  readonly accent: string;
  /** The color of letters on the accent color. */
  readonly ink: string;
  /** Whether the title is below the scene, where it hides no faces. */
  readonly hasTitleBelow?: true;
  /** The camera before the backdrop: its zoom, and its offset from -1 to 1. */
  readonly camera: (moment: Moment) => At;
  /** The layers of the stage, from the back to the front. */
  readonly props: readonly Prop[];
}

const prop = (what: Prop['what'], fit: Prop['fit'], at: Prop['at']): Prop => ({ what, fit, at });

/** Moves a detail so that it pops up at a given share of the video. */
const popped = (share: number, from: number): number => overshooting(passed(share, from, 0.08));

/** Covers the frame with a color or a gradient `#fill`. */
const veil = (fill: string, opacity: (moment: Moment) => number = () => 1, definitions = ''): Prop =>
  prop(`<defs>${definitions}</defs><rect width="100" height="100" fill="${fill}"/>`, [4, 2], (moment) => ({
    x: 0.5,
    y: 0.5,
    opacity: opacity(moment),
    isSoft: true,
  }));

const shake = sway('testimonial', 0.5);

const testimonial: Mode = {
  accent: '#ffd54a',
  ink: '#2b2100',
  camera: ({ seconds }) => ({ scale: 1.02, x: 0.3 * shake(seconds), y: 0.3 * shake(seconds + 3) }),
  props: [
    prop('figure', [0.92, 0.74], ({ seconds }) => ({
      x: 0.4 + 0.008 * shake(seconds),
      y: 1.01,
      stands: true,
      radians: 0.01 * swinging(seconds, 0.6),
    })),
    prop(
      '<circle cx="50" cy="50" r="48" fill="#fff" stroke="#ffd54a" stroke-width="3"/>',
      [0.42, 0.4],
      ({ share }) => ({ x: 0.77, y: 0.4, scale: popped(share, 0.3) }),
    ),
    prop('product', [0.29, 0.29], ({ seconds, share }) => ({
      x: 0.77,
      y: 0.4,
      scale: popped(share, 0.3),
      radians: 0.06 * swinging(seconds, 0.3),
    })),
  ],
};

const unboxing: Mode = {
  accent: '#ff5a5f',
  ink: '#ffffff',
  camera: ({ seconds, share }) => ({ scale: 1 + 0.05 * passed(share, 0.2, 0.6), x: swinging(seconds, 0.1), y: 0 }),
  props: [
    prop(
      '<g fill="#fff3c4" opacity="0.6"><path d="M50 50L42 0H58ZM50 50L42 100H58ZM50 50L0 42V58ZM50 50L100 42V58ZM50 50L8 20L20 8ZM50 50L92 80L80 92ZM50 50L80 8L92 20ZM50 50L20 92L8 80Z"/></g>',
      [1.5, 1.2],
      ({ seconds, share }) => ({ x: 0.5, y: 0.44, radians: seconds / 2, opacity: passed(share, 0.2, 0.1) }),
    ),
    prop('product', [0.74, 0.46], ({ seconds, share }) => {
      const rise = overshooting(passed(share, 0.2, 0.12));
      const bounce = Math.abs(swinging(seconds, 0.55)) * 0.02 * passed(share, 0.3, 0.1);
      return {
        x: 0.5,
        y: between(0.8, 0.46, rise) - bounce,
        scale: between(0.5, 1, rise),
        radians: 0.08 * swinging(seconds, 0.5),
      };
    }),
    prop(
      '<rect y="25" width="100" height="50" rx="2" fill="#c98f55"/><rect x="44" y="25" width="12" height="50" fill="#e9c79a"/>',
      [0.76, 0.5],
      ({ seconds, share }) => ({
        x: 0.5 + 0.015 * swinging(seconds, 5) * (1 - passed(share, 0.18, 0.02)),
        y: 0.85,
      }),
    ),
    prop('portrait', [0.3, 0.3], ({ share }) => ({ x: 0.2, y: 0.56, scale: popped(share, 0.35) })),
  ],
};

/** A card that slides in for a part of the video. */
const step = (what: Prop['what'], from: number): Prop =>
  prop(what, [0.66, 0.44], ({ share }) => {
    const entering = from === 0 ? 1 : smooth(passed(share, from, 0.05));
    const x = 0.5 + 1.2 * (1 - entering) - 1.2 * smooth(passed(share, from + 0.23, 0.05));
    const along = passed(share, from, 0.25);
    return { x, y: 0.48, scale: 0.94 + 0.06 * along, radians: 0.03 * along };
  });

const tutorial: Mode = {
  accent: '#2f7df6',
  ink: '#ffffff',
  camera: ({ seconds }) => ({ scale: 1, x: 0.6 * swinging(seconds, 0.05), y: 0 }),
  props: [
    step('first card', 0),
    step('second card', 0.24),
    step('third card', 0.48),
    prop('product', [0.72, 0.42], ({ seconds, share }) => ({
      x: 0.5,
      y: 0.45,
      scale: popped(share, 0.72),
      radians: 0.04 * swinging(seconds, 0.4),
    })),
    prop('portrait', [0.24, 0.24], ({ seconds }) => ({ x: 0.86, y: 0.34 + 0.004 * swinging(seconds, 0.5) })),
  ],
};

/** A detail that appears beside the product for some time. */
const detail = (what: Prop['what'], from: number, x: number, y: number): Prop =>
  prop(what, [0.32, 0.3], ({ share }) => {
    const scale = popped(share, from) * (1 - smooth(passed(share, from + 0.3, 0.06)));
    return { x, y, scale, radians: x - 0.5 };
  });

const narrated: Mode = {
  accent: '#ffffff',
  ink: '#1b1b22',
  camera: ({ share }) => ({ scale: between(0.94, 1.12, share), x: 0, y: between(0.3, -0.2, share) }),
  props: [
    veil('#00000055'),
    prop('product', [0.8, 0.5], ({ seconds, share }) => ({
      x: 0.5,
      y: 0.47,
      scale: between(0.76, 1, smooth(share)),
      radians: 0.02 * swinging(seconds, 0.12),
    })),
    detail('first card', 0.28, 0.2, 0.26),
    detail('second card', 0.4, 0.8, 0.34),
    detail('third card', 0.52, 0.22, 0.6),
  ],
};

const shots = [
  { x: 0.5, y: 0.47, radians: -0.1, scale: 0.85 },
  { x: 0.42, y: 0.5, radians: 0.14, scale: 1.15 },
  { x: 0.56, y: 0.44, radians: -0.02, scale: 0.7 },
  { x: 0.6, y: 0.52, radians: -0.2, scale: 1.3 },
] as const;
const beatSeconds = 0.5;
/** How far the current beat of the music has progressed, from 0 to 1. */
const punch = (seconds: number): number => smooth((seconds % beatSeconds) / 0.22);

const flashOffer: Mode = {
  accent: '#ffffff',
  ink: '#d3003f',
  camera: ({ seconds }) => {
    const beat = Math.floor(seconds / beatSeconds);
    return { scale: between(1.25, 1.05, punch(seconds)), x: 0.5 * Math.sin(beat * 2.1), y: 0.4 * Math.cos(beat * 1.7) };
  },
  props: [
    veil('#ff2e63', ({ seconds }) => (Math.floor(seconds / beatSeconds) % 2 ? 0.34 : 0)),
    prop(
      '<path d="M50 0L59 25L85 15L75 41L100 50L75 59L85 85L59 75L50 100L41 75L15 85L25 59L0 50L25 41L15 15L41 25Z" fill="#ff2e63"/>',
      [0.95, 0.7],
      ({ seconds }) => ({ x: 0.5, y: 0.47, radians: 0.9 * seconds, scale: between(0.8, 1, punch(seconds)) }),
    ),
    prop('product', [0.72, 0.46], ({ seconds }) => {
      const shot = shots[Math.floor(seconds / beatSeconds) % shots.length] ?? shots[0];
      return {
        ...shot,
        scale: shot.scale * between(1.3, 1, punch(seconds)),
        radians: shot.radians + 0.03 * swinging(seconds, 2),
      };
    }),
    veil('#ffffff', ({ seconds }) => (seconds < beatSeconds ? 0 : 0.7 * (1 - punch(seconds)))),
  ],
};

const showcase: Mode = {
  accent: '#e8c46a',
  ink: '#1a1405',
  camera: ({ share }) => ({ scale: 1, x: between(-0.4, 0.4, share), y: 0 }),
  props: [
    veil('#07070d', () => 0.76),
    prop(
      '<defs><linearGradient id="beam" x2="0" y2="1"><stop stop-color="#fff6dc" stop-opacity="0.62"/><stop offset="1" stop-color="#fff6dc" stop-opacity="0.05"/></linearGradient></defs><path d="M42 0H58L94 100H6Z" fill="url(#beam)"/>',
      [1.3, 0.84],
      ({ seconds, share }) => ({
        x: 0.5,
        y: 0.4,
        opacity: smooth(passed(share, 0.01, 0.1)),
        widthScale: 1 + 0.03 * swinging(seconds, 0.2),
      }),
    ),
    prop(
      '<rect y="50" width="100" height="30" fill="#2a2a33"/><ellipse cx="50" cy="80" rx="50" ry="9" fill="#2a2a33"/><ellipse cx="50" cy="50" rx="49" ry="9" fill="#efe6cf" stroke="#e8c46a" stroke-width="1.5"/>',
      [0.74, 0.5],
      () => ({ x: 0.5, y: 0.72 }),
    ),
    prop('product', [0.6, 0.42], ({ seconds }) => ({
      x: 0.5,
      y: 0.52,
      widthScale: Math.cos(1.1 * swinging(seconds, 0.2)),
    })),
  ],
};

/** The figure of a page: its horizontal position, and its size. */
const poses = [
  { x: 0.38, scale: 0.9 },
  { x: 0.6, scale: 1.35 },
  { x: 0.44, scale: 1.1 },
  { x: 0.56, scale: 1.5 },
] as const;
const papers = ['#f3d9cf', '#c9d8d0', '#e7dcc3', '#d6cfe4'] as const;
/** The page of a lookbook, and how much of it has passed. */
const pageAt = (share: number) => ({ page: Math.floor(share * 6), turned: smooth(passed((share * 6) % 1, 0, 0.25)) });

const lookbook: Mode = {
  accent: '#141414',
  ink: '#ffffff',
  hasTitleBelow: true,
  camera: ({ share }) => ({ scale: 1.02, x: between(-0.6, 0.6, share), y: 0 }),
  props: [
    ...papers.map((fill, index) =>
      prop(`<rect width="100" height="100" fill="${fill}"/>`, [0.84, 0.7], ({ share }) => {
        const { page, turned } = pageAt(share);
        return { x: 0.5, y: 0.42 + (page === 0 ? 0 : 1 - turned), opacity: page % papers.length === index ? 1 : 0 };
      }),
    ),
    prop('figure', [0.8, 0.6], ({ share }) => {
      const pose = poses[pageAt(share).page % poses.length] ?? poses[0];
      return { ...pose, y: 0.2 + 0.3 * pose.scale, scale: pose.scale * (1 + 0.06 * ((share * 6) % 1)) };
    }),
    prop('product', [0.36, 0.26], ({ seconds, share }) => ({
      x: pageAt(share).page % 2 ? 0.24 : 0.78,
      y: 0.62,
      radians: 0.05 * swinging(seconds, 0.4),
    })),
  ],
};

const lifestyle: Mode = {
  accent: '#f4e3c8',
  ink: '#3a2a18',
  camera: ({ share }) => ({ scale: between(0.98, 1.06, share), x: between(-0.9, 0.9, share), y: 0 }),
  props: [
    prop('figure', [0.85, 0.66], ({ share }) => ({
      x: between(0.64, 0.6, share),
      y: 0.96,
      stands: true,
      scale: between(1, 1.05, share),
    })),
    veil(
      'url(#warm)',
      ({ seconds }) => 0.8 + 0.2 * swinging(seconds, 0.1),
      '<linearGradient id="warm" x2="1" y2="1"><stop stop-color="#ffb45e" stop-opacity="0.42"/><stop offset="1" stop-color="#26314f" stop-opacity="0.4"/></linearGradient>',
    ),
    prop('product', [0.56, 0.36], ({ share }) => ({
      x: between(0.26, 0.38, share),
      y: 0.64,
      scale: between(0.9, 1.08, smooth(share)),
    })),
    ...[0.02, 0.98].map((y) =>
      prop('<rect y="49" width="100" height="2" fill="#050505"/>', [8, 0.5], () => ({ x: 0.5, y, isSoft: true })),
    ),
  ],
};

const modes: Readonly<Record<string, Mode>> = {
  depoimento: testimonial,
  unboxing,
  'passo-a-passo': tutorial,
  narracao: narrated,
  'oferta-relampago': flashOffer,
  vitrine: showcase,
  provador: lookbook,
  'estilo-de-vida': lifestyle,
};

/** Finds a mode; one that an operator has added uses the style of a known one. */
export const modeOf = (slug: string, hasAvatar: boolean): Mode => {
  const known = Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  return known ?? (hasAvatar ? testimonial : narrated);
};
