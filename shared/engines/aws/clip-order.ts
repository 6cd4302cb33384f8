/** What MediaConvert is asked for: one clip of a video in the service's bucket. */
import * as z from 'zod';
import type { EngineJob } from '../engine.ts';

const Key = z.string().regex(/^[\w./-]{1,500}$/);
const seconds = z.number().min(0);
const pixels = z.int().min(2).max(4096).multipleOf(2);

/** In the job's input as it is sent, so that it is checked where it is used. */
export const ClipOrder = z.object({
  /** Objects in the bucket of inputs. */
  sourceKey: Key,
  /** Without an extension: the clip and its image get names that begin with it. */
  outputKey: Key,
  span: z.object({ startSec: seconds, endSec: seconds }),
  frameRate: z.object({ numerator: z.int().positive(), denominator: z.int().positive() }),
  size: z.object({ width: pixels, height: pixels }),
  hasSound: z.boolean(),
  /** SubRip with the times of the whole video, burned into the clip. */
  captions: z.object({ key: Key, language: z.string().exactOptional() }).exactOptional(),
});
export type ClipOrder = Readonly<z.output<typeof ClipOrder>>;

/** Results in the clip with its image: cut, cropped and captioned at once. */
export const clipAtAws = (order: ClipOrder) =>
  ({ model: 'mediaconvert', input: order }) satisfies Pick<EngineJob, 'model' | 'input'>;
