/** Cuts, crops and scales videos for the fakes of providers that do so: real clips, exact to the frame. */
import { ffmpeg } from '../offline-engine/ffmpeg.ts';

interface VideoCut {
  /** The path of a local MP4. */
  readonly path: string;
  readonly outputPath: string;
  /** Selects the frames that begin within this span, in seconds; all by default. */
  readonly span?: { readonly startSec: number; readonly seconds: number };
  /** An ffmpeg filter. */
  readonly filter?: string;
}

/** A filter that scales and crops to the center, without distortion. */
export const centeredCrop = (width: number, height: number): string =>
  `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=bilinear,crop=${width}:${height},setsar=1`;

const limits = { cpuSeconds: 480, fileBytes: 512 * 2 ** 20 };

const encoding = '-c:v libx264 -preset ultrafast -crf 20 -pix_fmt yuv420p -c:a aac -b:a 128k'.split(' ');
const container = '-map_metadata -1 -movflags +faststart -f mp4'.split(' ');

/** Writes an MP4 with H.264, and AAC if the video has audio, that can be played while it is downloaded. */
export async function cutVideo({ path, outputPath, span, filter }: VideoCut): Promise<void> {
  const seek = span ? ['-ss', span.startSec.toFixed(6)] : [];
  const length = span ? ['-t', span.seconds.toFixed(6)] : [];
  const tracks = '-map 0:v:0 -map 0:a:0?'.split(' ');
  const filters = filter ? ['-vf', filter] : [];
  const input = [...seek, '-f', 'mp4', '-i', path, ...length];
  await ffmpeg({ arguments: [...input, ...tracks, ...filters, ...encoding, ...container, outputPath], limits });
}

interface StillRequest {
  readonly path: string;
  /** Selects the last frame that begins at or before this time. */
  readonly atSec: number;
  readonly filter?: string;
}

/** A JPEG of a frame; empty if the video has no frame at that time. */
export const stillOf = ({ path, atSec, filter }: StillRequest): Promise<Buffer> =>
  ffmpeg({
    arguments: [
      '-ss',
      atSec.toFixed(6),
      ...'-f mp4 -i'.split(' '),
      path,
      ...(filter ? ['-vf', filter] : []),
      ...'-frames:v 1 -q:v 4 -f mjpeg pipe:1'.split(' '),
    ],
    limits,
  });
