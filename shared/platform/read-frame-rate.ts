/** Reads how many frames a second a video has, from its index. */
import { CustomSource, Input, MP4 } from 'mediabunny';
import type { RangedFile } from './ranged-file.ts';

/** The average of all frames; undefined for a file without any. */
export async function readFrameRate(file: Extract<RangedFile, { access: 'ranges' }>): Promise<number | undefined> {
  const source = new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    prefetchProfile: 'network',
  });
  const input = new Input({ source, formats: [MP4] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const rate = (await track?.computePacketStats())?.averagePacketRate;
    return rate !== undefined && rate > 0 && Number.isFinite(rate) ? rate : undefined;
  } finally {
    input.dispose();
  }
}
