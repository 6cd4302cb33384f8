/** Commands of the workflow and the engines: poll, report, finalize, settle. */
import { generationOf } from '../../../shared/contracts/generate.ts';
import type { TaskStatus } from '../../../shared/contracts/task-statuses.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import type { ScriptedJob } from '../../support/scripted-engine.ts';
import { ensure } from '../oracle/ensure.ts';
import { outputOf } from '../world/engine-output.ts';
import type { Execution } from '../world/scripted-workflow.ts';
import { type Act, commandOf, invoked, nthOf, taskAt } from './command.ts';
import { isOpen, type ModelTask, type Permit } from './model.ts';

export const engineMoods = [
  'accepts',
  'works',
  'is done',
  'makes too much',
  'rejects',
  'is down',
  'has lost it',
] as const;
export type EngineMood = (typeof engineMoods)[number];

export const reports = ['queued', 'running', 'done', 'failed'] as const;

/** The possible states of a task that its engine is working on. */
export const worksOn = ({ taskType }: Pick<Task, 'taskType'>): readonly TaskStatus[] =>
  generationOf(taskType).showsSubmitted ? ['submitted', 'processing'] : ['processing'];

const endings: readonly TaskStatus[] = ['completed', 'failed'];

const moving = (task: ModelTask, may: readonly TaskStatus[]): NonNullable<Permit['moves']> =>
  new Map(isOpen(task) ? [[task.taskId, may]] : []);

function setMood({ engine }: Act['world']['host'], mood: EngineMood, progress: number): void {
  const down = { status: 503, body: {} };
  const isDone = mood === 'is done' || mood === 'makes too much';
  // The price does not depend on the duration of the speech.
  const done = (job: ScriptedJob) => engine.done(job, mood === 'makes too much' && job.operation !== 'voice' ? 2 : 0);
  engine.play({
    submit(job) {
      if (mood === 'is down') return down;
      if (mood === 'rejects') return { status: 422, body: { error: { code: 'CONTENT_REJECTED' } } };
      return { status: 202, body: isDone ? done(job) : engine.report(job, 'queued') };
    },
    check(job) {
      if (mood === 'is down') return down;
      if (mood === 'has lost it') return { status: 404, body: {} };
      if (isDone) return { status: 200, body: done(job) };
      const failed = { error: { code: 'PROVIDER_ERROR' } };
      if (mood === 'rejects') return { status: 200, body: engine.report(job, 'failed', failed) };
      return { status: 200, body: engine.report(job, 'running', { progress }) };
    },
  });
}

async function ask({ world }: Act, execution: Execution): Promise<void> {
  const token = world.workflow.issueToken(execution);
  try {
    await world.invoke('askEngine', { taskId: execution.name, token });
  } catch (error) {
    if (!world.faults.disturbed) throw error;
    world.workflow.fail(execution, 'Error');
  }
}

/** Calls Finalize, and repeats it as the state machine does. */
async function putIntoEffect({ world }: Act, execution: Execution): Promise<void> {
  const { name: taskId, outcome } = execution;
  try {
    await world.invoke('finalize', { taskId, outcome });
  } catch (error) {
    if (!world.faults.disturbed) throw error;
    execution.failures += 1;
    if (execution.failures > 4) execution.status = 'FAILED';
    return;
  }
  execution.status = 'SUCCEEDED';
}

export interface StepArgs {
  readonly execution: number;
  readonly steps: number;
  readonly mood: EngineMood;
  readonly progress: number;
}

/** Advances an execution by the given number of states. */
export const step = commandOf('step', async (act, args: StepArgs): Promise<Permit> => {
  const { world, model } = act;
  const running = world.workflow.executions.filter(({ status }) => status === 'RUNNING');
  const execution = nthOf(running, args.execution);
  const task = execution && model.tasks.get(execution.name);
  if (!execution || !task) return {};
  setMood(world.host, args.mood, args.progress);
  let finalized = false;
  for (let done = 0; done < args.steps && execution.status === 'RUNNING'; done += 1) {
    finalized ||= execution.outcome !== undefined;
    await (execution.outcome ? putIntoEffect(act, execution) : ask(act, execution));
  }
  return { moves: moving(task, finalized ? [...worksOn(task), ...endings] : worksOn(task)) };
});

export interface ReportArgs {
  readonly task: number;
  readonly report: (typeof reports)[number];
  readonly progress: number;
  readonly forged: boolean;
}

/** An engine's report about a job, in the engine's protocol. */
export function reportOf(
  { host }: Act['world'],
  task: Pick<Task, 'taskId' | 'taskType'>,
  { report, progress }: Pick<ReportArgs, 'report' | 'progress'>,
) {
  const { url, ...output } = outputOf(task);
  return {
    reference: `job-${task.taskId}`,
    status: report,
    progress,
    ...(report === 'failed' && { error: { code: 'CONTENT_REJECTED' } }),
    ...(report === 'done' && { outputs: [{ ...output, url: `${host.engine.url}/${url}` }] }),
  };
}

/** An engine calls back, in any order and any number of times; or an attacker impersonates it. */
export const report = commandOf('report', async (act, args: ReportArgs): Promise<Permit> => {
  const { world } = act;
  const task = taskAt(act, args.task);
  const status = await world.callBack(task.taskId, reportOf(world, task, args), args.forged);
  const excused = world.faults.disturbed && status >= 500;
  ensure(excused || status === (args.forged ? 401 : 200), 'a report is taken as the model says', { args, status });
  return { moves: moving(task, args.forged || args.report === 'queued' ? [] : ['processing']) };
});

/** The possible results of an execution, as Finalize receives them. */
export const outcomes = {
  done: (task: Pick<Task, 'taskId' | 'taskType'>) => ({ status: 'done', outputs: [outputOf(task)] }),
  failed: () => ({ status: 'failed', code: 'CONTENT_REJECTED' }),
  error: () => ({ Error: 'States.Timeout' }),
} as const;

export interface FinalizeArgs {
  readonly task: number;
  readonly outcome: keyof typeof outcomes;
  /** The id of any task, preferring open ones. */
  readonly ofAny: boolean;
}

/** Calls Finalize without an execution, like a repeated call that comes late or early. */
export const finalize = commandOf('finalize', async (act, args: FinalizeArgs): Promise<Permit> => {
  const open = args.ofAny ? [] : [...act.model.tasks.values()].filter(isOpen);
  const task = nthOf(open, args.task) ?? taskAt(act, args.task);
  const { taskId } = task;
  const standing = act.model.seen.jobs.get(taskId)?.outcome as { status: string } | undefined;
  await invoked(act, 'finalize', { taskId, outcome: outcomes[args.outcome](task) });
  if (!isOpen(task)) return {};
  const expected = args.outcome === 'error' ? standing?.status : args.outcome;
  const end: TaskStatus = expected === 'done' ? 'completed' : 'failed';
  return { musts: new Map([[taskId, end]]) };
});

/** The event of an execution that has failed; the event may also be false. */
export const settle = commandOf('settle', async (act, args: { task: number }): Promise<Permit> => {
  const task = taskAt(act, args.task);
  const { taskId } = task;
  const execution = act.world.workflow.of(taskId);
  if (execution?.status === 'RUNNING') execution.status = 'FAILED';
  await invoked(act, 'settleExecution', { detail: { name: taskId, status: 'FAILED' } });
  return isOpen(task) ? { musts: new Map([[taskId, 'failed']]) } : {};
});
