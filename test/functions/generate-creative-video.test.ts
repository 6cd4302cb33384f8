/** What a creative video costs, which requests are rejected, and what its task shows. */
import { expect, test } from 'vitest';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();
const account = await host.account({ credits: 1000 });

const post = (body: object, headers: Record<string, string> = {}) => {
  host.clock.advance(2_000);
  return host.call('generateCreativeVideo', { token: account.token, body: { prompt: 'um farol', ...body }, headers });
};

test.for<[object, number]>([
  [{}, 30],
  [{ durationSec: 4, resolution: '480p' }, 16],
  [{ durationSec: 10, resolution: '480p', audio: false }, 40],
  [{ durationSec: 4 }, 24],
  [{ durationSec: 9, aspectRatio: '1:1' }, 54],
  [{ durationSec: 4, resolution: '1080p' }, 40],
  [{ durationSec: 10, resolution: '1080p', aspectRatio: '16:9' }, 100],
])('a creative video with %j costs %i credits', async ([body, cost]) => {
  const { status, body: response } = await post(body, { 'x-dry-run': 'true' });
  expect([status, response.data]).toEqual([200, expect.objectContaining({ cost })]);
});

test('a creative video with a last frame but no first one is rejected before any charge, and the error names the field', async () => {
  const { status, body } = await post({ lastImageUrl: host.engine.imageUrl });
  expect([status, body.error]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'lastImageUrl requires imageUrl' }]);
  expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(1000);
});

test('a creative video’s task shows the size and duration measured from the file, and the engine’s poster', async () => {
  host.engine.play({
    submit: (job) => {
      const { outputs, ...done } = host.engine.done(job) as { outputs: object[] };
      const posterUrl = `${host.engine.url}/v1/files/poster.jpg`;
      return { status: 202, body: { ...done, outputs: outputs.map((output) => ({ ...output, posterUrl })) } };
    },
  });
  const { data } = (await post({ durationSec: 4, resolution: '480p', aspectRatio: '16:9' })).body;
  const task = await host.ended(account.token, (data as { taskId: string }).taskId);
  const size = { width: 854, height: 480, durationSec: 4 };
  expect(task.results).toMatchObject([{ contentType: 'video/mp4', ...size, url: task.resultUrl }]);
  const poster = await fetch(task.results?.[0]?.posterUrl ?? '');
  expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
});
