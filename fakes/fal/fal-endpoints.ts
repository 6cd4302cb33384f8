/** The fake's models by id, with those for images, sounds and transcripts. */
import * as z from 'zod';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { type ImageFormat, plainImage, plainSound } from '../plain-media.ts';
import { scribe } from '../scribe.ts';
import { contentOf, type FalEndpoint, type ModelInput } from './fal-endpoint.ts';
import { FalFault, type FalReply, type FaultDetail, type ModelFaultType, modelFault } from './fal-faults.ts';
import { falVideoEndpoints } from './fal-video-endpoints.ts';
import { falVideoUtilities } from './fal-video-utilities.ts';

const prompt = z.string().min(1);
const share = z.number().min(0).max(1);
const address = z.url({ protocol: /^https?$/ });
const ratios = ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'];
const image = { output_format: z.enum(['jpeg', 'png']).optional() };
const images = { ...image, prompt, num_images: z.int().min(1).max(4).optional(), seed: z.int().optional() };
const nanoBanana = { ...images, aspect_ratio: z.enum(ratios).optional() };
const nanoBananaEdit = { ...nanoBanana, image_urls: z.array(address).min(1) };
const presets = ['square_hd', 'square', 'portrait_4_3', 'portrait_16_9', 'landscape_4_3', 'landscape_16_9'];

/** The ratio from `16:9` or a preset such as `landscape_16_9`; square for anything else. */
const ratioOf = ({ aspect_ratio: ratio, image_size: preset }: ModelInput): readonly [number, number] => {
  const [, turn, long = '1', short = '1'] = /^(portrait|landscape)_(\d+)_(\d+)$/.exec(String(preset)) ?? [];
  if (turn) return turn === 'landscape' ? [Number(long), Number(short)] : [Number(short), Number(long)];
  const [, across = '1', down = '1'] = /^(\d+):(\d+)$/.exec(String(ratio)) ?? [];
  return [Number(across), Number(down)];
};

interface Given {
  readonly num_images?: number;
  readonly output_format?: ImageFormat;
}

const plainImages = (output: 'image' | 'images', shape: z.ZodRawShape): FalEndpoint => ({
  input: z.strictObject(shape),
  output,
  filesOf: (input) => {
    const { num_images: count = 1, output_format: format = 'png' } = input as Given;
    const one = () => plainImage(...ratioOf(input), format);
    return Promise.all(Array.from({ length: count }, one));
  },
});

const sounds = (
  shape: z.ZodRawShape,
  secondsOf: (input: ModelInput, signal: AbortSignal) => number | Promise<number>,
) =>
  ({
    input: z.strictObject(shape),
    output: 'audio',
    filesOf: async (input, { signal }) => [
      { bytes: await plainSound(await secondsOf(input, signal)), contentType: 'audio/mpeg' },
    ],
  }) satisfies FalEndpoint;

const charactersPerSecond = 15;
const longestSeconds = 300;

/** The duration of a recording. */
const recordedSeconds = async (url: unknown, signal: AbortSignal): Promise<number> => {
  const body = await contentOf(url, { signal });
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (!found?.hasAudio) throw new FalFault('unsupported_audio_format');
  if (found.durationSec > longestSeconds) throw new FalFault('audio_duration_too_long');
  return found.durationSec;
};

export const falEndpoints: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/nano-banana-2': plainImages('images', nanoBanana),
  'fal-ai/nano-banana-2/edit': plainImages('images', nanoBananaEdit),
  'fal-ai/nano-banana-pro': plainImages('images', nanoBanana),
  'fal-ai/nano-banana-pro/edit': plainImages('images', nanoBananaEdit),
  'fal-ai/flux-pro/v1.1': plainImages('images', { ...images, image_size: z.enum(presets).optional() }),
  'fal-ai/birefnet/v2': plainImages('image', {
    image_url: address,
    model: z.enum(['General Use (Light)', 'General Use (Heavy)', 'Matting', 'Portrait']).optional(),
    refine_foreground: z.boolean().optional(),
    output_format: z.enum(['png', 'webp', 'gif']).optional(),
  }),
  'fal-ai/seedvr/upscale/image': plainImages('image', {
    ...image,
    image_url: address,
    upscale_mode: z.enum(['factor', 'target']).optional(),
    upscale_factor: z.number().min(1).max(10).optional(),
  }),
  'fal-ai/esrgan': plainImages('image', { ...image, image_url: address, scale: z.number().min(1).max(8).optional() }),
  'fal-ai/elevenlabs/tts/multilingual-v2': sounds(
    { text: prompt.max(10_000), voice: prompt, stability: share, similarity_boost: share },
    ({ text }) => String(text).length / charactersPerSecond,
  ),
  'fal-ai/elevenlabs/voice-changer': sounds(
    {
      audio_url: address,
      voice: prompt,
      remove_background_noise: z.boolean(),
      output_format: z.string().regex(/^(?:mp3|pcm|wav|opus|ulaw|alaw)_\d+(?:_\d+)?$/),
    },
    ({ audio_url: url }, signal) => recordedSeconds(url, signal),
  ),
  'fal-ai/elevenlabs/speech-to-text/scribe-v2': {
    input: z.strictObject({ audio_url: address, diarize: z.boolean(), tag_audio_events: z.boolean() }),
    output: 'document',
    async documentOf({ audio_url: url }, options) {
      const response = await scribe(String(url), options);
      if (response === 'not-downloaded') throw new FalFault('file_download_error');
      if (response === 'no-sound') throw new FalFault('unsupported_audio_format');
      return response;
    },
  },
  ...falVideoEndpoints,
  ...falVideoUtilities,
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
});

/** The response to an input that the model rejects. */
export const rejectionOf = ({ input }: FalEndpoint, given: unknown): FalReply | undefined => {
  const { error } = input.safeParse(given, { reportInput: true });
  return error && modelFault(error.issues.map(detailOf));
};
