/** `skin-enhance`: texture, pores and even light, on skin and nowhere else. */
import type { MadeFile } from '../ability.ts';
import { fetchPicture } from './fetch-picture.ts';
import type { ImageContext } from './image-order.ts';
import type { ImageRequest } from './image-requests.ts';
import { type Picture, savePicture } from './picture.ts';
import { luma, type Plane, sampler } from './plane.ts';
import { evenLight } from './skin-light.ts';
import { skinMask } from './skin-mask.ts';
import { grain, pores, type Relief } from './skin-texture.ts';

/** Of 255, at the highest level. */
const grainStrength = 15;
const poreStrength = 24;
const seed = 0x5eed;

type Levels = Pick<ImageRequest<'skin-enhance'>, 'textureLevel' | 'poresDetail' | 'lightingFix'>;

/** A face of 100 pixels shows pores at two or three pixels; one of 1000 shows them at ten. */
const poreSpacing = (picture: Picture, skin: Plane): number => {
  const share = skin.values.reduce((sum, value) => sum + value, 0) / skin.values.length;
  return Math.max(3, Math.sqrt(share * picture.width * picture.height) / 45);
};

/** Grain shows in middle tones: neither in deep shadow nor in what is blown out. */
const visibility = (brightness: number) => 0.25 + 0.75 * (1 - ((brightness - 128) / 128) ** 2);

const reliefOf = async (picture: Picture, skin: Plane, levels: Levels): Promise<Relief> => {
  const spacing = poreSpacing(picture, skin);
  const fine = grain((grainStrength * levels.textureLevel) / 100, Math.max(1, spacing / 5), seed);
  const coarse = pores((poreStrength * levels.poresDetail) / 100, spacing, seed + 100);
  const light: Relief = levels.lightingFix ? await evenLight(picture, skin) : () => 0;
  const { width, pixels } = picture;
  return (x, y) => {
    const at = (y * width + x) * 4;
    const brightness = luma(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    return light(x, y) + visibility(brightness) * (fine(x, y) + coarse(x, y));
  };
};

/** All three channels change alike, so that colours stay; what is not skin keeps its very bytes. */
const withRelief = (picture: Picture, skin: Plane, relief: Relief): Picture => {
  const pixels = Uint8ClampedArray.from(picture.pixels);
  const weightAt = sampler(skin, picture);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      const weight = weightAt(x, y);
      if (weight === 0) continue;
      const change = Math.round(weight * relief(x, y));
      const at = (y * picture.width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) pixels[at + channel] = (pixels[at + channel] ?? 0) + change;
    }
  }
  return { ...picture, pixels: new Uint8Array(pixels.buffer) };
};

export const enhanceSkin = async (
  { imageUrl, ...levels }: ImageRequest<'skin-enhance'>,
  context: ImageContext,
): Promise<readonly MadeFile[]> => {
  const { picture } = await fetchPicture(imageUrl, 'imageUrl');
  context.progress(15);
  const skin = await skinMask(picture);
  context.progress(40);
  const enhanced = withRelief(picture, skin, await reliefOf(picture, skin, levels));
  context.progress(85);
  return [await savePicture(enhanced, context, { remark: 'Skin enhanced by the offline engine.' })];
};
