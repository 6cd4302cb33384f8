/** The adapter to ElevenLabs: its requests, and how it interprets each response. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import {
  type ElevenLabsBehavior,
  type ElevenLabsFake,
  type ElevenLabsOutcome,
  ownVoiceId,
  startElevenLabsFake,
} from '../../../fakes/elevenlabs/elevenlabs-fake.ts';
import { defaultVoiceIds, voiceSlugs } from '../../../shared/catalog/voices.ts';
import { elevenLabsEngine } from '../../../shared/engines/elevenlabs/elevenlabs-engine.ts';
import type { EngineFile, EngineJob } from '../../../shared/engines/engine.ts';
import type { ModelTerms } from '../../../shared/engines/model.ts';
import { modelRequest } from '../../../shared/engines/model-request.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { type ImageHost, type ImageResponse, imageHost } from '../../support/image-host.ts';
import { routedRequest } from '../../support/routed-request.ts';
import { tinyWav } from '../../support/tiny-sound.ts';

const key = 'secret-key';
const sarah = 'EXAVITQu4vr4xnSDxMaL';

let behavior: ElevenLabsBehavior;
let fake: ElevenLabsFake;
let storage: ImageHost;
let kept: EngineFile[];
const handlers: Record<string, ImageResponse> = {};

beforeEach(async () => {
  behavior = { next: [], last: 'done', workMs: 0 };
  kept = [];
  handlers['in.wav'] = (response) => void response.end(tinyWav(2));
  [fake, storage] = await Promise.all([startElevenLabsFake({ key, behavior }), imageHost(handlers)]);
});
afterEach(() => Promise.all([fake.close(), storage.close()]));

/** The time limit is short only for requests that never get a response. */
const limits = () => ({ recording: 60_000, exchange: behavior.last === 'hang' ? 1500 : 60_000 });

const engine = (sentKey = key) => elevenLabsEngine({ url: fake.url, key: async () => sentKey, timeLimitsMs: limits() });

const keep = async (file: EngineFile) => `${storage.url(`kept-${kept.push(file)}`)}?signed`;

const job = (request: Pick<EngineJob, 'model' | 'input'>): EngineJob => ({
  ...request,
  taskId: 'task-1',
  taskType: 'voice',
  callbackUrl: 'http://127.0.0.1:1/never',
  keep,
});

const terms = { voiceIds: defaultVoiceIds };
const expression = { stability: 0.2, similarityBoost: 1 };
const speech = (changes: object = {}) =>
  job(
    modelRequest(
      'elevenlabs/multilingual-v2',
      'voice',
      { text: 'Olá!', voice: 'sarah', ...expression, ...changes },
      terms,
    ),
  );
const conversion = (changes: object = {}) => {
  const request = { audioUrl: storage.url('in.wav'), voice: 'sarah', ...expression, removeNoise: true };
  return job(modelRequest('elevenlabs/multilingual-sts-v2', 'voice-change', { ...request, ...changes }, terms));
};

const faultOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => expect.fail('no Error was thrown'),
    (error: unknown) => inspect(error, { depth: 10, showHidden: true }),
  );

describe('ElevenLabs speech', () => {
  test('is requested from the voice’s URL and stored, with the number of characters that were charged', async () => {
    const outcome = await engine().submit(speech());
    expect(outcome).toEqual({
      status: 'done',
      charge: { units: 4 },
      outputs: [{ url: expect.stringContaining('kept-1?signed'), contentType: 'audio/mpeg' }],
    });
    const [request] = fake.requests;
    expect(request?.path).toBe(`/v1/text-to-speech/${sarah}?output_format=mp3_44100_128`);
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      text: 'Olá!',
      model_id: 'eleven_multilingual_v2',
      voice_settings: { stability: 0.2, similarity_boost: 1 },
    });
    const body = ReadableStream.from([kept[0]?.bytes ?? new Uint8Array()]);
    const found = await readContainer({ access: 'stream', body, close: () => undefined });
    expect(found).toMatchObject({ contentType: 'audio/mpeg' });
  });

  test('uses any voice of the account by its id, which takes precedence over a named voice', async () => {
    expect(await engine().submit(speech({ voiceId: ownVoiceId }))).toMatchObject({ status: 'done' });
    expect(fake.requests[0]?.path).toContain(`/${ownVoiceId}?`);
  });

  test('has an ElevenLabs voice id for every named voice, which the catalog can override', () => {
    const voiceIds = Object.fromEntries(voiceSlugs.map((slug) => [slug, `of${slug}00000000`])) as never;
    const idOf = (voice: string, said: ModelTerms = terms) =>
      modelRequest('elevenlabs/multilingual-v2', 'voice', { text: 'a', voice, ...expression }, said).input.voiceId;
    expect(new Set(voiceSlugs.map((slug) => idOf(slug))).size).toBe(voiceSlugs.length);
    expect(idOf('bill', { voiceIds })).toBe('ofbill00000000');
  });

  it.each(['../../v1/user', 'a/b', 'x?y=z', 'short', 'ação00000', 'a'.repeat(65)])(
    'with an invalid voice id is rejected without calling ElevenLabs: %s',
    async (voiceId) => {
      expect(await engine().submit(speech({ voiceId }))).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
      expect(fake.requests).toEqual([]);
    },
  );
});

describe('a recording for ElevenLabs voice change', () => {
  test('is sent as a form with the settings as JSON', async () => {
    expect(await engine().submit(conversion())).toMatchObject({ status: 'done' });
    const [request] = fake.requests;
    expect(request?.path).toBe(`/v1/speech-to-speech/${sarah}?output_format=mp3_44100_128`);
    const headers = { 'content-type': request?.contentType ?? '' };
    const form = await new Response(new Uint8Array(request?.body ?? []), { headers }).formData();
    const { audio, ...fields } = Object.fromEntries(form);
    expect(fields).toEqual({
      model_id: 'eleven_multilingual_sts_v2',
      voice_settings: '{"stability":0.2,"similarity_boost":1}',
      remove_background_noise: 'true',
    });
    expect(Buffer.from(await (audio as File).arrayBuffer())).toEqual(tinyWav(2));
    expect((audio as File).name).toBe('in.wav');
  });

  test('that is not audio is rejected as an invalid input', async () => {
    handlers['in.wav'] = (response) => void response.end('<!doctype html>');
    expect(await engine().submit(conversion())).toEqual({ status: 'failed', code: 'INPUT_INVALID' });
  });

  test('that cannot be read from the storage is a temporary error that does not reveal its URL', async () => {
    handlers['in.wav'] = (response) => void response.writeHead(403).end();
    const fault = await faultOf(engine().submit(conversion()));
    expect(fault).toContain('responded with 403');
    expect(fault).not.toContain(storage.url('in.wav'));
    expect(fake.requests).toEqual([]);
  });

  test.for<[object, string]>([
    [{ voiceId: 'abcdefgh' }, 'elevenlabs/multilingual-sts-v2'],
    [{ voice: 'sarah' }, 'elevenlabs/multilingual-sts-v2'],
  ])('can be changed to a voice given as %j', async ([voice]) => {
    const audioUrl = 'https://example.com/a.mp3';
    const [model] = await routedRequest('elevenlabs', 'voice-change', { audioUrl, ...voice });
    expect(model).toBe('eleven_multilingual_sts_v2');
  });
});

describe('an ElevenLabs response', () => {
  test.for<[ElevenLabsOutcome, string]>([
    ['max_character_limit_exceeded', 'INPUT_INVALID'],
    ['invalid_parameters', 'INPUT_INVALID'],
    ['empty', 'PROVIDER_ERROR'],
    ['page', 'PROVIDER_ERROR'],
    ['break-off', 'PROVIDER_ERROR'],
    ['hang', 'PROVIDER_TIMEOUT'],
  ])('of the kind “%s” ends the job with %s and is not retried', async ([outcome, code]) => {
    behavior.last = outcome;
    for (const order of [speech(), conversion()]) {
      expect(await engine().submit(order)).toMatchObject({ status: 'failed', code });
    }
    expect(fake.requests).toHaveLength(2);
    expect(kept).toEqual([]);
  });

  test.for<ElevenLabsOutcome>([
    'rate_limit_exceeded',
    'concurrent_limit_exceeded',
    'too_many_concurrent_requests',
    'system_busy',
  ])('of the kind “%s” makes the job wait for capacity', async (outcome) => {
    behavior.last = outcome;
    expect(await engine().submit(speech())).toEqual({ status: 'busy' });
  });

  test.for<[ElevenLabsOutcome, string]>([
    ['invalid_api_key', '401 (invalid_api_key)'],
    ['quota_exceeded', '401 (quota_exceeded)'],
    ['internal_server_error', '500'],
    ['gateway', '502'],
  ])('of the kind “%s” causes an error, so that the job is retried: %s', async ([outcome, message]) => {
    behavior.last = outcome;
    const fault = await faultOf(engine().submit(speech({ text: 'a secret text' })));
    expect(fault).toContain(`ElevenLabs responded with ${message}`);
    expect(fault).not.toMatch(/secret|failed:|upstream/);
  });

  test('about an unknown voice is the client’s error if the request gave the voice id, and otherwise the service’s', async () => {
    expect(await engine().submit(speech({ voiceId: 'unknownVoice' }))).toEqual({
      status: 'failed',
      code: 'INPUT_INVALID',
    });
    behavior.last = 'voice_not_found';
    expect(await engine().submit(speech())).toEqual({ status: 'failed', code: 'PROVIDER_ERROR' });
  });
});

test('an ElevenLabs error never contains the key, even if the key is wrong or malformed or the port is closed', async () => {
  const messages = [
    await faultOf(engine('wrong-secret').submit(speech())),
    await faultOf(engine('secret\nkey').submit(speech())),
    await faultOf(elevenLabsEngine({ url: 'http://127.0.0.1:9', key: async () => key }).submit(speech())),
  ];
  expect(messages[0]).toContain('401 (invalid_api_key)');
  expect(messages[1]).toContain('not allowed in a header');
  expect(messages[2]).toContain('the request to ElevenLabs failed: ');
  for (const text of messages) expect(text).not.toContain('secret');
});

test('an ElevenLabs job cannot be polled, and its results are read from the storage', async () => {
  const subject = engine();
  expect(await subject.check('any')).toEqual({ status: 'lost' });
  await subject.cancel('any');
  expect(await subject.readCallback({ headers: {}, body: '' }, async () => ({ isCurrent: true }))).toBeUndefined();
  const { body } = await subject.download({ url: storage.url('in.wav'), contentType: 'audio/mpeg' });
  expect(Buffer.concat(await Array.fromAsync(body))).toEqual(tinyWav(2));
});
