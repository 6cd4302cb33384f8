/** Decodes the frames and audio of a downloaded video. */
import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import type { Image } from '../image/image.ts';
import { type Sound, samplesPerSecond, silentSound } from '../sound/sound.ts';
import { WorkFailure } from '../work-failure.ts';
import type { FetchedVideo } from './fetch-video.ts';

const limits = { cpuSeconds: 240, fileBytes: 0 };

const decoded = ({ field, format, path }: FetchedVideo, part: string, selection: string): Promise<Buffer> =>
  ffmpeg({
    arguments: [...`-threads 2 -f ${format} -i`.split(' '), path, ...selection.split(' '), 'pipe:1'],
    limits,
  }).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, `has ${part} that cannot be decoded`);
  });

interface Sampling {
  readonly framesPerSecond: number;
  readonly longestSide: number;
}

/** How much of a video may be missing at its end. */
const toleratedSeconds = 1;

/**
 * Upright frames at a fixed rate from the beginning, whatever the rate of the video. @throws {WorkFailure}
 * INPUT_INVALID if they cannot be decoded to the end
 */
export const decodeFrames = async (
  video: FetchedVideo,
  { framesPerSecond, longestSide }: Sampling,
): Promise<readonly Image[]> => {
  const factor = longestSide / Math.max(video.width, video.height);
  const side = (length: number) => Math.max(2, Math.round(length * factor));
  const [width, height] = [side(video.width), side(video.height)];
  const max = Math.ceil(video.framesSeconds * framesPerSecond);
  const filter = `fps=${framesPerSecond}:start_time=0,scale=${width}:${height}:flags=area`;
  const selection = `-map 0:v:0 -vf ${filter} -frames:v ${max} -f rawvideo -pix_fmt rgba`;
  const bytes = await decoded(video, 'frames', selection);
  const frameBytes = width * height * 4;
  const count = Math.floor(bytes.length / frameBytes);
  if (count === 0 || count / framesPerSecond < video.framesSeconds - toleratedSeconds) {
    throw invalidFile(video.field, 'is incomplete');
  }
  return Array.from({ length: count }, (_, index) => ({
    width,
    height,
    pixels: bytes.subarray(index * frameBytes, (index + 1) * frameBytes),
    hasAlpha: false,
  }));
};

/**
 * The audio as two interleaved channels, padded or truncated to exactly this duration; silence if the video has none.
 */
export const decodeSound = async (video: FetchedVideo, seconds: number): Promise<Sound> => {
  const sound = silentSound(2 * seconds);
  if (!video.hasSound) return sound;
  const bytes = await decoded(video, 'sound', `-map 0:a:0 -t ${seconds} -ar ${samplesPerSecond} -ac 2 -f f32le`);
  sound.set(new Float32Array(new Uint8Array(bytes).buffer, 0, Math.min(sound.length, Math.floor(bytes.length / 4))));
  return sound;
};
