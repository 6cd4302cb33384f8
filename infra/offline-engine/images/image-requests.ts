/** What each operation that makes pictures takes. */
import * as z from 'zod';

const ownHosts = ['127.0.0.1', 'localhost', '[::1]'];

const isReadable = (text: string) => {
  const url = URL.parse(text);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && ownHosts.includes(url.hostname));
};

const address = z
  .string()
  .max(4096)
  .refine(isReadable, { error: 'must be an https address, or an http address of this machine' });
const level = z.number().int().min(0).max(100);
const aspectRatio = z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9']);
const prompt = z.string().min(1).max(4000);
const referenceImages = z.array(address).max(4).default([]);

export type AspectRatio = z.output<typeof aspectRatio>;

/** Fields that are not named here are no concern of this engine. */
export const imageRequests = {
  'skin-enhance': z.object({
    imageUrl: address,
    textureLevel: level.default(50),
    poresDetail: level.default(50),
    lightingFix: z.boolean().default(true),
  }),
  image: z.object({
    prompt,
    negativePrompt: z.string().max(2000).default(''),
    aspectRatio: aspectRatio.default('1:1'),
    numImages: z.number().int().min(1).max(4).default(1),
    seed: z.number().int().min(0).exactOptional(),
  }),
  'image-edit': z.object({ imageUrl: address, prompt, referenceImages, maskUrl: address.exactOptional() }),
  'character-replace': z.object({
    imageUrl: address,
    characterImage: address,
    prompt: z.string().max(2000).default(''),
  }),
  'background-remove': z.object({
    imageUrl: address,
    format: z.enum(['png', 'webp']).default('png'),
    background: z
      .string()
      .regex(/^(transparent|#[0-9a-fA-F]{6})$/, { error: 'must be "transparent" or "#rrggbb"' })
      .default('transparent'),
  }),
  'image-upscale': z.object({ imageUrl: address, scale: z.literal([2, 4]).default(2) }),
  influencer: z.object({
    name: z.string().min(1).max(120),
    description: z.string().min(1).max(2000),
    gender: z.enum(['feminino', 'masculino', 'auto']).default('auto'),
    ageRange: z.enum(['18-25', '26-35', '36-50', '51+']).exactOptional(),
    referenceImages,
    aspectRatio: aspectRatio.default('3:4'),
  }),
};

export type ImageOperation = keyof typeof imageRequests;
export type ImageRequest<Operation extends ImageOperation> = z.output<(typeof imageRequests)[Operation]>;
