/** Creates the recording and the videos of the demo, so that no recording of a person is needed. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTemporaryFolder } from '../../fakes/temporary-folder.ts';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { espeak } from '../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../offline-engine/speech/persona-variant.ts';
import type { DemoOptions } from './demo-options.ts';
import { readSample } from './images/sample-server.ts';
import type { PageFile } from './results-page.ts';

const speech = (text: string): Promise<Buffer> => {
  const expression = { stability: 0.4, similarityBoost: 0.75 };
  return espeak({ language: 'pt-br', text, ...personaVariant(namedPersona('brian'), expression) });
};

async function videoFile(path: string, caption: string): Promise<PageFile> {
  const poster = await ffmpeg({ arguments: ['-i', path, ...'-frames:v 1 -f mjpeg pipe:1'.split(' ')] });
  return { caption, contentType: 'video/mp4', bytes: await readFile(path), poster };
}

const recording = (): Promise<PageFile> =>
  inTemporaryFolder(async (folder) => {
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
const interview = (): Promise<PageFile> =>
  inTemporaryFolder(async (folder) => {
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
    return videoFile(path, 'interview.mp4');
  });

export const motionSeconds = 4;

/** The sample portrait, which sways, nods and leans, with a soft tone: the motion to imitate. */
const motion = (): Promise<PageFile> =>
  inTemporaryFolder(async (folder) => {
    const [portrait, path] = [join(folder, 'portrait.jpg'), join(folder, 'motion.mp4')];
    await writeFile(portrait, await readSample('astronaut.jpg'));
    const graph =
      "[0]scale=330:330,rotate='0.25*sin(2*PI*t/2)':c=0x5b6470[face];" +
      "[1][face]overlay=x='15+70*sin(2*PI*t/4)':y='150+50*sin(2*PI*t/1.6)',format=yuv420p[v]";
    const sources =
      '-f lavfi -i color=c=0x5b6470:s=360x640:r=30 -f lavfi -i sine=frequency=262,volume=0.3,tremolo=f=2'.split(' ');
    const tracks = `-map [v] -map 2:a -c:v libx264 -preset veryfast -c:a aac -movflags +faststart -t ${motionSeconds}`;
    const given = ['-loop', '1', '-framerate', '30', '-i', portrait, ...sources, '-filter_complex', graph];
    await ffmpeg({ arguments: [...given, ...tracks.split(' '), path] });
    return videoFile(path, 'motion.mp4');
  });

/** The inputs that a demo needs besides the samples. */
export async function madeInputs(show: DemoOptions['show']): Promise<readonly PageFile[]> {
  if (show === 'videos') return [await motion()];
  return show === 'all' ? [await motion(), await interview(), await recording()] : [];
}
