/** The fake's default results: small and plain, in the requested shape, format and number. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { GeneratedFile, ModelInput } from './fal-endpoint.ts';
import { falEndpoints } from './fal-endpoints.ts';
import { openFiles } from './input-files.ts';
import { plainSound } from './plain-sound.ts';
import { plainVideo } from './plain-video.ts';

/**
 * Generates files for a validated input whose URLs have not been downloaded. May throw FalFault. When the signal
 * aborts, the files are no longer needed.
 */
export type GenerateFiles = (
  endpoint: string,
  input: ModelInput,
  signal: AbortSignal,
) => Promise<readonly GeneratedFile[]>;

const longSide = 128;

/** The ratio from `16:9` or a preset such as `landscape_16_9`; square for anything else. */
const ratioOf = ({ aspect_ratio: ratio, image_size: preset }: ModelInput): readonly [number, number] => {
  const [, turn, long = '1', short = '1'] = /^(portrait|landscape)_(\d+)_(\d+)$/.exec(String(preset)) ?? [];
  if (turn) return turn === 'landscape' ? [Number(long), Number(short)] : [Number(short), Number(long)];
  const [, across = '1', down = '1'] = /^(\d+):(\d+)$/.exec(String(ratio)) ?? [];
  return [Number(across), Number(down)];
};

const sizeOf = (input: ModelInput) => {
  const [across, down] = ratioOf(input);
  const scale = longSide / Math.max(across, down);
  return { width: Math.round(across * scale), height: Math.round(down * scale) };
};

const formats = { png: 'png', jpeg: 'jpeg', jpg: 'jpeg', webp: 'webp', gif: 'gif' } as const;

/** The requested format; PNG if it is unknown or absent. */
export const formatOf = ({ output_format: asked }: ModelInput) =>
  formats[Object.keys(formats).find((format) => format === asked) as keyof typeof formats] ?? 'png';

const plainImages = async (endpoint: string, input: ModelInput): Promise<readonly GeneratedFile[]> => {
  const format = formatOf(input);
  const size = sizeOf(input);
  const colours = createHash('sha256')
    .update(`${endpoint}${JSON.stringify(input)}`)
    .digest();
  const count = typeof input.num_images === 'number' ? input.num_images : 1;
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [r = 0, g = 0, b = 0] = colours.subarray(index * 3);
      const create = { ...size, channels: 3 as const, background: { r, g, b } };
      const bytes = await sharp({ create }).toFormat(format).toBuffer();
      return { bytes, contentType: `image/${format}`, ...size };
    }),
  );
};

export const generatePlainFiles: GenerateFiles = async (endpoint, input, signal) => {
  const known = falEndpoints[endpoint];
  if (known?.filesOf) return known.filesOf(input, signal);
  if (known?.soundOf) {
    return [{ bytes: await plainSound(await known.soundOf(input, signal)), contentType: 'audio/mpeg' }];
  }
  if (!known?.videoOf) return plainImages(endpoint, input);
  const video = known.videoOf(input, await openFiles(known, input, signal));
  return [{ bytes: await plainVideo(video), contentType: 'video/mp4' }];
};
