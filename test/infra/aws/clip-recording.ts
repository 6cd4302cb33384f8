/** A task of clips that is cut by the service's own workflow, with a fake of fal.ai, so that its steps' calls are seen. */
import { expect } from 'vitest';
import { startFalFake } from '../../../fakes/fal/fal-fake.ts';
import { settingVariables } from '../../../shared/platform/settings.ts';
import { falEnvironment, falKey } from '../../support/fal-environment.ts';
import { numberedVideo } from '../../support/numbered-video.ts';
import type { SteppedClock } from '../../support/stepped-clock.ts';
import type { TestAccount, TestResponse, TestService } from '../../support/test-service.ts';
import { uploadedUrl } from '../../support/upload-file.ts';

type Call = (operationId: 'generateCortes', options: object) => Promise<TestResponse>;

export async function clipRecording(clock: SteppedClock) {
  const fake = await startFalFake({ key: falKey, behavior: { queueMs: 0, runMs: 0 }, clock });
  const video = await numberedVideo('10', 3);
  return {
    environment: { ...falEnvironment(fake), [settingVariables.engines]: 'offline,elevenlabs,fal' },
    async cutClips(host: TestService, account: TestAccount, call: Call): Promise<void> {
      const { catalog } = host.service.context;
      await catalog.change('routes', { cortes: { routes: ['clips/fal'] } });
      const videoUrl = await uploadedUrl(host, account.token, video, 'video/mp4');
      const response = await call('generateCortes', { body: { videoUrl } });
      const { taskId } = response.body.data as { taskId: string };
      expect((await host.ended(account.token, taskId)).status).toBe('completed');
      await catalog.change('routes', { cortes: undefined });
    },
    close: () => fake.close(),
  };
}
