/** Saves the generated videos, and checks that they match their descriptions and the requests. */
import type { Task } from '../../../client/client.ts';
import type { MeasuredFile } from '../../../shared/media-files/measured-file.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { unless } from '../checks.ts';
import type { DemoOutput } from '../demo.ts';
import type { Order } from '../order.ts';
import { kilobytes, type SavedFile, saveResults } from '../steps/save-results.ts';
import type { VideoRequest } from './video-requests.ts';

const containerOf = (bytes: Buffer): Promise<MeasuredFile | undefined> =>
  readContainer({ access: 'stream', body: ReadableStream.from([bytes]), close: () => undefined });

export async function describeVideo({ fileName, bytes }: SavedFile): Promise<string> {
  const found = await containerOf(bytes);
  if (!found?.hasVideo) throw new Error(`${fileName} is not a video`);
  const { width, height, durationSec, hasAudio } = found;
  return `${width} × ${height}, ${durationSec.toFixed(1)} s, ${hasAudio ? 'with' : 'without'} sound, ${kilobytes(bytes)}`;
}

type Check = Pick<SavedFile, 'fileName' | 'bytes'> & {
  readonly described: Pick<SavedFile['described'], 'width' | 'height' | 'durationSec' | 'posterUrl'>;
  readonly expected: VideoRequest['expected'];
};

/** A video is as its request says, and its task describes it as it is. */
export async function problemsOfVideo({ fileName, bytes, described, expected }: Check): Promise<readonly string[]> {
  const found = await containerOf(bytes).catch(() => undefined);
  if (found?.contentType !== 'video/mp4') return [`${fileName} is not an MP4`];
  const { width, height, durationSec, hasAudio } = found;
  const size = `${width} × ${height}`;
  return [
    ...unless(size === `${expected.width} × ${expected.height}`, `${fileName} is ${size}`),
    ...unless(size === `${described.width} × ${described.height}`, `${fileName} is not described as ${size}`),
    ...unless(Math.abs(durationSec - expected.durationSec) <= 0.1, `${fileName} lasts ${durationSec} s`),
    ...unless(
      Math.abs(durationSec - (described.durationSec ?? 0)) <= 0.1,
      `${fileName} is not described as lasting ${durationSec} s`,
    ),
    ...unless(hasAudio === expected.hasAudio, `${fileName} has ${hasAudio ? 'a' : 'no'} sound track`),
    ...unless(described.posterUrl !== undefined, `${fileName} has no poster`),
  ];
}

export async function saveVideos(
  output: DemoOutput,
  requests: readonly VideoRequest[],
  orders: readonly Order[],
  tasks: readonly Task[],
  signal: AbortSignal,
): Promise<readonly SavedFile[]> {
  const { files, problems } = await saveResults(output, orders, tasks, { describe: describeVideo, signal });
  const ofFiles = await Promise.all(
    files.flatMap((file) => {
      const request = requests.find((candidate) => candidate === file.request);
      return request ? [problemsOfVideo({ ...file, expected: request.expected })] : [];
    }),
  );
  output.checks.report('viewable', [...problems, ...ofFiles.flat()]);
  return files;
}
