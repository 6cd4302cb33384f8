/** Measures results while they are copied, whatever their engine says of them. */
import type { MeasuredFile } from '../../media-files/measured-file.ts';
import { readContainer } from '../../media-files/read-container.ts';
import type { MeasuredVideo } from '../tasks/video-promise.ts';

const isMeasured = (...numbers: readonly number[]): boolean =>
  numbers.every((number) => number > 0 && Number.isFinite(number));

/** A stream that fails is judged by its copy. */
const read = (body: AsyncIterable<Uint8Array>): Promise<MeasuredFile | undefined> =>
  readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);

/** Undefined if it is not an MP4 with a video track that contains what it declares. */
export async function measureVideo(body: AsyncIterable<Uint8Array>): Promise<MeasuredVideo | undefined> {
  const found = await read(body);
  if (found?.contentType !== 'video/mp4') return undefined;
  const { width = 0, height = 0, durationSec, videoSec = 0 } = found;
  return isMeasured(width, height, durationSec, videoSec) ? { width, height, durationSec, videoSec } : undefined;
}

/** In seconds; undefined if it is not an MP3 with sound. */
export async function measureSound(body: AsyncIterable<Uint8Array>): Promise<number | undefined> {
  const found = await read(body);
  return found?.contentType === 'audio/mpeg' && isMeasured(found.durationSec) ? found.durationSec : undefined;
}
