/** Writes the video and the poster of a job: an MP4 with H.264 and AAC that can be played while it is downloaded. */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg } from '../ffmpeg.ts';
import type { FrameSize } from '../image/frame-size.ts';
import type { OutputFile, WorkContext } from '../operation.ts';
import { bytesOfSound, type Sound, samplesPerSecond } from '../sound/sound.ts';
import { blankFrame, bytesOf, type Frame } from './frame.ts';
import { inWorkFolder } from './work-folder.ts';

/** The frame rate is chosen so that every tenth of a second is a whole number of frames. */
export const framesPerSecond = 30;

export interface Video {
  /** The width and height, which must be even because of the color format. */
  readonly size: FrameSize;
  readonly seconds: number;
  /** Paints the frame with this index over the previous one. */
  readonly paint: (frame: Frame, index: number) => void | Promise<void>;
  /** The audio; if absent, the video has no audio track. */
  readonly sound?: Sound;
  /** How many channels are interleaved in the audio; one if absent. */
  readonly channels?: 1 | 2;
  /** The strength of the noise of a bad camera, as a difference in levels from 0 to 255. */
  readonly grain?: number;
  /** A description for the file's metadata, in ASCII. */
  readonly remark: string;
}

const limits = { cpuSeconds: 480, fileBytes: 256 * 2 ** 20 };

/** The ffmpeg command; frames come from stdin, the audio from a file next to the video. */
const commandFor = (video: Video, soundPath: string, path: string): readonly string[] => {
  const { size, seconds, remark, sound, channels = 1, grain = 0 } = video;
  const noise = grain > 0 ? `noise=alls=${grain}:allf=t,` : '';
  return [
    ...`-f rawvideo -pixel_format rgb0 -video_size ${size.width}x${size.height}`.split(' '),
    ...`-framerate ${framesPerSecond} -i pipe:0`.split(' '),
    ...(sound ? `-protocol_whitelist file -f f32le -ar ${samplesPerSecond} -ac ${channels} -i`.split(' ') : []),
    ...(sound ? [soundPath] : []),
    ...(sound ? '-map 0:v -map 1:a -c:a aac -b:a 160k -ac 2' : '-map 0:v').split(' '),
    ...`-vf ${noise}scale=out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p`.split(' '),
    ...'-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv'.split(' '),
    ...`-c:v libx264 -preset veryfast -crf 20 -profile:v high -t ${seconds} -threads 2`.split(' '),
    // Limits the rate, because grain would otherwise take more space than the rest of the image.
    ...'-maxrate 10M -bufsize 10M'.split(' '),
    ...'-map_metadata -1 -movflags +faststart -f mp4 -metadata'.split(' '),
    `comment=${remark}`,
    path,
  ];
};

/**
 * Writes a video of exactly this size and duration, and a JPEG of its first frame. Each frame is encoded before the
 * next is painted, so that only one is in memory. `progress` goes from 0 to 1.
 */
export const encodeVideo = (
  video: Video,
  context: WorkContext,
  progress: (share: number) => void,
): Promise<OutputFile> =>
  inWorkFolder(context, async (folder) => {
    const { filesDir, fileStem } = context;
    const [made, sound] = [join(folder, 'video.mp4'), join(folder, 'sound.f32')];
    const count = Math.round(video.seconds * framesPerSecond);
    const frame = blankFrame(video.size);
    async function* painted() {
      for (let index = 0; index < count; index += 1) {
        await video.paint(frame, index);
        progress(index / count);
        yield bytesOf(frame);
      }
    }
    if (video.sound) await writeFile(sound, bytesOfSound(video.sound));
    await ffmpeg({ arguments: commandFor(video, sound, made), input: painted(), limits });
    const poster = `${fileStem}-1.jpg`;
    const still = ['-f', 'mp4', '-i', made, ...'-frames:v 1 -q:v 3 -f mjpeg'.split(' '), join(folder, poster)];
    await ffmpeg({ arguments: still, limits });
    await rename(join(folder, poster), join(filesDir, poster));
    await rename(made, join(filesDir, `${fileStem}.mp4`));
    return {
      fileName: `${fileStem}.mp4`,
      contentType: 'video/mp4',
      ...video.size,
      durationSec: video.seconds,
      posterName: poster,
    };
  });
