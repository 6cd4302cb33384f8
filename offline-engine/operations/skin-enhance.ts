/** `skin-enhance`: texture, pores and even light, only on skin. */
import * as z from 'zod';
import { fetchImage } from '../image/fetch-image.ts';
import { type Image, saveImage } from '../image/image.ts';
import { ImageUrl } from '../image/image-url.ts';
import { luma, type Plane, sampler } from '../image/plane.ts';
import { evenLight } from '../image/skin-light.ts';
import { skinMask } from '../image/skin-mask.ts';
import { grain, pores, type Relief } from '../image/skin-texture.ts';
import { operation } from '../operation.ts';

/** The strength of the grain at the highest level, of 255. */
const grainStrength = 15;
const poreStrength = 24;
const seed = 0x5eed;

const Level = z.number().int().min(0).max(100);
const Input = z.object({
  imageUrl: ImageUrl,
  textureLevel: Level.default(50),
  poresDetail: Level.default(50),
  lightingFix: z.boolean().default(true),
});

type Levels = Omit<z.output<typeof Input>, 'imageUrl'>;

/** The spacing of pores: two or three pixels on a face of 100 pixels, and ten on one of 1000. */
const poreSpacing = (image: Image, skin: Plane): number => {
  const share = skin.values.reduce((sum, value) => sum + value, 0) / skin.values.length;
  return Math.max(3, Math.sqrt(share * image.width * image.height) / 45);
};

/** The visibility of grain, which shows in midtones but not in deep shadows or blown-out highlights. */
const visibility = (brightness: number) => 0.25 + 0.75 * (1 - ((brightness - 128) / 128) ** 2);

const reliefOf = async (image: Image, skin: Plane, levels: Levels): Promise<Relief> => {
  const spacing = poreSpacing(image, skin);
  const fine = grain((grainStrength * levels.textureLevel) / 100, Math.max(1, spacing / 5), seed);
  const coarse = pores((poreStrength * levels.poresDetail) / 100, spacing, seed + 100);
  const light: Relief = levels.lightingFix ? await evenLight(image, skin) : () => 0;
  const { width, pixels } = image;
  return (x, y) => {
    const at = (y * width + x) * 4;
    const brightness = luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    return light(x, y) + visibility(brightness) * (fine(x, y) + coarse(x, y));
  };
};

/** Changes all three channels equally, so that colors stay; pixels other than skin are unchanged. */
const withRelief = (image: Image, skin: Plane, relief: Relief): Image => {
  const pixels = Uint8ClampedArray.from(image.pixels);
  const weightAt = sampler(skin, image);
  for (let y = 0; y < image.height; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      const weight = weightAt(x, y);
      if (weight === 0) continue;
      const change = Math.round(weight * relief(x, y));
      const at = (y * image.width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) pixels[at + channel] = (pixels[at + channel] ?? 0) + change;
    }
  }
  return { ...image, pixels: new Uint8Array(pixels.buffer) };
};

export const skinEnhance = operation(Input, async ({ imageUrl, ...levels }, context) => {
  const { image } = await fetchImage(imageUrl, 'imageUrl');
  context.progress(15);
  const skin = await skinMask(image);
  context.progress(40);
  const enhanced = withRelief(image, skin, await reliefOf(image, skin, levels));
  context.progress(85);
  return [await saveImage(enhanced, context, { remark: 'Skin enhanced by the offline engine.' })];
});
