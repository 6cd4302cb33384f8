/** What the offline engine is asked for in place of a model, told from the model's name and input. */
import type { ModelInput } from './fal-endpoints.ts';

export interface OfflineOrder {
  /** A task's type, by which the offline engine knows its abilities. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the service says to models that know no better than words; each is in the catalog's inputs for fal.ai. */
const words = {
  skin: 'Retouch only the skin of the people in this photo so that it looks real.',
  mask: 'The second image is a mask of the first: change only what is white in it.',
  portrait: 'Photorealistic portrait of a person who does not exist, for use as a brand influencer.',
  asGiven: 'Go by the given images.',
} as const;

const promptLimit = 4000;
const descriptionLimit = 2000;
const ratios: readonly unknown[] = ['1:1', '16:9', '9:16', '4:3', '3:4', '21:9'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const promptOf = ({ prompt }: ModelInput, limit = promptLimit): string => textOf(prompt).slice(0, limit);
const imagesOf = ({ image_urls: urls }: ModelInput): readonly unknown[] => (Array.isArray(urls) ? urls : []);
const ratioOf = ({ aspect_ratio: ratio }: ModelInput) => (ratios.includes(ratio) ? { aspectRatio: ratio } : {});

const picture = (input: ModelInput): OfflineOrder => {
  const { num_images: numImages = 1, seed } = input;
  const chosen = typeof seed === 'number' && seed >= 0 ? { seed } : {};
  return { operation: 'image', input: { prompt: promptOf(input), numImages, ...ratioOf(input), ...chosen } };
};

const edit = (input: ModelInput): OfflineOrder => {
  const [imageUrl, ...others] = imagesOf(input);
  const prompt = promptOf(input);
  if (prompt.startsWith(words.skin)) {
    return { operation: 'skin-enhance', input: { imageUrl, textureLevel: 50, poresDetail: 50 } };
  }
  const [maskUrl, ...references] = textOf(input.prompt).endsWith(words.mask) ? others : [undefined, ...others];
  const mask = maskUrl === undefined ? {} : { maskUrl };
  return { operation: 'image-edit', input: { imageUrl, prompt, referenceImages: references.slice(0, 4), ...mask } };
};

const genders: Readonly<Record<string, string>> = { female: 'feminino', male: 'masculino' };

const influencer = (input: ModelInput): OfflineOrder => {
  const prompt = textOf(input.prompt);
  const gender = genders[/ Gender: (\w+)\./.exec(prompt)?.[1] ?? ''];
  const ageRange = / Age: (18-25|26-35|36-50|51\+) years\./.exec(prompt)?.[1];
  const description = prompt.replace(words.portrait, '').replace(words.asGiven, '').trim().slice(0, descriptionLimit);
  const person = { name: 'Influencer', description: description || prompt.slice(0, descriptionLimit) };
  const traits = { ...(gender && { gender }), ...(ageRange && { ageRange }) };
  const referenceImages = imagesOf(input).slice(0, 4);
  return { operation: 'influencer', input: { ...person, ...traits, referenceImages, ...ratioOf(input) } };
};

/** A person is made by the images that are given, or else put into the first of two. */
const proEdit = (input: ModelInput): OfflineOrder | undefined => {
  if (promptOf(input).startsWith(words.portrait)) return influencer(input);
  const [imageUrl, characterImage, ...others] = imagesOf(input);
  if (characterImage === undefined || others.length > 0) return undefined;
  return { operation: 'character-replace', input: { imageUrl, characterImage } };
};

const cutOut = ({ image_url: imageUrl, output_format: format = 'png' }: ModelInput): OfflineOrder | undefined =>
  format === 'gif' ? undefined : { operation: 'background-remove', input: { imageUrl, format } };

const upscale = (imageUrl: unknown, scale: unknown): OfflineOrder | undefined =>
  scale === 2 || scale === 4 ? { operation: 'image-upscale', input: { imageUrl, scale } } : undefined;

const orders: Readonly<Record<string, (input: ModelInput) => OfflineOrder | undefined>> = {
  'fal-ai/nano-banana-2': picture,
  'fal-ai/nano-banana-2/edit': edit,
  'fal-ai/nano-banana-pro': influencer,
  'fal-ai/nano-banana-pro/edit': proEdit,
  'fal-ai/birefnet/v2': cutOut,
  'fal-ai/seedvr/upscale/image': ({ image_url: url, upscale_factor: scale = 2 }) => upscale(url, scale),
  'fal-ai/esrgan': ({ image_url: url, scale = 2 }) => upscale(url, scale),
};

/** Undefined for what the offline engine has no ability for. */
export const offlineOrderOf = (endpoint: string, input: ModelInput): OfflineOrder | undefined =>
  Object.hasOwn(orders, endpoint) ? orders[endpoint]?.(input) : undefined;
