/** Saves the generated speech, and checks that it is audio. */
import type { Task } from '../../../client/client.ts';
import { unless } from '../checks.ts';
import type { DemoOutput } from '../demo.ts';
import type { Order } from '../order.ts';
import { kilobytes, type SavedFile, saveResults } from '../steps/save-results.ts';
import { mp3Duration } from './mp3-duration.ts';

const leastSeconds = 0.5;
/** The task's duration is rounded to 0.1 s, and the encoder pads the audio by up to two frames. */
const toleratedSeconds = 0.2;

export function problemsOfSound({
  fileName,
  bytes,
  described: { contentType, durationSec = 0 },
}: SavedFile): readonly string[] {
  const seconds = mp3Duration(bytes);
  const isAsDescribed = Math.abs(seconds - durationSec) <= toleratedSeconds;
  return [
    ...unless(contentType === 'audio/mpeg', `${fileName} has the type ${contentType}`),
    ...unless(seconds >= leastSeconds, `${fileName} lasts only ${seconds.toFixed(2)} s`),
    ...unless(isAsDescribed, `${fileName} lasts ${seconds.toFixed(2)} s, not ${durationSec} s`),
  ];
}

export const describeSound = async ({ bytes }: SavedFile): Promise<string> =>
  `${mp3Duration(bytes).toFixed(1)} s, ${kilobytes(bytes)}`;

export async function saveSounds(
  output: DemoOutput,
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  const { files, problems } = await saveResults(output, orders, tasks, { describe: describeSound, signal });
  const [first, ...others] = files;
  const isSame = others.some((other) => first?.bytes.equals(other.bytes));
  output.checks.report('playable', [
    ...problems,
    ...files.flatMap(problemsOfSound),
    ...unless(!isSame, 'the two files are the same'),
  ]);
  return files;
}
