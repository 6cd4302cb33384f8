/** Measures results while they are copied, regardless of what their engine reports. */
import { isMeasured, type MeasuredFile } from '../../media-files/measured-file.ts';
import { measureFile } from '../../media-files/read-media.ts';
import type { MeasuredVideo } from '../tasks/video-promise.ts';

const areLengths = (...numbers: readonly number[]): boolean =>
  numbers.every((number) => number > 0 && Number.isFinite(number));

/** The result has too many parts to be measured, so that it is longer than any task permits. */
export type Endless = 'endless';

/**
 * The measurement is undefined after any error: a failing stream is noticed by its copy, and engines may use audio
 * codecs that cannot be measured.
 */
async function read(body: AsyncIterable<Uint8Array>): Promise<MeasuredFile | Endless | undefined> {
  const file = { access: 'stream', body, close: () => undefined } as const;
  const found = await measureFile(file, { takesDeclaredSound: true }).catch(() => undefined);
  if (!found || isMeasured(found)) return found;
  return found.fault === 'excessive' ? 'endless' : undefined;
}

/** Measures a video; undefined if it is not an MP4 with a video track and the content that it declares. */
export async function measureVideo(body: AsyncIterable<Uint8Array>): Promise<MeasuredVideo | Endless | undefined> {
  const found = await read(body);
  if (found === 'endless') return found;
  if (found?.contentType !== 'video/mp4') return undefined;
  const { width = 0, height = 0, durationSec, videoSec = 0 } = found;
  return areLengths(width, height, durationSec, videoSec) ? { width, height, durationSec, videoSec } : undefined;
}

/** Measures audio, in seconds; undefined if it is not an MP3 with audio. */
export async function measureSound(body: AsyncIterable<Uint8Array>): Promise<number | Endless | undefined> {
  const found = await read(body);
  if (found === 'endless') return found;
  return found?.contentType === 'audio/mpeg' && areLengths(found.durationSec) ? found.durationSec : undefined;
}
