/**
 * The imperceptible watermarks in what engines return, as far as their vendors document them. The service adds none of its
 * own and removes none: apart from the Content Credentials, it stores an engine's file as it is.
 */
import type { EngineRoute } from './route.ts';

/** A watermark in the pixels or the audio itself, which stays when metadata is removed. */
interface Watermark {
  readonly name: string;
  readonly by: string;
}

/**
 * `undocumented`: the vendor does not say. `none`: the vendor says so, or the engine only cuts a video of the request.
 */
export type WatermarkFact = Watermark | 'undocumented' | 'none';

interface Watermarked {
  /** The beginning of the ids of the routes. */
  readonly routes: readonly string[];
  /** The routes as documentation names them. */
  readonly description: string;
  readonly watermark: WatermarkFact;
}

/** The first row whose beginning matches a route applies to the route. */
export const watermarks: readonly Watermarked[] = [
  {
    routes: ['fal/nano-banana', 'fal/veo'],
    description: 'fal.ai, models of Google (`fal/nano-banana-…`, `fal/veo-…`)',
    watermark: { name: 'SynthID', by: 'Google' },
  },
  { routes: ['fal/'], description: 'fal.ai, other models', watermark: 'undocumented' },
  { routes: ['bedrock/'], description: 'Amazon Bedrock (Stability AI)', watermark: 'undocumented' },
  { routes: ['elevenlabs/'], description: 'ElevenLabs', watermark: 'undocumented' },
  {
    routes: ['klap/', 'vizard/', 'clips/'],
    description: 'Klap, Vizard and `clips`, which cut the video of the request',
    watermark: 'none',
  },
  { routes: ['offline/'], description: 'offline', watermark: 'none' },
];

/** The watermark in the results of a route; undefined if nothing is known about it. */
export const watermarkOf = ({ id }: Pick<EngineRoute, 'id'>): WatermarkFact | undefined =>
  watermarks.find(({ routes }) => routes.some((beginning) => id.startsWith(beginning)))?.watermark;
