/** What an engine is asked for when a task takes a route. */
import type { TaskType } from '../contracts/generate.ts';
import { bedrockModels } from './bedrock/bedrock-models.ts';
import type { EngineJob } from './engine.ts';
import { falModels } from './fal/fal-models.ts';
import type { ModelInput } from './model.ts';
import { offlineRouteOf } from './offline/offline-routes.ts';

interface Model {
  readonly model: string;
  readonly inputs: { readonly [Type in TaskType]?: (request: never) => ModelInput };
}

const models: Readonly<Record<string, Model>> = { ...falModels, ...bedrockModels };

/** `request` was accepted by the contract of its task type. @throws when the route does not make tasks of the type */
export function modelRequest(
  route: string,
  taskType: TaskType,
  request: ModelInput,
): Pick<EngineJob, 'model' | 'input'> {
  if (route === offlineRouteOf(taskType)) return { input: request };
  const { model, inputs } = models[route] ?? {};
  const toInput = inputs?.[taskType];
  if (model === undefined || !toInput) throw new Error(`the route ${route} does not make tasks of type ${taskType}`);
  return { model, input: toInput(request as never) };
}
