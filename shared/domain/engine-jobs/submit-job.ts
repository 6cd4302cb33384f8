/** Submits a job to its engine. */
import type { TaskErrorCode } from '../../contracts/errors.ts';
import type { EngineBusy, EngineFile, EngineJob, EngineOutcome } from '../../engines/engine.ts';
import type { Engines } from '../../engines/engines.ts';
import type { Bucket } from '../../platform/bucket.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';
import type { Stores } from '../stores.ts';
import { inputsFolder, isTerminal, type Task } from '../tasks/task.ts';
import { evenDeleted } from '../tasks/task-store.ts';
import { callbackAddress } from './callback-address.ts';
import { engineFault } from './engine-fault.ts';
import { type EngineJobState, idempotencyKeyOf, type JobId } from './engine-job.ts';
import type { Acceptance, EngineJobStore } from './engine-job-store.ts';

export type JobRequest = Pick<EngineJob, 'input' | 'model'>;

/** Why a job cannot be submitted to its engine. */
export type UnusableInput = Extract<EngineOutcome, { status: 'failed' }>;

/** The task's video must be copied by the workflow before its job is submitted. */
export interface UncopiedInput {
  readonly status: 'uncopied';
}

/** The copies of a task's input files, recorded once by the attempt that completes them. */
export interface InputCopies {
  /** The copies' keys in the inputs bucket, if an earlier attempt has completed them. */
  readonly keys: readonly string[] | undefined;
  readonly record: (keys: readonly string[]) => Promise<void>;
}

/** What a workflow step requests for a job of its task. */
export interface JobOrder {
  readonly engine: string;
  readonly deadlineAt: number;
  /** Builds the request for each submission, or returns why the job cannot be submitted, at all or yet. */
  readonly request: (copies: InputCopies) => Promise<JobRequest | UnusableInput | UncopiedInput>;
}

export interface SubmitNeeds extends Pick<Stores, 'tasks'> {
  readonly clock: Clock;
  readonly engineJobs: EngineJobStore;
  readonly engines: Engines;
  readonly ids: Ids;
  readonly inputs: Bucket;
  readonly secrets: Secrets;
  readonly settings: Settings;
}

/** The service's own storage failed while it stored what an engine returned. */
class KeepingFailed extends Error {
  override readonly name = 'KeepingFailed';
}

/** Marks errors that an engine throws, so that they are not mistaken for the service's own. */
const blameEngine = (error: unknown): never => {
  if (error instanceof KeepingFailed) throw error;
  throw Object.assign(new Error('the engine failed', { cause: error }), { name: engineFault });
};

/**
 * How long the URL of a file that an engine returned directly stays readable; results are copied soon after the report.
 */
const fileReadableSeconds = 3600;

const keepFile =
  ({ ids, inputs }: SubmitNeeds, taskId: string) =>
  async ({ bytes, contentType }: EngineFile) => {
    const key = `${inputsFolder(taskId)}made-${ids.next()}`;
    try {
      await inputs.write(key, { body: [bytes], contentType });
      return await inputs.addressOf(key, fileReadableSeconds);
    } catch (cause) {
      throw new KeepingFailed('a file could not be stored', { cause });
    }
  };

/** The task ended while its job was being prepared. */
interface Ended {
  readonly status: 'ended';
  readonly code: TaskErrorCode;
}

export type Submitted =
  | EngineOutcome
  | EngineBusy
  | UncopiedInput
  | Ended
  | ({ readonly status: 'accepted' } & Acceptance);

/** After how long the task is read again: copying its files may have taken until it was canceled. */
const stillOpenMs = 1000;

async function endedSince(
  { clock, tasks }: SubmitNeeds,
  { taskId }: Task,
  preparedAt: number,
): Promise<Ended | undefined> {
  if (clock.now() - preparedAt < stillOpenMs) return undefined;
  const task = await tasks.find(taskId, evenDeleted);
  return task && !isTerminal(task) ? undefined : { status: 'ended', code: task?.errorCode ?? 'CANCELED' };
}

/** Submits a job. Can be repeated: an engine that already has the job does not start a second one. */
export async function submitJob(
  needs: SubmitNeeds,
  task: Task,
  { inputKeys, ...job }: JobId & Pick<EngineJobState, 'inputKeys'>,
  order: JobOrder,
): Promise<Submitted> {
  const { engine: name, deadlineAt } = order;
  const engine = needs.engines.named(name);
  if (!engine) throw new Error(`no engine is named ${name}`);
  const { engineCallbackKey, apiUrl } = needs.settings;
  const key = await needs.secrets.read(engineCallbackKey);
  const preparedAt = needs.clock.now();
  const request = await order.request({
    keys: inputKeys,
    record: (keys) => needs.engineJobs.recordInputs(job, keys),
  });
  // No engine charges for a request that it never receives.
  if ('status' in request) return request.status === 'failed' ? { ...request, charge: { units: 0 } } : request;
  const ended = await endedSince(needs, task, preparedAt);
  if (ended) return ended;
  const submitted = await engine
    .submit({
      ...request,
      taskId: idempotencyKeyOf(job),
      accountId: task.accountId,
      taskType: task.taskType,
      callbackUrl: `${apiUrl}/inbound/engines/${name}/${callbackAddress(key, name, job)}`,
      keep: keepFile(needs, task.taskId),
    })
    .catch(blameEngine);
  return submitted.status === 'accepted' ? { ...submitted, engine: name, deadlineAt } : submitted;
}
