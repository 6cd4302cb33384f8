/** Downloads videos by URL within limits, and checks what their containers say before anything decodes them. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { inputLimits } from '../../../shared/contracts/media.ts';
import { type ContainerFacts, readContainer } from '../../../shared/platform/read-container.ts';
import { WorkFailure } from '../work-failure.ts';

const limitSeconds = 60;
const { maxBytes, maxSidePixels } = inputLimits.video;

/** A video in a local file; its size is that in which it is displayed. */
export interface FetchedVideo {
  readonly path: string;
  /** The field that named it. */
  readonly field: string;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** When its last frame ends. */
  readonly framesSeconds: number;
  readonly hasSound: boolean;
}

export const invalidVideo = (field: string, complaint: string): WorkFailure =>
  new WorkFailure('INPUT_INVALID', `${field} ${complaint}.`);

const download = async (url: string, field: string, file: FileHandle): Promise<number> => {
  const failed = (why: string) => new WorkFailure('DOWNLOAD_FAILED', `${field} could not be downloaded: ${why}.`);
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitSeconds * 1000) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw failed(`the response was ${response.status}`);
    }
    let bytes = 0;
    // Leaving the loop cancels the stream, so nothing is read beyond the limit.
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw invalidVideo(field, `has over ${maxBytes} bytes`);
      await file.writeFile(chunk);
    }
    return bytes;
  } catch (error) {
    if (error instanceof WorkFailure) throw error;
    throw failed(error instanceof Error ? error.message : String(error));
  }
};

/** The reader throws whatever it stumbles over in a broken file. */
const factsOf = (file: FileHandle, size: number): Promise<ContainerFacts | undefined> =>
  readContainer({
    access: 'ranges',
    size,
    async read(start, end) {
      const part = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(part, 0, part.length, start);
      return part.subarray(0, bytesRead);
    },
  }).catch(() => undefined);

/** @throws {WorkFailure} DOWNLOAD_FAILED, or INPUT_INVALID if it is not an MP4 with frames of a reasonable size. */
export const fetchVideo = async (url: string, field: string, folder: string): Promise<FetchedVideo> => {
  const path = join(folder, `${field}.mp4`);
  const file = await open(path, 'wx+');
  try {
    const facts = await factsOf(file, await download(url, field, file));
    if (facts?.contentType !== 'video/mp4') throw invalidVideo(field, 'is not an MP4 video');
    const { width = 0, height = 0, durationSec: seconds, videoSec: framesSeconds = 0, hasAudio: hasSound } = facts;
    if (!(width >= 1 && height >= 1)) throw invalidVideo(field, 'has no dimensions');
    if (Math.max(width, height) > maxSidePixels)
      throw invalidVideo(field, `has a side of over ${maxSidePixels} pixels`);
    if (!(framesSeconds > 0 && Number.isFinite(seconds))) throw invalidVideo(field, 'has no duration');
    return { path, field, width, height, seconds, framesSeconds, hasSound };
  } finally {
    await file.close();
  }
};
