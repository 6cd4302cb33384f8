/** The templates of user-generated videos: how each is filmed, and what is in front of the camera. */
import type { Sharp } from 'sharp';
import type { View } from '../video/filmed-image.ts';
import { smooth, sway, swinging } from '../video/motion.ts';

interface Moment {
  readonly seconds: number;
  /** How much of the video has passed, from 0 to 1. */
  readonly share: number;
}

export interface Template {
  /** Changes colors and sharpness. */
  readonly look: (pipeline: Sharp) => Sharp;
  /** How much darker the corners of the frame are, from 0 to 1. */
  readonly vignette: number;
  /** The strength of the noise of a bad camera, in steps of 256. */
  readonly grain: number;
  /** Movements and zoom beyond the whole image. */
  readonly camera: (moment: Moment) => Partial<View>;
  /** How long the last image takes to replace the first, in the middle of the video; 0 is a cut. */
  readonly dissolveSeconds: number;
  /** The font size in shares of the width, the vertical center in shares of the height, and colors of captions. */
  readonly captions: {
    readonly size: number;
    readonly middle: number;
    readonly color?: string;
    readonly paper?: string;
  };
  /** SVG elements before the image, on a canvas of 90 × 160. */
  readonly overlay?: string;
  /** How often the image changes; by default, with every frame. */
  readonly imagesPerSecond?: number;
  /** Whether speech sounds as if from a small loudspeaker. */
  readonly soundsThin?: true;
  /** Whether speech is whispered unless the request says otherwise. */
  readonly isWhispered?: true;
}

/** The emphasis at a moment: rises slowly from 0 to 1 in the middle of the video, and falls back. */
const arc = (share: number): number => Math.sin(Math.PI * share) ** 2;

/** A hand that holds a camera, with this reach as shares of the image and degrees. */
const hand = (name: string, timesPerSecond: number, x: number, y: number, degrees: number) => {
  const sways = ['x', 'y', 'tilt'].map((part, index) => sway(`${name} ${part}`, timesPerSecond * (1 + index / 5)));
  return (seconds: number): Partial<View> => {
    const [across = 0, down = 0, tilt = 0] = sways.map((at) => at(seconds));
    return { x: x * across, y: y * down, degrees: degrees * tilt };
  };
};

const [selfie, mirror, road, shaking] = [
  hand('selfie', 0.4, 0.024, 0.014, 1.5),
  hand('mirror', 0.2, 0.028, 0.004, 1.8),
  hand('car', 3, 0.01, 0.006, 0.7),
  hand('handheld', 0.9, 0.046, 0.026, 3),
];

/** The camera jumps closer and back while a person sells something. */
const jumping = (seconds: number): number => {
  const jumps = [1.02, 1.16, 1.05, 1.2, 1.02];
  const jump = Math.floor(seconds / 1.7);
  const [from, to] = [jumps[Math.max(0, jump - 1)] ?? 1.05, jumps[jump] ?? 1.05];
  return from + (to - from) * smooth((seconds % 1.7) / 0.2) + 0.006 * (seconds % 1.7);
};

export const templates = {
  general: {
    look: (pipeline) => pipeline.modulate({ saturation: 1.04 }),
    vignette: 0.14,
    grain: 0,
    camera: ({ share }) => ({ zoom: 1 + 0.11 * arc(share) }),
    dissolveSeconds: 1.2,
    captions: { size: 0.075, middle: 0.74 },
  },
  selfie: {
    look: (pipeline) => pipeline.modulate({ brightness: 1.07, saturation: 1.06 }).linear([1.03, 1, 0.97], [2, 2, 2]),
    vignette: 0.08,
    grain: 3,
    camera: ({ seconds }) => ({ zoom: 1.12, ...selfie(seconds) }),
    dissolveSeconds: 0.4,
    captions: { size: 0.07, middle: 0.7 },
    overlay:
      '<g fill="#fff"><rect x="4" y="3" width="82" height="0.8" opacity="0.4"/><rect x="4" y="3" width="40" height="0.8"/></g>',
  },
  selling: {
    look: (pipeline) => pipeline.modulate({ saturation: 1.3, brightness: 1.03 }).linear(1.08, -8),
    vignette: 0,
    grain: 0,
    camera: ({ seconds }) => ({ zoom: jumping(seconds) }),
    dissolveSeconds: 0.2,
    captions: { size: 0.082, middle: 0.72, color: '#111111', paper: '#ffd400' },
  },
  asmr: {
    look: (pipeline) =>
      pipeline.modulate({ brightness: 0.82, saturation: 0.86 }).linear([1.07, 0.99, 0.88], [4, 0, 0]).blur(0.8),
    vignette: 0.72,
    grain: 3,
    camera: ({ seconds, share }) => ({ zoom: 1.24 + 0.12 * arc(share), y: 0.005 * swinging(seconds, 0.21) }),
    dissolveSeconds: 2.4,
    captions: { size: 0.052, middle: 0.83, color: '#f6e9d8' },
    overlay:
      '<g fill="none" stroke="#fff3dc"><circle cx="80" cy="12" r="17" stroke-width="11" opacity="0.3"/><circle cx="80" cy="12" r="17" stroke-width="5"/></g><g fill="#8d8f99" stroke="#2b2c33" stroke-width="2"><rect x="-3" y="122" width="14" height="22" rx="7" transform="rotate(14 4 140)"/><rect x="79" y="122" width="14" height="22" rx="7" transform="rotate(-14 86 140)"/></g>',
    isWhispered: true,
  },
  podcast: {
    look: (pipeline) => pipeline.modulate({ brightness: 0.86, saturation: 0.92 }).linear([1.04, 1, 1.06], [-2, 0, 5]),
    vignette: 0.5,
    grain: 2,
    camera: ({ share }) => ({ zoom: 1 + 0.2 * arc(share), y: -0.02 * arc(share) }),
    dissolveSeconds: 0,
    captions: { size: 0.066, middle: 0.73, paper: '#101014e0' },
    overlay:
      '<g transform="rotate(-12 83 160)"><rect x="81.5" y="136" width="3" height="34" fill="#16161a"/><rect x="77" y="124" width="12" height="17" rx="6" fill="#4a4b55" stroke="#a9abb6"/></g>',
  },
  car: {
    look: (pipeline) => pipeline.modulate({ brightness: 1.02, saturation: 0.95 }).linear([1.02, 1, 0.96], [3, 1, 0]),
    vignette: 0.3,
    grain: 3,
    camera: ({ seconds }) => ({ zoom: 1.1, ...road(seconds) }),
    dissolveSeconds: 0.6,
    captions: { size: 0.075, middle: 0.76 },
    overlay:
      '<g fill="#15161a"><path d="M0 0H90V5Q54 8 27 11L15 21Q14 16 9 16H0ZM14 16H23L20 86H15Q17 48 14 16ZM0 84H20Q18 128 14 160H0Z"/></g><g fill="#8cc7f2"><path d="M0 17H13L16 60H0Z"/></g><path d="M0 60H16L17 84H0Z" fill="#7fae58"/><circle cx="31" cy="171" r="30" fill="none" stroke="#1b1c21" stroke-width="5"/>',
  },
  'mirror-selfie': {
    look: (pipeline) => pipeline.modulate({ brightness: 1.04, saturation: 0.9 }).linear([0.98, 1, 1.05], [4, 4, 6]),
    vignette: 0.12,
    grain: 2,
    camera: ({ seconds, share }) => ({ zoom: 1.14 + 0.02 * share, ...mirror(seconds) }),
    dissolveSeconds: 0.8,
    captions: { size: 0.066, middle: 0.68 },
    overlay:
      '<path d="M9 160L56 0H72L25 160Z" fill="#fff" opacity="0.16"/><rect x="63" y="125" width="22" height="40" rx="3" fill="#17181c" stroke="#55565e"/><circle cx="68" cy="131" r="2" fill="#4c4d56"/><rect x="1.5" y="1.5" width="87" height="157" rx="6" fill="none" stroke="#c9a66b" stroke-width="3"/>',
  },
  /** Glides past the person from one side to the other, close and with a level horizon. */
  stedicam: {
    look: (pipeline) => pipeline.modulate({ saturation: 0.92 }).linear([1.06, 1.02, 0.98], [-10, -3, 8]),
    vignette: 0.3,
    grain: 2,
    camera: ({ share }) => ({ zoom: 1 + 0.34 * Math.sqrt(arc(share)), x: 0.12 * swinging(share, 1) }),
    dissolveSeconds: 2,
    captions: { size: 0.062, middle: 0.84 },
  },
  cctv: {
    look: (pipeline) =>
      pipeline.modulate({ saturation: 0.12, brightness: 0.94 }).linear([0.94, 1.06, 0.96], [0, 4, 0]).blur(1.1),
    vignette: 0.5,
    grain: 22,
    camera: ({ seconds }) => ({ zoom: 1.05, x: 0.024 * swinging(seconds, 1 / 8) }),
    dissolveSeconds: 0,
    captions: { size: 0.055, middle: 0.86, color: '#e8ffe8', paper: '#000000c0' },
    overlay:
      '<defs><pattern id="lines" width="90" height="0.6" patternUnits="userSpaceOnUse"><rect width="90" height="0.2" opacity="0.35"/></pattern></defs><rect width="90" height="160" fill="url(#lines)"/><g font-family="Inter SemiBold" font-size="4" fill="#e8ffe8"><text x="6" y="12">CAM 03</text><text x="62" y="12">03:12:20</text></g><circle cx="26" cy="10.6" r="1.2" fill="#f03030"/>',
    imagesPerSecond: 10,
    soundsThin: true,
  },
  handheld: {
    look: (pipeline) => pipeline.modulate({ saturation: 0.94 }).linear(1.07, -6),
    vignette: 0.24,
    grain: 11,
    camera: ({ seconds }) => ({ zoom: 1.16, ...shaking(seconds) }),
    dissolveSeconds: 0.3,
    captions: { size: 0.066, middle: 0.78 },
    overlay:
      '<path d="M5 20V11H14M76 11H85V20M85 140V149H76M14 149H5V140" fill="none" stroke="#fff" stroke-width="0.6"/><circle cx="10" cy="16" r="1.5" fill="#f03030"/><text x="13" y="17.4" font-family="Inter SemiBold" font-size="4" fill="#fff">REC</text>',
  },
} as const satisfies Readonly<Record<string, Template>>;
