/** Finds and runs ffmpeg. */
import { access, chmod, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type ChildLimits, runChild } from './run-child.ts';

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

const onPath = async () => {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, 'ffmpeg');
    if (await isExecutable(path)) return path;
  }
  return undefined;
};

/** The ffmpeg binary in the npm package; undefined on a platform for which the package has none and throws a string. */
const installed = async () => {
  const installer = await import('@ffmpeg-installer/ffmpeg').then(
    (module) => module.default,
    () => undefined,
  );
  // The install script that makes the binary executable is skipped by `npm ci --ignore-scripts`.
  if (installer && !(await isExecutable(installer.path))) await chmod(installer.path, 0o755);
  return installer?.path;
};

/** The same program on every machine, if possible: builds differ in their codecs. */
const find = async () => {
  const path = (await installed()) ?? (await onPath());
  if (!path) throw new Error('The offline engine needs ffmpeg on the PATH.');
  return path;
};

let found: Promise<string> | undefined;

const ffmpegPath = () => {
  found ??= find();
  return found;
};

interface FfmpegOptions {
  /** The arguments after the global options; inputs can only be files and pipes. */
  readonly arguments: readonly string[];
  readonly input?: Uint8Array | AsyncIterable<Uint8Array>;
  readonly limits?: ChildLimits;
  readonly timeLimitSeconds?: number;
  /** Receives the output as it arrives; it is then not collected. */
  readonly onOutput?: (chunk: Buffer) => void;
}

const usualTimeLimitSeconds = 500;

/** The largest allocation: enough for a plane of the largest accepted frame, because videos may claim any size. */
const blockBytes = 40 * 2 ** 20;
/** The memory limit is enough for all frames that a decoder keeps, and for the program itself. */
const memoryBytes = 3 * 2 ** 30;

/**
 * Runs ffmpeg and returns its stdout. The first input can only be a file or a pipe; the arguments must restrict further
 * inputs in the same way.
 */
export const ffmpeg = async (options: FfmpegOptions): Promise<Buffer> =>
  runChild({
    program: await ffmpegPath(),
    arguments: [
      '-hide_banner',
      '-nostats',
      '-loglevel',
      'error',
      '-y',
      '-max_alloc',
      String(blockBytes),
      '-protocol_whitelist',
      'file,pipe',
      ...options.arguments,
    ],
    input: options.input ?? '',
    timeLimitSeconds: options.timeLimitSeconds ?? usualTimeLimitSeconds,
    ...(options.limits && { limits: { ...options.limits, memoryBytes } }),
    ...(options.onOutput && { onOutput: options.onOutput }),
  });
