/** The fake's models: the inputs that they accept, and the small images that they return. */
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import * as z from 'zod';
import { InvalidInput } from './bedrock-faults.ts';
import { encodedAs, type GivenImage, givenImage, type ImageLimits } from './image-limits.ts';

const text = z.string().max(10_000);
const seed = z.int().min(0).max(4_294_967_295);

const Words = z.strictObject({
  prompt: text,
  negative_prompt: text.optional(),
  mode: z.literal('text-to-image').optional(),
  aspect_ratio: z.enum(['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21']).default('1:1'),
  seed: seed.optional(),
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

const longSide = 128;

const sizeOf = (ratio: string) => {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const scale = longSide / Math.max(across, down);
  return { width: Math.round(across * scale), height: Math.round(down * scale) };
};

/** A plain image, which is the same for the same prompt and seed. */
const fromWords: Model = async (body) => {
  const { aspect_ratio: ratio, output_format: format, ...words } = parsed(Words, body);
  const [r = 0, g = 0, b = 0] = createHash('sha256').update(JSON.stringify(words)).digest();
  const create = { ...sizeOf(ratio), channels: 3, background: { r, g, b } } as const;
  return encodedAs(sharp({ create }), format);
};

const fromImage =
  (limits: ImageLimits, change: (image: GivenImage) => Sharp): Model =>
  async (body) => {
    const { image, output_format: format } = parsed(Image, body);
    return encodedAs(change(await givenImage(image, limits)), format);
  };

/** Treats the center of the image as its subject. */
const removeBackground = ({ pixels, width, height }: GivenImage): Sharp => {
  const ellipse = `<svg width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="40%" ry="40%"/></svg>`;
  return pixels.ensureAlpha().composite([{ input: Buffer.from(ellipse), blend: 'dest-in' }]);
};

const upscale = ({ pixels, width, height }: GivenImage): Sharp => pixels.resize(width * 4, height * 4);

const editLimits: ImageLimits = { minSide: 64, maxSide: Infinity, maxPixels: 9_437_184, maxRatio: 2.5 };
const upscaleLimits: ImageLimits = { minSide: 32, maxSide: 1536, maxPixels: 1_048_576, maxRatio: Infinity };

export const bedrockModels: Readonly<Record<string, Model>> = {
  'stability.stable-image-core-v1:1': fromWords,
  'us.stability.stable-image-remove-background-v1:0': fromImage(editLimits, removeBackground),
  'us.stability.stable-fast-upscale-v1:0': fromImage(upscaleLimits, upscale),
};
