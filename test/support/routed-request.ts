/** Maps a request to a model's input like the service: by its contract, the choice of the route and the mapping. */
import { choicesOf, routesOf } from '../../shared/catalog/engines.ts';
import { defaultVoiceIds } from '../../shared/catalog/voices.ts';
import { generationOf } from '../../shared/contracts/generate.ts';
import type { TaskType } from '../../shared/contracts/task-types.ts';
import { chooseRoute } from '../../shared/domain/generation/choose-route.ts';
import type { EngineName } from '../../shared/engines/engine-names.ts';
import { modelRequest } from '../../shared/engines/model-request.ts';
import { closedCircuits } from './closed-circuits.ts';

const needs = { clock: { now: () => 0 }, circuits: closedCircuits };

/** The chosen model and its input; `unsupported` if no route supports the request. */
export async function routedRequest(engine: EngineName, taskType: TaskType, request: object, derived = {}) {
  const body = generationOf(taskType).body.parse(request);
  const routes = routesOf(choicesOf([engine])[taskType], taskType);
  const chosen = await chooseRoute(needs, routes, { body }, 'any account');
  if (chosen.status !== 'chosen') return chosen.status;
  const { model, input } = modelRequest(
    chosen.route.id,
    taskType,
    { ...body, ...derived },
    { voiceIds: defaultVoiceIds },
  );
  return [model, JSON.parse(JSON.stringify(input)) as Readonly<Record<string, unknown>>] as const;
}
