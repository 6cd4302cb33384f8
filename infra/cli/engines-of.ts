/** The engines that a service has. */
import { describedStage } from '../aws/described-stage.ts';
import { refused } from './exit-error.ts';
import type { Service } from './service.ts';

/** The local service knows its engines; those of a stage are in its description. @throws {ExitError} */
export function enginesOf({ deployment, settings }: Service): readonly string[] {
  if (!deployment) return settings.engines.split(',');
  try {
    return Object.keys(describedStage(deployment.stage).engines);
  } catch (error) {
    throw refused((error as Error).message);
  }
}

/** @throws {ExitError} that names the service's engines when it lacks one of these */
export function requireEngines(requested: readonly string[], service: Service): void {
  const known = enginesOf(service);
  const missing = requested.find((name) => !known.includes(name));
  if (missing === undefined) return;
  throw refused(`This service has no engine ${missing}; tasks sent there would fail. It has ${known.join(', ')}.`);
}
