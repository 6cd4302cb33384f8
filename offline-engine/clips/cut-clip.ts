/** Cuts a clip out of a video: cropped, scaled, and encoded so that it can be played while it is downloaded. */
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import type { FrameSize } from '../image/frame-size.ts';
import type { OutputFile, WorkContext } from '../operation.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { WorkFailure } from '../work-failure.ts';
import type { ChosenClip } from './choose-clips.ts';
import type { ClipRate } from './clip-rate.ts';
import type { CropSize } from './crop-path.ts';

const limits = { cpuSeconds: 480, fileBytes: 160 * 2 ** 20 };

interface Cut {
  readonly clip: ChosenClip;
  /** The clip's number, from 1. */
  readonly position: number;
  readonly size: FrameSize;
  readonly rate: ClipRate;
  readonly crop: CropSize;
  /** Where the part of the frame begins at time `t` in the clip, as a share of the cropped side. */
  readonly offset: string;
}

const lengthOf = ({ start, end }: ChosenClip): string => (end - start).toFixed(3);

/**
 * The visible part is rounded to even pixels, as the color format requires, and therefore stretched by less than one
 * pixel.
 */
const filterFor = ({ clip, crop, offset, size, rate }: Cut): string => {
  const [x, y] = crop.width < 1 ? [`iw*(${offset})`, '0'] : ['0', `ih*(${offset})`];
  const cropped = `crop=w='iw*${crop.width}':h='ih*${crop.height}':x='${x}':y='${y}'`;
  // The clip is trimmed by its end time, because a duration would count from the first frame, which may be slightly
  // later than the beginning.
  const trimmed = `trim=end=${lengthOf(clip)}`;
  // Crops by the original times of frames, and only then shifts the times so that the first frame is at 0; otherwise a
  // frame could be shown twice.
  const even = `setpts=PTS-STARTPTS${rate.isOfSource ? '' : `,fps=${rate.rate}`}`;
  return `${trimmed},${cropped},${even},scale=${size.width}:${size.height}:flags=bicubic,setsar=1`;
};

const inputOf = ({ format, path }: FetchedVideo, { start }: ChosenClip): readonly string[] => [
  ...`-threads 2 -ss ${start.toFixed(3)} -f ${format} -i`.split(' '),
  path,
];

/** Adds silence if the video has no audio, so that all clips of a video have the same tracks. */
const soundOf = ({ hasSound }: FetchedVideo): readonly string[] =>
  hasSound
    ? '-map 0:a:0 -af aresample=async=1:first_pts=0,apad'.split(' ')
    : '-f lavfi -i anullsrc=r=48000:cl=stereo -map 1:a:0'.split(' ');

const encoding = [
  '-map 0:v:0 -map_metadata -1 -map_chapters -1 -pix_fmt yuv420p',
  '-c:v libx264 -preset veryfast -crf 21 -maxrate 8M -bufsize 16M -profile:v high -threads 2',
  '-c:a aac -b:a 128k -ar 48000 -ac 2 -movflags +faststart -f mp4 -metadata',
].flatMap((line) => line.split(' '));

/** The poster is taken after the beginning, because opening frames are often dark or blurred. */
const posterSeconds = 0.5;

const undecodable = (field: string) => (error: unknown) => {
  if (error instanceof WorkFailure) throw error;
  throw invalidFile(field, 'has parts that cannot be decoded');
};

/** Writes the clip and its poster. @throws {WorkFailure} INPUT_INVALID */
export const cutClip = async (
  video: FetchedVideo,
  cut: Cut,
  folder: string,
  { filesDir, fileStem }: WorkContext,
): Promise<OutputFile> => {
  const { clip, position, size, rate } = cut;
  const [fileName, posterName] = [`${fileStem}-${position}.mp4`, `${fileStem}-${position}.jpg`];
  const [made, poster] = [join(folder, fileName), join(folder, posterName)];
  const frames = ['-vf', filterFor(cut), '-r', rate.rate, '-vsync', 'vfr'];
  const output = [...frames, '-t', lengthOf(clip), ...encoding, 'comment=Cut by the offline engine.', made];
  await ffmpeg({ arguments: [...inputOf(video, clip), ...soundOf(video), ...output], limits }).catch(
    undecodable(video.field),
  );
  const durationSec = Math.round((clip.end - clip.start) * 10) / 10;
  const at = Math.min(posterSeconds, (clip.end - clip.start) / 2).toFixed(3);
  const still = ['-ss', at, '-f', 'mp4', '-i', made, ...'-frames:v 1 -q:v 4 -f mjpeg'.split(' '), poster];
  await ffmpeg({ arguments: still, limits }).catch(undecodable(video.field));
  // An empty file means that the track ends earlier than the container claims.
  if ((await stat(poster)).size === 0) throw invalidFile(video.field, 'is incomplete');
  await rename(poster, join(filesDir, posterName));
  await rename(made, join(filesDir, fileName));
  const { start: startTime, end: endTime, score } = clip;
  return {
    fileName,
    contentType: 'video/mp4',
    ...size,
    durationSec,
    posterName,
    clip: { score, startTime, endTime },
  };
};
