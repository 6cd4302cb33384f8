/** Downloads videos by URL within limits, and checks their containers before they are decoded. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { inputLimits } from '../../shared/contracts/media.ts';
import type { Wanted } from '../download.ts';
import { fetchFile, invalidFile, limitSeconds } from '../fetch-file.ts';

const { maxBytes, maxSidePixels } = inputLimits.video;

/** The formats of videos, by ffmpeg's names. */
const formats: Readonly<Record<string, string>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
};

/** A video in a local file; its size is the displayed one. */
export interface FetchedVideo {
  readonly path: string;
  /** The input field with the video's URL. */
  readonly field: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  /** The time at which the last frame ends, in seconds. */
  readonly framesSeconds: number;
  readonly hasSound: boolean;
}

/**
 * Downloads a video. @throws {WorkFailure} DOWNLOAD_FAILED, or INPUT_INVALID if it is not a video with frames of a
 * reasonable size
 */
export const fetchVideo = async (
  wanted: Pick<Wanted, 'url' | 'field'> & Partial<Wanted>,
  folder: string,
): Promise<FetchedVideo> => {
  const { field } = wanted;
  const path = join(folder, field);
  const file = await open(path, 'wx+');
  try {
    const facts = await fetchFile({ maxBytes, limitSeconds, ...wanted }, file);
    const format = facts && formats[facts.contentType];
    if (!format) throw invalidFile(field, 'is not a video of an accepted type');
    const { width = 0, height = 0, videoSec: framesSeconds = 0, hasAudio: hasSound } = facts;
    if (!(width >= 1 && height >= 1)) throw invalidFile(field, 'has no dimensions');
    if (Math.max(width, height) > maxSidePixels)
      throw invalidFile(field, `has a side of over ${maxSidePixels} pixels`, 'too-large');
    if (!(framesSeconds > 0 && Number.isFinite(framesSeconds))) throw invalidFile(field, 'has no duration');
    return { path, field, format, width, height, framesSeconds, hasSound };
  } finally {
    await file.close();
  }
};
