/** A test-only video operation that needs a plan feature and is priced by the seconds of an inspected input. */
import * as z from 'zod';
import type { LocalFunctions } from '../../infra/local/functions.ts';
import { text } from '../../shared/contracts/fields.ts';
import { addGeneration, type TaskType } from '../../shared/contracts/generate.ts';
import { callbackUrl, generation } from '../../shared/contracts/generation.ts';
import type { GenerationRules } from '../../shared/domain/generation/request-generation.ts';
import { Rejection } from '../../shared/domain/rejection.ts';
import type { Context } from '../../shared/runtime/context.ts';
import { generationLambda } from '../../shared/runtime/generation-lambda.ts';

const ToyVideoRequest = () =>
  z.object({
    videoUrl: text(1, 2048),
    copies: z.int().min(1).max(3).default(1),
    callbackUrl: callbackUrl(),
  });

export const toyVideoContract = generation({
  operationId: 'generateToyVideo',
  taskType: 'toy-video',
  scope: 'generate:video',
  feature: 'studio',
  medium: 'video',
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

/** Replaces a probe in tests: a text file with the duration of the video. */
const toyVideoRules: GenerationRules<z.output<ReturnType<typeof ToyVideoRequest>>, { readonly seconds: number }> = {
  async inspect({ videoUrl }, { outbound }) {
    const bounds = { timeoutMs: 5000, maxResponseBytes: 100, onOverflow: 'fail', maxRedirects: 0 } as const;
    const { status, body } = await outbound.fetch(videoUrl, { method: 'GET', ...bounds });
    if (status !== 200) throw new Rejection('invalid', { message: 'videoUrl could not be downloaded' });
    return { seconds: Number(Buffer.from(body).toString()) };
  },
  cost: ({ body, inspected }) => Math.ceil(inspected.seconds) * creditsPerSecond * body.copies,
};

const definition = generationLambda(toyVideoContract, toyVideoRules);

/** The parts that a host needs to serve the toy besides the product. */
export const toyVideo = {
  functions: { generateToyVideo: { definition, timeoutSeconds: 28 } } satisfies LocalFunctions,
  routes: [{ method: 'POST', path: toyVideoContract.path, functionName: 'generateToyVideo' }],
  /** Registers its task type, and lets the offline engine perform it. */
  prepare(context: Context): Context {
    addGeneration(toyVideoContract);
    const routes = { 'toy-video': { routes: ['offline/toy-video'] } };
    const read: Context['catalog']['read'] = async () => {
      const catalog = await context.catalog.read();
      return { ...catalog, engines: { ...catalog.engines, ...routes } };
    };
    return { ...context, catalog: { ...context.catalog, read } };
  },
  taskType: 'toy-video' as TaskType,
};
