/** The ways of cutting clips by the service's own workflow, by the engine that transcribes and cuts. */
import type { EngineName } from '../engine-names.ts';
import type { ModelTable } from '../model.ts';
import type { RouteTable } from '../route.ts';

export const clipsRoutes = {
  'clips/fal': { cortes: {} },
  'clips/aws': { cortes: {} },
} as const satisfies RouteTable<'clips'>;

/** The engines that do the work. */
export const clipsWorkers: Readonly<Record<string, EngineName>> = {
  'clips/fal': 'fal',
  'clips/aws': 'aws',
} satisfies Readonly<Record<keyof typeof clipsRoutes, EngineName>>;

/** The workflow reads the task itself. */
export const clipsModels: ModelTable<typeof clipsRoutes> = {
  'clips/fal': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
  'clips/aws': { model: 'cut-clips', inputs: { cortes: () => ({}) } },
};
