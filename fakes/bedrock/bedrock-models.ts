/** The fake's models: the inputs that they accept, and the small images that they return. */
import sharp, { type Sharp } from 'sharp';
import * as z from 'zod';
import { type ImageFormat, plainImage } from '../plain-media.ts';
import { InvalidInput } from './bedrock-behavior.ts';

const text = z.string().max(10_000);

const Words = z.strictObject({
  prompt: text,
  negative_prompt: text.optional(),
  aspect_ratio: z.enum(['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']).default('1:1'),
  seed: z.int().min(0).max(4_294_967_295).optional(),
  output_format: z.enum(['png', 'jpeg']).default('png'),
});

const Image = z.strictObject({
  image: z.base64().min(1),
  output_format: z.enum(['png', 'jpeg', 'webp']).default('png'),
});

/** Creates the file of a model's response. @throws InvalidInput */
type Model = (body: unknown) => Promise<Uint8Array>;

const parsed = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  const result = schema.safeParse(body);
  if (!result.success) throw new InvalidInput(z.prettifyError(result.error));
  return result.data;
};

const fromWords: Model = async (body) => {
  const { aspect_ratio: ratio, output_format: format } = parsed(Words, body);
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  return (await plainImage(across, down, format)).bytes;
};

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Limits of each side and of the whole image, in pixels. */
interface Limits {
  readonly minSide: number;
  readonly maxSide: number;
  readonly maxPixels: number;
}

const encodedAs = (image: Sharp, format: ImageFormat): Promise<Buffer> =>
  image
    .toFormat(format)
    .toBuffer()
    .catch(() => {
      throw new InvalidInput('The image could not be decoded');
    });

const fromImage =
  ({ minSide, maxSide, maxPixels }: Limits, change: (pixels: Sharp, size: Size) => Sharp): Model =>
  async (body) => {
    const { image, output_format: format } = parsed(Image, body);
    const pixels = sharp(Buffer.from(image, 'base64'));
    const { width = 0, height = 0 } = await pixels.metadata().catch((): Partial<Size> => ({}));
    const [shorter = 0, longer = 0] = [width, height].toSorted((a, b) => a - b);
    if (shorter < minSide || longer > maxSide || width * height > maxPixels) {
      throw new InvalidInput('The image could not be decoded, or its size is not supported');
    }
    return encodedAs(change(pixels, { width, height }), format);
  };

/** Treats the center of the image as its subject. */
const removeBackground = (pixels: Sharp, { width, height }: Size): Sharp => {
  const ellipse = `<svg width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="40%" ry="40%"/></svg>`;
  return pixels.ensureAlpha().composite([{ input: Buffer.from(ellipse), blend: 'dest-in' }]);
};

const upscale = (pixels: Sharp, { width, height }: Size): Sharp => pixels.resize(width * 4, height * 4);

export const bedrockModels: Readonly<Record<string, Model>> = {
  'stability.stable-image-core-v1:1': fromWords,
  'us.stability.stable-image-remove-background-v1:0': fromImage(
    { minSide: 64, maxSide: Infinity, maxPixels: 9_437_184 },
    removeBackground,
  ),
  'us.stability.stable-fast-upscale-v1:0': fromImage({ minSide: 32, maxSide: 1536, maxPixels: 1_048_576 }, upscale),
};
