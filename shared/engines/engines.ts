/** The engines of this service, by name. */

import type { Clock } from '../platform/clock.ts';
import { mediaConverter } from '../platform/media-converter.ts';
import { bedrockRuntime } from '../platform/model-runtime.ts';
import { objectReader } from '../platform/object-reader.ts';
import { type Outbound, outbound } from '../platform/outbound.ts';
import { type Secrets, secretsManager } from '../platform/secrets.ts';
import type { Settings } from '../platform/settings.ts';
import { transcriber } from '../platform/transcriber.ts';
import { stepFunctions } from '../platform/workflow.ts';
import { awsEngine } from './aws/aws-engine.ts';
import { clipJobs } from './aws/clip-jobs.ts';
import { transcriptionJobs } from './aws/transcription-jobs.ts';
import { bedrockEngine } from './bedrock/bedrock-engine.ts';
import { clipsEngine } from './clips/clips-engine.ts';
import { elevenLabsEngine } from './elevenlabs/elevenlabs-engine.ts';
import type { Engine } from './engine.ts';
import { completeEngineNames, type EngineName, engineNames } from './engine-names.ts';
import { falEngine } from './fal/fal-engine.ts';
import { klapEngine } from './klap/klap-engine.ts';
import { offlineEngine } from './offline/offline-engine.ts';
import { vizardEngine } from './vizard/vizard-engine.ts';

export interface Engines {
  /** Undefined for an unknown name, or for an engine that this service was not deployed with. */
  named(name: string): Engine | undefined;
}

interface Source {
  readonly settings: Settings;
  readonly clock: Clock;
}

interface Means {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly named: Engines['named'];
}

const engineOfAws = ({ settings }: Source): Engine => {
  const converter = mediaConverter({
    aws: settings.aws('MEDIACONVERT'),
    role: () => settings.mediaConvertRole,
    queue: () => settings.mediaConvertQueue,
  });
  const bucket = () => settings.inputsBucket;
  const smartCrop = () => settings.clipCropping === 'smart';
  return awsEngine({
    services: {
      mediaconvert: clipJobs({ converter, bucket, smartCrop }),
      transcribe: transcriptionJobs({ transcriber: transcriber(settings.aws('TRANSCRIBE')), bucket }),
    },
    bucket,
    open: objectReader(settings.aws('S3')),
  });
};

const makers: Readonly<Record<EngineName, (source: Source & Means) => Engine>> = {
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
  aws: engineOfAws,
  clips: ({ settings, named }) => clipsEngine({ workflow: stepFunctions({ settings }), named }),
};

export function engines(source: Source): Engines {
  const made = new Map<EngineName, Engine>();
  const configured = () => completeEngineNames(source.settings.engines.split(','));
  const named: Engines['named'] = (name) => {
    const known = engineNames.find((candidate) => candidate === name);
    if (!known || !configured().includes(known)) return undefined;
    const engine = made.get(known) ?? makers[known]({ ...source, ...means });
    made.set(known, engine);
    return engine;
  };
  const means = { secrets: secretsManager(source), outbound: outbound(source), named };
  return { named };
}
