/** Measures files that engines download themselves again before submission: they may have grown since they were paid for. */
import { generationOf } from '../../contracts/generate.ts';
import { paidSecondsOf } from '../../contracts/generation-contract.ts';
import type { InputLimits } from '../../contracts/media.ts';
import type { MeasuringHost } from '../../media-files/read-media.ts';
import type { Outbound } from '../../platform/outbound.ts';
import { isProblem, type MediaProblem, outOfLimits } from '../media/media-problem.ts';
import type { Task } from '../tasks/task.ts';

interface Needs {
  readonly outbound: Pick<Outbound, 'open'>;
  readonly measuring?: MeasuringHost;
}

interface Video {
  readonly task: Task;
  readonly url: string;
  readonly limits: InputLimits;
}

const attempts = 2;
const attemptMs = 8_000;

/** Undefined if the file is not longer, or if only the engine can open it, as with a link to a video site. */
export async function grownProblem(needs: Needs, { task, url, limits }: Video): Promise<MediaProblem | undefined> {
  const { derived = {}, input, taskType } = task;
  const paid = paidSecondsOf(generationOf(taskType), { ...input, ...derived });
  if (paid === undefined || derived.link !== undefined) return undefined;
  const { probeMedia } = await import('../media/probe-media.ts');
  const { measuring } = needs;
  for (let attempt = 1; ; attempt += 1) {
    const options = { kind: 'video', counts: 'longest', limits, timeoutMs: attemptMs, measuring } as const;
    const facts = await probeMedia(needs.outbound, url, options);
    if (isProblem(facts)) {
      if (facts.problem === 'unreachable' && attempt < attempts) continue;
      return facts;
    }
    const seconds = Math.floor(facts.durationSec);
    return seconds > paid ? outOfLimits(`is now ${seconds} seconds long; ${paid} were paid for`) : undefined;
  }
}
