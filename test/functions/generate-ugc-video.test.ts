/** What a user-generated video costs, how requests are rejected, and what its task shows. */
import { beforeEach, expect, test } from 'vitest';
import { serviceInTests } from '../support/test-service.ts';

const host = await serviceInTests();
const account = await host.account({ credits: 1000 });
beforeEach(() => host.engine.play({}));

const post = (changes: object = {}, headers: Record<string, string> = {}) => {
  const combinedImages = [host.engine.inputUrls.image];
  const body = { template: 'car', combinedImages, action: 'sorri', speech: 'Olha que café!', ...changes };
  host.clock.advance(2_000);
  return host.call('generateUgcVideo', { token: account.token, body, headers });
};

test('every UGC video costs 60 credits, whatever its options', async () => {
  const options = { speech: 'a'.repeat(90), productDescription: 'café', backgroundSound: 'chuva', voiceType: 'grave' };
  for (const changes of [{}, options]) {
    const { status, body } = await post(changes, { 'x-dry-run': 'true' });
    expect([status, body.data]).toEqual([200, expect.objectContaining({ cost: 60 })]);
  }
});

test.for([
  [
    { template: 'Selfie' },
    'template must be one of general, selfie, selling, asmr, podcast, car, mirror-selfie, stedicam, cctv, handheld',
  ],
  [{ voiceType: 'áspera' }, 'voiceType must be one of auto, sussurro, rouca, aspera, suave, grave, aguda, anasalada'],
  [
    { emotion: 'happy' },
    'emotion must be one of auto, feliz, triste, raiva, medo, surpreso, nojo, empolgado, calmo, brincalhao, serio, autoritario',
  ],
  [{ gender: 'female' }, 'gender must be one of auto, feminino, masculino'],
  [{ language: 'pt-br' }, 'language must be one of auto, pt-BR, pt-PT, en-US, es-ES'],
  [{ accent: 'gaúcho' }, 'accent must be one of auto, paulista, carioca, mineiro, nordestino'],
  [{ combinedImages: [] }, 'combinedImages must be a list of 1 to 2 items'],
  [{ combinedImages: ['ftp://a'] }, expect.stringContaining('combinedImages[0] must be an https URL')],
  [
    { action: '', speech: 'a'.repeat(91) },
    expect.stringMatching(/^action must be a string that is not empty; speech must .* 1 to 90 /),
  ],
] as const)(
  'a UGC video with %j is rejected with an error that lists the values that the field accepts',
  async ([changes, message]) => {
    const { status, body } = await post(changes);
    expect([status, body.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
  },
);

test('the UGC engine receives copies of both images, and the task shows its video', async () => {
  host.engine.play({ submit: (job) => ({ status: 202, body: host.engine.done(job) }) });
  const image = host.engine.inputUrls.image;
  const { data } = (await post({ combinedImages: [image, image] })).body;
  const { taskId } = data as { taskId: string };
  const task = await host.ended(account.token, taskId);
  expect(task.results).toMatchObject([{ contentType: 'video/mp4', width: 720, height: 1280, durationSec: 8 }]);
  const { input } = await host.engine.jobOf(taskId);
  expect(input.combinedImages).toEqual([expect.any(String), expect.any(String)]);
  for (const url of input.combinedImages as string[]) {
    expect(url).not.toBe(image);
    expect((await fetch(url)).status).toBe(200);
  }
  expect(task.input).toMatchObject({ emotion: 'auto', language: 'auto', combinedImages: [image, image] });
});

test('a UGC video that does not have the requested size and duration fails the task, which is refunded', async () => {
  const before = await host.service.context.accounts.find(account.accountId);
  host.engine.play({
    submit: (job) => {
      const { outputs: _promised, ...done } = host.engine.done(job) as { outputs: object[] };
      return {
        status: 202,
        body: { ...done, outputs: [{ url: `${host.engine.url}/v1/files/other.mp4`, contentType: 'video/mp4' }] },
      };
    },
  });
  const { data } = (await post()).body;
  const task = await host.ended(account.token, (data as { taskId: string }).taskId);
  expect(task).toMatchObject({ status: 'failed', error: { code: 'PROVIDER_ERROR' }, creditsRefunded: 60 });
  expect((await host.service.context.accounts.find(account.accountId))?.balance).toBe(before?.balance);
});
