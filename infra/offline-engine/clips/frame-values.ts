/** What ffmpeg's filters measure of each frame, read line by line while it decodes. */

import { invalidFile } from '../fetch-file.ts';
import { ffmpeg } from '../ffmpeg.ts';
import type { FetchedVideo } from '../video/fetch-video.ts';
import { WorkFailure } from '../work-failure.ts';

/** Hours of a large video, decoded once. */
const timeLimitSeconds = 2400;
const limits = { cpuSeconds: 2 * timeLimitSeconds, fileBytes: 0 };

/** A frame's time in milliseconds, and the filters' values by name. */
export type TakeFrame = (milliseconds: number, values: ReadonlyMap<string, number>) => void;

/** Parses `frame:1 pts:40 …` and the lines `name=value` that follow it; lines may arrive in parts. */
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

interface Measurement {
  readonly part: 'frames' | 'sound';
  /** Prints the values; times are in milliseconds. */
  readonly filter: string;
  readonly take: TakeFrame;
}

/** @throws {WorkFailure} INPUT_INVALID if the file cannot be decoded. */
export const measureFrames = async (video: FetchedVideo, { part, filter, take }: Measurement) => {
  const { path, field, framesSeconds } = video;
  const reader = frameReader(take);
  const track = part === 'sound' ? ['-map', '0:a:0', '-af', filter] : ['-map', '0:v:0', '-vf', filter];
  // The sound may go on for hours after the last frame.
  const given = [...`-threads 2 -t ${framesSeconds} -f mp4 -i`.split(' '), path, ...track, ...'-f null -'.split(' ')];
  await ffmpeg({ arguments: given, limits, timeLimitSeconds, onOutput: reader.write }).catch((error: unknown) => {
    if (error instanceof WorkFailure) throw error;
    throw invalidFile(field, `has ${part} that cannot be decoded`);
  });
  reader.end();
};
