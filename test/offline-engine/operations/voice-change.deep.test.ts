/** Changed voices, measured: pitch, formants, duration, loudness and noise. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveVoice } from '../../../offline-engine/conversion/move-voice.ts';
import { personaTarget } from '../../../offline-engine/conversion/persona-target.ts';
import { ffmpeg } from '../../../offline-engine/ffmpeg.ts';
import { bytesOfSound, readSound, samplesPerSecond } from '../../../offline-engine/sound/sound.ts';
import { espeak } from '../../../offline-engine/speech/espeak.ts';
import { namedPersona } from '../../../offline-engine/speech/persona.ts';
import { personaVariant } from '../../../offline-engine/speech/persona-variant.ts';
import { type ImageHost, imageHost } from '../../support/image-host.ts';
import { tinyWav } from '../../support/tiny-sound.ts';
import { performOperation } from '../perform-operation.ts';
import { brightness, decode, levels, melody, peak, type Sound } from '../speech/sound.ts';

let folder: string;
let host: ImageHost;
const files = new Map<string, Buffer>();
const fileOf = (name: string) => files.get(name) ?? expect.fail(`${name} was not made`);

const frames = (seconds: number) => ['-f', 'lavfi', '-i', `color=s=32x32:r=5:d=${seconds}`];

/** A recording of half a second of noise, followed by speech with noise. */
const noisy = (color: string): readonly string[] => {
  const noise = `anoisesrc=c=${color}:a=0.03:r=22050:d=3:seed=7`;
  const mix = '[0]adelay=500[speech];[1][speech]amix=inputs=2:duration=first,volume=2';
  return ['-i', 'sarah.wav', '-f', 'lavfi', '-i', noise, '-filter_complex', mix];
};

const recipes: Readonly<Record<string, readonly string[]>> = {
  'brian.mp3': ['-i', 'brian.wav', '-b:a', '96k'],
  'brian.m4a': ['-i', 'brian.wav', '-c:a', 'aac'],
  'brian.ogg': ['-i', 'brian.wav', '-c:a', 'libvorbis'],
  'film.mp4': [...frames(4), '-i', 'brian.wav', '-pix_fmt', 'yuv420p'],
  'silent-film.mp4': [...frames(1), '-pix_fmt', 'yuv420p'],
  'pink.wav': noisy('pink'),
  'white.wav': noisy('white'),
  'brian.flac': ['-i', 'brian.wav'],
  'brian.webm': ['-i', 'brian.wav', '-c:a', 'libopus'],
  'brian.mka': ['-i', 'brian.wav', '-c:a', 'flac'],
  'film.mov': [...frames(4), '-i', 'brian.wav', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le'],
  'film.mkv': [...frames(4), '-i', 'brian.wav', '-pix_fmt', 'yuv420p', '-c:a', 'libvorbis'],
  'film.webm': [...frames(4), '-i', 'brian.wav', '-c:v', 'libvpx', '-c:a', 'libopus'],
  'brian.aac': ['-i', 'brian.wav', '-c:a', 'aac', '-f', 'adts'],
  'short.mp3': ['-f', 'lavfi', '-i', 'sine=frequency=200:d=0.05'],
  'long.mp3': ['-f', 'lavfi', '-i', 'sine=frequency=200:r=8000:d=301', '-b:a', '8k'],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voice-change-'));
  const keep = async (name: string, bytes: Buffer) => {
    files.set(name, bytes);
    await writeFile(join(folder, name), bytes);
  };
  for (const voice of ['brian', 'sarah'] as const) {
    const variant = personaVariant(namedPersona(voice), { stability: 0.5, similarityBoost: 1 });
    await keep(`${voice}.wav`, await espeak({ language: 'pt-br', text: 'O vídeo ficou pronto, veja.', ...variant }));
  }
  for (const [name, recipe] of Object.entries(recipes)) {
    const given = recipe.map((part) => (files.has(part) ? join(folder, part) : part));
    await ffmpeg({ arguments: [...given, join(folder, name)] });
    files.set(name, await readFile(join(folder, name)));
  }
  files.set('silence.wav', tinyWav(1));
  files.set('short.wav', tinyWav(0.05));
  files.set('twice.ogg', Buffer.concat([fileOf('brian.ogg'), fileOf('brian.ogg')]));
  files.set('page.mp3', Buffer.from('<!doctype html>'));
  files.set('cut.m4a', fileOf('brian.m4a').subarray(0, -300));
  const serve = (bytes: Buffer) => (response: ServerResponse) => void response.end(bytes);
  host = await imageHost({
    ...Object.fromEntries([...files].map(([name, bytes]) => [name, serve(bytes)])),
    'gone.mp3': (response) => void response.writeHead(404).end(),
  });
});
afterAll(() => Promise.all([host.close(), rm(folder, { recursive: true })]));

const input = (name: string, changes: object = {}) => ({
  audioUrl: host.url(name),
  voice: 'sarah',
  stability: 0,
  similarityBoost: 1,
  ...changes,
});

const change = async (name: string, changes: object = {}) => {
  const [file] = await performOperation('voice-change', input(name, changes), folder);
  if (!file) throw new Error('there is no result');
  return { ...file, sound: await decode(file.bytes) };
};

const original = (name: string): Promise<Sound> => decode(fileOf(name));

describe('a recording whose voice is changed', () => {
  it.each([
    ['brian.wav', 'JESSICA', 234],
    ['sarah.wav', 'daniel', 99],
  ])(
    'such as %s gets the pitch of the target voice %s, and keeps its duration and loudness',
    async (name, voice, hertz) => {
      const before = await original(name);
      const { sound, durationSec = 0, contentType } = await change(name, { voice });

      expect(contentType).toBe('audio/mpeg');
      expect(melody(sound).medianHz / hertz).toBeCloseTo(1, 1);
      expect(Math.abs(sound.seconds - before.seconds)).toBeLessThanOrEqual(0.1);
      expect(Math.abs(durationSec - before.seconds)).toBeLessThanOrEqual(0.1);
      expect(Math.abs(levels(sound).loudDb - levels(before).loudDb)).toBeLessThan(1.5);
    },
  );

  it('gets the formants of the target voice, independently of the voice’s pitch', async () => {
    const target = personaTarget({ persona: namedPersona('jessica'), stability: 0, similarityBoost: 1 })(84);
    expect(target.pitchHz).toBeCloseTo(234, 0);
    expect(target.formants).toBeCloseTo(1.3, 1);
    const spoken = await readSound(['-i', join(folder, 'brian.wav')]);
    const toFlac = `-f f32le -ar ${samplesPerSecond} -ac 1 -i pipe:0 -f flac pipe:1`.split(' ');
    const moved = async (formants: number): Promise<Sound> => {
      const sound = moveVoice(spoken, () => ({ pitchHz: 150, melody: 1, formants }));
      return decode(await ffmpeg({ arguments: toFlac, input: bytesOfSound(sound) }));
    };
    const [low, same, high] = [await moved(0.8), await moved(1), await moved(1.3)];
    expect(brightness(low)).toBeLessThan(0.92 * brightness(same));
    expect(brightness(high)).toBeGreaterThan(1.08 * brightness(same));
    expect(melody(high).medianHz / melody(low).medianHz).toBeCloseTo(1, 1);
  });

  it('stays closer to its original voice if the requested similarity is low', async () => {
    const before = melody(await original('brian.wav')).medianHz;
    const after = melody((await change('brian.wav', { similarityBoost: 0 })).sound).medianHz;

    // The expected pitch is halfway from 84 to 183 Hz.
    expect(after / before).toBeGreaterThan(1.3);
    expect(after / before).toBeLessThan(1.65);
  });

  it('varies more in pitch with a low stability than with a high one', async () => {
    const [lively, even] = [await change('brian.wav'), await change('brian.wav', { stability: 1 })];

    expect(melody(lively.sound).spanHz).toBeGreaterThan(2 * melody(even.sound).spanHz);
  });

  const sounds = ['brian.mp3', 'brian.m4a', 'brian.ogg', 'brian.flac', 'brian.webm', 'brian.mka'];
  const films = ['film.mp4', 'film.mov', 'film.mkv', 'film.webm'];

  it.each([...sounds, ...films])('may be %s, and may be changed to any voiceId', async (name) => {
    const seconds = (await original('brian.wav')).seconds;
    const { sound, durationSec = 0 } = await change(name, { voiceId: 'mine', voice: undefined });

    expect(Math.abs(durationSec - seconds)).toBeLessThanOrEqual(0.2);
    expect(peak(sound)).toBeGreaterThan(0.1);
  });

  it('is processed completely if its file consists of chained streams', async () => {
    expect((await change('twice.ogg')).sound.seconds).toBeCloseTo(2 * (await original('brian.wav')).seconds, 0);
  });

  it.each(['short.wav', 'short.mp3'])(
    'keeps its duration even if it lasts only a twentieth of a second: %s',
    async (name) => {
      const { sound, durationSec } = await change(name);

      expect(sound.seconds).toBeCloseTo(0.05, 1);
      expect(durationSec).toBe(0.1);
    },
  );

  it('stays silent if it is silent', async () => {
    const { sound } = await change('silence.wav', { removeNoise: true });

    expect(sound.seconds).toBeCloseTo(1, 1);
    expect(peak(sound)).toBeLessThan(0.001);
  });

  it.each(['pink', 'white'])('loses at least 10 dB of %s noise, and keeps its speech', async (color) => {
    const [cleaned, plain] = [await change(`${color}.wav`, { removeNoise: true }), await change(`${color}.wav`)];
    const [with_, without] = [levels(cleaned.sound), levels(plain.sound)];

    expect(without.quietDb).toBeGreaterThan(-50);
    expect(without.quietDb - with_.quietDb).toBeGreaterThan(10);
    expect(Math.abs(without.loudDb - with_.loudDb)).toBeLessThan(1.5);
  });

  it.each([
    ['gone.mp3', 'DOWNLOAD_FAILED', 'audioUrl could not be downloaded: the response was 404.'],
    ['page.mp3', 'INPUT_INVALID', 'audioUrl is not a recording of an accepted type.'],
    ['brian.aac', 'INPUT_INVALID', 'audioUrl is not a recording of an accepted type.'],
    ['silent-film.mp4', 'INPUT_INVALID', 'audioUrl contains no audio.'],
    ['long.mp3', 'INPUT_INVALID', 'audioUrl must be at most 300 seconds long.'],
    ['cut.m4a', 'INPUT_INVALID', 'audioUrl is not a recording of an accepted type.'],
  ])('is rejected with a reason if it cannot be used: %s ends with %s', async (name, code, message) => {
    await expect(change(name)).rejects.toMatchObject({ code, message });
  });
});
