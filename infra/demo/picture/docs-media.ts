/** The small media of the documentation: an image of each sample and of each result, and short recordings. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import sharp from 'sharp';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { generateContracts } from '../../../shared/contracts/generate.ts';

const media = 'site/media';
const samples = 'infra/demo/samples';
const side = { width: 300, height: 300, fit: 'inside' } as const;

const writeImage = (name: string, image: Buffer | string) =>
  sharp(image)
    .resize(side)
    .webp({ quality: 60 })
    .toFile(join(media, `${name}.webp`));

const recordingOf = (path: string): Promise<Buffer> =>
  ffmpeg({ arguments: ['-i', path, ...'-map_metadata -1 -ac 1 -b:a 32k -f mp3 pipe:1'.split(' ')] });

interface Results {
  /** The path of an operation's saved result. */
  readonly resultOf: (taskType: string) => string;
  /** The image, or a frame of the video. */
  readonly stillOf: (path: string) => Promise<Buffer | string>;
}

export async function writeDocsMedia({ resultOf, stillOf }: Results): Promise<void> {
  await mkdir(media, { recursive: true });
  for (const file of ['astronaut.jpg', 'chelsea.webp', 'coffee.png', 'rocket.jpg']) {
    await writeImage(parse(file).name, join(samples, file));
  }
  for (const { medium, taskType } of Object.values(generateContracts)) {
    const path = resultOf(taskType);
    if (medium === 'audio') await writeFile(join(media, `${taskType}.mp3`), await recordingOf(path));
    else await writeImage(taskType, await stillOf(path));
  }
}
