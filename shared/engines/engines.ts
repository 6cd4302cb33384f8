/** The engines of this service, by name. */
import type { Clock } from '../platform/clock.ts';
import { type Secrets, secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import type { Engine } from './engine.ts';
import { offlineEngine } from './offline/offline-engine.ts';

export interface Engines {
  /** Undefined for a name that is no engine's. */
  named(name: string): Engine | undefined;
}

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
}

interface Keys {
  readonly secrets: Secrets;
}

const makers: Readonly<Record<string, (source: Source & Keys) => Engine>> = {
  offline: ({ settings, secrets, clock }) =>
    offlineEngine({
      url: settings.offlineEngineUrl,
      key: () => secrets.read(settings.offlineEngineKey),
      reports: settings.offlineEngineReports,
      clock,
    }),
};

export function engines(source: Source): Engines {
  const made = new Map<string, Engine>();
  const secrets = secretsManager(source);
  return {
    named(name) {
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
      if (!make) return undefined;
      const engine = made.get(name) ?? make({ ...source, secrets });
      made.set(name, engine);
      return engine;
    },
  };
}
