/** A result that is too large, through the service with a fake of fal.ai. */
import { expect, onTestFinished, test } from 'vitest';
import { startFalFake } from '../../fakes/fal/fal-fake.ts';
import { eventually } from '../support/eventually.ts';
import { exampleBody } from '../support/example-body.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { testService } from '../support/test-service.ts';

test('a result of more than 160 MB from fal.ai fails its task at once with PROVIDER_ERROR and is downloaded only once', async () => {
  const bytes = Buffer.alloc(160 * 2 ** 20 + 1);
  const fake = await startFalFake({
    key: falKey,
    behavior: { queueMs: 0, runMs: 0 },
    make: async () => [{ bytes, contentType: 'image/png' }],
  });
  onTestFinished(() => fake.close());
  const host = await testService({
    environment: falEnvironment(fake),
  });
  onTestFinished(() => host.close());
  const { token } = await host.account({ credits: 100 });
  const body = { ...exampleBody('upscaleImage', host.engine.inputUrls), callbackUrl: host.receiver.url };
  const { taskId } = (await host.call('upscaleImage', { token, body })).body.data as { taskId: string };
  const ended = await eventually('the end of the task', async () => {
    const task = await host.task(token, taskId);
    return task.status === 'failed' || task.status === 'completed' ? task : undefined;
  });
  expect(ended).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' } });
  expect(fake.requests.filter(({ path }) => path.startsWith('/files/'))).toHaveLength(1);
});
