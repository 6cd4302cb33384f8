/** Collects what operators see of a task: its engine jobs, with the engines' references and charges, and its events. */
import { timestamp } from '../../platform/clock.ts';
import type { Settings } from '../../platform/settings.ts';
import type { EngineJobState, JobId } from '../engine-jobs/engine-job.ts';
import type { Stores } from '../stores.ts';
import { presentTask } from '../tasks/present-task.ts';
import { eventsOf } from '../tasks/task-events.ts';
import { ofOperators } from './present-operated-task.ts';

type Needs = Pick<Stores, 'engineJobs' | 'tasks'> & { readonly settings: Settings };

/** How a job ended, in words. */
const outcomeOf = ({ outcome }: EngineJobState): string | null => {
  if (!outcome) return null;
  return outcome.status === 'failed' ? `failed: ${outcome.code}` : outcome.status;
};

const presentJob = (job: EngineJobState & JobId) => ({
  name: job.name,
  engine: job.engine ?? null,
  reference: job.reference ?? null,
  lostReferences: job.lostReferences ?? [],
  outcome: outcomeOf(job),
  costMicros: job.costMicros ?? null,
  deadlineAt: job.deadlineAt === undefined ? null : timestamp(job.deadlineAt),
});

/** Everything about a task; undefined if it does not exist. */
export async function inspectTask({ engineJobs, settings, tasks }: Needs, taskId: string) {
  const [found, jobs] = await Promise.all([tasks.findWithDeliveries(taskId), engineJobs.list(taskId)]);
  if (!found) return undefined;
  const { attempts, task } = found;
  return {
    task: { ...presentTask(task, attempts, settings), ...ofOperators(task) },
    jobs: jobs.map(presentJob),
    events: eventsOf(task, attempts),
  };
}
