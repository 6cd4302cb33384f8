/** A service whose tasks of clips are cut by a fake of fal.ai that really cuts, with a fate for each of its jobs. */
import { expect } from 'vitest';
import type { LocalFunctions } from '../../infra/local/functions.ts';
import type { FalBehavior } from '../../infra/local/sandboxes/fal/fal-behavior.ts';
import { type FalFake, startFalFake } from '../../infra/local/sandboxes/fal/fal-fake.ts';
import type { Task } from '../../shared/contracts/tasks.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { eventually } from '../support/eventually.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { numberedVideo } from '../support/numbered-video.ts';
import { rangedHost } from '../support/ranged-host.ts';
import { type TestAccount, type TestService, testService } from '../support/test-service.ts';

const models = {
  transcribe: 'fal-ai/elevenlabs/speech-to-text/scribe-v2',
  cut: 'fal-ai/workflow-utilities/trim-video',
  crop: 'fal-ai/workflow-utilities/scale-video',
  poster: 'fal-ai/ffmpeg-api/extract-frame',
} as const;
type Work = keyof typeof models;
const works = Object.keys(models) as Work[];

/** How the fake handles the jobs of each kind in turn; the last fate is that of all further ones. */
export type Fates = { readonly [Name in Work]?: readonly Partial<FalBehavior>[] };

const quick: Partial<FalBehavior> = { queueMs: 0, runMs: 0 };
const balance = 100;
/** Two credits for the minute and five for each of the three clips. */
const cost = 17;

/** The first request of a copy. */
const isCopy = (range: string | undefined): boolean => range === 'bytes=0-0';

export interface ClipScene {
  readonly host: TestService;
  readonly fake: FalFake;
  readonly account: TestAccount;
  /** How many jobs of each kind have begun. */
  readonly begun: Readonly<Record<Work, number>>;
  /** Must be called before each test. */
  begin(): Promise<void>;
  decide(fates: Fates): void;
  /** Creates a task for a video of three seconds with sound. */
  cut(body?: object): Promise<string>;
  /** Of a video that is gone when it is copied. */
  readonly goneUrl: string;
  /** The task once its webhook is delivered, and the progress that was seen until then. */
  followed(taskId: string): Promise<{ readonly task: Task; readonly progress: readonly number[] }>;
  /** The names of the jobs that fal.ai was given, however often. */
  jobsOf(taskId: string): readonly string[];
  /** What holds at every end: one webhook, exact credits, no copy of the video, and a workflow that has ended. */
  expectEnd(taskId: string, task: Task, code?: string): Promise<void>;
  isStored(taskId: string): Promise<boolean>;
  executionOf(taskId: string): Promise<string>;
  close(): Promise<void>;
}

export async function startClipScene(functions?: LocalFunctions): Promise<ClipScene> {
  let fates: Fates = {};
  let begun: Record<Work, number>;
  let account: TestAccount;
  function behaviorOf(endpoint: string): Partial<FalBehavior> {
    const work = works.find((name) => models[name] === endpoint);
    if (!work) return quick;
    const own = fates[work] ?? [];
    const fate = own[Math.min(begun[work], own.length - 1)];
    begun[work] += 1;
    return { ...quick, ...fate };
  }
  // Three clips of a second each.
  const video = await numberedVideo('10', 3);
  const files = await rangedHost({
    'video.mp4': video,
    'gone.mp4': (range) => (isCopy(range) ? undefined : video),
  });
  const fake = await startFalFake({ key: falKey, behavior: behaviorOf, concurrency: 20, retryDelaysMs: [20] });
  const host = await testService({ environment: falEnvironment(fake), ...(functions && { functions }) });

  const executionOf = (taskId: string) =>
    eventually(`the end of the workflow of ${taskId}`, async () => {
      const executions = host.service.stateMachines.executions().filter(({ name }) => name === taskId);
      const found = executions.find(({ statesEntered }) => statesEntered.includes('PlanCopy'));
      return found && found.status !== 'RUNNING' ? found.status : undefined;
    });

  const isStored = async (taskId: string): Promise<boolean> => {
    const work = workStorage({ settings: settingsOf(host.service.environment) });
    return (await work.open(`inputs/${taskId}/source.mp4`)) !== undefined;
  };

  return {
    host,
    fake,
    get account() {
      return account;
    },
    get begun() {
      return begun;
    },
    async begin() {
      fates = {};
      begun = { transcribe: 0, cut: 0, crop: 0, poster: 0 };
      account = await host.account({ credits: balance, planId: 'pro' });
    },
    decide(given) {
      fates = given;
    },
    async cut(body = {}) {
      const request = { videoUrl: `${files.url}/video.mp4`, callbackUrl: host.receiver.url, ...body };
      const response = await host.call('generateCortes', { token: account.token, body: request });
      expect(response.status, response.text).toBe(202);
      return (response.body.data as { taskId: string }).taskId;
    },
    goneUrl: `${files.url}/gone.mp4`,
    async followed(taskId) {
      const progress: number[] = [];
      await eventually(`the webhook of ${taskId}`, async () => {
        const found = await host.service.context.tasks.find(taskId);
        if (found && progress.at(-1) !== found.progress) progress.push(found.progress);
        return found?.webhookStatus === 'delivered' || undefined;
      });
      return { task: await host.task(account.token, taskId), progress };
    },
    jobsOf(taskId) {
      const submissions = fake.requests.filter(({ method }) => method === 'POST');
      const keys = submissions.map(({ headers }) => headers['idempotency-key'] ?? '');
      const own = keys.filter((key) => key.startsWith(`${taskId}.`)).map((key) => key.slice(taskId.length + 1));
      return [...new Set(own)].toSorted((one, other) => one.localeCompare(other));
    },
    executionOf,
    isStored,
    async expectEnd(taskId, task, code) {
      expect(task.error?.code).toBe(code);
      const refund = code === undefined ? 0 : cost;
      expect(task).toMatchObject({ creditsUsed: cost, creditsRefunded: refund });
      expect(await executionOf(taskId)).toBe('SUCCEEDED');
      expect((await host.standing(account.accountId)).balance).toBe(balance - cost + refund);
      expect(host.receiver.of(taskId)).toHaveLength(1);
      expect(await isStored(taskId)).toBe(false);
      await host.audit();
    },
    async close() {
      await host.close();
      await Promise.all([fake.close(), files.close()]);
    },
  };
}

/** How many jobs begin for a task with three clips. */
export const jobCounts = { transcribe: 1, cut: 3, crop: 3, poster: 3 };

/** Their names. */
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
