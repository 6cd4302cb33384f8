/** Builds the request to an engine for a task on a route. */

import type { TaskType } from '../contracts/task-types.ts';
import { bedrockModels } from './bedrock/bedrock-models.ts';
import { clipsModels } from './clips/clips-routes.ts';
import { elevenLabsModels } from './elevenlabs/elevenlabs-models.ts';
import type { EngineJob } from './engine.ts';
import { falModels } from './fal/fal-models.ts';
import { klapModels } from './klap/klap-models.ts';
import type { ModelInput, ModelTerms } from './model.ts';
import { offlineRouteOf } from './offline/offline-routes.ts';
import { vizardModels } from './vizard/vizard-models.ts';

interface Model {
  readonly model: string;
  readonly inputs: { readonly [Type in TaskType]?: (request: never, terms: ModelTerms) => ModelInput };
}

const models: Readonly<Record<string, Model>> = {
  ...falModels,
  ...elevenLabsModels,
  ...bedrockModels,
  ...klapModels,
  ...vizardModels,
  ...clipsModels,
};

/**
 * Builds the request to an engine; `request` is already validated by its contract.
 * @throws if the route does not support the task type
 */
export function modelRequest(
  route: string,
  taskType: TaskType,
  request: ModelInput,
  terms: ModelTerms = {},
): Pick<EngineJob, 'model' | 'input'> {
  if (route === offlineRouteOf(taskType)) return { input: request };
  const { model, inputs } = models[route] ?? {};
  const toInput = inputs?.[taskType];
  if (model === undefined || !toInput) throw new Error(`the route ${route} does not support tasks of type ${taskType}`);
  return { model, input: toInput(request as never, terms) };
}
