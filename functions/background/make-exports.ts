import { Tick } from '../../shared/contracts/workflow.ts';
import { makeExports as makeDueExports } from '../../shared/domain/exports/make-exports.ts';
import { inputsBucket } from '../../shared/platform/bucket.ts';
import { objectEraser } from '../../shared/platform/object-eraser.ts';
import { objectReader } from '../../shared/platform/object-reader.ts';
import { type Step, stepLambda } from '../../shared/runtime/step-lambda.ts';

/** Makes the archives that owners have requested, and deletes expired ones. */
export const makeExports: Step<typeof Tick, 'inputs' | 'objectEraser'> = (_tick, context) =>
  makeDueExports({ ...context, openObject: objectReader(context.settings.aws('S3')) });

export const definition = stepLambda('makeExports', Tick, makeExports, { inputs: inputsBucket, objectEraser });
