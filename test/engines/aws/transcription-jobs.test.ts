/** Transcribing with Amazon Transcribe, with a fake that detects the actual sound in recordings of a local storage. */
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, it, test } from 'vitest';
import { startTranscribeFake, type TranscribeFakeOptions } from '../../../fakes/transcribe/transcribe-fake.ts';
import { localAccess } from '../../../infra/local/local-access.ts';
import { sentencesOf } from '../../../shared/domain/clips/sentences.ts';
import { awsEngine } from '../../../shared/engines/aws/aws-engine.ts';
import { transcriptionJobs } from '../../../shared/engines/aws/transcription-jobs.ts';
import type { Engine, EngineFailure, EngineJob, EngineOutcome } from '../../../shared/engines/engine.ts';
import { transcriptions } from '../../../shared/engines/transcriptions.ts';
import { objectReader } from '../../../shared/platform/object-reader.ts';
import { transcriber } from '../../../shared/platform/transcriber.ts';
import { eventually } from '../../support/eventually.ts';
import { conversation, conversationSeconds, spokenWav } from '../../support/spoken-sound.ts';
import { faultOf } from '../fal/fal-subject.ts';
import { startStorage } from './aws-subject.ts';

const opened: { close(): Promise<void> }[] = [];

const storage = await startStorage();
await storage.put('task-1/source.mp4', spokenWav(conversation, conversationSeconds));
await storage.put('silent/source.mp4', spokenWav([], 2));
await storage.put('page/source.mp4', '<!doctype html>');
afterAll(() => storage.close());
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close();
});

const { job: jobFor, read } = transcriptions.aws;

const jobOf = (folder: string, taskId = `${folder}.transcribe`): EngineJob => ({
  taskId,
  ...jobFor({ key: `${folder}/source.mp4` }),
  taskType: 'cortes',
  callbackUrl: 'http://127.0.0.1:1/never',
  keep: () => Promise.reject(new Error('nothing is stored here')),
});

async function onFake(options: Partial<TranscribeFakeOptions> = {}) {
  const fake = await startTranscribeFake({ storage: storage.access, ...options });
  opened.push(fake);
  const bucket = () => storage.bucket;
  const transcribe = transcriptionJobs({ transcriber: transcriber(localAccess(fake.url)), bucket });
  return { fake, engine: awsEngine({ services: { transcribe }, bucket, open: objectReader(storage.access) }) };
}

async function accepted(engine: Engine, job = jobOf('task-1')): Promise<string> {
  const submitted = await engine.submit(job);
  if (submitted.status !== 'accepted') throw new Error(`it was ${JSON.stringify(submitted)}`);
  return submitted.reference;
}

const ended = (engine: Engine, id: string): Promise<EngineOutcome> =>
  eventually('the end of a job', async () => {
    const state = await engine.check(id);
    if (state.status === 'lost') throw new Error('the job was lost');
    return 'progress' in state ? undefined : state;
  });

describe('a recording sent to Amazon Transcribe', () => {
  it('is transcribed word by word, with its language and correct times', async () => {
    const { engine, fake } = await onFake();
    const outcome = await ended(engine, await accepted(engine));
    const output = { url: `s3://${storage.bucket}/task-1/transcribed.json`, contentType: 'application/json' };
    expect(outcome).toEqual({ status: 'done', outputs: [output] });
    const { body } = await engine.download(output);
    const transcript = read(await json(body)) ?? expect.fail('it is no transcript');
    expect(transcript.language).toBe('pt');
    expect(transcript.words[0]?.text).toBe('Você');
    const spans = sentencesOf(transcript, conversationSeconds);
    expect(spans.map(({ startSec, endSec }) => ({ start: startSec, end: endSec }))).toEqual(
      conversation.map(({ start, end }) => ({ start: expect.closeTo(start, 1), end: expect.closeTo(end, 1) })),
    );
    expect(fake.created).toEqual([expect.objectContaining({ TranscriptionJobName: 'task-1.transcribe' })]);
  });

  it('ends without a transcript if it contains no speech', async () => {
    const { engine } = await onFake();
    expect(await ended(engine, await accepted(engine, jobOf('silent')))).toEqual({ status: 'done', outputs: [] });
  });

  it('is transcribed only once even if it is submitted twice', async () => {
    const { engine, fake } = await onFake();
    const ids = [await accepted(engine), await accepted(engine), await accepted(engine)];
    expect(new Set(ids).size).toBe(1);
    expect(fake.created).toHaveLength(1);
  });

  it('is reported as in progress until its job ends, and as lost once the job is deleted', async () => {
    const { engine } = await onFake({ end: 'never' });
    const id = await accepted(engine);
    expect(await engine.check(id)).toEqual({ status: 'running', progress: 20 });
    await engine.cancel(id);
    expect(await engine.check(id)).toEqual({ status: 'lost' });
    await engine.cancel(id);
  });
});

test.for<[reason: string, code: EngineFailure]>([
  ['Unsupported media format.', 'INPUT_INVALID'],
  ['The media format provided does not match the detected media format.', 'INPUT_INVALID'],
  ['Invalid file size: file size too large.', 'INPUT_INVALID'],
  ['Invalid number of channels: number of channels too large.', 'INPUT_INVALID'],
  ['The data access role is not allowed to read s3://secret-bucket.', 'PROVIDER_ERROR'],
  ['Internal failure.', 'PROVIDER_ERROR'],
])('an Amazon Transcribe job that fails because of "%s" ends with %s', async ([reason, code]) => {
  const { engine } = await onFake({ end: reason });
  expect(await ended(engine, await accepted(engine))).toEqual({ status: 'failed', code });
});

test('a file without sound cannot be transcribed by Amazon Transcribe', async () => {
  const { engine } = await onFake();
  const page = await ended(engine, await accepted(engine, jobOf('page')));
  expect(page).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
});

describe('an Amazon Transcribe submission', () => {
  it('of a recording that is missing from the storage fails with PROVIDER_ERROR', async () => {
    const { engine } = await onFake();
    expect(await engine.submit(jobOf('missing'))).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });

  it('beyond the account’s limit waits for capacity', async () => {
    const { engine } = await onFake({
      faults: ['LimitExceededException', 'LimitExceededException', 'LimitExceededException'],
    });
    expect(await engine.submit(jobOf('task-1'))).toEqual({ status: 'busy' });
  });

  it('that is refused or fails is retried, with an error that does not contain the provider’s text', async () => {
    for (const fault of ['AccessDeniedException', 'InternalFailureException'] as const) {
      const { engine } = await onFake({ faults: [fault, fault, fault] });
      const thrown = await faultOf(engine.submit(jobOf('task-1')));
      expect(thrown).toContain(fault);
      expect(thrown).not.toContain('Not now');
    }
  });

  it('whose key is not a valid job name is sent with a valid name derived from it', async () => {
    const { engine, fake } = await onFake();
    await accepted(engine, jobOf('task-1', 'a#b/ç:d'));
    expect(fake.created[0]?.TranscriptionJobName).toBe('a-b---d');
  });
});

describe('an Amazon Transcribe transcript', () => {
  const word = { type: 'pronunciation', start_time: '1.5', end_time: '2', alternatives: [{ content: 'Olá' }] };
  const comma = { type: 'punctuation', alternatives: [{ content: ',' }] };
  const readings = (count: number) => Array.from({ length: count }, () => ({ content: 'Olá' }));

  it('attaches punctuation to the preceding word', () => {
    const items = [comma, word, comma, { ...word, start_time: '3.04', end_time: '3.1' }];
    expect(read({ results: { language_code: 'en-US', items } })).toEqual({
      language: 'en',
      words: [
        { text: 'Olá,', startSec: 1.5, endSec: 2 },
        { text: 'Olá', startSec: 3.04, endSec: 3.1 },
      ],
    });
  });

  test.for<[why: string, document: unknown]>([
    ['no results', {}],
    ['no items', { results: { transcripts: [] } }],
    ['times that are not numbers', { results: { items: [{ ...word, start_time: '-1' }] } }],
    ['words without text', { results: { items: [{ ...word, alternatives: [] }] } }],
    ['hundreds of readings of a word', { results: { items: [{ ...word, alternatives: readings(300) }] } }],
  ])('with %s counts as no transcript', ([, document]) => {
    expect(read(document)).toBeUndefined();
  });

  it('is not read any further after an item that is not as documented', () => {
    let count = 0;
    const item = {
      get type() {
        count += 1;
        return 0;
      },
    };
    expect(read({ results: { items: Array.from({ length: 1000 }, () => item) } })).toBeUndefined();
    expect(count).toBe(1);
  });

  it('has no word that is longer than can be stored, whatever punctuation follows it', () => {
    const items = [word, ...Array.from({ length: 2000 }, () => comma)];
    expect(read({ results: { items } })?.words[0]?.text).toBe(`Olá${','.repeat(997)}`);
  });
});
