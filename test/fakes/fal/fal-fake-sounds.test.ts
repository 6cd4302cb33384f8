/** The fake's audio models: what they accept, and the real sounds that they return. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { falAudioEndpoints } from '../../../fakes/fal/fal-audio-endpoints.ts';
import { FalFault } from '../../../fakes/fal/fal-faults.ts';
import { offlineJobFor } from '../../../fakes/fal/offline-job.ts';
import { generatePlainFiles } from '../../../fakes/fal/plain-files.ts';
import { readContainer } from '../../../shared/media-files/read-container.ts';
import { closeAll } from '../../engines/fal/fal-subject.ts';
import { type ImageHost, imageHost } from '../../support/image-host.ts';
import { tinyWav } from '../../support/tiny-sound.ts';
import { startFake } from './fake-subject.ts';

let files: ImageHost;
beforeAll(async () => {
  files = await imageHost({
    'fit.wav': (response) => response.end(tinyWav(3.2)),
    'long.wav': (response) => response.end(tinyWav(300.5)),
    'missing.wav': (response) => response.writeHead(404).end(),
    'page.wav': (response) => response.end('<!doctype html>'),
  });
});
afterAll(() => files.close());
afterEach(closeAll);

const speech = 'fal-ai/elevenlabs/tts/multilingual-v2';
const changer = 'fal-ai/elevenlabs/voice-changer';
const recording = { audio_url: 'https://example.com/a.mp3', voice: 'George' };

type Input = Readonly<Record<string, unknown>>;

const examples: readonly [model: string, accepted: Input, required: string, beyond: Input, type: string][] = [
  [speech, { text: 'Olá', voice: 'Sarah', stability: 0, similarity_boost: 1 }, 'text', { stability: 2 }, 'less_than'],
  [speech, { text: 'Olá' }, 'text', { text: 'x'.repeat(10_001) }, 'sequence_too_long'],
  [changer, { ...recording, output_format: 'mp3_44100_128' }, 'audio_url', { output_format: 'mp3' }, 'value_error'],
  [changer, { ...recording, seed: 1 }, 'audio_url', { remove_background_noise: 'no' }, 'value_error'],
];

test('all audio models of the fal.ai fake are tested here', () => {
  expect(new Set(examples.map(([model]) => model))).toEqual(new Set(Object.keys(falAudioEndpoints)));
});

test.for(examples)(
  'the fal.ai fake’s %s accepts %j, and rejects it without %s or with %j',
  async ([model, accepted, required, beyond, type]) => {
    const { submit, result } = await startFake({
      make: async () => [{ bytes: Buffer.of(0), contentType: 'audio/mpeg' }],
    });
    const reply = async (input: Input) => {
      const response = await result(await submit(input, { model }));
      return { status: response.status, body: (await response.json()) as Input };
    };
    expect(await reply(accepted)).toMatchObject({ status: 200, body: { audio: { content_type: 'audio/mpeg' } } });
    const { [required]: _missing, ...rest } = accepted;
    expect(await reply(rest)).toMatchObject({
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', required] }] },
    });
    expect(await reply({ ...accepted, ...beyond })).toMatchObject({ status: 422, body: { detail: [{ type }] } });
  },
);

/** What the plain sound is that a model returns. */
async function generated(model: string, input: Input) {
  const [file] = await generatePlainFiles(model, input, AbortSignal.timeout(120_000));
  const body = ReadableStream.from([file?.bytes ?? new Uint8Array()]);
  return readContainer({ access: 'stream', body, close: () => undefined });
}

test('speech of the fal.ai fake is an MP3 whose duration depends on the text', async () => {
  const found = await generated(speech, { text: 'x'.repeat(45) });
  expect(found).toMatchObject({ contentType: 'audio/mpeg', durationSec: expect.closeTo(3, 0) });
});

test('a changed recording of the fal.ai fake is an MP3 with the recording’s duration', async () => {
  const found = await generated(changer, { ...recording, audio_url: files.url('fit.wav') });
  expect(found).toMatchObject({ contentType: 'audio/mpeg' });
  expect(Math.abs((found?.durationSec ?? 0) - 3.2)).toBeLessThan(0.1);
});

test.for([
  ['long.wav', 'audio_duration_too_long'],
  ['page.wav', 'unsupported_audio_format'],
  ['missing.wav', 'file_download_error'],
] as const)('the fal.ai fake fails for a recording outside its limits: %s', async ([name, type]) => {
  await expect(generated(changer, { ...recording, audio_url: files.url(name) })).rejects.toEqual(new FalFault(type));
});

test('the fal.ai fake speaks and changes voices through the offline engine by its voice names', () => {
  const expression = { stability: 0.5, similarityBoost: 0.75 };
  expect(offlineJobFor(speech, { text: 'Olá', voice: 'Sarah' })).toEqual({
    operation: 'voice',
    input: { text: 'Olá', voice: 'sarah', ...expression },
  });
  expect(offlineJobFor(changer, { ...recording, remove_background_noise: true })).toEqual({
    operation: 'voice-change',
    input: { audioUrl: recording.audio_url, voice: 'george', removeNoise: true, ...expression },
  });
  expect(offlineJobFor(speech, { text: 'Olá', voice: 'Rachel' })).toBeUndefined();
  expect(offlineJobFor(changer, { ...recording, voice: 'Rachel' })).toBeUndefined();
});
