/** Reads the values that ffmpeg's filters measure for each frame, line by line while it decodes. */

import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { WorkFailure } from '../work-failure.ts';

/** A span of a video in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The time limit is enough to decode hours of a large video once. */
const timeLimitSeconds = 2400;

/** Receives a frame's time in milliseconds, and the filters' values by name. */
export type TakeFrame = (milliseconds: number, values: ReadonlyMap<string, number>) => void;

/**
 * Parses what ffmpeg prints for each frame: `frame:1 pts:40 …`, then lines `name=value`; a line may arrive in parts.
 */
const frameReader = (take: TakeFrame) => {
  let rest = '';
  let at: number | undefined;
  let values = new Map<string, number>();
  const end = () => {
    if (at !== undefined) take(at, values);
    at = undefined;
    values = new Map();
  };
  const read = (line: string) => {
    const [, pts] = /^frame:\d+\s+pts:(-?\d+)/.exec(line) ?? [];
    if (pts === undefined) {
      const [name = '', value] = line.split('=');
      values.set(name, Number(value));
      return;
    }
    end();
    at = Number(pts);
  };
  return {
    write: (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') read(line);
    },
    end,
  };
};

export interface Measurement {
  readonly part: 'frames' | 'sound';
  /** A filter that prints the values; times are in milliseconds. */
  readonly filter: string;
  readonly take: TakeFrame;
  /** The span of the video to measure; times are relative to its start. */
  readonly span?: Span;
  /** Options that select which frames are decoded, and how. */
  readonly decoding?: readonly string[];
  /** A second output of the same decoding, written to a file of limited size. */
  readonly beside?: { readonly arguments: readonly string[]; readonly fileBytes: number };
}

/** Measures frames. @throws {WorkFailure} INPUT_INVALID if the file cannot be decoded */
export const measureFrames = async (video: FetchedVideo, measurement: Measurement): Promise<void> => {
  const { path, field, format, framesSeconds } = video;
  const { part, filter, take, beside, decoding = [] } = measurement;
  // Stops after the last frame of the video, because the audio may continue for hours.
  const { start, end } = measurement.span ?? { start: 0, end: framesSeconds };
  const place = [...(start > 0 ? ['-ss', start.toFixed(3)] : []), '-t', (end - start).toFixed(3)];
  const reader = frameReader(take);
  const track = part === 'sound' ? ['-map', '0:a:0', '-af', filter] : ['-map', '0:v:0', '-vf', filter];
  const given = ['-threads', '2', ...decoding, ...place, '-f', format, '-i', path, ...(beside?.arguments ?? [])];
  await ffmpeg({
    arguments: [...given, ...track, '-f', 'null', '-'],
    limits: { cpuSeconds: 2 * timeLimitSeconds, fileBytes: beside?.fileBytes ?? 0 },
    timeLimitSeconds,
    onOutput: reader.write,
  }).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, `has ${part} that cannot be decoded`);
  });
  reader.end();
};
