/**
 * Videos whose frames show their numbers and positions, so that a test can see which frames a clip contains, and which
 * part of them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryFolder } from '../../fakes/temporary-folder.ts';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';

const bits = 10;
const [width, height] = [320, 180];

/** The rows show the bits of the number in black and white; blue grows from left to right. */
const picture = [`lum='16+219*mod(floor(N/pow(2,floor(Y*${bits}/H))),2)'`, "cb='32+192*X/W'", 'cr=128'].join(':');

/** Creates an MP4 of 16:9 with a tone. The rate is a number or a fraction. */
export async function numberedVideo(rate: string, seconds: number): Promise<Buffer> {
  return inTemporaryFolder(async (folder) => {
    const path = join(folder, 'video.mp4');
    const frames = `color=s=${width}x${height}:r=${rate},format=yuv444p,geq=${picture}`;
    const sources = ['-f', 'lavfi', '-i', frames, '-f', 'lavfi', '-i', 'sine=frequency=440'];
    const codecs = '-c:v libx264 -preset ultrafast -qp 12 -g 48 -pix_fmt yuv420p -c:a aac'.split(' ');
    await ffmpeg({ arguments: [...sources, ...codecs, '-t', String(seconds), path] });
    return await readFile(path);
  });
}

export interface NumberedFrame {
  readonly number: number;
  /** The left and right edges of the visible part, as shares of the original frame's width. */
  readonly from: number;
  readonly to: number;
}

const readSize = { width: 40, height: bits * 8 };

function readFrame(luma: Buffer, blue: Buffer): NumberedFrame {
  const middle = (bit: number) => luma[(bit * 8 + 4) * readSize.width + readSize.width / 2] ?? 0;
  const set = Array.from({ length: bits }, (_, bit) => (middle(bit) > 128 ? 2 ** bit : 0));
  const row = Array.from({ length: readSize.width }, (_, x) => ((blue[x + 40 * readSize.width] ?? 0) - 32) / 192);
  const step = ((row[34] ?? 0) - (row[5] ?? 0)) / 29;
  const start = (row[5] ?? 0) - 5.5 * step;
  return { number: set.reduce((sum, value) => sum + value, 0), from: start, to: start + readSize.width * step };
}

/** The frames of a clip in order; also those of an image. */
export async function numberedFrames(file: Uint8Array): Promise<readonly NumberedFrame[]> {
  const filter = `scale=${readSize.width}:${readSize.height}:flags=area,format=yuv444p`;
  const decoding = `-i pipe:0 -vsync 0 -vf ${filter} -f rawvideo pipe:1`.split(' ');
  const raw = await ffmpeg({ arguments: decoding, input: file });
  const plane = readSize.width * readSize.height;
  return Array.from({ length: raw.length / (3 * plane) }, (_, index) => {
    const at = index * 3 * plane;
    return readFrame(raw.subarray(at, at + plane), raw.subarray(at + plane, at + 2 * plane));
  });
}

/** The positions at which the frames of two clips look different. */
export async function differingFrames(one: Uint8Array, other: Uint8Array): Promise<readonly number[]> {
  const frameBytes = 64 * 36;
  const decoding = '-i pipe:0 -vsync 0 -vf scale=64:36:flags=area,format=gray -f rawvideo pipe:1'.split(' ');
  const [first, second] = await Promise.all([one, other].map((input) => ffmpeg({ arguments: decoding, input })));
  if (!first || first.length !== second?.length) throw new Error('The clips have different numbers of frames.');
  const isDifferent = (at: number) =>
    first.subarray(at, at + frameBytes).some((value, index) => Math.abs(value - (second[at + index] ?? 0)) > 48);
  const places = Array.from({ length: first.length / frameBytes }, (_, index) => index);
  return places.filter((index) => isDifferent(index * frameBytes));
}
