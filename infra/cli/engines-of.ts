/** The engines that a service has. */
import { completeEngineNames } from '../../shared/engines/engine-names.ts';
import { namesIn } from '../../shared/platform/settings.ts';
import { commandFailed } from './exit-error.ts';
import type { Service } from './service.ts';

export const enginesOf = ({ settings }: Pick<Service, 'settings'>): readonly string[] => namesIn(settings.engines);

/** @throws {ExitError} that lists the service's engines, if it does not have one of these */
export function requireEngines(requested: readonly string[], service: Service): void {
  const configured = enginesOf(service);
  const known = completeEngineNames(configured);
  const missing = requested.find((name) => !known.includes(name));
  if (missing === undefined) return;
  throw commandFailed(
    `This service has no engine ${missing}; tasks sent there would fail. It has ${configured.join(', ') || 'none'}.`,
  );
}
