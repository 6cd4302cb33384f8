/**
 * The fake's models that cut, crop and scale videos and extract images from them, with documented fields and real
 * results.
 */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { factsOf } from '../../offline-engine/fetch-file.ts';
import { centredCrop, cutVideo, stillOf } from '../cut-video.ts';
import type { FalEndpoint, GeneratedFile, ModelInput } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

const address = z.url({ protocol: /^https?$/ });
const seconds = z.number().min(0);
const side = z.int().min(2).multipleOf(2);

/** A downloaded video, and a folder for results. */
interface Source {
  readonly path: string;
  readonly folder: string;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

async function download(url: string, path: string, signal: AbortSignal) {
  const response = await fetch(url, { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) throw new FalFault('file_download_error');
  const file = await open(path, 'wx+');
  try {
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      await file.writeFile(chunk);
    }
    return await factsOf(file, size);
  } catch {
    throw new FalFault('file_download_error');
  } finally {
    await file.close();
  }
}

type Work = (source: Source, input: ModelInput) => Promise<GeneratedFile>;

const utility = (input: z.ZodType<ModelInput>, output: FalEndpoint['output'], work: Work): FalEndpoint => ({
  kind: 'video-utility',
  input,
  output,
  extras: {},
  async filesOf(given, signal) {
    const folder = await mkdtemp(join(tmpdir(), 'video-utility-'));
    try {
      const path = join(folder, 'source.mp4');
      const facts = await download(String(given.video_url), path, signal);
      if (facts?.contentType !== 'video/mp4') throw new FalFault('unsupported_video_format');
      const { width = 0, height = 0, videoSec: seconds = 0 } = facts;
      return [await work({ path, folder, width, height, seconds }, given)];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function edited(source: Source, edit: Omit<Parameters<typeof cutVideo>[0], 'path' | 'outputPath'>) {
  const outputPath = join(source.folder, 'result.mp4');
  await cutVideo({ path: source.path, outputPath, ...edit }).catch(() => {
    throw new FalFault('unsupported_video_format');
  });
  return { bytes: await readFile(outputPath), contentType: 'video/mp4' };
}

const trim: Work = async (source, input) => {
  const { start_time: startSec = 1, duration = 2, end_time: endSec } = input as Readonly<Record<string, number>>;
  const cutSeconds = Math.min(endSec ?? startSec + duration, source.seconds) - startSec;
  if (cutSeconds <= 0) throw new FalFault('value_error');
  const file = await edited(source, { span: { startSec, seconds: cutSeconds } });
  return { ...file, facts: { original_duration: source.seconds, trimmed_duration: cutSeconds } };
};

/** The size to scale to; a missing side keeps the aspect ratio. */
const scaledSize = ({ width, height }: Source, input: ModelInput) => {
  const given = input as { readonly width?: number; readonly height?: number };
  const even = (value: number) => 2 * Math.round(value / 2);
  const scaledWidth = given.width ?? even(((given.height ?? height) * width) / height);
  return { width: scaledWidth, height: given.height ?? even((scaledWidth * height) / width) };
};

const filterOf = ({ mode, pad_color: color = 'black' }: ModelInput, width: number, height: number): string => {
  if (mode === 'crop') return centredCrop(width, height);
  if (mode !== 'pad') return `scale=${width}:${height},setsar=1`;
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  return `${fit},pad=${width}:${height}:-1:-1:${String(color)},setsar=1`;
};

const scale: Work = async (source, input) => {
  const { width, height } = scaledSize(source, input);
  const file = await edited(source, { filter: filterOf(input, width, height) });
  const before = { original_width: source.width, original_height: source.height };
  return { ...file, facts: { ...before, scaled_width: width, scaled_height: height } };
};

/** Far enough before the end of a video that a frame begins there. */
const lastFrameSec = 0.1;

const extractFrame: Work = async ({ path, seconds, width, height }, { frame_type: type = 'first' }) => {
  const places: Readonly<Record<string, number>> = { middle: seconds / 2, last: Math.max(0, seconds - lastFrameSec) };
  const bytes = await stillOf({ path, atSec: places[String(type)] ?? 0 }).catch(() => Buffer.alloc(0));
  if (bytes.length === 0) throw new FalFault('unsupported_video_format');
  return { bytes, contentType: 'image/jpeg', width, height };
};

const hasSide = ({ width, height }: ModelInput) => width !== undefined || height !== undefined;

export const falVideoUtilities: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/workflow-utilities/trim-video': utility(
    z
      .looseObject({ start_time: seconds, end_time: seconds, duration: z.number().positive() })
      .partial()
      .extend({ video_url: address }),
    'video',
    trim,
  ),
  'fal-ai/workflow-utilities/scale-video': utility(
    z
      .looseObject({
        width: side,
        height: side,
        mode: z.enum(['stretch', 'pad', 'crop']),
        pad_color: z.enum(['black', 'white', 'red', 'green', 'blue', 'gray']),
        codec: z.enum(['libx264', 'libx265']),
        crf: z.int().min(0).max(51),
        preset: z.enum(['ultrafast', 'fast', 'medium', 'slow']),
      })
      .partial()
      .extend({ video_url: address })
      .refine(hasSide, { error: 'At least one of width and height is required' }),
    'video',
    scale,
  ),
  'fal-ai/ffmpeg-api/extract-frame': utility(
    z.looseObject({ video_url: address, frame_type: z.enum(['first', 'middle', 'last']).optional() }),
    'images',
    extractFrame,
  ),
};
