/** Reads the size and duration of an MP4 while it is copied. */
import { readContainer } from '../../media-files/read-container.ts';
import type { MeasuredVideo } from '../tasks/video-promise.ts';

/** Reads no further than the index, which may be at the end. Undefined if it is not an MP4 with a video track. */
export async function measureVideo(body: AsyncIterable<Uint8Array>): Promise<MeasuredVideo | undefined> {
  // The reader throws whatever it stumbles over in a broken file.
  const found = await readContainer({ access: 'stream', body, close: () => undefined }).catch(() => undefined);
  if (found?.contentType !== 'video/mp4') return undefined;
  const { width = 0, height = 0, durationSec, videoSec = 0 } = found;
  const isMeasured = [width, height, durationSec, videoSec].every((number) => number > 0 && Number.isFinite(number));
  return isMeasured ? { width, height, durationSec, videoSec } : undefined;
}
