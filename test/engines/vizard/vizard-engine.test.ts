/** Vizard's protocol: the requests, the resulting clips, and the meaning of its codes. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startVizardFake, type VizardBehavior, type VizardOutcome } from '../../../fakes/vizard/vizard-fake.ts';
import { routesOf } from '../../../shared/catalog/engines.ts';
import { clipStages } from '../../../shared/contracts/generate-cortes.ts';
import { unsupportedFields } from '../../../shared/domain/generation/unsupported-fields.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { tooFewClips } from '../../../shared/engines/too-few-clips.ts';
import { vizardEngine } from '../../../shared/engines/vizard/vizard-engine.ts';
import { safeOpen } from '../../../shared/platform/safe-fetch.ts';
import { aJob, followJob } from '../../support/followed-job.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const key = 'secret-of-vizard';
const behavior: VizardBehavior = { next: [], last: 'done', polls: 1 };
const outbound = { open: safeOpen({ policy: 'local' }) };
const clock = steppedClock();

const fake = await startVizardFake({ key, behavior, clock, clipSeconds: 1 });
afterAll(() => fake.close());
beforeEach(() => {
  clock.advance(3_600_000);
  Object.assign(behavior, { next: [], last: 'done', polls: 1 });
});

const engineWith = (value = key, url = fake.url) => vizardEngine({ url, key: async () => value, outbound });

interface Asked {
  readonly aspectRatio?: '9:16' | '16:9' | '1:1' | '4:5';
  readonly seconds?: number;
  readonly clipCount?: number;
  readonly link?: object;
  readonly container?: 'mov';
}

const inputFor = ({ aspectRatio = '9:16', seconds = 1800, clipCount = 9, ...more }: Asked = {}) => {
  const videoUrl = 'https://example.com/entrevista.mp4';
  return modelRequest('vizard/project', 'cortes', { videoUrl, aspectRatio, seconds, clipCount, ...more });
};

test('Vizard accepts four aspect ratios, and videos of at least a minute', () => {
  const routes = routesOf({ routes: ['vizard/project'] }, 'cortes');
  const problems = (aspectRatio: string, durationSec: number) => {
    const body = { videoUrl: 'https://youtu.be/dQw4w9WgXcQ', aspectRatio };
    return unsupportedFields(routes, { body, files: new Map([['videoUrl', { platform: 'youtube', durationSec }]]) });
  };
  expect(problems('3:4', 59)).toEqual([
    'videoUrl must be at least 60 seconds long',
    'aspectRatio must be one of 9:16, 16:9, 1:1, 4:5',
  ]);
  for (const aspectRatio of ['9:16', '16:9', '1:1', '4:5']) expect(problems(aspectRatio, 60)).toEqual([]);
});

const submit = (asked: Asked = {}, engine = engineWith()) => {
  const { model, input } = inputFor(asked);
  return engine.submit(aJob(model ?? '', input));
};

async function submitted(asked: Asked = {}): Promise<string> {
  const state = await submit(asked);
  if (state.status !== 'accepted') throw new Error(`the submission ended as ${state.status}`);
  expect(state.completion).toBe('polling');
  return state.reference;
}

describe('a submission to Vizard', () => {
  test.for([
    ['9:16', 1],
    ['1:1', 2],
    ['4:5', 3],
    ['16:9', 4],
  ] as const)('sends the ratio %s as Vizard’s code %i', ([aspectRatio, ratioOfClip]) => {
    expect(inputFor({ aspectRatio }).input).toMatchObject({ ratioOfClip });
  });

  test.for<[number, number, readonly number[]]>([
    [1800, 9, [2, 3]],
    [180, 3, [2, 3]],
    [179, 3, [1, 2]],
    [90, 3, [1, 2]],
    [60, 3, [1]],
  ])(
    'of a video of %i seconds for %i clips requests Vizard’s length codes %j',
    ([seconds, clipCount, preferLength]) => {
      expect(inputFor({ seconds, clipCount }).input).toMatchObject({ preferLength, maxClipNumber: clipCount });
    },
  );

  test('sends the file’s own URL with its extension, and the key in the documented header', async () => {
    await submitted();
    const { path, headers, body } = fake.requests.at(-1) ?? expect.fail('nothing was sent');
    expect([path, headers.vizardai_api_key]).toEqual(['/project/create', key]);
    expect(body).toMatchObject({
      lang: 'auto',
      videoUrl: 'https://example.com/entrevista.mp4',
      videoType: 1,
      ext: 'mp4',
    });
  });

  test('states the file extension of a MOV', () => {
    expect(inputFor({ container: 'mov' }).input).toMatchObject({ videoType: 1, ext: 'mov' });
  });

  test.for([
    ['youtube', 2],
    ['tiktok', 6],
  ])('sends a link to %s in its canonical form with Vizard’s video type %i', ([platform, videoType]) => {
    const url = `https://www.${platform}.com/video`;
    const { input } = inputFor({ link: { platform, url } });
    expect(input).toMatchObject({ videoUrl: url, videoType });
    expect(input).not.toHaveProperty('ext');
  });

  test('waits for capacity if it is the fourth within a minute', async () => {
    const states = [await submit(), await submit(), await submit(), await submit()];
    expect(states.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted', 'busy']);
    clock.advance(60_000);
    expect(await submit()).toMatchObject({ status: 'accepted' });
  });

  const invalid = { status: 'failed', code: 'INPUT_INVALID' };
  const unreachable = { status: 'failed', code: 'DOWNLOAD_FAILED', detail: 'videoUrl could not be downloaded' };
  const broken = { status: 'failed', code: 'PROVIDER_ERROR' };
  test.for<[VizardOutcome, object]>([
    ['rate-limit', { status: 'busy' }],
    ['unsupported-format', { ...invalid, detail: 'videoUrl has a format that is not supported' }],
    ['broken-file', { ...invalid, detail: 'videoUrl is damaged' }],
    ['unknown-language', { ...invalid, detail: 'videoUrl has no speech in a language that is recognized' }],
    ['not-downloadable', unreachable],
    ['invalid-url', unreachable],
    ['operation-failed', broken],
    ['illegal-parameter', broken],
    ['page', broken],
  ])('with the fault “%s” has the outcome %j, at once or when its project is queried', async ([outcome, state]) => {
    behavior.next = [outcome];
    expect(await submit()).toEqual(state);
    if (outcome === 'page' || outcome === 'rate-limit') return;
    behavior.next = [`late-${outcome}` as VizardOutcome];
    expect((await followJob(engineWith(), await submitted())).end).toEqual(state);
  });

  test.for<[string, VizardOutcome, string, string]>([
    ['while Vizard is unavailable', 'unavailable', key, 'Vizard responded with 503 to a submission'],
    ['without minutes in the plan', 'no-minutes', key, 'Vizard responded with 200 (code 4007) to a submission'],
    ['with an unknown key', 'done', 'another-key', 'Vizard responded with 200 (code 4001) to a submission'],
    [
      'with a key that is not a valid header value',
      'done',
      'key\u0000',
      'the Vizard key contains characters that are not allowed in a header',
    ],
  ])('%s can be retried, and its error does not contain the key', async ([, outcome, value, message]) => {
    behavior.next = [outcome];
    await expect(submit({}, engineWith(value))).rejects.toThrow(new Error(message));
  });
});

describe('a Vizard project', () => {
  const clipsOf = (end: Awaited<ReturnType<typeof followJob>>['end']) =>
    end.status === 'done' ? end.outputs.map(({ clip }) => clip) : expect.fail(`ended as ${JSON.stringify(end)}`);

  test('returns its clips, best first, with one-line titles and scores from 0 to 1', async () => {
    behavior.polls = 2;
    const { end, progress } = await followJob(engineWith(), await submitted({ clipCount: 4 }));
    expect(progress).toHaveLength(1);
    expect(progress[0]).toBeLessThan(clipStages.analysis);
    expect(end).toMatchObject({ outputs: [{ contentType: 'video/mp4', durationSec: 1 }, {}, {}, {}] });
    expect(clipsOf(end)).toEqual([
      { title: 'Corte 2', score: 1 },
      { title: 'Corte 1', score: 0.75 },
      { title: 'Corte 4', score: 0.5 },
      { title: 'Corte 3', score: 0.25 },
    ]);
  });

  test('returns only the best clips if there are more than were paid for', async () => {
    behavior.next = ['more'];
    const { end } = await followJob(engineWith(), await submitted({ clipCount: 3 }));
    expect(clipsOf(end).map((clip) => clip?.score)).toEqual([1, 0.8, 0.6]);
  });

  test('that has one clip too few returns the others', async () => {
    behavior.next = ['fewer'];
    const { end } = await followJob(engineWith(), await submitted({ clipCount: 5 }));
    expect(clipsOf(end).map((clip) => clip?.score)).toEqual([1, 0.75, 0.5, 0.25]);
  });

  test('keeps Vizard’s order if the scores are not numbers', async () => {
    behavior.next = ['odd'];
    const { end } = await followJob(engineWith(), await submitted({ clipCount: 3 }));
    expect(clipsOf(end)).toEqual([{ title: 'Corte 1' }, { title: 'Corte 2' }, { title: 'Corte 3' }]);
  });

  test.for<[VizardOutcome, object]>([
    ['too-few', tooFewClips(3)],
    ['late-no-minutes', { status: 'failed', code: 'PROVIDER_ERROR' }],
    ['gone', { status: 'lost' }],
  ])('with the fault “%s” ends as %j', async ([outcome, end]) => {
    behavior.next = [outcome];
    expect((await followJob(engineWith(), await submitted({ clipCount: 3 }))).end).toEqual(end);
  });

  test('is queried again after a temporary fault', async () => {
    const reference = await submitted();
    await expect(engineWith('another-key').check(reference)).rejects.toThrow('Vizard responded with 200 (code 4001)');
    expect((await followJob(engineWith(), reference)).end).toMatchObject({ status: 'done' });
  });

  test('with a reference that the adapter did not create causes an error', async () => {
    for (const reference of ['', '17861706', '{}', '{"project":"../users","count":3}']) {
      await expect(engineWith().check(reference)).rejects.toThrow('the reference is not to a project at Vizard');
    }
  });
});
