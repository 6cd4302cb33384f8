/** A video with known scenes and silences, in which every frame shows its own number. */
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { readSample, type SampleName } from '../../../infra/demo/images/sample-server.ts';
import { factsOf } from '../../../offline-engine/fetch-file.ts';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { makeSpeech, type Silence } from './made-speech.ts';

export interface SourceOrder {
  /** Of the part that is repeated. */
  readonly partSeconds: number;
  readonly repeats: number;
  /** Frames per second, such as `30000/1001`. */
  readonly rate: string;
  /** Whether frames are left out irregularly. */
  readonly isVariable: boolean;
  /** Of the frames; absent for as few as their content needs. */
  readonly kilobitsPerSecond: number | undefined;
}

export interface MadeSource {
  readonly path: string;
  readonly bytes: number;
  readonly seconds: number;
  readonly framesPerSecond: number;
  readonly isVariable: boolean;
  /** The first frame of each scene but the first. */
  readonly scenes: readonly number[];
  readonly silences: readonly Silence[];
}

const size = { width: 640, height: 360 };
const images: readonly SampleName[] = ['rocket.jpg', 'astronaut.jpg', 'coffee.png', 'chelsea.webp'];
/** In turn. */
const sceneSeconds = [23, 11, 37, 17, 29, 8, 41];

/** Two rows of bits, the lowest first, in the middle of the frame, so that every crop shows them. */
const code = { columns: 8, rows: 2, side: 20, x: 240, y: 320 };

const codeFilters = [
  `drawbox=x=${code.x}:y=${code.y}:w=${code.columns * code.side}:h=${code.rows * code.side}:c=black:t=fill`,
  ...Array.from({ length: code.columns * code.rows }, (_, bit) => {
    const [x, y] = [code.x + (bit % code.columns) * code.side, code.y + Math.floor(bit / code.columns) * code.side];
    const place = `x=${x}:y=${y}:w=${code.side}:h=${code.side}`;
    return `drawbox=${place}:c=white:t=fill:enable='mod(floor(n/${2 ** bit}),2)'`;
  }),
].join(',');

interface Scene {
  readonly image: SampleName;
  readonly frames: number;
}

const scenesOf = (frames: number, framesPerSecond: number): readonly Scene[] => {
  const scenes: Scene[] = [];
  for (let from = 0, index = 0; from < frames; index += 1) {
    const wanted = Math.round((sceneSeconds[index % sceneSeconds.length] ?? 20) * framesPerSecond);
    const left = frames - from;
    const length = left - wanted < framesPerSecond * 4 ? left : wanted;
    scenes.push({ image: images[index % images.length] ?? 'rocket.jpg', frames: length });
    from += length;
  }
  return scenes;
};

const ratio = (rate: string): number => {
  const [over = 1, under = 1] = rate.split('/').map(Number);
  return over / under;
};

/** Large enough to pan over. */
const canvas = { width: 800, height: 450 };

async function framesOf(folder: string, scenes: readonly Scene[], order: SourceOrder): Promise<string> {
  const path = join(folder, 'frames.mp4');
  const files = images.map((name) => join(folder, `${name}.jpg`));
  for (const [index, name] of images.entries()) {
    const fitted = sharp(await readSample(name)).resize({ ...canvas, fit: 'cover', position: 'attention' });
    await writeFile(files[index] ?? '', await fitted.flatten().jpeg().toBuffer());
  }
  const inputs = scenes.flatMap(({ image }) => ['-i', files[images.indexOf(image)] ?? '']);
  const pans = scenes.map(({ frames }, index) => {
    const [from, to] = index % 2 === 0 ? ['n', `(${frames}-n)`] : [`(${frames}-n)`, 'n'];
    const room = [canvas.width - size.width, canvas.height - size.height];
    const crop = `crop=${size.width}:${size.height}:x='${room[0]}*${from}/${frames}':y='${room[1]}*${to}/${frames}'`;
    // The time base is that of the rate: fractions of it would be rounded down, and some frames lost.
    const still = `loop=loop=-1:size=1,setpts=N,trim=end_frame=${frames}`;
    return `[${index}:v]fps=${order.rate},${still},${crop},setsar=1[s${index}]`;
  });
  const joined = `${scenes.map((_, index) => `[s${index}]`).join('')}concat=n=${scenes.length}:v=1:a=0`;
  const noise = order.kilobitsPerSecond === undefined ? [] : ['noise=alls=40:allf=t'];
  // Two of three frames in every other five seconds.
  const thinned = order.isVariable ? ["select='gt(mod(t,10),5)+mod(n,3)'"] : [];
  const last = [...noise, codeFilters, ...thinned, 'format=yuv420p'].join(',');
  const kbps = order.kilobitsPerSecond;
  const bitrate =
    kbps === undefined
      ? ['-crf', '30']
      : `-b:v ${kbps}k -minrate ${kbps}k -maxrate ${kbps}k -bufsize ${kbps}k`.split(' ');
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '250', ...bitrate, '-vsync', 'vfr'];
  const graph = `${pans.join(';')};${joined},${last}[v]`;
  await ffmpeg({
    arguments: [...inputs, '-filter_complex', graph, '-map', '[v]', ...encoding, path],
    timeLimitSeconds: 3600,
  });
  return path;
}

/** Frames may be left out at the end. */
const toleratedSeconds = 0.1;

async function framesSeconds(path: string, bytes: number): Promise<number> {
  const file = await open(path);
  try {
    return (await factsOf(file, bytes))?.videoSec ?? 0;
  } finally {
    await file.close();
  }
}

/** Both tracks are repeated by themselves, because the sound's packets end a little later than the frames. */
export async function makeSource(folder: string, order: SourceOrder): Promise<MadeSource> {
  const framesPerSecond = ratio(order.rate);
  const frames = Math.round(order.partSeconds * framesPerSecond);
  const partSeconds = frames / framesPerSecond;
  const scenes = scenesOf(frames, framesPerSecond);
  const { wav, silences } = await makeSpeech(partSeconds);
  const [sound, path] = [join(folder, 'sound.wav'), join(folder, 'source.mp4')];
  await writeFile(sound, wav);
  const part = await framesOf(folder, scenes, order);
  const repeated = async (file: string): Promise<readonly string[]> => {
    const list = `${file}.txt`;
    await writeFile(list, `file '${file}'\n`.repeat(order.repeats));
    return ['-f', 'concat', '-safe', '0', '-i', list];
  };
  const tracks = '-map 0:v -map 1:a -c:v copy -c:a aac -b:a 64k -movflags +faststart'.split(' ');
  await ffmpeg({
    arguments: [...(await repeated(part)), ...(await repeated(sound)), ...tracks, path],
    timeLimitSeconds: 3600,
  });
  await Promise.all([part, sound].map((file) => rm(file)));
  const starts = scenes.map((_, index) => scenes.slice(0, index).reduce((sum, { frames: length }) => sum + length, 0));
  const offsets = Array.from({ length: order.repeats }, (_, at) => at);
  const { size: bytes } = await stat(path);
  const seconds = await framesSeconds(path, bytes);
  if (Math.abs(seconds - partSeconds * order.repeats) > toleratedSeconds) {
    throw new Error(`the frames of the source last ${seconds} s instead of ${partSeconds * order.repeats} s`);
  }
  return {
    path,
    bytes,
    seconds,
    // The times of parts are rounded where they are joined.
    framesPerSecond: order.isVariable ? framesPerSecond : (frames * order.repeats) / seconds,
    isVariable: order.isVariable,
    scenes: offsets.flatMap((at) => starts.map((start) => at * frames + start)).slice(1),
    silences: offsets.flatMap((at) =>
      silences.map(({ start, end }) => ({ start: at * partSeconds + start, end: at * partSeconds + end })),
    ),
  };
}

/** The numbers that the frames of a clip of the whole frame show. */
export async function frameNumbers(path: string, clip: { readonly width: number; readonly height: number }) {
  const [across, down] = [clip.width / size.width, clip.height / size.height];
  const { columns, rows, side, x, y } = code;
  const crop = `crop=${columns * side * across}:${rows * side * down}:${x * across}:${y * down}`;
  const filter = `${crop},scale=${columns}:${rows}:flags=area,format=gray`;
  const output = `-vf ${filter} -vsync 0 -f rawvideo pipe:1`.split(' ');
  const bits = await ffmpeg({ arguments: ['-i', path, '-map', '0:v:0', ...output], timeLimitSeconds: 3600 });
  const length = columns * rows;
  return Array.from({ length: bits.length / length }, (_, frame) =>
    bits
      .subarray(frame * length, (frame + 1) * length)
      .reduce((sum, value, bit) => sum + (value > 127 ? 2 ** bit : 0), 0),
  );
}
