/** Parses Klap's responses: its tasks, the clips in a folder, which Klap calls projects, and their exports. */
import * as z from 'zod';
import { clipTitle } from '../clip-title.ts';
import type { EngineClip } from '../engine.ts';
import { plainId } from '../provider-api.ts';

const Id = z.string().regex(plainId);
const text = z.string().nullish().catch(undefined);

/** Accepts several words per status, because the pages of the reference disagree. */
const Status = z
  .string()
  .transform((word) =>
    ['ready', 'completed', 'complete', 'success', 'done'].includes(word)
      ? 'ready'
      : ['error', 'failed'].includes(word)
        ? 'error'
        : 'processing',
  );

export const KlapTask = z.object({ id: Id, status: Status, output_id: Id.nullish().catch(undefined) });

export const KlapExportState = z.object({
  id: Id,
  status: Status,
  src_url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullish()
    .catch(undefined),
});

const Project = z.object({ id: Id, name: text, virality_score: z.number().min(0).nullish().catch(undefined) });

export const KlapProjects = z.array(Project).max(1000);
type KlapProjects = z.output<typeof KlapProjects>;

export interface KlapClip {
  readonly project: string;
  readonly clip: EngineClip;
}

/** The reference gives scores from 0 to 1, but folders with scores up to 100 have been seen too. */
const scaleOf = (projects: KlapProjects): number =>
  projects.some(({ virality_score: score }) => (score ?? 0) > 1) ? 100 : 1;

/** The clips in a folder, best first; those without a score come last, in Klap's order. */
export function rankedClips(projects: KlapProjects): readonly KlapClip[] {
  const scale = scaleOf(projects);
  const ranked = projects.toSorted((one, other) => (other.virality_score ?? -1) - (one.virality_score ?? -1));
  return ranked.map(({ id, name, virality_score: score }) => {
    const title = clipTitle(name);
    return {
      project: id,
      clip: { ...(title && { title }), ...(typeof score === 'number' && { score: Math.min(1, score / scale) }) },
    };
  });
}
