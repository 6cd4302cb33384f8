/** The engines of this service, by name. */
import type { Clock } from '../platform/clock.ts';
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

const makers: Readonly<Record<string, (source: Source) => Engine>> = {
  offline: ({ settings, clock }) =>
    offlineEngine({
      url: settings.offlineEngineUrl,
      key: settings.offlineEngineKey,
      reports: settings.offlineEngineReports,
      clock,
    }),
};

export function engines(source: Source): Engines {
  const made = new Map<string, Engine>();
  return {
    named(name) {
      const make = Object.hasOwn(makers, name) ? makers[name] : undefined;
      if (!make) return undefined;
      const engine = made.get(name) ?? make(source);
      made.set(name, engine);
      return engine;
    },
  };
}
