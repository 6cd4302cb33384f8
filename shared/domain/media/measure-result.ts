/** Measures results while they are copied, whatever their engine says of them. */
import { isMeasured, type MeasuredFile } from '../../media-files/measured-file.ts';
import { measureFile } from '../../media-files/read-media.ts';
import type { MeasuredVideo } from '../tasks/video-promise.ts';

const areLengths = (...numbers: readonly number[]): boolean =>
  numbers.every((number) => number > 0 && Number.isFinite(number));

/** A stream that fails is judged by its copy. Engines may choose codecs of sound that cannot be measured. */
async function read(body: AsyncIterable<Uint8Array>): Promise<MeasuredFile | undefined> {
  const file = { access: 'stream', body, close: () => undefined } as const;
  const found = await measureFile(file, { takesDeclaredSound: true }).catch(() => undefined);
  return found && isMeasured(found) ? found : undefined;
}

/** Undefined if it is not an MP4 with a video track that contains what it declares. */
export async function measureVideo(body: AsyncIterable<Uint8Array>): Promise<MeasuredVideo | undefined> {
  const found = await read(body);
  if (found?.contentType !== 'video/mp4') return undefined;
  const { width = 0, height = 0, durationSec, videoSec = 0 } = found;
  return areLengths(width, height, durationSec, videoSec) ? { width, height, durationSec, videoSec } : undefined;
}

/** In seconds; undefined if it is not an MP3 with sound. */
export async function measureSound(body: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  const found = await read(body);
  return found?.contentType === 'audio/mpeg' && areLengths(found.durationSec) ? found.durationSec : undefined;
}
