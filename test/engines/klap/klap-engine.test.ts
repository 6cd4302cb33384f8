/** Klap's protocol: the requests, the resulting clips, and repeated or failing requests. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type KlapBehavior, type KlapOutcome, startKlapFake } from '../../../fakes/klap/klap-fake.ts';
import { clipStages } from '../../../shared/contracts/generate-cortes.ts';
import { klapEngine } from '../../../shared/engines/klap/klap-engine.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { tooFewClips } from '../../../shared/engines/too-few-clips.ts';
import { safeOpen } from '../../../shared/platform/safe-fetch.ts';
import { aJob, followJob } from '../../support/followed-job.ts';

const key = 'kak_secret-of-klap';
const behavior: KlapBehavior = { next: [], last: 'done', polls: 1 };
const outbound = { open: safeOpen({ policy: 'local' }) };

const fake = await startKlapFake({ key, behavior, clipSeconds: 1 });
afterAll(() => fake.close());
beforeEach(() => {
  Object.assign(behavior, { next: [], last: 'done', polls: 1 });
});

const engineWith = (value = key, url = fake.url) => klapEngine({ url, key: async () => value, outbound });

interface Asked {
  readonly aspectRatio?: '9:16' | '16:9' | '1:1' | '4:5' | '4:3' | '3:4';
  readonly seconds?: number;
  readonly clipCount?: number;
  readonly link?: object;
}

const inputFor = ({ aspectRatio = '9:16', seconds = 1800, clipCount = 9, link }: Asked = {}) => {
  const videoUrl = 'https://example.com/entrevista.mp4';
  const request = { videoUrl, aspectRatio, seconds, clipCount, ...(link && { link }) };
  return modelRequest('klap/video-to-shorts', 'cortes', request);
};

async function submitted(asked: Asked = {}, engine = engineWith()): Promise<string> {
  const { model, input } = inputFor(asked);
  const state = await engine.submit(aJob(model ?? '', input));
  if (state.status !== 'accepted') throw new Error(`the submission ended as ${state.status}`);
  expect(state.completion).toBe('polling');
  return state.reference;
}

const clipsOf = (end: Awaited<ReturnType<typeof followJob>>['end']) =>
  end.status === 'done' ? end.outputs.map(({ clip }) => clip) : expect.fail(`ended as ${JSON.stringify(end)}`);

/** The projects whose exports were requested after the given number of requests, in the order of the requests. */
const exportsSince = (before: number): string[] =>
  fake.requests
    .slice(before)
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/exports'))
    .map(({ path }) => path.split('/')[3] ?? '');

describe('a submission to Klap', () => {
  test.for([
    ['9:16', 1080, 1920],
    ['16:9', 1920, 1080],
    ['1:1', 1080, 1080],
    ['4:5', 1080, 1350],
    ['4:3', 1440, 1080],
    ['3:4', 1080, 1440],
  ] as const)('for the ratio %s requests clips of %i × %i pixels', ([aspectRatio, width, height]) => {
    expect(inputFor({ aspectRatio }).input).toMatchObject({ dimensions: { width, height } });
  });

  test.for([
    [1800, 9, 15, 45],
    [400, 3, 15, 45],
    [60, 3, 15, 20],
    [30, 3, 10, 10],
    [0, 3, 1, 1],
  ])(
    'of a video of %i seconds requests %i clips of at least %i, ideally %i and at most 90 seconds',
    ([seconds, clipCount, min, about]) => {
      expect(inputFor({ seconds: seconds ?? 0, clipCount: clipCount ?? 0 }).input).toMatchObject({
        target_clip_count: clipCount,
        max_clip_count: clipCount,
        min_duration: min,
        target_duration: about,
        max_duration: 90,
      });
    },
  );

  test('sends the file’s own URL or the canonical link, and the key as a bearer token', async () => {
    await submitted();
    const { path, headers, body } = fake.requests.at(-1) ?? expect.fail('nothing was sent');
    expect([path, headers.authorization]).toEqual(['/tasks/video-to-shorts', `Bearer ${key}`]);
    expect(body).toMatchObject({
      source_video_url: 'https://example.com/entrevista.mp4',
      editing_options: { captions: true, reframe: true, emojis: false, intro_title: false, remove_silences: false },
    });
    const url = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
    expect(inputFor({ link: { platform: 'youtube', url } }).input).toMatchObject({ source_video_url: url });
  });

  test.for<[KlapOutcome, object]>([
    ['busy', { status: 'busy' }],
    ['invalid', { status: 'failed', code: 'INPUT_INVALID' }],
    ['forbidden', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['page', { status: 'failed', code: 'PROVIDER_ERROR' }],
  ])('with the response “%s” has the outcome %j', async ([outcome, state]) => {
    behavior.next = [outcome];
    const { model, input } = inputFor();
    expect(await engineWith().submit(aJob(model ?? '', input))).toEqual(state);
  });

  test.for<[string, KlapOutcome, string, string]>([
    ['while Klap is unavailable', 'unavailable', key, 'Klap responded with 503 to a submission'],
    ['without credits', 'no-credits', key, 'Klap responded with 402 to a submission'],
    ['with an unknown key', 'done', 'another-key', 'Klap responded with 401 to a submission'],
    [
      'with a key that is not a valid header value',
      'done',
      'kak_\u0000',
      'the Klap key contains characters that are not allowed in a header',
    ],
  ])('%s can be retried, and its error does not contain the key', async ([, outcome, value, message]) => {
    behavior.next = [outcome];
    await expect(submitted({}, engineWith(value))).rejects.toThrow(new Error(message));
  });

  test('to an address without a server can be retried', async () => {
    await expect(submitted({}, engineWith(key, 'http://127.0.0.1:1'))).rejects.toThrow('the request to Klap failed');
  });
});

describe('a Klap job', () => {
  test('returns the best clips, each with its title and score, and reports its progress before that', async () => {
    const { end, progress } = await followJob(engineWith(), await submitted({ clipCount: 9 }));
    const clips = clipsOf(end);
    expect(clips).toHaveLength(9);
    expect(clips[0]).toEqual({ title: expect.stringMatching(/^Corte \d$/), score: 8 / 9 });
    const scores = clips.map((clip) => clip?.score ?? expect.fail('a score is missing'));
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(progress[0]).toBeLessThan(clipStages.analysis);
    expect(progress.slice(1).every((value) => value >= clipStages.cuts && value <= 99)).toBe(true);
    expect(progress.length).toBeGreaterThan(3);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  });

  test('exports each of its clips once, however often its status is checked', async () => {
    const before = fake.requests.length;
    const { references } = await followJob(engineWith(), await submitted({ clipCount: 9 }));
    expect(exportsSince(before)).toHaveLength(9);
    // The state after a restart: every recorded reference contains the exports that had been started by then.
    for (const reference of references.slice(1)) {
      expect(clipsOf((await followJob(engineWith(), references.at(-1) ?? reference)).end)).toHaveLength(9);
    }
    expect(exportsSince(before)).toHaveLength(9);
  });

  test('that is interrupted before some exports are recorded repeats only those exports', async () => {
    const before = fake.requests.length;
    const engine = engineWith();
    behavior.polls = 0;
    const reference = await submitted({ clipCount: 9 });
    await engine.check(reference);
    expect(clipsOf((await followJob(engine, reference)).end)).toHaveLength(9);
    const begun = exportsSince(before);
    expect([begun.length, new Set(begun).size]).toEqual([13, 9]);
  });

  test('starts later the exports for which Klap has no capacity at first', async () => {
    behavior.next = ['export-busy'];
    const before = fake.requests.length;
    const { end, references } = await followJob(engineWith(), await submitted({ clipCount: 9 }));
    expect(clipsOf(end)).toHaveLength(9);
    const { exports } = JSON.parse(references.at(-1) ?? '') as { exports: { project: string; id: string }[] };
    expect(new Set(exports.map(({ project }) => project)).size).toBe(9);
    expect(new Set(exports.map(({ id }) => id)).size).toBe(9);
    expect(exportsSince(before).length).toBeGreaterThan(9);
  });

  test('exports only as many clips as were paid for, and chooses the best ones', async () => {
    behavior.next = ['more'];
    const before = fake.requests.length;
    const { end } = await followJob(engineWith(), await submitted({ clipCount: 3 }));
    expect(clipsOf(end).map((clip) => clip?.score)).toEqual([5 / 6, 4 / 6, 3 / 6]);
    expect(exportsSince(before)).toHaveLength(3);
  });

  test.for<KlapOutcome>(['fewer', 'export-invalid', 'export-error'])(
    'with one clip too few because of the fault “%s” returns the others, best first',
    async (outcome) => {
      behavior.next = [outcome];
      const clips = clipsOf((await followJob(engineWith(), await submitted({ clipCount: 9 }))).end);
      expect(clips).toHaveLength(8);
      const scores = clips.map((clip) => clip?.score ?? expect.fail('a score is missing'));
      expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    },
  );

  test('with fewer clips than the minimum fails without exporting any', async () => {
    behavior.next = ['too-few'];
    const before = fake.requests.length;
    const { end } = await followJob(engineWith(), await submitted({ clipCount: 3 }));
    expect(end).toEqual(tooFewClips(3));
    expect(exportsSince(before)).toEqual([]);
  });

  test('converts Klap’s scores of up to 100, and keeps Klap’s order if there are no scores', async () => {
    behavior.next = ['percent', 'no-scores'];
    const rated = await followJob(engineWith(), await submitted({ clipCount: 4 }));
    expect(clipsOf(rated.end).map((clip) => clip?.score)).toEqual([0.75, 0.5, 0.25, 0]);
    const unrated = await followJob(engineWith(), await submitted({ clipCount: 3 }));
    expect(clipsOf(unrated.end)).toEqual([{ title: 'Corte 1' }, { title: 'Corte 2' }, { title: 'Corte 3' }]);
  });

  test.for<[KlapOutcome, object]>([
    ['error', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['nowhere', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['fewer', tooFewClips(3)],
    ['export-invalid', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['export-error', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['export-gone', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['gone', { status: 'lost' }],
  ])('of three clips with the fault “%s” ends as %j', async ([outcome, end]) => {
    behavior.next = [outcome];
    expect((await followJob(engineWith(), await submitted({ clipCount: 3 }))).end).toEqual(end);
  });

  test('with a reference that the adapter did not create causes an error', async () => {
    for (const reference of ['', 'task_1', '{}', '{"task":"../users","count":3}']) {
      await expect(engineWith().check(reference)).rejects.toThrow('the reference is not to a job at Klap');
    }
  });
});
