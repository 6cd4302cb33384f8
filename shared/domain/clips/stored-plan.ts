/** Stores the planned clips of a task once, best first, so that repeated steps cut the same ones. */
import * as z from 'zod';
import { once } from '../../contracts/once.ts';
import type { WorkStorage } from '../../platform/work-storage.ts';
import type { PlannedClip } from './choose-passages.ts';
import { planKey } from './clip-task.ts';

const maxBytes = 2 ** 20;

const Plan = once(
  (): z.ZodType<readonly PlannedClip[]> =>
    z.array(
      z.object({
        startSec: z.number().min(0),
        endSec: z.number().positive(),
        title: z.exactOptional(z.string()),
        hook: z.exactOptional(z.string()),
        score: z.exactOptional(z.number()),
      }),
    ),
);

export async function readPlan(
  { work }: { readonly work: Pick<WorkStorage, 'read'> },
  taskId: string,
): Promise<readonly PlannedClip[] | undefined> {
  const text = await work.read(planKey(taskId), maxBytes);
  return text === undefined ? undefined : Plan().parse(JSON.parse(text));
}

export const writePlan = (
  { work }: { readonly work: Pick<WorkStorage, 'write'> },
  taskId: string,
  plan: readonly PlannedClip[],
): Promise<void> => work.write(planKey(taskId), JSON.stringify(plan), 'application/json');
