/**
 * Clip tasks, cut by the service's own workflow and by Klap, with fakes, so that their steps' AWS calls are recorded.
 */
import { expect } from 'vitest';
import { startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { startKlapFake } from '../../../fakes/klap/klap-fake.ts';
import { startYoutubeFake } from '../../../fakes/youtube/youtube-fake.ts';
import { rankingJob } from '../../../shared/domain/engine-jobs/engine-job.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { templateWriter } from '../../../shared/text-writers/template-writer.ts';
import type { TextWriter } from '../../../shared/text-writers/text-writer.ts';
import { eventually } from '../../support/eventually.ts';
import { falEnvironment, falKey } from '../../support/fal-environment.ts';
import { numberedVideo } from '../../support/numbered-video.ts';
import type { SteppedClock } from '../../support/stepped-clock.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';
import { uploadedUrl } from '../../support/upload-file.ts';
import { slowSubmissions } from './slow-submissions.ts';

type Call = (operationId: 'generateBatch' | 'generateCortes' | 'cancelTask', options: object) => Promise<TestResponse>;

const use = { engine: 'fal', readTokens: 100, writtenTokens: 50 } as const;

/** A writer whose answers are charged; it ranks passages only when it may. */
function chargedWriter() {
  const gate = { isRanking: false, mayAnswer: Promise.resolve() };
  const textWriter: TextWriter = {
    describeProduct(product, timeLimitMs, onUse) {
      onUse?.(use);
      return templateWriter.describeProduct(product, timeLimitMs);
    },
    async rankPassages(spoken, timeLimitMs, onUse) {
      gate.isRanking = true;
      await gate.mayAnswer;
      onUse?.(use);
      return templateWriter.rankPassages(spoken, timeLimitMs);
    },
  };
  return { gate, textWriter };
}

export async function clipRecording(clock: SteppedClock) {
  const fake = await startFalFake({ key: falKey, behavior: { queueMs: 0, runMs: 0 }, clock });
  const fal = await slowSubmissions(fake.queueUrl);
  const klap = await startKlapFake({ key: falKey, clipSeconds: 1 });
  const youtube = await startYoutubeFake({ key: falKey });
  const video = await numberedVideo('10', 3);
  const { gate, textWriter } = chargedWriter();
  return {
    environment: {
      ...falEnvironment({ ...fake, queueUrl: fal.url }),
      [settingVariables.engines]: 'offline,elevenlabs,fal,klap',
      [settingVariables.klapUrl]: klap.url,
      [settingVariables.klapKey]: falKey,
      [settingVariables.youtubeUrl]: youtube.url,
      [settingVariables.youtubeKey]: falKey,
    },
    textWriter,
    /** Dry runs with links to videos that were not looked up before. */
    async lookUpLinks(call: Call): Promise<void> {
      const headers = { 'x-dry-run': 'true' };
      const body = (id: string) => ({ videoUrl: `https://youtu.be/${id}` });
      expect((await call('generateCortes', { body: body('anInterview'), headers })).status).toBe(200);
      const items = [{ operation: 'generateCortes', body: body('aDebate____') }];
      expect((await call('generateBatch', { body: { items }, headers })).status).toBe(200);
      expect(youtube.requests).toHaveLength(2);
    },
    /** If fal.ai accepts a job after its task was canceled, the step itself adds the charge to the figures. */
    async cancelDuringSubmission(host: TestService, account: TestAccount, call: Call): Promise<void> {
      const { catalog, tasks } = host.service.context;
      await catalog.change('routes', { cortes: { routes: ['clips/fal'] } });
      const videoUrl = await uploadedUrl(host, account.token, video, 'video/mp4');
      const before = fal.state.submissions;
      fal.state.delayMs = 3000;
      const { taskId } = (await call('generateCortes', { body: { videoUrl } })).body.data as { taskId: string };
      await eventually('the submission', () => fal.state.submissions > before || undefined);
      await call('cancelTask', { params: { taskId } });
      await eventually('the charge', async () => (await tasks.find(taskId))?.engineCost);
      fal.state.delayMs = 0;
      await catalog.change('routes', { cortes: undefined });
    },
    /** If a task ends while its passages are ranked, the step itself adds the charge to the figures. */
    async cancelDuringRanking(host: TestService, account: TestAccount, call: Call): Promise<void> {
      const { catalog, engineJobs } = host.service.context;
      await catalog.change('routes', { cortes: { routes: ['clips/fal'] } });
      const videoUrl = await uploadedUrl(host, account.token, video, 'video/mp4');
      const canceled = Promise.withResolvers<void>();
      Object.assign(gate, { isRanking: false, mayAnswer: canceled.promise });
      const { taskId } = (await call('generateCortes', { body: { videoUrl } })).body.data as { taskId: string };
      await eventually('the ranking', () => gate.isRanking || undefined);
      await call('cancelTask', { params: { taskId } });
      canceled.resolve();
      const charged = async () => (await engineJobs.find({ taskId, name: rankingJob })).costMicros || undefined;
      await eventually('the charge', charged);
      await catalog.change('routes', { cortes: undefined });
    },
    async cutClips(host: TestService, account: TestAccount, call: Call): Promise<void> {
      const { catalog } = host.service.context;
      const upload = await uploadedUrl(host, account.token, video, 'video/mp4');
      const elsewhere = host.engine.inputUrls.video;
      for (const [route, videoUrl] of [
        ['clips/fal', upload],
        ['klap/video-to-shorts', elsewhere],
      ] as const) {
        await catalog.change('routes', { cortes: { routes: [route] } });
        const response = await call('generateCortes', { body: { videoUrl } });
        const { taskId } = response.body.data as { taskId: string };
        expect((await host.ended(account.token, taskId)).status).toBe('completed');
        // The copy is deleted after the task has ended.
        await eventually('the end of the workflows', () => {
          const own = host.service.stateMachines.executions().filter(({ name }) => name === taskId);
          return own.some(({ status }) => status === 'RUNNING') ? undefined : true;
        });
      }
      await catalog.change('routes', { cortes: undefined });
    },
    close: () => Promise.all([fal.close(), fake.close(), klap.close(), youtube.close()]),
  };
}
