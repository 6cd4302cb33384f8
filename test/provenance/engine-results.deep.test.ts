/**
 * Results of every operation, and of every engine that has a fake, marked by the service itself and read with
 * c2pa-python.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startBedrockFake } from '../../fakes/bedrock/bedrock-fake.ts';
import { startElevenLabsFake } from '../../fakes/elevenlabs/elevenlabs-fake.ts';
import { startFalFake } from '../../fakes/fal/fal-fake.ts';
import { generateFiles } from '../../fakes/fal/perform-fal-job.ts';
import { startKlapFake } from '../../fakes/klap/klap-fake.ts';
import { startMediaConvertFake } from '../../fakes/mediaconvert/mediaconvert-fake.ts';
import { startTranscribeFake } from '../../fakes/transcribe/transcribe-fake.ts';
import { startVizardFake } from '../../fakes/vizard/vizard-fake.ts';
import { startYoutubeFake } from '../../fakes/youtube/youtube-fake.ts';
import { localContentKey } from '../../infra/local/content-key.ts';
import { localAccess } from '../../infra/local/local-access.ts';
import { generateContracts } from '../../shared/contracts/generate.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { contentCredentials } from '../../shared/provenance/content-credentials.ts';
import { image } from '../engines/bedrock/fake-subject.ts';
import { exampleBody } from '../support/example-body.ts';
import { falEnvironment, falKey } from '../support/fal-environment.ts';
import { expectMadeHere, expectMarked, relationshipsIn } from '../support/marked-results.ts';
import { numberedVideo } from '../support/numbered-video.ts';
import { rangedHost } from '../support/ranged-host.ts';
import { giveExampleProduct } from '../support/studio-cast.ts';
import { serviceInTests, type TestAccount } from '../support/test-service.ts';
import { tinyWav } from '../support/tiny-sound.ts';
import { tinyMp4 } from '../support/tiny-video.ts';

const key = falKey;
const keysDir = mkdtempSync(join(tmpdir(), 'others-key-'));
afterAll(() => rmSync(keysDir, { recursive: true }));
const others = localContentKey(keysDir);

/** Marks files in the same way as another party, such as a camera or an engine. */
const asAnother = contentCredentials({
  clock: systemClock,
  settings: settingsOf({
    [settingVariables.contentSigningKey]: others.key,
    [settingVariables.contentCertificates]: others.certificates,
    [settingVariables.serviceName]: 'Another Party',
  }),
});

const marked = async (bytes: Uint8Array, contentType: string) => {
  const origin = { digitalSourceType: 'trainedAlgorithmicMedia', softwareAgent: 'theirs', inputs: [] } as const;
  const done = await asAnother.mark(bytes, contentType, { ...origin, at: '2026-01-02T03:04:05.000Z' });
  return Buffer.from(done.bytes);
};

/** Whether the results of fal.ai already have its own Content Credentials. */
let engineMarks = false;
const fal = await startFalFake({
  key,
  behavior: { queueMs: 0, runMs: 20 },
  concurrency: 20,
  async make(...job) {
    const files = await generateFiles(...job);
    if (!engineMarks) return files;
    return Promise.all(files.map(async (file) => ({ ...file, bytes: await marked(file.bytes, file.contentType) })));
  },
});
const done = { next: [], last: 'done', polls: 1 } as const;
const clips = { key, clipSeconds: 1 };
const bedrock = await startBedrockFake();
const elevenLabs = await startElevenLabsFake({ key });
const klap = await startKlapFake({ ...clips, behavior: { ...done, next: [] } });
const vizard = await startVizardFake({ ...clips, behavior: { ...done, next: [] }, clock: systemClock });
const youtube = await startYoutubeFake({ key, durationOf: () => 'PT1M' });

const host = await serviceInTests({
  marksResults: true,
  timeoutPace: 0.1,
  environment: {
    ...falEnvironment(fal),
    [settingVariables.elevenLabsUrl]: elevenLabs.url,
    [settingVariables.elevenLabsKey]: key,
    [settingVariables.klapUrl]: klap.url,
    [settingVariables.klapKey]: key,
    [settingVariables.vizardUrl]: vizard.url,
    [settingVariables.vizardKey]: key,
    [settingVariables.youtubeUrl]: youtube.url,
    [settingVariables.youtubeKey]: key,
    [settingVariables.mediaConvertRole]: 'arn:aws:iam::000000000000:role/clips',
    [settingVariables.mediaConvertQueue]: 'arn:aws:mediaconvert:us-east-1:000000000000:queues/clips',
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.url,
  },
});
const storage = localAccess(host.service.environment.AWS_ENDPOINT_URL_S3 ?? '');
const transcribe = await startTranscribeFake({ storage });
const mediaConvert = await startMediaConvertFake({ storage });
const aws = {
  AWS_ENDPOINT_URL_TRANSCRIBE: transcribe.url,
  AWS_ENDPOINT_URL_MEDIACONVERT: mediaConvert.url,
};

/** Files that already have Content Credentials of another party. */
const inputs = await rangedHost({
  'photo.png': await marked(await image({ width: 450, height: 800 }), 'image/png'),
  'speech.wav': await marked(tinyWav(1), 'audio/wav'),
  'film.mp4': await marked(await tinyMp4(3, { width: 720, height: 1280 }), 'video/mp4'),
  'talk.mp4': await marked(await numberedVideo('10', 3), 'video/mp4'),
});
const talk = { videoUrl: `${inputs.url}/talk.mp4` };
const files = {
  image: `${inputs.url}/photo.png`,
  audio: `${inputs.url}/speech.wav`,
  video: `${inputs.url}/film.mp4`,
};
afterAll(async () => {
  await Promise.all(
    [fal, bedrock, elevenLabs, klap, vizard, youtube, transcribe, mediaConvert, inputs].map((fake) => fake.close()),
  );
});

const authorityBeside = (keyPath: string) => readFileSync(join(dirname(keyPath), 'authority.pem'), 'utf8');
const authorities = [host.service.environment[settingVariables.contentSigningKey] ?? '', others.key]
  .map(authorityBeside)
  .join('');

let account: TestAccount;
beforeEach(async () => {
  engineMarks = false;
  account = await host.account({ credits: 200, planId: 'business' });
  await giveExampleProduct(host.service.context, account.accountId, files.image);
});

type Operation = keyof typeof generateContracts;

/** Creates a task with an operation’s example, on a service with these engines, and returns the completed task. */
const made = (engines: string, operation: Operation, changes: object) =>
  host.withEnvironment({ ...aws, [settingVariables.engines]: engines }, async () => {
    const body = { ...exampleBody(operation, files), ...changes };
    const response = await host.call(operation, { token: account.token, body });
    expect(response.status, response.text).toBe(202);
    const task = await host.ended(account.token, (response.body.data as { taskId: string }).taskId);
    expect(task, JSON.stringify(task.error)).toMatchObject({ status: 'completed' });
    return task;
  });

const transparent = { background: 'transparent' };
const link = { videoUrl: 'https://youtu.be/aMinute____' };

const changesOf: Partial<Record<Operation, object>> = {
  removeBackground: transparent,
  generateCortes: talk,
};

interface Case {
  readonly engines: string;
  readonly operation: Operation;
  readonly changes?: object | undefined;
  /** The route that the Content Credentials name. */
  readonly agent: RegExp;
}

const cases: readonly Case[] = [
  ...Object.values(generateContracts).map(({ operationId }) => ({
    engines: 'fal',
    operation: operationId,
    changes: changesOf[operationId],
    agent: operationId === 'generateCortes' ? /^clips\/fal/ : /^fal\//,
  })),
  { engines: 'elevenlabs', operation: 'generateVoice', agent: /^elevenlabs\// },
  { engines: 'elevenlabs', operation: 'changeVoice', agent: /^elevenlabs\// },
  { engines: 'bedrock', operation: 'generateImage', changes: { numImages: 1 }, agent: /^bedrock\// },
  { engines: 'bedrock', operation: 'removeBackground', changes: transparent, agent: /^bedrock\// },
  { engines: 'bedrock', operation: 'upscaleImage', changes: { scale: 4 }, agent: /^bedrock\// },
  { engines: 'klap', operation: 'generateCortes', changes: link, agent: /^klap\// },
  { engines: 'vizard', operation: 'generateCortes', changes: link, agent: /^vizard\// },
  { engines: 'aws', operation: 'generateCortes', changes: talk, agent: /^clips\/aws/ },
];

/** Fields whose files are not copied first: the engine or the workflow reads them itself. */
const uncopied: readonly Operation[] = ['generateCortes'];

test.for(cases)(
  'the Content Credentials of $operation by $engines are trusted, name the route and include those of the inputs',
  async ({ engines, operation, changes = {}, agent }) => {
    const task = await made(engines, operation, changes);
    for (const read of await expectMarked(operation, task, authorities)) {
      expectMadeHere(operation, read);
      expect(read.actions.at(-1)?.softwareAgent?.name).toMatch(agent);
      const carried = read.ingredients.map(({ active_manifest: active }) => active !== undefined);
      expect(carried).toEqual(read.ingredients.map(() => !uncopied.includes(operation)));
    }
  },
);

describe('an engine’s own Content Credentials are kept as those of the parent file, beside those of the inputs, in a result', () => {
  test.for<readonly [operation: Operation, changes: object, contentType: string, action: string, inputs: string[]]>([
    ['generateImage', { outputFormat: 'png' }, 'image/png', 'c2pa.published', []],
    ['generateVoice', {}, 'audio/mpeg', 'c2pa.published', []],
    ['editImage', {}, 'image/png', 'c2pa.edited', ['inputTo']],
    ['generateCreativeVideo', {}, 'video/mp4', 'c2pa.edited', ['inputTo']],
  ])('of %s', async ([operation, changes, contentType, action, ingredients]) => {
    engineMarks = true;
    const task = await made('fal', operation, changes);
    expect(task.results?.[0]?.contentType).toBe(contentType);
    for (const read of await expectMarked(operation, task, authorities)) {
      expect(read.actions.map((one) => one.action)).toEqual(['c2pa.opened', action]);
      expect(relationshipsIn(read)).toEqual(['parentOf', ...ingredients]);
      expect(read.ingredients.every(({ active_manifest: active }) => active)).toBe(true);
      expect(read.json).toContain('Another Party');
    }
  });
});
