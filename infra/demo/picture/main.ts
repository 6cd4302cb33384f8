/**
 * `npm run demo:picture`: composes docs/results.webp from what `npm run demo -- --all` saved in demo-output/, and writes
 * the small media of the documentation.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { prepareFonts } from '../../../offline-engine/image/fonts.ts';
import { at, textLayer } from '../../../offline-engine/image/text-layer.ts';
import { generateContracts } from '../../../shared/contracts/generate.ts';
import { writeDocsMedia } from './docs-media.ts';

const columns = 4;
const cell = { width: 230, height: 200 } as const;
const picture = { width: 220, height: 166 } as const;

const folder = 'demo-output';
const saved = await readdir(folder).catch((cause: unknown) => {
  throw new Error('There is no folder demo-output: run `npm run demo -- --all` first.', { cause });
});

function resultOf(taskType: string): string {
  const name = saved.find((file) => new RegExp(`^${taskType}(-1)?\\.(png|jpg|webp|mp4|mp3)$`).test(file));
  if (!name) throw new Error(`demo-output has no result of ${taskType}: run \`npm run demo -- --all\` first.`);
  return join(folder, name);
}

/** An image, or a frame of a video after its beginning. */
const stillOf = async (path: string): Promise<Buffer | string> =>
  path.endsWith('.mp4')
    ? ffmpeg({ arguments: ['-ss', '1.5', '-i', path, ...'-frames:v 1 -f image2pipe -c:v png pipe:1'.split(' ')] })
    : path;

async function layersOf(taskType: string, index: number): Promise<OverlayOptions[]> {
  const [left, top] = [(index % columns) * cell.width, Math.floor(index / columns) * cell.height];
  const still = sharp(await stillOf(resultOf(taskType))).resize({ ...picture, fit: 'inside' });
  const { data: input, info } = await still.png().toBuffer({ resolveWithObject: true });
  const name = await textLayer({ text: taskType, size: 15, width: cell.width, color: '#222222' });
  if (!name) throw new Error(`The name "${taskType}" has no letters`);
  const middle = (width: number) => left + Math.round((cell.width - width) / 2);
  const above = top + 5 + Math.round((picture.height - info.height) / 2);
  return [{ input, left: middle(info.width), top: above }, at(name, middle(name.width), top + 177)];
}

await prepareFonts(resolve('build'));
const shown = Object.values(generateContracts).filter(({ medium }) => medium !== 'audio');
const layers = await Promise.all(shown.map(({ taskType }, index) => layersOf(taskType, index)));
const size = { width: columns * cell.width, height: Math.ceil(shown.length / columns) * cell.height };
await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
  .composite(layers.flat())
  .webp({ quality: 82 })
  .toFile('docs/results.webp');
await writeDocsMedia({ resultOf, stillOf });
process.stdout.write(`docs/results.webp shows a result of each of ${shown.length} operations.\n`);
