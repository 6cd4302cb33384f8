/** The ffmpeg program: which one, and how it is called. */
import { access, chmod, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runChild } from './run-child.ts';

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

const installed = async () => {
  // It throws a bare string on a platform that it has no binary for.
  const { default: installer } = await import('@ffmpeg-installer/ffmpeg').catch((cause: unknown) => {
    throw new Error('The offline engine needs ffmpeg: install it so that it is on the PATH.', { cause });
  });
  // The package makes it executable in an install script, which `npm ci --ignore-scripts` leaves out.
  if (!(await isExecutable(installer.path))) await chmod(installer.path, 0o755);
  return installer.path;
};

let found: Promise<string> | undefined;

const ffmpegPath = () => {
  found ??= onPath().then((path) => path ?? installed());
  return found;
};

interface FfmpegOptions {
  /** What comes after the global options; inputs can be files and pipes only. */
  readonly arguments: readonly string[];
  readonly input?: Uint8Array;
}

const timeLimitSeconds = 120;

/** What ffmpeg wrote to stdout. */
export const ffmpeg = async (options: FfmpegOptions): Promise<Buffer> =>
  runChild({
    program: await ffmpegPath(),
    arguments: [
      '-hide_banner',
      '-nostats',
      '-loglevel',
      'error',
      '-y',
      '-protocol_whitelist',
      'file,pipe',
      ...options.arguments,
    ],
    input: options.input ?? '',
    timeLimitSeconds,
  });
