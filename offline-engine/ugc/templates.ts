/** The templates of user-generated videos: each is filmed differently. */
import { smooth, sway } from '../video/motion.ts';
import type { View } from '../video/still.ts';
import { carWindow, finder, mirror, ringLight, soundBars, storyBar, surveillance } from './overlays.ts';
import type { Template } from './template.ts';

const still: View = { zoom: 1, x: 0, y: 0, degrees: 0 };
/** Rises slowly from 0 to 1 in the middle of the video, and falls back. */
const arc = (share: number): number => Math.sin(Math.PI * share) ** 2;

const plain = { size: 0.075, color: '#ffffff', middle: 0.74 };

const general = (): Template => {
  const drift = sway('general', 0.16);
  return {
    look: (pipeline) => pipeline.modulate({ saturation: 1.04 }),
    film: { vignette: 0.14, grain: 0 },
    camera: ({ seconds, share }) => ({ ...still, zoom: 1 + 0.11 * arc(share), x: 0.008 * drift(seconds) }),
    dissolveSeconds: 1.2,
    captions: plain,
    overlays: async () => [],
  };
};

const selfie = (): Template => {
  const [x, y, tilt] = [sway('selfie x', 0.4), sway('selfie y', 0.55), sway('selfie tilt', 0.33)];
  return {
    look: (pipeline) => pipeline.modulate({ brightness: 1.07, saturation: 1.06 }).linear([1.03, 1, 0.97], [2, 2, 2]),
    film: { vignette: 0.08, grain: 3 },
    camera: ({ seconds }) => ({
      zoom: 1.12 + 0.02 * y(seconds / 2),
      x: 0.024 * x(seconds),
      y: 0.014 * y(seconds),
      degrees: 1.5 * tilt(seconds),
    }),
    dissolveSeconds: 0.4,
    captions: { ...plain, size: 0.07, middle: 0.7 },
    overlays: async (size) => [storyBar(size)],
  };
};

/** The camera jumps closer and back while a person sells something. */
const selling = (): Template => {
  const jumps = [1.02, 1.16, 1.05, 1.2, 1.02];
  const eachSeconds = 1.7;
  return {
    look: (pipeline) => pipeline.modulate({ saturation: 1.3, brightness: 1.03 }).linear(1.08, -8),
    film: { vignette: 0, grain: 0 },
    camera: ({ seconds }) => {
      const jump = Math.floor(seconds / eachSeconds);
      const [from, to] = [jumps[Math.max(0, jump - 1)] ?? 1.05, jumps[jump] ?? 1.05];
      const done = smooth((seconds - jump * eachSeconds) / 0.2);
      return {
        ...still,
        zoom: from + (to - from) * done + 0.006 * (seconds % eachSeconds),
        y: -0.02 * (to - 1) * done,
      };
    },
    dissolveSeconds: 0.2,
    captions: { size: 0.082, color: '#111111', box: '#ffd400', middle: 0.72 },
    overlays: async () => [],
  };
};

const asmr = (): Template => ({
  look: (pipeline) =>
    pipeline.modulate({ brightness: 0.82, saturation: 0.86 }).linear([1.07, 0.99, 0.88], [4, 0, 0]).blur(0.8),
  film: { vignette: 0.72, grain: 3 },
  camera: ({ seconds, share }) => ({
    ...still,
    zoom: 1.24 + 0.12 * arc(share),
    y: 0.005 * Math.sin(2 * Math.PI * 0.21 * seconds),
  }),
  dissolveSeconds: 2.4,
  captions: { size: 0.052, color: '#f6e9d8', middle: 0.83 },
  overlays: ringLight,
  isWhispered: true,
});

const podcast = (): Template => ({
  look: (pipeline) => pipeline.modulate({ brightness: 0.86, saturation: 0.92 }).linear([1.04, 1, 1.06], [-2, 0, 5]),
  film: { vignette: 0.5, grain: 2 },
  camera: ({ share }) => ({ ...still, zoom: 1 + 0.2 * arc(share), y: -0.02 * arc(share) }),
  dissolveSeconds: 0,
  captions: { size: 0.066, color: '#ffffff', box: '#101014e0', middle: 0.73 },
  overlays: soundBars,
});

const car = (): Template => {
  const [rattle, road, side, lean] = [sway('rattle', 11), sway('road', 3.1), sway('side', 7), sway('lean', 0.5)];
  return {
    look: (pipeline) => pipeline.modulate({ brightness: 1.02, saturation: 0.95 }).linear([1.02, 1, 0.96], [3, 1, 0]),
    film: { vignette: 0.3, grain: 3 },
    camera: ({ seconds }) => ({
      zoom: 1.1,
      x: 0.0022 * side(seconds) + 0.01 * lean(seconds),
      y: 0.0032 * rattle(seconds) + 0.0048 * road(seconds),
      degrees: 0.22 * road(seconds + 3) + 0.7 * lean(seconds),
    }),
    dissolveSeconds: 0.6,
    captions: { ...plain, middle: 0.76 },
    overlays: carWindow,
  };
};

const mirrorSelfie = (): Template => {
  const [x, tilt] = [sway('mirror x', 0.22), sway('mirror tilt', 0.19)];
  return {
    look: (pipeline) => pipeline.modulate({ brightness: 1.04, saturation: 0.9 }).linear([0.98, 1, 1.05], [4, 4, 6]),
    film: { vignette: 0.12, grain: 2 },
    camera: ({ seconds, share }) => ({
      zoom: 1.14 + 0.02 * share,
      x: 0.028 * x(seconds),
      y: 0,
      degrees: 1.8 * tilt(seconds),
    }),
    dissolveSeconds: 0.8,
    captions: { size: 0.066, color: '#ffffff', middle: 0.68 },
    overlays: mirror,
  };
};

/** Glides past the person from one side to the other, close and with a level horizon. */
const stedicam = (): Template => ({
  look: (pipeline) => pipeline.modulate({ saturation: 0.92 }).linear([1.06, 1.02, 0.98], [-10, -3, 8]),
  film: { vignette: 0.3, grain: 2 },
  camera: ({ share }) => ({
    ...still,
    zoom: 1 + 0.34 * Math.sqrt(arc(share)),
    x: 0.12 * Math.sin(2 * Math.PI * share),
  }),
  dissolveSeconds: 2,
  captions: { size: 0.062, color: '#ffffff', middle: 0.84 },
  overlays: async () => [],
});

const cctv = (): Template => ({
  look: (pipeline) =>
    pipeline.modulate({ saturation: 0.12, brightness: 0.94 }).linear([0.94, 1.06, 0.96], [0, 4, 0]).blur(1.1),
  film: { vignette: 0.5, grain: 22 },
  camera: ({ seconds }) => ({ ...still, zoom: 1.05, x: 0.024 * Math.sin((2 * Math.PI * seconds) / 8), y: 0 }),
  dissolveSeconds: 0,
  captions: { size: 0.055, color: '#e8ffe8', box: '#000000c0', middle: 0.86 },
  overlays: surveillance,
  imagesPerSecond: 10,
  soundsThin: true,
});

const handheld = (): Template => {
  const [x, y, tilt] = [sway('handheld x', 0.9), sway('handheld y', 1.1), sway('handheld tilt', 0.8)];
  return {
    look: (pipeline) => pipeline.modulate({ saturation: 0.94 }).linear(1.07, -6),
    film: { vignette: 0.24, grain: 11 },
    camera: ({ seconds }) => ({
      zoom: 1.16,
      x: 0.042 * x(seconds) + 0.008 * y(3.4 * seconds),
      y: 0.022 * y(seconds) + 0.006 * x(3.7 * seconds),
      degrees: 3 * tilt(seconds),
    }),
    dissolveSeconds: 0.3,
    captions: { ...plain, size: 0.066, middle: 0.78 },
    overlays: finder,
  };
};

export const templates = {
  general,
  selfie,
  selling,
  asmr,
  podcast,
  car,
  'mirror-selfie': mirrorSelfie,
  stedicam,
  cctv,
  handheld,
} as const satisfies Readonly<Record<string, () => Template>>;
