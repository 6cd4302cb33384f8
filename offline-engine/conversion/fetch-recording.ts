/** Downloads recordings of speech by URL, and checks their containers before they are decoded. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { inputLimits } from '../../shared/contracts/media.ts';
import { fetchFile, invalidFile, limitSeconds } from '../fetch-file.ts';

const { maxBytes, maxSeconds } = inputLimits.audio;
/** The tolerance of the duration, because the measured one is not rounded. */
const toleratedSeconds = 0.05;

/** The formats of recordings, by ffmpeg's names. */
const formats: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/webm': 'matroska',
  'audio/x-matroska': 'matroska',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/x-matroska': 'matroska',
};

/** A recording in a local file. */
export interface Recording {
  readonly path: string;
  /** The input field with the recording's URL. */
  readonly field: string;
  readonly format: string;
  /** The duration according to the container. */
  readonly seconds: number;
  readonly hasVideo: boolean;
}

/**
 * Downloads a recording. @throws {WorkFailure} DOWNLOAD_FAILED, or INPUT_INVALID if it is not a recording within the
 * limits
 */
export const fetchRecording = async (url: string, field: string, folder: string): Promise<Recording> => {
  const path = join(folder, field);
  const file = await open(path, 'wx+');
  try {
    const facts = await fetchFile({ url, field, maxBytes, limitSeconds }, file);
    const format = facts && formats[facts.contentType];
    if (!format) throw invalidFile(field, 'is not a recording of an accepted type');
    const { hasAudio, hasVideo, durationSec } = facts;
    if (!hasAudio) throw invalidFile(field, 'contains no audio');
    if (!(durationSec > 0 && Number.isFinite(durationSec))) throw invalidFile(field, 'has no duration');
    if (durationSec > maxSeconds + toleratedSeconds) {
      throw invalidFile(field, `must be at most ${maxSeconds} seconds long`);
    }
    return { path, field, format, seconds: durationSec, hasVideo };
  } finally {
    await file.close();
  }
};
