/** Finds skin in an image, and gives it texture and even light. */
import { type Face, findFaces, type Point } from './face-finder.ts';
import { type Image, shrinkImage } from './image.ts';
import { boxBlur, brightnessOf, luma, type Plane, planeLike, resizePlane, sampler } from './plane.ts';
import { noiseAt } from './seeded-random.ts';

const workingSide = 1024;

type Range = readonly [number, number];

const isWithin = (value: number, [min, max]: Range) => value >= min && value <= max;

/** Whether a pixel's brightness, blue and red (YCbCr) are in these ranges. */
const hasTone = ({ pixels }: Image, index: number, ranges: readonly [Range, Range, Range]): boolean => {
  const [red, green, blue] = [pixels[index * 4] ?? 0, pixels[index * 4 + 1] ?? 0, pixels[index * 4 + 2] ?? 0];
  const brightness = luma(red, green, blue);
  const tone = [brightness, 128 + (blue - brightness) * 0.564, 128 + (red - brightness) * 0.713] as const;
  return tone.every((value, part) => isWithin(value, ranges[part] ?? [0, 0]));
};

/**
 * The range of skin tones by the rule of Chai and Ngan (1999): it matches light and dark skin, but also many other
 * things.
 */
const possible = [
  [35, 255],
  [77, 127],
  [133, 173],
] as const;
/** A narrower range of tones within the rule of Chai and Ngan. */
const likely = [
  [60, 250],
  [90, 122],
  [136, 165],
] as const;

const isInside = (at: Point, center: Point, across: number, down: number): boolean =>
  ((at.x - center.x) / across) ** 2 + ((at.y - center.y) / down) ** 2 <= 1;

/** Whether a point is on a face, except its eyes and mouth. */
const isOnFace = (at: Point, { center, width, height, eyes, mouth }: Face): boolean =>
  isInside(at, { x: center.x, y: center.y + 0.08 * height }, 0.55 * width, 0.6 * height) &&
  !eyes.some((eye) => isInside(at, eye, 0.2 * width, 0.12 * width)) &&
  !isInside(at, mouth, 0.26 * width, 0.14 * width);

/**
 * A mask from 0 (no skin) to 1, with at most 1024 pixels per side, fading out inside its edges. On faces it contains
 * all skin tones; in an image without a face, such as of a hand, only very likely ones.
 */
const skinMask = async (image: Image): Promise<Plane> => {
  const working = await shrinkImage(image, workingSide);
  const faces = await findFaces(working);
  const isSkin = (index: number) => {
    const at = { x: index % working.width, y: Math.floor(index / working.width) };
    return faces.length > 0
      ? faces.some((face) => isOnFace(at, face)) && hasTone(working, index, possible)
      : hasTone(working, index, likely);
  };
  const blurred = boxBlur(
    planeLike(working, (index) => (isSkin(index) ? 1 : 0)),
    Math.max(2, Math.max(working.width, working.height) / 128),
  );
  return planeLike(working, (index) => Math.min(1, Math.max(0, ((blurred.values[index] ?? 0) - 0.6) * 2.5)));
};

/** How much darker or lighter (of 255) a pixel becomes. */
type Relief = (x: number, y: number) => number;

/** Noise from -1 to 1, in grains of about this many pixels. */
const noise = (spacing: number, seed: number): Relief => {
  const [columns, rows] = [256, 256];
  const tile = planeLike(
    { width: columns, height: rows },
    (index) => noiseAt(index % columns, Math.floor(index / columns), seed) * 2 - 1,
  );
  const read = sampler(tile, { width: columns * spacing, height: rows * spacing });
  return (x, y) => read(x % ((columns - 1) * spacing), y % ((rows - 1) * spacing));
};

/** The corrections that bring each pixel closer to the mean brightness of the skin. */
const evenLight = async (image: Image, skin: Plane): Promise<Relief> => {
  const { width, height } = skin;
  const brightness = resizePlane(brightnessOf(image), width, height);
  const area = skin.values.reduce((sum, value) => sum + value, 0);
  if (area < 1) return () => 0;
  const radius = Math.sqrt(area) / 6;
  const weighted = (plane: Plane) =>
    planeLike(plane, (index) => (plane.values[index] ?? 0) * (skin.values[index] ?? 0));
  const [sums, weights] = [boxBlur(weighted(brightness), radius), boxBlur(skin, radius)];
  const mean = weighted(brightness).values.reduce((sum, value) => sum + value, 0) / area;
  const around = planeLike(skin, (index) => (sums.values[index] ?? 0) / Math.max(1e-4, weights.values[index] ?? 0));
  return sampler(
    planeLike(skin, (index) => Math.min(22, Math.max(-22, 0.32 * 255 * (mean - (around.values[index] ?? mean))))),
    image,
  );
};

export interface SkinLevels {
  /** The strength of the effect, from 0 to 100. */
  readonly textureLevel: number;
  readonly poresDetail: number;
  readonly lightingFix: boolean;
}

/** Changes all channels of a pixel equally, so that colors stay; pixels other than skin are unchanged. */
export const enhanceSkin = async (image: Image, levels: SkinLevels): Promise<Image> => {
  const skin = await skinMask(image);
  const weightAt = sampler(skin, image);
  const share = skin.values.reduce((sum, value) => sum + value, 0) / skin.values.length;
  // The radius of pores: two or three pixels on a face of 100 pixels, and ten on one of 1000.
  const spacing = Math.max(2, Math.sqrt(share * image.width * image.height) / 45);
  const [fine, coarse] = [noise(Math.max(1, spacing / 3), 0x5eed), noise(spacing, 0x5eee)];
  const light = levels.lightingFix ? await evenLight(image, skin) : () => 0;
  const pixels = Uint8ClampedArray.from(image.pixels);
  for (let y = 0, at = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1, at += 4) {
      const weight = weightAt(x, y);
      if (weight === 0) continue;
      const texture = (15 * levels.textureLevel * fine(x, y)) / 100;
      const pores = (60 * levels.poresDetail * Math.min(0, coarse(x, y))) / 100;
      const change = Math.round(weight * (light(x, y) + texture + pores));
      for (let channel = at; channel < at + 3; channel += 1) pixels[channel] = (pixels[channel] ?? 0) + change;
    }
  }
  return { ...image, pixels: new Uint8Array(pixels.buffer) };
};
