/** The fake's default audio: a tone of the requested duration. */
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';

/** An MP3 of at least half a second. */
export const plainSound = (seconds: number): Promise<Buffer> => {
  const tone = `sine=frequency=220:duration=${Math.max(0.5, seconds)}`;
  return ffmpeg({ arguments: ['-f', 'lavfi', '-i', tone, ...'-c:a libmp3lame -b:a 64k -f mp3 pipe:1'.split(' ')] });
};
