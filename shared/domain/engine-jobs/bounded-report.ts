/**
 * Sanitizes engine reports, from callbacks and polling alike: numbers are finite and in range, texts are safe to show,
 * and the whole report fits into a row.
 */
import { clipCounts } from '../../contracts/limits.ts';
import type { EngineClip, EngineOutput, EngineProgress } from '../../engines/engine.ts';
import { outsideLine } from '../../platform/outside-text.ts';

/** The most results that a task can have. */
const maxOutputs = clipCounts.max;
const longestUrlBytes = 4000;
const longestType = 100;
const longestLine = 500;
const maxPixels = 100_000;
const maxSeconds = 7 * 24 * 3600;

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value !== undefined && value >= min && value <= max ? value : undefined;

const pixels = (value: number | undefined): number | undefined =>
  Number.isInteger(value) ? within(value, 1, maxPixels) : undefined;

const seconds = (value: number | undefined): number | undefined => within(value, 0, maxSeconds);

const isStorable = (url: string): boolean => url.isWellFormed() && Buffer.byteLength(url) <= longestUrlBytes;

const line = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : outsideLine(text, longestLine) || undefined;

/** Removes undefined members. */
const known = <Facts extends object>(facts: Facts) =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined)) as {
    [Name in keyof Facts]?: NonNullable<Facts[Name]>;
  };

const clipOf = ({ title, hook, score, startTime, endTime }: EngineClip): EngineClip =>
  known({
    title: line(title),
    hook: line(hook),
    score: within(score, 0, 1),
    startTime: seconds(startTime),
    endTime: seconds(endTime),
  });

function outputOf({ url, contentType, width, height, durationSec, posterUrl, clip }: EngineOutput): EngineOutput[] {
  // An output with a URL that cannot be stored is dropped; too few outputs fail the task, which is refunded.
  if (!isStorable(url)) return [];
  const facts = {
    width: pixels(width),
    height: pixels(height),
    durationSec: seconds(durationSec),
    posterUrl: posterUrl !== undefined && isStorable(posterUrl) ? posterUrl : undefined,
    clip: clip && clipOf(clip),
  };
  return [{ url, contentType: outsideLine(contentType, longestType), ...known(facts) }];
}

/** Sanitizes outputs; a value that is out of range is dropped. */
export const boundedOutputs = (outputs: readonly EngineOutput[]): EngineOutput[] =>
  outputs.flatMap(outputOf).slice(0, maxOutputs);

/** Limits the progress to 99: 100 is reserved for tasks whose results are stored. */
export const boundedProgress = ({ progress }: Pick<EngineProgress, 'progress'>): number =>
  Number.isFinite(progress) ? Math.min(99, Math.max(0, Math.floor(progress))) : 0;
