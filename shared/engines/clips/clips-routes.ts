/** Routes of the service's own clips workflow, one per combination of engines that transcribe and cut. */
import type { EngineName } from '../engine-names.ts';
import type { ModelTable } from '../model.ts';
import type { RouteTable } from '../route.ts';

/** The route accepts only MP4, because the workflow cannot determine frame times in other containers. */
const mp4 = { videoUrl: { types: ['video/mp4'] } } as const;

/** QuickTime is documented for MediaConvert and Scribe, but neither for fal.ai nor for Amazon Transcribe. */
const mp4OrMov = { videoUrl: { types: ['video/mp4', 'video/quicktime'] } } as const;

export const clipsRoutes = {
  'clips/fal': { cortes: mp4 },
  'clips/aws-scribe': { cortes: mp4OrMov },
  'clips/aws': { cortes: mp4 },
} as const satisfies RouteTable<'clips'>;

/** The engines that each route uses. */
export const clipsWorkers: Readonly<Record<string, readonly EngineName[]>> = {
  'clips/fal': ['fal'],
  'clips/aws-scribe': ['elevenlabs', 'aws'],
  'clips/aws': ['aws'],
} satisfies Readonly<Record<keyof typeof clipsRoutes, readonly EngineName[]>>;

/** The workflow reads the task itself, so the model receives no input. */
export const clipsModels: ModelTable<typeof clipsRoutes> = {
  'clips/fal': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
  'clips/aws-scribe': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
  'clips/aws': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
};
