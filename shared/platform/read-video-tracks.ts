/** Reads from the index of a video how many frames a second it has, and whether it has sound. */
import { CustomSource, Input, MP4 } from 'mediabunny';
import type { RangedFile } from './ranged-file.ts';

export interface VideoTracks {
  /** The average of all frames. */
  readonly framesPerSecond: number;
  readonly hasSound: boolean;
}

/** Undefined for a file without frames. */
export async function readVideoTracks(
  file: Extract<RangedFile, { access: 'ranges' }>,
): Promise<VideoTracks | undefined> {
  const source = new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    prefetchProfile: 'network',
  });
  const input = new Input({ source, formats: [MP4] });
  try {
    const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
    const framesPerSecond = (await video?.computePacketStats())?.averagePacketRate ?? 0;
    const isKnown = framesPerSecond > 0 && Number.isFinite(framesPerSecond);
    return isKnown ? { framesPerSecond, hasSound: audio !== null } : undefined;
  } finally {
    input.dispose();
  }
}
