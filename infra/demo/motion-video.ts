/** Creates the motion to imitate: ffmpeg moves the sample portrait, so that no recording of a person is needed. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import { readSample } from './images/sample-server.ts';
import type { PageFile } from './results-page.ts';

export const motionSeconds = 4;

/** The filter graph for swaying, nodding and leaning. */
const graph =
  "[0]scale=330:330,rotate='0.25*sin(2*PI*t/2)':c=0x5b6470[face];" +
  "[1][face]overlay=x='15+70*sin(2*PI*t/4)':y='150+50*sin(2*PI*t/1.6)',format=yuv420p[v]";

/** An MP4 of 9:16 with a soft tone. */
export async function motionVideo(): Promise<PageFile> {
  const folder = await mkdtemp(join(tmpdir(), 'motion-'));
  try {
    const [portrait, made] = [join(folder, 'portrait.jpg'), join(folder, 'motion.mp4')];
    await writeFile(portrait, await readSample('astronaut.jpg'));
    const background = '-f lavfi -i color=c=0x5b6470:s=360x640:r=30'.split(' ');
    const tone = '-f lavfi -i sine=frequency=262,volume=0.3,tremolo=f=2'.split(' ');
    const sources = ['-loop', '1', '-framerate', '30', '-i', portrait, ...background, ...tone];
    const tracks = '-map [v] -map 2:a -c:v libx264 -preset veryfast -c:a aac -movflags +faststart'.split(' ');
    await ffmpeg({
      arguments: [...sources, '-filter_complex', graph, ...tracks, '-t', String(motionSeconds), made],
    });
    const poster = await ffmpeg({ arguments: ['-i', made, ...'-frames:v 1 -f mjpeg pipe:1'.split(' ')] });
    return { caption: 'motion.mp4', contentType: 'video/mp4', bytes: await readFile(made), poster };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
