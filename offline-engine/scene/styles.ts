/** Applies a style to the image of a scene, such as watercolor or pixel art. */
import sharp, { type Sharp } from 'sharp';
import type { FrameSize } from '../image/frame-size.ts';
import { type Image, imageOf, pipelineOf } from '../image/image.ts';
import { noiseAt } from '../image/seeded-random.ts';
import type { Style } from './prompt-terms.ts';

/** Gray noise around medium brightness, for film grain and the texture of paper. */
function noise({ width, height }: FrameSize, strength: number): Sharp {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = 128 + strength * (noiseAt(at % width, Math.floor(at / width), 7) - 0.5);
  }
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

const textured = async (image: Image, strength: number): Promise<Sharp> => {
  const input = await noise(image, strength).png({ compressionLevel: 0 }).toBuffer();
  return pipelineOf(image).composite([{ input, blend: 'soft-light' }]);
};

const edges = { width: 3, height: 3, kernel: [-1, -1, -1, -1, 8, -1, -1, -1, -1] };

/** Dark lines on white where colors change. The alpha is removed first, because it would be convolved too. */
async function outlined(image: Image): Promise<Sharp> {
  const { width, height } = image;
  const opaque = await pipelineOf(image).removeAlpha().raw().toBuffer();
  const lines = sharp(opaque, { raw: { width, height, channels: 3 } })
    .greyscale()
    .convolve(edges)
    .linear(-4, 255);
  const { data, info } = await lines.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: info });
}

/** How many pixels pixel art has along its longer side. */
const coarseSide = 96;

async function pixelated(image: Image): Promise<Sharp> {
  const factor = coarseSide / Math.max(image.width, image.height);
  const coarse = { width: Math.round(image.width * factor), height: Math.round(image.height * factor) };
  const small = await imageOf(pipelineOf(image).resize({ ...coarse, fit: 'fill', kernel: 'nearest' }), false);
  return pipelineOf(small).resize({ width: image.width, height: image.height, fit: 'fill', kernel: 'nearest' });
}

const looks: Readonly<Record<Style, (image: Image) => Sharp | Promise<Sharp>>> = {
  photo: async (image) => textured(await imageOf(pipelineOf(image).blur(0.8).modulate({ saturation: 0.9 }), false), 40),
  watercolor: async (image) =>
    textured(await imageOf(pipelineOf(image).median(11).modulate({ brightness: 1.08, saturation: 0.72 }), false), 45),
  pixels: pixelated,
  lines: outlined,
  oil: (image) => pipelineOf(image).median(9).sharpen({ sigma: 3 }).modulate({ saturation: 1.2 }),
  gray: (image) => pipelineOf(image).greyscale(),
  sepia: (image) => pipelineOf(image).modulate({ saturation: 0.5 }).tint('#c9a877'),
};

export async function styled(image: Image, styles: readonly Style[]): Promise<Image> {
  let shown = image;
  for (const style of new Set(styles)) shown = await imageOf(await looks[style](shown), false);
  return shown;
}
