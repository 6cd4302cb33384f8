/**
 * Paints the frames of a creative video: a camera moves over one image or from one to another, with the prompt as a
 * caption.
 */
import sharp from 'sharp';
import type { Image } from '../image/image.ts';
import { lowerShade } from '../image/lower-shade.ts';
import { type SeededRandom, seededRandom } from '../image/seeded-random.ts';
import { labelLayer, labelSize, lettersWithin, textLayer } from '../image/text-layer.ts';
import { framesPerSecond, type Video } from '../video/encode-video.ts';
import { type FrameSize, type Layer, layerOf, paintLayer } from '../video/frame.ts';
import { smooth } from '../video/motion.ts';
import { paintStill, stillOf, type View } from '../video/still.ts';
import { promptParts } from './prompt-parts.ts';

interface CreativeScene {
  readonly size: FrameSize;
  readonly seconds: number;
  /** The first image, and the last one if it differs. */
  readonly images: readonly Image[];
  readonly prompt: string;
  readonly seed: string;
}

interface Move {
  /** Where the camera is nearest. */
  readonly x: number;
  readonly y: number;
  readonly degrees: number;
}

const nearest = 0.32;

const moveOf = (random: SeededRandom): Move => {
  const angle = random.between(0, 2 * Math.PI);
  const degrees = random.between(1.2, 2.6) * random.pick([-1, 1] as const);
  // Moves upwards, because faces are in the upper half.
  return { x: 0.07 * Math.cos(angle), y: -0.07 * Math.abs(Math.sin(angle)), degrees };
};

/** The view: the whole image at 0, the nearest at 1. */
const viewAt = ({ x, y, degrees }: Move, nearness: number): View => ({
  zoom: 1 + nearest * nearness,
  x: x * nearness,
  y: y * nearness,
  degrees: degrees * nearness,
});

/** The share of the duration in which the first image dissolves into the last. */
const dissolve = 0.3;

const fadeSeconds = 0.3;
/** How long each part of a long prompt is shown at least. */
const partSeconds = 1.6;

interface Caption {
  readonly layers: readonly Layer[];
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** Text on a dark gradient, at the lower edge above the engine's mark. */
const wordsOnShade = async (options: Parameters<typeof textLayer>[0], size: FrameSize, bottom: number) => {
  const words = await textLayer(options);
  if (!words) return [];
  const unit = Math.min(size.width, size.height);
  const top = bottom - words.height - Math.round(unit * 0.03);
  const shade = lowerShade(size, Math.min(size.height, size.height - top + Math.round(unit * 0.14)));
  const left = Math.round(unit * 0.06);
  return [await layerOf(sharp(shade.input as Buffer), 0, shade.top ?? 0), await layerOf(sharp(words.png), left, top)];
};

/** The prompt as captions, in smaller letters and in parts if it is long; not on the first and last frames. */
const captionsOf = async (
  prompt: string,
  seconds: number,
  size: FrameSize,
  bottom: number,
): Promise<readonly Caption[]> => {
  const unit = Math.min(size.width, size.height);
  const width = size.width - 2 * Math.round(unit * 0.06);
  const large = { size: Math.round(unit * 0.042), width, lines: 3 };
  const style = prompt.length <= lettersWithin(large) ? large : { size: Math.round(unit * 0.036), width, lines: 4 };
  const [from, until] = [0.2, seconds - 0.3];
  const parts = promptParts(prompt, lettersWithin(style), Math.floor((until - from) / partSeconds));
  const each = (until - from) / Math.max(1, parts.length);
  return Promise.all(
    parts.map(async (text, index) => ({
      layers: await wordsOnShade({ ...style, text, weight: 'semibold' }, size, bottom),
      startSeconds: from + index * each,
      endSeconds: from + (index + 1) * each,
    })),
  );
};

const markOf = async (size: FrameSize): Promise<Layer> => {
  const label = await labelLayer('sandbox video', labelSize(size));
  const margin = labelSize(size) * 1.4;
  return layerOf(sharp(label.png), margin, size.height - margin - label.height);
};

const captionOpacity = ({ startSeconds, endSeconds }: Caption, at: number): number =>
  Math.min(smooth((at - startSeconds) / fadeSeconds), smooth((endSeconds - at) / fadeSeconds));

export const creativeScene = async ({
  size,
  seconds,
  images,
  prompt,
  seed,
}: CreativeScene): Promise<Video['paint']> => {
  const random = seededRandom(seed);
  const [first, last] = await Promise.all(images.map((image) => stillOf(image, size)));
  if (!first) throw new Error('A scene needs an image.');
  const [toward, from] = [moveOf(random), moveOf(random)];
  const mark = await markOf(size);
  const captions = await captionsOf(prompt, seconds, size, mark.top);
  return (frame, index) => {
    const at = index / framesPerSecond;
    // The last frame has a share of 1, so that it shows the whole last image.
    const share = at / (seconds - 1 / framesPerSecond);
    const shareOfLast = last ? Math.round(256 * smooth((share - 0.5 + dissolve / 2) / dissolve)) : 0;
    const end = last ? 0.5 + dissolve / 2 : 1;
    if (shareOfLast < 256) paintStill(frame, first, viewAt(toward, smooth(share / end)));
    if (last && shareOfLast > 0) paintStill(frame, last, viewAt(from, smooth((1 - share) / end)), shareOfLast);
    for (const caption of captions) {
      const opacity = captionOpacity(caption, at);
      if (opacity > 0) for (const layer of caption.layers) paintLayer(frame, layer, opacity);
    }
    paintLayer(frame, mark);
  };
};
