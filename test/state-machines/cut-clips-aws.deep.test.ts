/**
 * Clips by Amazon Transcribe or ElevenLabs, and MediaConvert, with fakes that really detect sound and cut: from the
 * request to the clips.
 */
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startElevenLabsFake } from '../../fakes/elevenlabs/elevenlabs-fake.ts';
import { type MediaConvertFake, startMediaConvertFake } from '../../fakes/mediaconvert/mediaconvert-fake.ts';
import { startTranscribeFake, type TranscribeFake } from '../../fakes/transcribe/transcribe-fake.ts';
import { wrapFunctions } from '../../infra/local/functions.ts';
import type { LambdaHandler } from '../../infra/local/lambda-host.ts';
import { localAccess } from '../../infra/local/local-access.ts';
import type { ClipSource } from '../../shared/contracts/cut-clips.ts';
import { transcriptKey } from '../../shared/domain/clips/clip-task.ts';
import { evenDeleted } from '../../shared/domain/tasks/task-store.ts';
import { settingsOf, settingVariables } from '../../shared/platform/settings.ts';
import { workStorage } from '../../shared/platform/work-storage.ts';
import { eventually } from '../support/eventually.ts';
import { numberedFrames } from '../support/numbered-video.ts';
import { storedItems } from '../support/stored-items.ts';
import { storedKeys } from '../support/stored-keys.ts';
import { testService } from '../support/test-service.ts';
import { clipTasks, clipVideos } from './clip-tasks.ts';

type Invoke = (event: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The faults of the invocations of the workflow's functions. */
let around: (name: string, event: Readonly<Record<string, unknown>>, invoke: Invoke) => Promise<unknown>;

const steps = new Set(['planCopy', 'copyPart', 'completeCopy', 'askClipEngine', 'rankClips', 'reportClips']);

const functions = wrapFunctions((name, handler) => {
  if (!steps.has(name)) return handler;
  const wrapped = (event: Readonly<Record<string, unknown>>, context: never) =>
    around(name, event, (given) => (handler as (event: unknown, context: unknown) => Promise<unknown>)(given, context));
  return wrapped as unknown as LambdaHandler;
});

const files = await clipVideos();
// A step whose job was canceled ends after six seconds.
const host = await testService({ functions, timeoutPace: 0.1 });
const tasks = clipTasks(host, files.url);
const storage = localAccess(host.service.environment.AWS_ENDPOINT_URL_S3 ?? '');
const transcribe = await startTranscribeFake({ storage });
/** A fake of Amazon Transcribe that detects no speech. */
const deaf = await startTranscribeFake({ storage, end: 'Your audio file must have a speech segment.' });
const mediaConvert = await startMediaConvertFake({ storage });
/** A fake of MediaConvert whose jobs all fail. */
const broken = await startMediaConvertFake({ storage, end: { errorCode: 1010 } });
const elevenLabs = await startElevenLabsFake({ key: 'key-of-elevenlabs' });
afterAll(async () => {
  await host.close();
  await Promise.all([
    transcribe.close(),
    deaf.close(),
    mediaConvert.close(),
    broken.close(),
    elevenLabs.close(),
    files.close(),
  ]);
});
beforeEach(() => tasks.begin());

/** Runs a test with a service that has only the engine `aws`, and `elevenlabs` if it is named. */
const atAws = (
  converter: MediaConvertFake,
  transcriber: TranscribeFake,
  work: () => Promise<void>,
  engines = 'aws',
): Promise<void> =>
  host.withEnvironment(
    {
      [settingVariables.engines]: engines,
      [settingVariables.elevenLabsUrl]: elevenLabs.url,
      [settingVariables.elevenLabsKey]: 'key-of-elevenlabs',
      [settingVariables.mediaConvertRole]: 'arn:aws:iam::000000000000:role/clips',
      [settingVariables.mediaConvertQueue]: 'arn:aws:mediaconvert:us-east-1:000000000000:queues/clips',
      AWS_ENDPOINT_URL_TRANSCRIBE: transcriber.url,
      AWS_ENDPOINT_URL_MEDIACONVERT: converter.url,
    },
    work,
  );

const isCaptioned = ({ inputs }: MediaConvertFake['created'][number]): boolean =>
  Object.keys(inputs[0]?.captionSelectors ?? {}).length > 0;

test('clips made on AWS have the promised length, captions and poster, even if every step crashes once at its end', () =>
  atAws(mediaConvert, transcribe, async () => {
    const died = new Set<string>();
    around = async (name, event, invoke) => {
      const result = await invoke(event);
      const work = JSON.stringify([name, event.work, event.clip]);
      if (died.has(work)) return result;
      died.add(work);
      throw new Error('died');
    };
    const taskId = await tasks.cut({ aspectRatio: '9:16' });
    const { task, progress } = await tasks.followed(taskId);
    await tasks.expectEnd(taskId, task);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    expect(transcribe.created.map(({ TranscriptionJobName }) => TranscriptionJobName)).toEqual([
      `${taskId}.transcribe`,
    ]);
    expect(mediaConvert.created).toHaveLength(3);
    expect(mediaConvert.created.some(isCaptioned)).toBe(true);
    expect(task.results).toHaveLength(3);
    const [result] = task.results ?? [];
    expect(result).toMatchObject({ width: 720, height: 1280, posterUrl: expect.any(String) });
    const { startTime, endTime } = task.clips?.[0] ?? {};
    const clip = new Uint8Array(await (await fetch(result?.url ?? '')).arrayBuffer());
    const numbers = (await numberedFrames(clip)).map(({ number }) => number);
    const [first, end] = [Math.round((startTime ?? -1) * 10), Math.round((endTime ?? -1) * 10)];
    // The captions hide some rows of the frame numbers.
    expect(numbers).toHaveLength(end - first);
  }));

const storageUrl = () => host.service.environment.AWS_ENDPOINT_URL_S3;

/** The words that are spoken in the video of a task, as they are stored. */
async function spokenWords(taskId: string): Promise<readonly string[]> {
  const text = await workStorage({ settings: settingsOf(host.service.environment) }).read(transcriptKey(taskId), 1e6);
  const { words } = JSON.parse(text ?? '{"words":[]}') as { readonly words: readonly { readonly text: string }[] };
  return words.map(({ text: word }) => word).filter((word) => word.length > 4);
}

test.each([
  ['it is planned', 'rankClips', undefined, /transcript\.json|clips\.json/, 2],
  ['its clips are cut', 'askClipEngine', 'cut', /\.srt$/, 1],
  ['its clips are reported', 'reportClips', undefined, /\.mp4$/, 3],
] as const)(
  'a clips task that is deleted once %s leaves no transcript, plan, captions or clip behind',
  (_, step, work, files, least) =>
    atAws(mediaConvert, transcribe, async () => {
      let before: { readonly keys: readonly string[]; readonly words: readonly string[] } | undefined;
      around = async (name, event, invoke) => {
        const result = await invoke(event);
        if (before || name !== step || (work && event.work !== work)) return result;
        const { taskId } = event as { readonly taskId: string };
        before = { keys: await storedKeys(storageUrl(), taskId), words: await spokenWords(taskId) };
        const { status } = await host.call('deleteTask', { token: tasks.account.token, params: { taskId } });
        expect(status).toBe(200);
        return result;
      };
      const taskId = await tasks.cut();
      await eventually(
        'the deletion',
        async () => (await host.service.context.tasks.find(taskId, evenDeleted))?.deletion,
      );
      await eventually(
        'the end of every execution',
        async () => host.service.stateMachines.executions().every(({ status }) => status !== 'RUNNING') || undefined,
      );
      // An engine may store a clip after the task was erased: a later sweep erases that, too.
      await eventually('the erasure of every file', async () => {
        await host.service.invoke('sweepTasks', { everything: true });
        return (await storedKeys(storageUrl(), taskId)).length === 0 || undefined;
      });
      expect(before?.keys.filter((key) => files.test(key)).length).toBeGreaterThanOrEqual(least);
      expect(before?.words.length).toBeGreaterThan(0);
      const items = JSON.stringify(
        [...(await storedItems(host.service.environment))].filter(([key]) => key.includes(taskId)),
      );
      for (const word of [...(before?.words ?? []), '/video.mp4']) expect(items).not.toContain(word);
      await host.audit();
    }),
);

/** The video appears to be larger than Amazon Transcribe accepts. */
const enlarged: typeof around = async (name, event, invoke) => {
  const result = await invoke(event);
  if (name !== 'completeCopy') return result;
  const { source, ...rest } = result as { readonly source: ClipSource };
  return { ...rest, source: { ...source, bytes: 2e9 + 1 } };
};

test('with ElevenLabs, Scribe transcribes even a video too large for Amazon Transcribe, so that the clips have captions', () =>
  atAws(
    broken,
    transcribe,
    async () => {
      around = enlarged;
      const [transcribed, ordered] = [transcribe.created.length, broken.created.length];
      const taskId = await tasks.cut();
      const { task } = await tasks.followed(taskId);
      await tasks.expectEnd(taskId, task, 'INPUT_INVALID');
      expect(elevenLabs.requests.filter(({ path }) => path === '/v1/speech-to-text')).toHaveLength(1);
      expect(transcribe.created).toHaveLength(transcribed);
      expect(broken.created.slice(ordered).some(isCaptioned)).toBe(true);
    },
    'aws,elevenlabs',
  ));

test('a MOV is cut like an MP4 if Scribe transcribes it, and rejected with the format’s name if only Amazon Transcribe can', async () => {
  around = (_name, event, invoke) => invoke(event);
  const videoUrl = `${files.url}/video.mov`;
  await atAws(
    mediaConvert,
    transcribe,
    async () => {
      const taskId = await tasks.cut({ videoUrl });
      const { task } = await tasks.followed(taskId);
      await tasks.expectEnd(taskId, task);
      expect(task.results).toHaveLength(3);
    },
    'aws,elevenlabs',
  );
  await atAws(mediaConvert, transcribe, async () => {
    const { status, body } = await host.call('generateCortes', { token: tasks.account.token, body: { videoUrl } });
    const message = 'videoUrl must be an MP4 file, not MOV';
    expect([status, body.error]).toEqual([400, { code: 'VALIDATION_ERROR', message }]);
  });
});

test('a video too large for Amazon Transcribe is cut by time without captions, and its task is refunded once if that fails', () =>
  atAws(broken, transcribe, async () => {
    around = enlarged;
    const [transcribed, ordered] = [transcribe.created.length, broken.created.length];
    const taskId = await tasks.cut();
    const { task } = await tasks.followed(taskId);
    await tasks.expectEnd(taskId, task, 'INPUT_INVALID');
    expect(transcribe.created).toHaveLength(transcribed);
    expect(broken.created).toHaveLength(ordered + 3);
    expect(broken.created.slice(ordered).filter(isCaptioned)).toEqual([]);
  }));

test('a video without speech is cut into clips by time, without captions', () =>
  atAws(broken, deaf, async () => {
    around = (_name, event, invoke) => invoke(event);
    const ordered = broken.created.length;
    const taskId = await tasks.cut();
    const { task } = await tasks.followed(taskId);
    await tasks.expectEnd(taskId, task, 'INPUT_INVALID');
    expect(deaf.created).toHaveLength(1);
    expect(broken.created).toHaveLength(ordered + 3);
    expect(broken.created.slice(ordered).filter(isCaptioned)).toEqual([]);
  }));
