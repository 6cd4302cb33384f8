/** Fills the place of an object with the surrounding colors. */
import sharp from 'sharp';
import { asLayer, composedWith, type Image, imageOf, pipelineOf, resizeImage, shrinkImage } from './image.ts';

const workingSide = 640;

/** The mask in another size, slightly larger to include hair and shadows: 255 inside, softly falling to 0. */
const grown = async (mask: Uint8Array, image: Image, { width, height }: Image): Promise<Buffer> => {
  const given = { width: image.width, height: image.height, channels: 1 } as const;
  const reach = Math.max(3, Math.max(width, height) / 60);
  const wide = await sharp(mask, { raw: given, limitInputPixels: false })
    .resize(width, height, { fit: 'fill' })
    .blur(reach)
    .threshold(4)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
  return sharp(wide, { raw: { width, height, channels: 1 } })
    .blur(1.5)
    .toColorspace('b-w')
    .raw()
    .toBuffer();
};

const withAlpha = (image: Image, alphaAt: (index: number) => number): Image => {
  const pixels = Uint8Array.from(image.pixels);
  for (let index = 0; index < pixels.length / 4; index += 1) pixels[index * 4 + 3] = alphaAt(index);
  return { ...image, pixels, hasAlpha: true };
};

/**
 * Fills the hole from its edge inwards. The image is halved again and again: each halving spreads known colors twice as
 * far, because transparent pixels have no weight. Each pixel gets its color from the finest version that has one.
 */
const filled = async (holed: Image): Promise<Image> => {
  const { width, height } = holed;
  const ground = sharp({ create: { width, height, channels: 4, background: '#808080' } });
  const layers = [];
  for (let side = 1; side < Math.max(width, height); side *= 2) {
    const small = (length: number) => Math.max(1, Math.round((length * side) / Math.max(width, height)));
    const known = await resizeImage(holed, small(width), small(height), 'cubic');
    const coarse = side === 1 ? withAlpha(known, () => 255) : known;
    layers.push(asLayer(await resizeImage(coarse, width, height, 'cubic'), 0, 0));
  }
  return imageOf(ground.composite([...layers, asLayer(holed, 0, 0)]), false);
};

/** Paints out what a mask in the image's size covers, from 0 (keep) to 255. */
export const paintOut = async (image: Image, mask: Uint8Array): Promise<Image> => {
  const small = await imageOf(pipelineOf(await shrinkImage(image, workingSide)).removeAlpha(), false);
  const hole = await grown(mask, image, small);
  const painted = await filled(withAlpha(small, (index) => ((hole[index] ?? 0) > 8 ? 0 : 255)));
  const patch = withAlpha(painted, (index) => hole[index] ?? 0);
  return composedWith(image, [asLayer(await resizeImage(patch, image.width, image.height, 'cubic'), 0, 0)]);
};
