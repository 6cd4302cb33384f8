/** The fake's models that cut, crop and scale videos and extract images from them, with real results. */
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { factsOf } from '../../offline-engine/fetch-file.ts';
import { centeredCrop, cutVideo, stillOf } from '../cut-video.ts';
import { inTemporaryFolder } from '../temporary-folder.ts';
import { contentOf, type FalEndpoint, type GeneratedFile, type WorkOptions } from './fal-endpoint.ts';
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

async function download(url: unknown, path: string, options: WorkOptions) {
  const body = await contentOf(url, options);
  const file = await open(path, 'wx+');
  try {
    let size = 0;
    for await (const chunk of body) {
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

const utility = <Input extends object>(
  input: z.ZodType<Input & { readonly video_url: string }>,
  output: 'video' | 'images',
  work: (source: Source, input: Input) => Promise<GeneratedFile>,
) => ({
  input,
  output,
  async filesOf(given: unknown, options: WorkOptions) {
    return inTemporaryFolder(async (folder) => {
      const path = join(folder, 'source.mp4');
      const parsed = input.parse(given);
      const facts = await download(parsed.video_url, path, options);
      if (facts?.contentType !== 'video/mp4') throw new FalFault('unsupported_video_format');
      const { width = 0, height = 0, videoSec = 0 } = facts;
      return [await work({ path, folder, width, height, seconds: videoSec }, parsed)];
    });
  },
});

async function edited(source: Source, edit: Omit<Parameters<typeof cutVideo>[0], 'path' | 'outputPath'>) {
  const outputPath = join(source.folder, 'result.mp4');
  await cutVideo({ path: source.path, outputPath, ...edit }).catch(() => {
    throw new FalFault('unsupported_video_format');
  });
  return { bytes: await readFile(outputPath), contentType: 'video/mp4' };
}

export const falVideoUtilities: Readonly<Record<string, FalEndpoint>> = {
  'fal-ai/workflow-utilities/trim-video': utility(
    z.strictObject({ video_url: address, start_time: seconds, end_time: seconds }),
    'video',
    async (source, { start_time: startSec, end_time: endSec }) => {
      const cutSeconds = Math.min(endSec, source.seconds) - startSec;
      if (cutSeconds <= 0) throw new FalFault('value_error');
      const file = await edited(source, { span: { startSec, seconds: cutSeconds } });
      return { ...file, facts: { original_duration: source.seconds, trimmed_duration: cutSeconds } };
    },
  ),
  'fal-ai/workflow-utilities/scale-video': utility(
    z.strictObject({
      video_url: address,
      width: side,
      height: side,
      mode: z.literal('crop'),
      codec: z.enum(['libx264', 'libx265']),
      crf: z.int().min(0).max(51),
    }),
    'video',
    async (source, { width, height }) => {
      const file = await edited(source, { filter: centeredCrop(width, height) });
      return { ...file, facts: { scaled_width: width, scaled_height: height } };
    },
  ),
  'fal-ai/ffmpeg-api/extract-frame': utility(
    z.strictObject({ video_url: address, frame_type: z.literal('middle') }),
    'images',
    async ({ path, seconds: length, width, height }) => {
      const bytes = await stillOf({ path, atSec: length / 2 }).catch(() => Buffer.alloc(0));
      if (bytes.length === 0) throw new FalFault('unsupported_video_format');
      return { bytes, contentType: 'image/jpeg', width, height };
    },
  ),
};
