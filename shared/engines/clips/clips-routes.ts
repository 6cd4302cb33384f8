/** The ways of cutting clips by the service's own workflow, by the engines that transcribe and cut. */
import type { EngineName } from '../engine-names.ts';
import type { ModelTable } from '../model.ts';
import type { RouteTable } from '../route.ts';

/** Of other containers, the workflow does not know the times of frames. */
const mp4 = { videoUrl: { types: ['video/mp4'] } } as const;

/** Documented for MediaConvert and Scribe, but neither for fal.ai nor for Amazon Transcribe. */
const mp4OrMov = { videoUrl: { types: ['video/mp4', 'video/quicktime'] } } as const;

export const clipsRoutes = {
  'clips/fal': { cortes: mp4 },
  'clips/aws-scribe': { cortes: mp4OrMov },
  'clips/aws': { cortes: mp4 },
} as const satisfies RouteTable<'clips'>;

/** The engines that do the work. */
export const clipsWorkers: Readonly<Record<string, readonly EngineName[]>> = {
  'clips/fal': ['fal'],
  'clips/aws-scribe': ['elevenlabs', 'aws'],
  'clips/aws': ['aws'],
} satisfies Readonly<Record<keyof typeof clipsRoutes, readonly EngineName[]>>;

/** The workflow reads the task itself. */
export const clipsModels: ModelTable<typeof clipsRoutes> = {
  'clips/fal': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
  'clips/aws-scribe': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
  'clips/aws': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
};
