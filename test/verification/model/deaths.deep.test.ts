/**
 * Functions die after each of their changes to AWS. Their caller, such as the workflow or the queue, calls them again,
 * and nothing is lost or done twice.
 */
import { afterAll, expect, test } from 'vitest';
import { death, type Fault } from '../faults/fault-plan.ts';
import { startBench, startWorld, type World } from '../world/world.ts';
import { deliver, sweep, wait } from './background-commands.ts';
import type { Command } from './command.ts';
import { drain } from './drain.ts';
import { type Model, newModel } from './model.ts';
import { redeliver } from './operator-commands.ts';
import { cancel, create, remove } from './request-commands.ts';
import { type EngineMood, report, step } from './workflow-commands.ts';

const bench = await startBench();
afterAll(() => bench.close());

/** A time longer than every lease, and longer than the interval at which open tasks are checked. */
const minuteSeconds = 61;
/** A time after the deadline of a task at which the sweeper itself fails the task. */
const overdueSeconds = 93 * 60;

type Making = (faults?: readonly Fault[]) => Command;

const creating: Making = (faults) => create({ account: 0, key: 'k1', characters: 1, webhook: true }, faults);
const creatingWithTestToken: Making = (faults) =>
  create({ account: 1, key: 'k1', characters: 1, webhook: true }, faults);
const asking =
  (mood: EngineMood): Making =>
  (faults) =>
    step({ execution: 0, steps: 1, mood, progress: 50 }, faults);
const finalizing = asking('accepts');
const reporting =
  (end: 'done' | 'failed'): Making =>
  (faults) =>
    report({ task: 0, report: end, progress: 100, forged: false }, faults);
const canceling: Making = (faults) => cancel({ task: 0, byStranger: false }, faults);
const removing: Making = (faults) => remove({ task: 0, byStranger: false }, faults);
const delivering =
  (response: number): Making =>
  (faults) =>
    deliver({ message: 0, response, again: false }, faults);
const sweeping: Making = (faults) => sweep({ everything: false }, faults);

const created = creating();
const accepted = [created, asking('accepts')()];
const canceled = [created, canceling()];

/** A request that fails however often it is repeated. */
const without = (on: Fault['on']): readonly Fault[] => [{ on, kind: 'refused', skip: 0, times: 6 }];

interface Death {
  readonly given: readonly Command[];
  readonly dying: Making;
  readonly status: 'completed' | 'failed';
  readonly isPolled?: true;
  /** Whether the engine loses the job, so that it is submitted again. */
  readonly isLost?: true;
}

const deaths: Readonly<Record<string, Death>> = {
  'the creation of a task': { given: [], dying: creating, status: 'completed' },
  'the creation of a task with a test token': { given: [], dying: creatingWithTestToken, status: 'completed' },
  'the submission of a job': { given: [created], dying: asking('accepts'), status: 'completed' },
  'the submission of a job that is done at once': { given: [created], dying: asking('is done'), status: 'completed' },
  'a poll of a job that is done': { given: accepted, dying: asking('is done'), status: 'completed', isPolled: true },
  'a poll of a job that its engine has lost': {
    given: accepted,
    dying: asking('has lost it'),
    status: 'completed',
    isPolled: true,
    isLost: true,
  },
  'the report of an engine': { given: accepted, dying: reporting('done'), status: 'completed' },
  'the completion of a task': { given: [...accepted, reporting('done')()], dying: finalizing, status: 'completed' },
  'the refund of a failed task': { given: [...accepted, reporting('failed')()], dying: finalizing, status: 'failed' },
  'a cancellation': { given: accepted, dying: canceling, status: 'failed' },
  'the deletion of a task': { given: canceled, dying: removing, status: 'failed' },
  'the deletion of an open task': { given: accepted, dying: removing, status: 'failed' },
  'the deletion of a task that no engine has yet': { given: [created], dying: removing, status: 'failed' },
  'an accepted delivery of a webhook': { given: canceled, dying: delivering(204), status: 'failed' },
  'a rejected delivery of a webhook': { given: canceled, dying: delivering(500), status: 'failed' },
  'a redelivery by an operator': {
    given: [...canceled, delivering(204)()],
    dying: (faults) => redeliver({ task: 0 }, faults),
    status: 'failed',
  },
  'a sweep that starts a missing execution': {
    given: [creating(without('StartExecution')), wait({ seconds: minuteSeconds })],
    dying: sweeping,
    status: 'completed',
  },
  'a sweep that fails an overdue task': {
    given: [created, wait({ seconds: overdueSeconds })],
    dying: sweeping,
    status: 'failed',
  },
  'a sweep that enqueues a missing webhook': {
    given: [created, canceling(without('SendMessage')), wait({ seconds: minuteSeconds })],
    dying: sweeping,
    status: 'failed',
  },
};

async function run(commands: readonly Command[], model: Model, world: World): Promise<void> {
  for (const command of commands) if (command.check(model)) await command.run(model, world);
}

/** The workflow, the queue and the schedule go on until the task and its webhook are settled. */
async function settle(model: Model, world: World): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await run([step({ execution: 0, steps: 3, mood: 'is done', progress: 100 })], model, world);
    while (world.queue.messages.length > 0) await run([delivering(204)()], model, world);
    const [task] = model.seen.tasks.values();
    if (task?.nextCheckAt === undefined) return;
    await run([wait({ seconds: minuteSeconds }), sweeping()], model, world);
  }
}

/** The task whose job was submitted, once the job's reference is stored. */
function submittedIn({ seen }: Model): string | undefined {
  const [[taskId, job] = []] = seen.jobs;
  return job?.reference === undefined ? undefined : taskId;
}

/** Whether the function made enough changes to reach the one after which it was to die. */
async function diesAt({ given, dying, isLost, isPolled, status }: Death, faults: readonly Fault[]): Promise<boolean> {
  const strikes = () => bench.tally.faults.get('any change lost') ?? 0;
  const world = await startWorld(bench, { engineCompletion: isPolled ? 'polling' : 'callback' });
  const model = await newModel(world, [1]);
  await run(given, model, world);
  const before = strikes();
  await run([dying(faults)], model, world);
  if (strikes() === before) return false;
  const submitted = submittedIn(model);
  // The deletion of a task erases its job's row; from then on, only the engine knows the job.
  const submissionsNow = () => world.host.engine.jobs.get(submitted ?? '')?.submissions;
  const submissions = submissionsNow();
  await run([dying()], model, world);
  await settle(model, world);
  if (submitted !== undefined && !isLost) expect(submissionsNow()).toBe(submissions);
  expect([...model.seen.tasks.values()]).toMatchObject([{ status, webhookStatus: 'delivered' }]);
  await drain(model, world, { first: 204, second: 204 });
  return true;
}

/** Most changes resemble the ones beside them, so that CI has a death after every third change only. */
const changesBetweenDeaths = process.env.CI && !process.env.MODEL_RUNS ? 3 : 1;

test.for(Object.entries(deaths))(
  'a task ends with exact credits and a delivered webhook even if %s dies after any one of its changes in AWS',
  async ([, one]) => {
    let changes = 0;
    while (await diesAt(one, death(changes))) changes += changesBetweenDeaths;
    expect(changes).toBeGreaterThan(0);
  },
);
