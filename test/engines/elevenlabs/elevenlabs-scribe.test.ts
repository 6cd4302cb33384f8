/** Transcribing at ElevenLabs, with a fake that detects the actual sound in a recording. */
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  type ElevenLabsBehavior,
  type ElevenLabsFake,
  type ElevenLabsOutcome,
  startElevenLabsFake,
} from '../../../fakes/elevenlabs/elevenlabs-fake.ts';
import { sentencesOf } from '../../../shared/domain/clips/sentences.ts';
import { elevenLabsEngine } from '../../../shared/engines/elevenlabs/elevenlabs-engine.ts';
import type { EngineFailure } from '../../../shared/engines/engine.ts';
import { transcriptions } from '../../../shared/engines/transcriptions.ts';
import { eventually } from '../../support/eventually.ts';
import { type ImageHost, imageHost } from '../../support/image-host.ts';
import { conversation, conversationSeconds, spokenWav } from '../../support/spoken-sound.ts';
import { faultOf } from '../fal/fal-subject.ts';

const key = 'secret-key';
let behavior: ElevenLabsBehavior;
let fake: ElevenLabsFake;
let files: ImageHost;

beforeEach(async () => {
  behavior = { next: [], last: 'done', workMs: 0 };
  const talk = spokenWav(conversation, conversationSeconds);
  [fake, files] = await Promise.all([
    startElevenLabsFake({ key, behavior }),
    imageHost({ 'talk.wav': (response) => void response.end(talk) }),
  ]);
});
afterEach(() => Promise.all([fake.close(), files.close()]));

/** The time limit is short only for requests that never get a response. */
const limits = ({ next: [next], last } = behavior) => ({
  recording: 60_000,
  exchange: (next ?? last) === 'hang' ? 1500 : 60_000,
});

const engine = () => elevenLabsEngine({ url: fake.url, key: async () => key, timeLimitsMs: limits() });

const submit = (url = files.url('talk.wav')) =>
  engine().submit({
    ...transcriptions.elevenlabs.job({ url }),
    taskId: 'task-1',
    taskType: 'cortes',
    callbackUrl: 'http://127.0.0.1:1/never',
    keep: () => Promise.reject(new Error('nothing is stored here')),
  });

const accepted = async (): Promise<string> => {
  const submitted = await submit();
  if (submitted.status !== 'accepted') throw new Error(`it was ${submitted.status}`);
  expect(submitted.completion).toBe('polling');
  return submitted.reference;
};

const outputOf = async (reference: string) => {
  const outcome = await eventually('the end of a job', async () => {
    const state = await engine().check(reference);
    return 'progress' in state ? undefined : state;
  });
  if (outcome.status !== 'done') throw new Error(`it was ${outcome.status}`);
  const [output = expect.fail('there is no output')] = outcome.outputs;
  return output;
};

describe('a recording for ElevenLabs Scribe', () => {
  it('is transcribed in the background with correct times', async () => {
    const output = await outputOf(await accepted());
    const { body } = await engine().download(output);
    const transcript = transcriptions.elevenlabs.read(await json(body)) ?? expect.fail('it is no transcript');
    expect(transcript.language).toBe('pt');
    const spans = sentencesOf(transcript, conversationSeconds);
    expect(spans.map(({ startSec, endSec }) => ({ start: startSec, end: endSec }))).toEqual(
      conversation.map(({ start, end }) => ({ start: expect.closeTo(start, 1), end: expect.closeTo(end, 1) })),
    );
  });

  it('is downloaded by ElevenLabs itself and not sent', async () => {
    await accepted();
    const [{ path, body } = expect.fail('nothing arrived')] = fake.requests;
    expect(path).toBe('/v1/speech-to-text');
    expect(body.toString()).toContain(files.url('talk.wav'));
    expect(body.length).toBeLessThan(2000);
  });

  it('without a valid URL is rejected without a request', async () => {
    expect(await submit('file:///etc/passwd')).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
    expect(fake.requests).toEqual([]);
  });
});

describe('an ElevenLabs Scribe submission', () => {
  test.for<[outcome: ElevenLabsOutcome, code: EngineFailure]>([
    ['invalid_parameters', 'INPUT_INVALID'],
    ['empty', 'PROVIDER_ERROR'],
    ['page', 'PROVIDER_ERROR'],
    ['break-off', 'PROVIDER_ERROR'],
    ['hang', 'PROVIDER_TIMEOUT'],
  ])('with a response of the kind “%s” ends with %s and is not repeated', async ([outcome, code]) => {
    behavior.last = outcome;
    expect(await submit()).toEqual({ status: 'failed', code });
    expect(fake.requests).toHaveLength(1);
  });

  it('beyond the account’s concurrency limit waits for capacity', async () => {
    behavior.last = 'concurrent_limit_exceeded';
    expect(await submit()).toEqual({ status: 'busy' });
  });

  test.for<ElevenLabsOutcome>(['invalid_api_key', 'quota_exceeded', 'internal_server_error', 'gateway'])(
    'with a response of the kind “%s” is retried, and the error does not contain the key',
    async (outcome) => {
      behavior.last = outcome;
      expect(await faultOf(submit())).not.toMatch(/secret|failed:|upstream/);
    },
  );
});

describe('an ElevenLabs Scribe transcript', () => {
  it('that is not found, or whose request is throttled, counts as still in progress', async () => {
    const running = { status: 'running', progress: 20 };
    expect(await engine().check('transcript:unknown')).toEqual(running);
    const reference = await accepted();
    await outputOf(reference);
    behavior.next = ['rate_limit_exceeded'];
    expect(await engine().check(reference)).toEqual(running);
  });

  it('in an unknown format is a provider error, and a failed request for it is retried', async () => {
    const reference = await accepted();
    await outputOf(reference);
    behavior.next = ['page', 'internal_server_error', 'hang'];
    expect(await engine().check(reference)).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
    expect(await faultOf(engine().check(reference))).toContain('responded with 500');
    expect(await faultOf(engine().check(reference))).toContain('the request to ElevenLabs failed');
  });

  it('is never requested from another host, which would reveal the key', async () => {
    const output = { url: files.url('talk.wav'), contentType: 'application/json' };
    expect(await faultOf(engine().download(output))).toContain('must not be sent');
  });
});
