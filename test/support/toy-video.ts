/**
 * A test-only video operation, and the example of an operation priced by the duration of an input video. It uses every
 * feature that a contract can declare.
 */
import * as z from 'zod';
import type { LocalFunctions } from '../../infra/local/functions.ts';
import { audioUrl, integer, videoUrl } from '../../shared/contracts/fields.ts';
import { addGeneration, type TaskType } from '../../shared/contracts/generate.ts';
import { callbackUrl, generation } from '../../shared/contracts/generation-contract.ts';
import { durationAt } from '../../shared/domain/generation/duration-at.ts';
import type { GenerationRules } from '../../shared/domain/generation/request-generation.ts';
import type { FullContext } from '../../shared/runtime/full-context.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';

const ToyVideoRequest = () =>
  z.object({
    videoUrl: videoUrl({ maxSeconds: 60 }),
    soundtrackUrl: audioUrl({ maxSeconds: 30 }).optional(),
    copies: integer(1, 3).default(1),
    callbackUrl: callbackUrl(),
  });

export const toyVideoContract = generation({
  operationId: 'generateToyVideo',
  taskType: 'toy-video',
  scope: 'generate:video',
  feature: 'studio',
  medium: 'video',
  paidSeconds: 'durationSec',
  timeLimitSeconds: 1800,
  showsSubmitted: true,
  resultCountField: 'copies',
  acceptedIds: ['variationGroup'],
  whenSwitchedOff: 'FEATURE_DISABLED',
  whenEngineDown: 'GENERATION_FAILED',
  summary: 'Generate a toy video',
  description: 'A video of a toy.',
  body: ToyVideoRequest,
  errors: [],
  example: { videoUrl: 'https://example.com/toy.mp4' },
  exampleCost: 5,
});

export const creditsPerSecond = 5;

const toyVideoRules: GenerationRules<z.output<ReturnType<typeof ToyVideoRequest>>, { readonly durationSec: number }> = {
  inspect: async (_body, inspection) => ({ durationSec: await durationAt('videoUrl', inspection) }),
  cost: ({ body, inspected }) => Math.ceil(inspected.durationSec) * creditsPerSecond * body.copies,
  promises: ({ inspected }) => ({ width: 64, height: 48, durationSec: inspected.durationSec }),
};

const definition = generationLambda(toyVideoContract, toyVideoRules);

/** The parts that a host needs to serve the toy besides the product. */
export const toyVideo = {
  functions: { generateToyVideo: { definition, timeoutSeconds: 28 } } satisfies LocalFunctions,
  routes: [{ method: 'POST', path: toyVideoContract.path, functionName: 'generateToyVideo' }],
  /** Registers its task type, and lets the offline engine perform it. */
  prepare(context: FullContext): FullContext {
    addGeneration(toyVideoContract);
    const routes = { 'toy-video': { routes: ['offline/toy-video'] } };
    const read: FullContext['catalog']['read'] = async () => {
      const catalog = await context.catalog.read();
      return { ...catalog, engines: { ...catalog.engines, ...routes } };
    };
    return { ...context, catalog: { ...context.catalog, read } };
  },
  taskType: 'toy-video' as TaskType,
};
