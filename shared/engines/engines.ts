/** The engines of this service, by name. */

import type { Clock } from '../platform/clock.ts';
import { bedrockRuntime } from '../platform/model-runtime.ts';
import { type Outbound, outbound } from '../platform/outbound.ts';
import { type Secrets, secretsManager } from '../platform/secrets.ts';
import { namesIn, type Settings } from '../platform/settings.ts';
import { stepFunctions } from '../platform/workflow.ts';
import { bedrockEngine } from './bedrock/bedrock-engine.ts';
import { clipsEngine } from './clips/clips-engine.ts';
import { elevenLabsEngine } from './elevenlabs/elevenlabs-engine.ts';
import type { Engine } from './engine.ts';
import { completeEngineNames, type EngineName, engineNames, testEngineName } from './engine-names.ts';
import { falEngine } from './fal/fal-engine.ts';
import { klapEngine } from './klap/klap-engine.ts';
import { offlineEngine } from './offline/offline-engine.ts';
import { type TestEngineMeans, testEngine } from './test-mode/test-engine.ts';
import { vizardEngine } from './vizard/vizard-engine.ts';

export interface Engines {
  /** The engine of that name; undefined if it is unknown or this service was deployed without it. */
  named(name: string): Engine | undefined;
}

export interface EngineSource {
  readonly settings: Settings;
  readonly clock: Clock;
}

interface Means {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly named: Engines['named'];
}

type MakeEngine = (source: EngineSource & Means) => Engine;

/** Factories of all engines but `aws`, whose large clients only few functions need. */
const makers: Readonly<Record<Exclude<EngineName, 'aws'>, MakeEngine>> = {
  offline: ({ settings, secrets, clock }) =>
    offlineEngine({
      url: settings.offlineEngineUrl,
      key: () => secrets.read(settings.offlineEngineKey),
      completion: settings.offlineEngineCompletion,
      clock,
    }),
  fal: ({ settings, secrets, outbound: fetching, clock }) =>
    falEngine({
      queueUrl: settings.falQueueUrl,
      jwksUrl: settings.falJwksUrl,
      key: () => secrets.read(settings.falKey),
      outbound: fetching,
      clock,
    }),
  elevenlabs: ({ settings, secrets }) =>
    elevenLabsEngine({ url: settings.elevenLabsUrl, key: () => secrets.read(settings.elevenLabsKey) }),
  bedrock: ({ settings, clock }) =>
    bedrockEngine({
      runtime: bedrockRuntime({ ...settings.aws('BEDROCK_RUNTIME'), region: settings.bedrockRegion }),
      clock,
    }),
  klap: ({ settings, secrets, outbound: fetching }) =>
    klapEngine({ url: settings.klapUrl, key: () => secrets.read(settings.klapKey), outbound: fetching }),
  vizard: ({ settings, secrets, outbound: fetching }) =>
    vizardEngine({ url: settings.vizardUrl, key: () => secrets.read(settings.vizardKey), outbound: fetching }),
  clips: ({ settings, named }) => clipsEngine({ workflow: stepFunctions({ settings }), named }),
};

/** Parts of the engines that only some functions need; they are separate because they are large. */
export interface RareParts extends Pick<TestEngineMeans, 'makeMedia'> {
  readonly aws?: MakeEngine;
}

export function engines(source: EngineSource, { aws, makeMedia }: RareParts = {}): Engines {
  const made = new Map<EngineName, Engine>();
  const all: Readonly<Partial<Record<EngineName, MakeEngine>>> = { ...makers, ...(aws && { aws }) };
  const test = testEngine({ clock: source.clock, makeMedia });
  const configured = () => completeEngineNames(namesIn(source.settings.engines));
  const named: Engines['named'] = (name) => {
    if (name === testEngineName) return test;
    const known = engineNames.find((candidate) => candidate === name);
    if (!known || !configured().includes(known)) return undefined;
    const engine = made.get(known) ?? all[known]?.({ ...source, ...means });
    if (engine) made.set(known, engine);
    return engine;
  };
  const means = { secrets: secretsManager(source), outbound: outbound(source), named };
  return { named };
}
