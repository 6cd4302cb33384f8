/** The input of a MediaConvert job: one clip of a video in the service's bucket. */
import * as z from 'zod';
import type { EngineJob } from '../engine.ts';

const Key = z.string().regex(/^[\w./-]{1,500}$/);
const seconds = z.number().min(0);
const pixels = z.int().min(2).max(4096).multipleOf(2);

/** The job's input as stored, parsed again where it is used. */
export const ClipOrder = z.object({
  /** Keys of objects in the inputs bucket. */
  sourceKey: Key,
  /** A prefix without an extension: the keys of the clip and its image begin with it. */
  outputKey: Key,
  span: z.object({ startSec: seconds, endSec: seconds }),
  frameRate: z.object({ numerator: z.int().positive(), denominator: z.int().positive() }),
  size: z.object({ width: pixels, height: pixels }),
  hasSound: z.boolean(),
  /** Captions in SubRip with the times of the whole video, which are burned into the clip. */
  captions: z.object({ key: Key, language: z.string().exactOptional() }).exactOptional(),
});
export type ClipOrder = Readonly<z.output<typeof ClipOrder>>;

/** A job that cuts, crops and captions a clip and extracts its image, all at once. */
export const clipAtAws = (order: ClipOrder) =>
  ({ model: 'mediaconvert', input: order }) satisfies Pick<EngineJob, 'model' | 'input'>;
