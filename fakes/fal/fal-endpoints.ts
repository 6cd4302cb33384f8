/** The fake's image models, and all models by id. */
import * as z from 'zod';
import { falAudioEndpoints } from './fal-audio-endpoints.ts';
import type { FalEndpoint, FalEndpointKind, ModelInput } from './fal-endpoint.ts';
import { type FalReply, type FaultDetail, type ModelFaultType, modelFault } from './fal-faults.ts';
import { falTranscriptionEndpoints } from './fal-transcription-endpoints.ts';
import { falVideoEndpoints } from './fal-video-endpoints.ts';
import { falVideoUtilities } from './fal-video-utilities.ts';

const ratios = ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'] as const;
const extremeRatios = ['4:1', '1:4', '8:1', '1:8'] as const;
const address = z.url({ protocol: /^(https?|data)$/ });
const seed = z.int();
const share = z.number().min(0).max(1);
const numImages = z.int().min(1).max(4);

/** Unknown fields are ignored, as at fal.ai. */
const optional = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).partial();

const nanoBanana = optional({
  aspect_ratio: z.enum(ratios),
  num_images: numImages,
  output_format: z.enum(['jpeg', 'png', 'webp']),
  resolution: z.enum(['1K', '2K', '4K']),
  safety_tolerance: z.enum(['1', '2', '3', '4', '5', '6']),
  seed,
  sync_mode: z.boolean(),
});
const nanoBanana2 = nanoBanana.extend({
  aspect_ratio: z.enum([...ratios, ...extremeRatios]).optional(),
  resolution: z.enum(['0.5K', '1K', '2K', '4K']).optional(),
});
const prompt = { prompt: z.string().min(1) };
const edit = { ...prompt, image_urls: z.array(address).min(1) };
const oneImage = { image_url: address };

const presets = ['square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_4_3', 'landscape_16_9'] as const;
const ownSize = z.object({ width: z.int().positive(), height: z.int().positive() });

const flux = optional({
  image_size: z.union([ownSize, z.enum(presets)]),
  output_format: z.enum(['jpeg', 'png']),
  seed,
  sync_mode: z.boolean(),
});
const fluxPro = flux.extend({
  num_images: numImages.optional(),
  safety_tolerance: z.enum(['1', '2', '3', '4', '5', '6']).optional(),
});
const flux2 = flux.extend({
  safety_tolerance: z.enum(['1', '2', '3', '4', '5']).optional(),
  enable_safety_checker: z.boolean().optional(),
});
const flux2Edit = flux2.extend({ image_size: z.union([ownSize, z.enum(['auto', ...presets])]).optional() });
const birefnet = optional({
  model: z.enum([
    'General Use (Light)',
    'General Use (Light 2K)',
    'General Use (Heavy)',
    'Matting',
    'Portrait',
    'General Use (Dynamic)',
  ]),
  operating_resolution: z.enum(['1024x1024', '2048x2048', '2304x2304']),
  output_format: z.enum(['png', 'webp', 'gif']),
  refine_foreground: z.boolean(),
});
const seedvr = optional({
  upscale_mode: z.enum(['factor', 'target']),
  upscale_factor: z.number().min(1).max(10),
  target_resolution: z.enum(['720p', '1080p', '1440p', '2160p']),
  noise_scale: share,
  output_format: z.enum(['png', 'jpg', 'webp']),
  seed,
});
const esrgan = optional({
  scale: z.number().min(1).max(8),
  face: z.boolean(),
  model: z.enum([
    'RealESRGAN_x4plus',
    'RealESRGAN_x2plus',
    'RealESRGAN_x4plus_anime_6B',
    'RealESRGAN_x4_v3',
    'RealESRGAN_x4_wdn_v3',
    'RealESRGAN_x4_anime_v3',
  ]),
  output_format: z.enum(['png', 'jpeg']),
  tile: z.int().min(0),
});
const topaz = optional({
  model: z.enum([
    'Low Resolution V2',
    'Standard V2',
    'CGI',
    'High Fidelity V2',
    'Text Refine',
    'Recovery',
    'Redefine',
    'Recovery V2',
    'Standard MAX',
    'Wonder',
  ]),
  upscale_factor: z.number().min(1).max(4),
  output_format: z.enum(['jpeg', 'png']),
  face_enhancement: z.boolean(),
  face_enhancement_strength: share,
  sharpen: share,
  denoise: share,
  fix_compression: share,
  creativity: z.int().min(1).max(6),
  texture: z.int().min(1).max(5),
  prompt: z.string().max(1024),
});

const drawing = (input: z.ZodType<ModelInput>, extras = {}): FalEndpoint => ({
  kind: 'text-to-image',
  input,
  output: 'images',
  extras,
});
const editing = (input: z.ZodType<ModelInput>, extras = {}): FalEndpoint => ({
  kind: 'edit',
  input,
  output: 'images',
  extras,
});
const single = (kind: FalEndpointKind, input: z.ZodType<ModelInput>, extras = {}): FalEndpoint => ({
  kind,
  input,
  output: 'image',
  extras,
});
const described = { description: '' };
const seeded = { seed: 42 };

export const falEndpoints: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/nano-banana-2': drawing(nanoBanana2.extend(prompt), described),
  'fal-ai/nano-banana-2/edit': editing(nanoBanana2.extend(edit), described),
  'fal-ai/nano-banana-pro': drawing(nanoBanana.extend(prompt), described),
  'fal-ai/nano-banana-pro/edit': editing(nanoBanana.extend(edit), described),
  'fal-ai/flux-2-pro': drawing(flux2.extend(prompt), seeded),
  'fal-ai/flux-2-pro/edit': editing(flux2Edit.extend(edit), seeded),
  'fal-ai/flux-pro/v1.1': drawing(fluxPro.extend(prompt), { ...seeded, has_nsfw_concepts: [false] }),
  'fal-ai/birefnet/v2': single('background-removal', birefnet.extend(oneImage)),
  'fal-ai/bria/background/remove': single('background-removal', z.looseObject(oneImage)),
  'fal-ai/seedvr/upscale/image': single('upscale', seedvr.extend(oneImage), seeded),
  'fal-ai/esrgan': single('upscale', esrgan.extend(oneImage)),
  'fal-ai/topaz/upscale/image': single('upscale', topaz.extend(oneImage)),
  ...falVideoEndpoints,
  ...falAudioEndpoints,
  ...falVideoUtilities,
  ...falTranscriptionEndpoints,
};

type Issue = z.core.$ZodIssue;

const typeOf = (issue: Issue): ModelFaultType => {
  if (issue.code === 'invalid_type') return issue.input === undefined ? 'missing' : 'value_error';
  if (issue.code === 'invalid_value') return issue.input === undefined ? 'missing' : 'one_of';
  if (issue.code === 'too_small') return issue.origin === 'number' ? 'greater_than' : 'sequence_too_short';
  if (issue.code === 'too_big') return issue.origin === 'number' ? 'less_than' : 'sequence_too_long';
  return 'value_error';
};

const detailOf = (issue: Issue): FaultDetail => ({
  type: typeOf(issue),
  loc: ['body', ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))],
  msg: issue.message,
  ...('values' in issue && { ctx: { expected: issue.values } }),
  ...(issue.input !== undefined && { input: issue.input }),
});

/** The response to an input that the model rejects. */
export const rejectionOf = ({ input }: FalEndpoint, given: unknown): FalReply | undefined => {
  const { error } = input.safeParse(given, { reportInput: true });
  return error && modelFault(error.issues.map(detailOf));
};
