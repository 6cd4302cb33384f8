/**
 * The engine of test mode, which is part of the service: it makes no network requests and stores no jobs. The state of a
 * job is derived from its reference and the clock.
 */
import * as z from 'zod';
import { generationOf } from '../../contracts/generate.ts';
import { usualTestSeconds } from '../../contracts/limits.ts';
import { once } from '../../contracts/once.ts';
import type { TaskType } from '../../contracts/task-types.ts';
import {
  acceptedTestCase,
  type TestCase,
  testCases,
  testSteps,
  testTimeoutSeconds,
} from '../../contracts/test-cases.ts';
import { addressesIn, pathText } from '../../contracts/user-addresses.ts';
import { Outcome } from '../../contracts/workflow.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome } from '../engine.ts';
import { outputsOf } from './test-outputs.ts';

/** What is determined when a job is submitted. */
const Plan = once(() =>
  z.object({
    submittedAt: z.number(),
    seconds: z.number(),
    /** How many steps the progress has; one hundred if absent. */
    steps: z.int().optional(),
    outcome: Outcome(),
  }),
);
type Plan = z.output<ReturnType<typeof Plan>>;

/**
 * By how much a job ends earlier than stated: polls are scheduled to the second, by clocks that may differ, and must
 * not just miss the end.
 */
const toleranceMs = 500;

const secondsOf = ({ name, seconds = usualTestSeconds }: TestCase): number => {
  if (name === 'provider_timeout') return testTimeoutSeconds;
  return name === 'progress' ? testSteps.count * testSteps.seconds : seconds;
};

const failureOf = ({ name }: TestCase): EngineFailure | undefined => {
  const { failure }: { readonly failure?: EngineFailure; readonly meaning: string } = testCases[name];
  return failure;
};

const complaints: Readonly<Partial<Record<EngineFailure, string>>> = {
  DOWNLOAD_FAILED: 'could not be downloaded',
  INPUT_INVALID: 'cannot be used',
};

/** The problem with the first file of a request; undefined if the request has no file, or fails for another reason. */
function detailOf(code: EngineFailure, { taskType, input }: Pick<EngineJob, 'taskType' | 'input'>): string | undefined {
  const complaint = complaints[code];
  const [file] = addressesIn(generationOf(taskType as TaskType).body, input);
  return complaint && file && `${pathText(file.path)} ${complaint} (a test)`;
}

function outcomeOf(job: Pick<EngineJob, 'taskType' | 'input'>, code: EngineFailure | undefined): EngineOutcome {
  if (code === undefined) return { status: 'done', outputs: outputsOf(job.taskType as TaskType, job.input) };
  const detail = detailOf(code, job);
  return { status: 'failed', code, ...(detail !== undefined && { detail }) };
}

/** From 0 to 99, in the plan's steps. */
function progressAt({ submittedAt, seconds, steps = 100 }: Plan, now: number): number {
  const share = Math.max(0, now - submittedAt) / (seconds * 1000);
  return Math.min(99, Math.floor(Math.floor(share * steps) * (100 / steps)));
}

/** The input of a task for this engine: it needs the text that may have a test case, and no file. */
export const testInput = (task: {
  readonly input: Readonly<Record<string, unknown>>;
  readonly derived?: Readonly<Record<string, unknown>>;
  readonly clientReference?: string;
}): EngineJob['input'] => ({ ...task.input, ...task.derived, clientReference: task.clientReference });

export interface TestEngineMeans {
  readonly clock: Clock;
  /** Makes the file of an output; only the function that stores results needs it. */
  readonly makeMedia?: ((url: string) => Uint8Array) | undefined;
}

export const testEngine = ({ clock, makeMedia }: TestEngineMeans): Engine => ({
  async submit(job) {
    const clientReference = job.input.clientReference as string | undefined;
    const chosen = acceptedTestCase({ body: job.input, clientReference });
    const plan: Plan = {
      submittedAt: clock.now(),
      seconds: chosen ? secondsOf(chosen) : usualTestSeconds,
      steps: chosen?.name === 'progress' ? testSteps.count : undefined,
      outcome: outcomeOf(job, chosen && failureOf(chosen)) as Outcome,
    };
    // For a callback that never comes: the job is polled after the time in which a callback is awaited.
    const completion = chosen?.name === 'late_callback' ? 'callback' : 'polling';
    return { status: 'accepted', reference: JSON.stringify(plan), completion };
  },

  async check(reference) {
    const plan = Plan().parse(JSON.parse(reference));
    const now = clock.now();
    if (now >= plan.submittedAt + plan.seconds * 1000 - toleranceMs) return plan.outcome as EngineOutcome;
    return { status: 'running', progress: progressAt(plan, now), pollAgain: 'soon' };
  },

  cancel: async () => undefined,
  readCallback: async () => undefined,

  async download({ url }) {
    if (!makeMedia) throw new Error('this function does not make the files of test mode');
    const file = makeMedia(url);
    return {
      body: (async function* () {
        yield file;
      })(),
      bytes: file.length,
    };
  },
});
