/** One image of the first, middle and last frame of every clip, to look at. */
import sharp from 'sharp';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';

interface SeenClip {
  readonly path: string;
  readonly durationSec: number;
}

const height = 300;
const gap = 8;

const frameAt = async (path: string, seconds: number): Promise<Buffer> => {
  const position = ['-ss', Math.max(0, seconds).toFixed(3), '-i', path];
  const output = `-frames:v 1 -vf scale=-2:${height} -f image2pipe -c:v png pipe:1`.split(' ');
  return ffmpeg({ arguments: [...position, ...output] });
};

const row = async (images: readonly Buffer[], direction: 'across' | 'down'): Promise<Buffer> => {
  const sizes = await Promise.all(images.map(async (image) => sharp(image).metadata()));
  const along = direction === 'across' ? 'width' : 'height';
  const beside = direction === 'across' ? 'height' : 'width';
  const placed = images.map((input, index) => {
    const at = sizes.slice(0, index).reduce((sum, size) => sum + size[along] + gap, 0);
    return direction === 'across' ? { input, left: at, top: 0 } : { input, left: 0, top: at };
  });
  const length = sizes.reduce((sum, size) => sum + size[along] + gap, -gap);
  const breadth = Math.max(...sizes.map((size) => size[beside]));
  const [width, tall] = direction === 'across' ? [length, breadth] : [breadth, length];
  const canvas = sharp({ create: { width, height: tall, channels: 3, background: '#808080' } });
  return canvas.composite(placed).png().toBuffer();
};

export async function contactSheet(clips: readonly SeenClip[]): Promise<Buffer> {
  const rows: Buffer[] = [];
  for (const { path, durationSec } of clips) {
    // Durations are rounded, and the last frame begins earlier.
    const times = [0, durationSec / 2, durationSec - 0.2];
    const frames: Buffer[] = [];
    for (const seconds of times) frames.push(await frameAt(path, seconds));
    rows.push(await row(frames, 'across'));
  }
  return row(rows, 'down');
}
