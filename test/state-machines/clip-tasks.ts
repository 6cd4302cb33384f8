/** Clip tasks of a service: creating them, waiting for their end, and checking invariants. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ffmpeg } from '../../offline-engine/ffmpeg.ts';
import type { Task } from '../../shared/contracts/task.ts';
import { uploadKey } from '../../shared/domain/clips/clip-task.ts';
import { sourceKey } from '../../shared/domain/tasks/task.ts';
import { settingsOf } from '../../shared/platform/settings.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { eventually } from '../support/eventually.ts';
import { numberedVideo } from '../support/numbered-video.ts';
import { isUploadOpen } from '../support/open-upload.ts';
import { rangedHost } from '../support/ranged-host.ts';
import type { TestAccount, TestService } from '../support/test-service.ts';

const balance = 100;
/** The price: two credits for the minute and five for each of the three clips. */
const cost = 17;

/** The first request of a copy. */
const isCopy = (range: string | undefined): boolean => range === 'bytes=0-0';

/** A video with the same kinds of tracks as cameras and editors store them. */
async function asMov(video: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'mov-'));
  const [mp4, mov] = [join(folder, 'video.mp4'), join(folder, 'video.mov')];
  await writeFile(mp4, video);
  await ffmpeg({ arguments: ['-i', mp4, '-c', 'copy', mov] });
  const bytes = await readFile(mov);
  await rm(folder, { recursive: true });
  return bytes;
}

/**
 * A video of three seconds with sound, for three clips of a second each; some videos are gone or empty when they are
 * copied.
 */
export async function clipVideos() {
  const video = await numberedVideo('10', 3);
  return rangedHost({
    'video.mp4': video,
    'video.mov': await asMov(video),
    'gone.mp4': (range) => (isCopy(range) ? undefined : video),
    'emptied.mp4': (range) => (range === undefined || isCopy(range) ? Buffer.alloc(0) : video),
  });
}

export interface ClipTasks {
  readonly account: TestAccount;
  /** Creates a new account; must be called before each test. */
  begin(): Promise<void>;
  /** Creates a task for the video. */
  cut(body?: object): Promise<string>;
  /** The task once its webhook is delivered, and the progress observed until then. */
  followed(taskId: string): Promise<{ readonly task: Task; readonly progress: readonly number[] }>;
  /** Checks that hold at every end: one webhook, exact credits, no copy of the video, and a workflow that has ended. */
  expectEnd(taskId: string, task: Task, code?: string): Promise<void>;
  /** Whether the copy of the video, or any part of it, is stored. */
  isStored(taskId: string): Promise<boolean>;
  executionOf(taskId: string): Promise<string>;
}

export function clipTasks(host: TestService, videosUrl: string): ClipTasks {
  let account: TestAccount;

  const executionOf = (taskId: string) =>
    eventually(`the end of the workflow of ${taskId}`, async () => {
      const executions = host.service.stateMachines.executions().filter(({ name }) => name === taskId);
      const found = executions.find(({ statesEntered }) => statesEntered.includes('PlanCopy'));
      return found && found.status !== 'RUNNING' ? found.status : undefined;
    });

  const isStored = async (taskId: string): Promise<boolean> => {
    const work = workStorage({ settings: settingsOf(host.service.environment) });
    const uploadId = await work.read(uploadKey(taskId), 4096);
    const isOpen = uploadId !== undefined && (await isUploadOpen(work, { key: sourceKey(taskId), uploadId }));
    return isOpen || (await work.open(sourceKey(taskId))) !== undefined;
  };

  return {
    get account() {
      return account;
    },
    async begin() {
      account = await host.account({ credits: balance, planId: 'pro' });
    },
    async cut(body = {}) {
      const request = { videoUrl: `${videosUrl}/video.mp4`, callbackUrl: host.receiver.url, ...body };
      const response = await host.call('generateCortes', { token: account.token, body: request });
      expect(response.status, response.text).toBe(202);
      return (response.body.data as { taskId: string }).taskId;
    },
    async followed(taskId) {
      const progress: number[] = [];
      await eventually(`the webhook of ${taskId}`, async () => {
        const found = await host.service.context.tasks.find(taskId);
        if (found && progress.at(-1) !== found.progress) progress.push(found.progress);
        return found?.webhookStatus === 'delivered' || undefined;
      });
      return { task: await host.task(account.token, taskId), progress };
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
  };
}
