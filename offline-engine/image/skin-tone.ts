/** Skin tones: in general, and those of one face. */
import type { Face, Point } from './face-finder.ts';
import type { Image } from './image.ts';
import { luma } from './plane.ts';

export interface SkinTone {
  /** Whether a pixel of the image has the tone. */
  readonly holds: (image: Image, index: number) => boolean;
}

interface Colour {
  readonly brightness: number;
  readonly chromaBlue: number;
  readonly chromaRed: number;
}

type Range = readonly [number, number];

const colourOf = ({ pixels }: Image, index: number): Colour => {
  const at = index * 4;
  const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
  const brightness = luma(red, green, blue);
  return { brightness, chromaBlue: 128 + (blue - brightness) * 0.564, chromaRed: 128 + (red - brightness) * 0.713 };
};

const isWithin = (value: number, [least, most]: Range) => value >= least && value <= most;

const toneWithin = (brightness: Range, blue: Range, red: Range): SkinTone => ({
  holds(image, index) {
    const colour = colourOf(image, index);
    return (
      isWithin(colour.brightness, brightness) && isWithin(colour.chromaBlue, blue) && isWithin(colour.chromaRed, red)
    );
  },
});

/** The YCbCr rule of Chai and Ngan (1999): it matches light and dark skin, but also many other things. */
export const skinTones = toneWithin([35, 255], [77, 127], [133, 173]);

/** A narrower range within that rule. */
export const strictSkinTones = toneWithin([60, 250], [90, 122], [136, 165]);

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

/** A range around the most common tone; brightness varies more than hue. */
const rangeOf = (values: number[], leastReach: number, reachFactor: number): Range => {
  const sorted = values.sort((one, other) => one - other);
  const middle = quantile(sorted, 0.5);
  const reach = Math.max(leastReach, reachFactor * (quantile(sorted, 0.84) - quantile(sorted, 0.16)));
  return [middle - reach, middle + reach];
};

const isInside = (x: number, y: number, centre: Point, reachX: number, reachY: number) =>
  ((x - centre.x) / reachX) ** 2 + ((y - centre.y) / reachY) ** 2 <= 1;

type IsAt = (x: number, y: number) => boolean;

/** The pixels of eyes, mouth, and the hair above the forehead, which often has the tone of the skin. */
const featuresOf = ({ eyes, mouth, width }: Face): IsAt => {
  const [first, second] = eyes;
  const brow = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
  const length = Math.max(2, Math.hypot(brow.x - mouth.x, brow.y - mouth.y));
  const up = { x: (brow.x - mouth.x) / length, y: (brow.y - mouth.y) / length };
  const eyeDistance = Math.max(2, Math.hypot(second.x - first.x, second.y - first.y), width / 4);
  const isHair: IsAt = (x, y) => {
    const height = (x - brow.x) * up.x + (y - brow.y) * up.y;
    const aside = Math.abs((y - brow.y) * up.x - (x - brow.x) * up.y);
    return height > length * 0.75 && height < length * 3 && aside < width * 1.2;
  };
  return (x, y) =>
    eyes.some((eye) => isInside(x, y, eye, eyeDistance * 0.32, eyeDistance * 0.2)) ||
    isInside(x, y, mouth, eyeDistance * 0.46, eyeDistance * 0.24) ||
    isHair(x, y);
};

/** Samples of the skin in the middle of a face. */
const samplesOf = (image: Image, { centre, width, height }: Face, isFeature: IsAt): readonly Colour[] => {
  const samples: Colour[] = [];
  const [reachX, reachY] = [width * 0.33, height * 0.33];
  const [top, bottom] = [Math.max(0, Math.floor(centre.y - reachY)), Math.min(image.height, centre.y + reachY)];
  const [left, right] = [Math.max(0, Math.floor(centre.x - reachX)), Math.min(image.width, centre.x + reachX)];
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const index = y * image.width + x;
      if (!isInside(x, y, centre, reachX, reachY) || isFeature(x, y) || !skinTones.holds(image, index)) continue;
      samples.push(colourOf(image, index));
    }
  }
  return samples;
};

const leastSamples = 30;

/** The tone in the middle of a face, and the pixels of its features and hair. */
export const toneOfFace = (image: Image, face: Face): { readonly tone: SkinTone; readonly isFeature: IsAt } => {
  const isFeature = featuresOf(face);
  const samples = samplesOf(image, face, isFeature);
  if (samples.length < leastSamples) return { tone: skinTones, isFeature };
  const middle = quantile(
    samples.map(({ brightness }) => brightness).sort((one, other) => one - other),
    0.5,
  );
  const tone = toneWithin(
    [middle * 0.45, 255],
    rangeOf(
      samples.map(({ chromaBlue }) => chromaBlue),
      4,
      1.6,
    ),
    rangeOf(
      samples.map(({ chromaRed }) => chromaRed),
      4,
      1.6,
    ),
  );
  return { tone, isFeature };
};
