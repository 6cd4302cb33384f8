/** Opens the files of an input as fal.ai's models do, with their limits. */
import { readImageHead } from '../../shared/media-files/image-head.ts';
import { readContainer } from '../../shared/media-files/read-container.ts';
import { collectBytes, TooManyBytes } from '../../shared/platform/limit-bytes.ts';
import type { FalEndpoint, FileLimits, ModelInput, OpenedFile } from './fal-endpoint.ts';
import { FalFault } from './fal-faults.ts';

async function download(url: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { signal }).catch(() => undefined);
  if (!response?.ok || !response.body) throw new FalFault('file_download_error');
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body.cancel();
    throw new FalFault('file_too_large');
  }
  return collectBytes(response.body, maxBytes).catch((error: unknown) => {
    throw new FalFault(error instanceof TooManyBytes ? 'file_too_large' : 'file_download_error');
  });
}

function openImage(bytes: Buffer, { types }: FileLimits): OpenedFile {
  const found = readImageHead(bytes);
  if (!found || !types.includes(found.contentType)) throw new FalFault('unsupported_image_format');
  return { ...found, seconds: 0, hasSound: false };
}

async function openVideo(bytes: Buffer, { types }: FileLimits): Promise<OpenedFile> {
  const body = ReadableStream.from([bytes]);
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (!found?.hasVideo || !types.includes(found.contentType)) throw new FalFault('unsupported_video_format');
  const { width = 0, height = 0, videoSec: seconds = 0, hasAudio: hasSound } = found;
  return { width, height, seconds, hasSound };
}

function requireSize({ width, height }: OpenedFile, { minSide, maxSide, ratios }: FileLimits): void {
  if (Math.min(width, height) < minSide) throw new FalFault('image_too_small');
  if (Math.max(width, height) > maxSide) throw new FalFault('image_too_large');
  const [narrowest, widest] = ratios;
  if (width / height < narrowest || width / height > widest) throw new FalFault('value_error');
}

async function opened(url: string, limits: FileLimits, signal: AbortSignal): Promise<OpenedFile> {
  const bytes = await download(url, limits.maxBytes, signal);
  const file = limits.kind === 'image' ? openImage(bytes, limits) : await openVideo(bytes, limits);
  requireSize(file, limits);
  return file;
}

/** The first file of each field of an input. @throws {FalFault} for a file that the model would reject */
export async function openFiles(
  { files = {} }: Pick<FalEndpoint, 'files'>,
  input: ModelInput,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, OpenedFile>> {
  const found = new Map<string, OpenedFile>();
  for (const [field, limits] of Object.entries(files)) {
    const value = input[field];
    const urls: readonly unknown[] = value === undefined ? [] : [value].flat();
    for (const url of urls) {
      const file = await opened(String(url), limits, signal);
      if (!found.has(field)) found.set(field, file);
    }
  }
  return found;
}
