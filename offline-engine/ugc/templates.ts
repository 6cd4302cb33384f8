/** The templates of user-generated videos: how each is filmed, and what is in front of the camera. */
import type { Sharp } from 'sharp';
import type { View } from '../video/filmed-image.ts';
import { smooth, sway, swinging } from '../video/motion.ts';

interface Moment {
  readonly seconds: number;
  /** How much of the video has passed, from 0 (its beginning) to 1 (its end). */
  readonly share: number;
}

export interface Template {
  /** Changes colors and sharpness. */
  readonly look: (pipeline: Sharp) => Sharp;
  /** How much darker the corners of the frame are, from 0 to 1. */
  readonly vignette: number;
  /** The strength of the noise of a bad camera, as a difference in levels from 0 to 255. */
  readonly grain: number;
  /** The view of the camera at a moment: its offset, rotation and zoom. */
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
  /** SVG elements in front of the image, on a canvas of 90 × 160. */
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

/** A handheld camera, which shakes by at most these shares of the image's width and height, and these degrees. */
const hand = (name: string, timesPerSecond: number, x: number, y: number, degrees: number, zoom: number) => {
  const sways = ['x', 'y', 'tilt'].map((part, index) => sway(`${name} ${part}`, timesPerSecond * (1 + index / 5)));
  return ({ seconds }: Moment): Partial<View> => {
    const [across = 0, down = 0, tilt = 0] = sways.map((at) => at(seconds));
    return { zoom, x: x * across, y: y * down, degrees: degrees * tilt };
  };
};

/** The camera jumps closer and back while a person sells something. */
const jumping = ({ seconds }: Moment): Partial<View> => {
  const jumps = [1.02, 1.16, 1.05, 1.2, 1.02];
  const jump = Math.floor(seconds / 1.7);
  const [from, to] = [jumps[Math.max(0, jump - 1)] ?? 1.05, jumps[jump] ?? 1.05];
  return { zoom: from + (to - from) * smooth((seconds % 1.7) / 0.2) + 0.006 * (seconds % 1.7) };
};

type Channels = [red: number, green: number, blue: number];
const tinted =
  (brightness: number, saturation: number, gain: Channels | number, offset: Channels | number, blur?: number) =>
  (pipeline: Sharp): Sharp => {
    const toned = pipeline.modulate({ brightness, saturation }).linear(gain, offset);
    return blur === undefined ? toned : toned.blur(blur);
  };

const captions = { size: 0.068, middle: 0.74 };
const common = { vignette: 0.14, grain: 2, dissolveSeconds: 0.5, captions } as const;
const white = 'fill="none" stroke="#fff"';
const dark = 'fill="#17181c"';
const recording = `<path d="M5 20V11H14M76 11H85V20M85 140V149H76M14 149H5V140" ${white} stroke-width="0.6"/><circle cx="10" cy="16" r="1.5" fill="#f03030"/>`;
const lines = `<defs><pattern id="lines" width="90" height="0.6" patternUnits="userSpaceOnUse"><rect width="90" height="0.2" opacity="0.35"/></pattern></defs><rect width="90" height="160" fill="url(#lines)"/>`;

export const templates = {
  general: { ...common, look: tinted(1, 1.04, 1, 0), camera: ({ share }) => ({ zoom: 1 + 0.11 * arc(share) }) },
  selfie: {
    ...common,
    look: tinted(1.07, 1.06, [1.03, 1, 0.97], [2, 2, 2]),
    camera: hand('selfie', 0.4, 0.024, 0.014, 1.5, 1.12),
    overlay: `<rect x="4" y="3" width="40" height="0.8" fill="#fff"/>`,
  },
  selling: {
    ...common,
    look: tinted(1.03, 1.3, 1.08, -8),
    vignette: 0,
    camera: jumping,
    captions: { ...captions, size: 0.082, color: '#111111', paper: '#ffd400' },
  },
  asmr: {
    ...common,
    look: tinted(0.82, 0.86, [1.07, 0.99, 0.88], [4, 0, 0], 0.8),
    vignette: 0.72,
    camera: ({ seconds, share }) => ({ zoom: 1.24 + 0.12 * arc(share), y: 0.005 * swinging(seconds, 0.21) }),
    captions: { size: 0.052, middle: 0.83, color: '#f6e9d8' },
    isWhispered: true,
  },
  podcast: {
    ...common,
    look: tinted(0.86, 0.92, [1.04, 1, 1.06], [-2, 0, 5]),
    vignette: 0.5,
    camera: ({ share }) => ({ zoom: 1 + 0.2 * arc(share), y: -0.02 * arc(share) }),
    overlay: `<rect x="77" y="124" width="12" height="17" rx="6" fill="#4a4b55"/><rect x="82" y="140" width="2" height="20" ${dark}/>`,
  },
  car: {
    ...common,
    look: tinted(1.02, 0.95, [1.02, 1, 0.96], [3, 1, 0]),
    vignette: 0.3,
    camera: hand('car', 3, 0.01, 0.006, 0.7, 1.1),
    overlay: `<path d="M0 0H90V5Q54 8 27 11L15 21Q14 16 9 16H0ZM14 16H23L20 86H15Q17 48 14 16ZM0 84H20Q18 128 14 160H0Z" ${dark}/>`,
  },
  'mirror-selfie': {
    ...common,
    look: tinted(1.04, 0.9, [0.98, 1, 1.05], [4, 4, 6]),
    camera: hand('mirror', 0.2, 0.028, 0.004, 1.8, 1.15),
    overlay: `<path d="M9 160L56 0H72L25 160Z" fill="#fff" opacity="0.16"/><rect x="63" y="125" width="22" height="40" rx="3" ${dark}/>`,
  },
  /** Glides past the person from one side to the other, close and with a level horizon. */
  stedicam: {
    ...common,
    look: tinted(1, 0.92, [1.06, 1.02, 0.98], [-10, -3, 8]),
    camera: ({ share }) => ({ zoom: 1 + 0.34 * Math.sqrt(arc(share)), x: 0.12 * swinging(share, 1) }),
    dissolveSeconds: 2,
  },
  cctv: {
    ...common,
    look: tinted(0.94, 0.12, [0.94, 1.06, 0.96], [0, 4, 0], 1.1),
    grain: 22,
    camera: ({ seconds }) => ({ zoom: 1.05, x: 0.024 * swinging(seconds, 1 / 8) }),
    captions: { size: 0.055, middle: 0.86, color: '#e8ffe8', paper: '#000000c0' },
    overlay: lines,
    imagesPerSecond: 10,
    soundsThin: true,
  },
  handheld: {
    ...common,
    look: tinted(1, 0.94, 1.07, -6),
    grain: 11,
    camera: hand('handheld', 0.9, 0.046, 0.026, 3, 1.16),
    overlay: recording,
  },
} as const satisfies Readonly<Record<string, Template>>;
