/**
 * What engines charge, in millionths of a US dollar: the defaults, which the catalog can override without a deployment.
 * They are the providers' published prices (2026-11), or estimates where a provider publishes none.
 */
import type { bedrockRoutes } from '../engines/bedrock/bedrock-routes.ts';
import type { clipsRoutes } from '../engines/clips/clips-routes.ts';
import type { elevenLabsRoutes } from '../engines/elevenlabs/elevenlabs-routes.ts';
import type { falRoutes } from '../engines/fal/fal-routes.ts';
import type { klapRoutes } from '../engines/klap/klap-routes.ts';
import type { vizardRoutes } from '../engines/vizard/vizard-routes.ts';
import type { WritingEngine } from '../text-writers/text-writer.ts';
import type { ChargedEnd, EnginePrice } from './engine-price.ts';

const priced =
  (charged: readonly ChargedEnd[]) =>
  (per: EnginePrice['per'], micros: number): EnginePrice => ({ per, micros, charged });

/**
 * Fal.ai charges only for results. It may charge for rejected inputs, however, and a running job ends normally in spite
 * of a cancellation.
 */
const fal = priced(['rejected', 'canceled', 'lost']);
/** The response contains the result, so nothing can be canceled or lost. It states how many characters are charged. */
const perStatedCharacter = (micros: number) => ({ ...priced([])('character', micros), statedMicros: micros });
/** A job that has begun cannot be stopped. */
const unstoppable = priced(['canceled', 'lost']);
/** Stability's filters reject what its models have made. */
const filtered = priced(['rejected']);
/** The service's own engine, and the workflow that only passes work to other engines, cost nothing. */
const free = priced([])('job', 0);

/** The routes to models, each of which must have a price. */
type Route = keyof (typeof bedrockRoutes &
  typeof elevenLabsRoutes &
  typeof falRoutes &
  typeof klapRoutes &
  typeof vizardRoutes);

/** The jobs of the clips workflow, by engine and kind. */
type ClipsJob = `${'fal' | 'elevenlabs' | 'aws'}/transcribe` | `fal/${'cut' | 'crop' | 'poster'}` | 'aws/cut';

type TextPrice = `${WritingEngine}/text-${'read' | 'written'}`;

/** By route; for the clips workflow and for texts, by engine and kind of work. */
export const defaultEnginePrices = {
  // Fal.ai states the charge of this model in units of 1000 characters.
  'fal/elevenlabs-multilingual-v2': { ...fal('character', 100), statedMicros: 100_000 },
  'fal/elevenlabs-voice-changer': fal('second', 5000),
  'fal/nano-banana-2': fal('output', 80_000),
  'fal/flux-pro-v1.1': fal('output', 40_000),
  'fal/nano-banana-2-edit': fal('output', 80_000),
  'fal/nano-banana-pro': fal('output', 150_000),
  'fal/nano-banana-pro-edit': fal('output', 150_000),
  'fal/birefnet-v2': fal('output', 2000),
  'fal/seedvr-upscale': fal('output', 10_000),
  'fal/esrgan': fal('output', 5000),
  'fal/seedance-2.0-text': fal('second', 241_900),
  'fal/seedance-2.0-image': fal('second', 241_900),
  'fal/kling-o3-standard-text': fal('second', 168_000),
  'fal/kling-o3-standard-reference': fal('second', 168_000),
  'fal/kling-o3-pro-text': fal('second', 224_000),
  'fal/kling-o3-pro-reference': fal('second', 224_000),
  'fal/veo-3.1-fast': fal('second', 150_000),
  'fal/kling-2.6-motion-standard': fal('second', 70_000),
  'fal/kling-2.6-motion-pro': fal('second', 112_000),
  'fal/kling-3.0-motion-standard': fal('second', 126_000),
  'fal/kling-3.0-motion-pro': fal('second', 168_000),
  'fal/seedance-2.0-reference': fal('second', 241_900),
  'fal/kling-o3-standard-images': fal('second', 168_000),
  'elevenlabs/multilingual-v2': perStatedCharacter(100),
  'elevenlabs/multilingual-sts-v2': perStatedCharacter(100),
  'bedrock/stable-image-core': filtered('output', 40_000),
  'bedrock/remove-background': filtered('output', 70_000),
  'bedrock/fast-upscale': filtered('output', 30_000),
  'klap/video-to-shorts': unstoppable('output', 440_000),
  'vizard/project': unstoppable('second', 1000),
  'fal/transcribe': fal('second', 133),
  'fal/cut': fal('job', 2000),
  'fal/crop': fal('job', 2000),
  'fal/poster': fal('job', 200),
  'elevenlabs/transcribe': unstoppable('second', 111),
  'aws/transcribe': unstoppable('second', 400),
  'aws/cut': unstoppable('second', 250),
  // The language models that describe products and rank passages, for what they read and for what they write.
  'bedrock/text-read': priced([])('1000-tokens', 60),
  'bedrock/text-written': priced([])('1000-tokens', 240),
  'fal/text-read': priced([])('1000-tokens', 300),
  'fal/text-written': priced([])('1000-tokens', 2500),
  'clips/workflow': free,
  'offline/engine': free,
} as const satisfies Readonly<Record<Route | ClipsJob | TextPrice | 'clips/workflow' | 'offline/engine', EnginePrice>>;

type PriceName = keyof typeof defaultEnginePrices;

/**
 * How much a credit is sold for on average, in millionths of a dollar: the price per credit of the pack of 500, at 5.5
 * reais per dollar.
 */
export const defaultCreditWorth = { micros: 21_700 };

type Kinds = Readonly<Record<string, PriceName>>;

const cuttingAtAws = { make: 'clips/workflow', cut: 'aws/cut' } as const;

/** The prices of the jobs of each route of the clips workflow. */
const clipsPrices: Readonly<Record<keyof typeof clipsRoutes, Kinds>> = {
  'clips/fal': {
    make: 'clips/workflow',
    transcribe: 'fal/transcribe',
    cut: 'fal/cut',
    crop: 'fal/crop',
    poster: 'fal/poster',
  },
  'clips/aws-scribe': { ...cuttingAtAws, transcribe: 'elevenlabs/transcribe' },
  'clips/aws': { ...cuttingAtAws, transcribe: 'aws/transcribe' },
};

/** The name of the price of each kind of job on a route. */
export function priceNamesOf(route: string): Kinds {
  if (Object.hasOwn(clipsPrices, route)) return clipsPrices[route as keyof typeof clipsPrices];
  if (Object.hasOwn(defaultEnginePrices, route)) return { make: route as PriceName };
  return route.startsWith('offline/') ? { make: 'offline/engine' } : {};
}
