/** Creates the recording and the long video for the demo, so that no recording of a person is needed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { espeak } from '../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../offline-engine/speech/persona-variant.ts';
import { readSample } from './images/sample-server.ts';
import type { PageFile } from './results-page.ts';

const speech = (text: string): Promise<Buffer> => {
  const expression = { stability: 0.4, similarityBoost: 0.75 };
  return espeak({ language: 'pt-br', text, ...personaVariant(namedPersona('brian'), expression) });
};

async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-inputs-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const recording = (): Promise<PageFile> =>
  inFolder(async (folder) => {
    const path = join(folder, 'recording.mp3');
    const input = await speech('Bom dia! Este é o meu recado de hoje, e você vai ouvi-lo com a voz de outra pessoa.');
    await ffmpeg({ arguments: ['-f', 'wav', '-i', 'pipe:0', ...'-c:a libmp3lame -b:a 64k'.split(' '), path], input });
    return { caption: 'recording.mp3', contentType: 'audio/mpeg', bytes: await readFile(path) };
  });

export const interviewSeconds = 50;

const scenes = [
  {
    image: 'astronaut.jpg',
    text: 'Quando cheguei à base pela primeira vez, ninguém sabia o meu nome. Passei um ano só ouvindo.',
  },
  {
    image: 'rocket.jpg',
    text: 'Depois veio o lançamento. O chão tremia tanto que as xícaras dançavam na mesa da cozinha.',
  },
  {
    image: 'coffee.png',
    text: 'E foi ali, com um café na mão, que tivemos a ideia mais simples e mais ousada da missão.',
  },
] as const;

const size = { width: 640, height: 360 };
const sceneSeconds = interviewSeconds / scenes.length;

/** Three scenes, with the camera panning over each while a passage is spoken. */
export const interview = (): Promise<PageFile> =>
  inFolder(async (folder) => {
    const inputs: string[] = [];
    const graph: string[] = [];
    for (const [index, { image, text }] of scenes.entries()) {
      const [still, sound] = [join(folder, image), join(folder, `${index}.wav`)];
      await writeFile(still, await readSample(image));
      await writeFile(sound, await speech(text));
      inputs.push('-i', still, '-i', sound);
      const pan = `crop=${size.width}:${size.height}:x='(iw-${size.width})*t/${sceneSeconds}':y='(ih-${size.height})/20'`;
      const film = `scale=800:-2,loop=loop=-1:size=1,setpts=N/15/TB,trim=duration=${sceneSeconds},${pan},setsar=1`;
      graph.push(`[${2 * index}:v]fps=15,${film}[v${index}]`);
      graph.push(`[${2 * index + 1}:a]adelay=700,apad,atrim=duration=${sceneSeconds}[a${index}]`);
    }
    const parts = scenes.map((_, index) => `[v${index}][a${index}]`).join('');
    graph.push(`${parts}concat=n=${scenes.length}:v=1:a=1[v][a]`);
    const tracks =
      '-map [v] -map [a] -r 15 -pix_fmt yuv420p -c:v libx264 -preset veryfast -c:a aac -movflags +faststart';
    const path = join(folder, 'interview.mp4');
    await ffmpeg({ arguments: [...inputs, '-filter_complex', graph.join(';'), ...tracks.split(' '), path] });
    const poster = await ffmpeg({ arguments: ['-i', path, ...'-frames:v 1 -f mjpeg pipe:1'.split(' ')] });
    return { caption: 'interview.mp4', contentType: 'video/mp4', bytes: await readFile(path), poster };
  });
