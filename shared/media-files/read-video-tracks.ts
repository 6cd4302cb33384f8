/** Reads from the index of a video how many frames a second it has, and whether it has sound. */
import { CustomSource, Input, MP4, QTFF } from 'mediabunny';
import { followFile } from './follow-walk.ts';
import { framesOfMp4 } from './mp4-frames.ts';
import type { SeekableFile } from './readable-file.ts';

export interface VideoTracks {
  /** The average of all frames; of a video in fragments, that of its first frames. */
  readonly framesPerSecond: number;
  readonly hasSound: boolean;
}

/** The boxes before the index. */
const maxReads = 1000;
/** Of a video in fragments, the index of each fragment is read on its own. */
const framesInFragments = 300;

const readFrames = (file: SeekableFile) => followFile(framesOfMp4(), file, maxReads);

/** Whether the index of an MP4 contradicts itself: the reader of containers may have no end in such a file. */
export const isBrokenMp4 = async (file: SeekableFile): Promise<boolean> => (await readFrames(file)) === 'broken';

/** Undefined for a file without frames, or with an index that contradicts itself. */
export async function readVideoTracks(file: SeekableFile): Promise<VideoTracks | undefined> {
  const frames = await readFrames(file);
  if (!frames || frames === 'broken') return undefined;
  const source = new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    // What lies between the indexes of fragments is not read.
    prefetchProfile: 'none',
  });
  const input = new Input({ source, formats: [MP4, QTFF] });
  try {
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    if (!video) return undefined;
    const framesPerSecond = frames.isFragmented
      ? (await video.computePacketStats(framesInFragments)).averagePacketRate
      : (frames.rates.get(video.id) ?? 0);
    const isKnown = framesPerSecond > 0 && Number.isFinite(framesPerSecond);
    return isKnown ? { framesPerSecond, hasSound: audio !== null } : undefined;
  } finally {
    input.dispose();
  }
}
