/** Attempts at engine jobs on the real table, with an engine and ports that a test scripts and inspects. */
import { advanceJob } from '../../../shared/domain/engine-jobs/advance-job.ts';
import { mainJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import type { JobOrder } from '../../../shared/domain/engine-jobs/submit-job.ts';
import { stores } from '../../../shared/domain/stores.ts';
import type { Task } from '../../../shared/domain/tasks/task.ts';
import { insertTask } from '../../../shared/domain/tasks/task-item.ts';
import type { Engine } from '../../../shared/engines/engine.ts';
import { settingsOf, settingVariables } from '../../../shared/platform/settings.ts';
import { recordedMetrics } from '../../support/recorded-metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { aTask, type TestTable, testIds, testTime } from '../../support/test-table.ts';

export const callbackKey = 'callback key';

const settings = settingsOf({
  [settingVariables.engineCallbackKey]: callbackKey,
  [settingVariables.apiUrl]: 'https://api.example',
});

export const accepted = { status: 'accepted', reference: 'r-1', completion: 'callback' } as const;
export const timedOut = { status: 'failed', code: 'PROVIDER_TIMEOUT' } as const;
export const done = {
  status: 'done' as const,
  outputs: [{ url: 'https://engine.example/1', contentType: 'audio/mpeg' }],
};

const unused = (): Promise<never> => Promise.reject(new Error('not used here'));

export const raise = (error: unknown) => async (): Promise<never> => {
  throw error;
};

/** A service, an engine named `offline` and executions with the token `token`, all for one test. */
export function jobAttempts({ table }: TestTable) {
  /** The calls of the ports, in order. */
  const asked: unknown[][] = [];
  const recording =
    <Result>(name: string, result: Result) =>
    async (...given: unknown[]): Promise<Result> => {
      asked.push([name, ...given]);
      return result;
    };
  const engine: Engine = {
    submit: async () => accepted,
    check: async () => ({ status: 'running', progress: 10 }),
    cancel: recording('cancel', undefined),
    readCallback: unused,
    download: unused,
  };
  const time = { now: testTime };
  const clock = { now: () => time.now };
  const logger = new RecordingLogger();
  const store = stores(table, clock);
  const needs = {
    ...store,
    clock,
    settings,
    logger,
    metrics: recordedMetrics(),
    ids: { ...testIds, next: () => 'id' },
    engines: { named: (name: string) => (name === 'offline' ? engine : undefined) },
    inputs: {
      write: recording('write', 2),
      addressOf: async (key: string, seconds: number) => `https://inputs.example/${key}?${seconds}`,
    },
    secrets: { read: async (name: string) => name },
    workflow: { start: unused, succeed: recording('succeed', true), fail: recording('fail', true) },
  };

  return {
    ...store,
    asked,
    engine,
    needs,
    recording,
    time,
    warnings: logger.warnings,
    async createTask(given: Partial<Task> = {}): Promise<Task> {
      const task = aTask(given);
      await table.transact([insertTask(task, testTime)]);
      return task;
    },
    /** A task whose main job the engine has accepted. */
    async createAccepted(completion: 'callback' | 'polling', given: Partial<Task> = {}): Promise<Task> {
      const task = await this.createTask(given);
      const acceptance = { engine: 'offline', reference: 'r-1', completion, deadlineAt: task.deadlineAt };
      await store.engineJobs.recordAcceptance({ taskId: task.taskId, name: mainJob }, acceptance);
      return task;
    },
    attempt: (task: Pick<Task, 'taskId'>, order: Partial<JobOrder> = {}, name: string = mainJob) =>
      advanceJob(needs, { taskId: task.taskId, name }, 'token', ({ deadlineAt }) => ({
        engine: 'offline',
        deadlineAt,
        request: async () => ({ input: { text: 'Oi.' }, model: 'a model' }),
        ...order,
      })),
    jobOf: ({ taskId }: Task, name: string = mainJob) => store.engineJobs.find({ taskId, name }),
  };
}
