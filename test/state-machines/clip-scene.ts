/** A service whose clip tasks are cut by a fake of fal.ai that really cuts, with an outcome for each of its jobs. */

import type { FalBehavior } from '../../fakes/fal/fal-behavior.ts';
import { type FalFake, startFalFake } from '../../fakes/fal/fal-fake.ts';
import type { LocalFunctions } from '../../infra/local/functions.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { type TestService, testService } from '../support/test-service.ts';
import { type ClipTasks, clipTasks, clipVideos } from './clip-tasks.ts';

const models = {
  transcribe: 'fal-ai/elevenlabs/speech-to-text/scribe-v2',
  cut: 'fal-ai/workflow-utilities/trim-video',
  crop: 'fal-ai/workflow-utilities/scale-video',
  poster: 'fal-ai/ffmpeg-api/extract-frame',
} as const;
type Work = keyof typeof models;
const works = Object.keys(models) as Work[];

/** The outcomes of each kind of job, in order; the last outcome applies to all further jobs. */
export type Outcomes = { readonly [Name in Work]?: readonly Partial<FalBehavior>[] };

const quick: Partial<FalBehavior> = { queueMs: 0, runMs: 0 };
export interface ClipScene extends ClipTasks {
  readonly host: TestService;
  readonly fake: FalFake;
  /** How many jobs of each kind have begun. */
  readonly begun: Readonly<Record<Work, number>>;
  decide(outcomes: Outcomes): void;
  /** The URL of a video that no longer exists when it is copied. */
  readonly goneUrl: string;
  /** The URL of a video that is an empty file when it is copied. */
  readonly emptiedUrl: string;
  /** The names of the jobs that were sent to fal.ai, with repetitions. */
  submissionsOf(taskId: string): readonly string[];
  /** The names of the jobs that were sent to fal.ai, without repetitions. */
  jobsOf(taskId: string): readonly string[];
  close(): Promise<void>;
}

interface SceneOptions {
  readonly functions?: LocalFunctions;
  /** Whether the fake honors idempotency keys, which fal.ai does not promise. Default: true. */
  readonly honorsIdempotencyKeys?: boolean;
  readonly timeoutPace?: number;
}

export async function startClipScene({
  functions,
  honorsIdempotencyKeys = true,
  timeoutPace = 1,
}: SceneOptions = {}): Promise<ClipScene> {
  let outcomes: Outcomes = {};
  let begun: Record<Work, number>;
  function behaviorOf(endpoint: string): Partial<FalBehavior> {
    const work = works.find((name) => models[name] === endpoint);
    if (!work) return quick;
    const own = outcomes[work] ?? [];
    const outcome = own[Math.min(begun[work], own.length - 1)];
    begun[work] += 1;
    return { ...quick, ...outcome };
  }
  const files = await clipVideos();
  const fake = await startFalFake({
    key: falKey,
    behavior: behaviorOf,
    concurrency: 20,
    retryDelaysMs: [20],
    honorsIdempotencyKeys,
  });
  const host = await testService({ environment: falEnvironment(fake), timeoutPace, ...(functions && { functions }) });
  const tasks = clipTasks(host, files.url);
  const submissionsOf = (taskId: string) => {
    const submissions = fake.requests.filter(({ method }) => method === 'POST');
    const keys = submissions.map(({ headers }) => headers['idempotency-key'] ?? '');
    const own = keys.filter((key) => key.startsWith(`${taskId}.`)).map((key) => key.slice(taskId.length + 1));
    return own.toSorted((one, other) => one.localeCompare(other));
  };

  return {
    ...tasks,
    host,
    fake,
    get account() {
      return tasks.account;
    },
    get begun() {
      return begun;
    },
    async begin() {
      outcomes = {};
      begun = { transcribe: 0, cut: 0, crop: 0, poster: 0 };
      await tasks.begin();
    },
    decide(given) {
      outcomes = given;
    },
    goneUrl: `${files.url}/gone.mp4`,
    emptiedUrl: `${files.url}/emptied.mp4`,
    submissionsOf,
    jobsOf: (taskId) => [...new Set(submissionsOf(taskId))],
    async close() {
      await host.close();
      await Promise.all([fake.close(), files.close()]);
    },
  };
}

/** The number of jobs that start for a task with three clips. */
export const jobCounts = { transcribe: 1, cut: 3, crop: 3, poster: 3 };

/** The names of the jobs of a task with three clips. */
export const allJobs = [
  'crop-01',
  'crop-02',
  'crop-03',
  'cut-01',
  'cut-02',
  'cut-03',
  'poster-01',
  'poster-02',
  'poster-03',
  'transcribe',
];
