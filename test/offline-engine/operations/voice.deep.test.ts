import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedPersona } from '../../../offline-engine/speech/persona.ts';
import { voiceSlugs } from '../../../shared/catalog/voices.ts';
import { startEngine, type TestEngine, voiceInput } from '../engine-client.ts';
import { performOperation } from '../perform-operation.ts';
import { brightness, decode, melody, peak } from '../speech/sound.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const render = async (changes: Readonly<Record<string, unknown>>) => {
  const [file] = await performOperation('voice', voiceInput(changes), engine.filesDir);
  if (!file) throw new Error('there is no result');
  const { bytes: mp3, contentType, durationSec = Number.NaN } = file;
  return { mp3, contentType, durationSec };
};

const speak = async (changes: Readonly<Record<string, unknown>>) => {
  const rendered = await render(changes);
  return { ...rendered, sound: await decode(rendered.mp3) };
};

const sentence = 'O vídeo ficou pronto em poucos segundos, e o resultado já pode ser baixado.';

describe('generated speech', () => {
  it.each([
    ['por', 'Olá! O vídeo ficou pronto em poucos segundos, e o resultado já pode ser baixado.'],
    ['eng', 'Hello! The video was ready in a few seconds, and the result can be downloaded now.'],
    ['spa', '¡Hola! El vídeo quedó listo en pocos segundos y el resultado ya se puede descargar.'],
  ])('is a valid MP3 of a plausible duration with the language tag %s', async (language, text) => {
    const { mp3, sound, contentType, durationSec } = await speak({ text });

    expect(contentType).toBe('audio/mpeg');
    expect(Math.abs(durationSec - sound.seconds)).toBeLessThanOrEqual(0.1);
    expect(durationSec).toBe(Math.round(durationSec * 10) / 10);
    expect(text.length / durationSec).toBeGreaterThan(8);
    expect(text.length / durationSec).toBeLessThan(25);
    expect(peak(sound)).toBeGreaterThan(0.2);
    expect(mp3.toString('latin1', 0, 3)).toBe('ID3');
    expect(mp3.toString('latin1', 0, 300)).toMatch(new RegExp(`TLAN.{7}${language}`, 's'));
    expect(mp3.toString('latin1', 0, 300)).toContain('Made by the offline engine (sandbox voice).');
  });

  it('is 44.1 kHz mono at a constant 64 kbit/s', async () => {
    const { mp3, durationSec } = await speak({ text: sentence });
    const tagBytes = 10 + [6, 7, 8, 9].reduce((size, index) => size * 128 + (mp3[index] ?? 0), 0);

    // The header of MPEG 1 layer III without CRC, with 64 kbit/s, 44.1 kHz and one channel.
    expect(mp3.readUInt16BE(tagBytes)).toBe(0xfffb);
    expect((mp3[tagBytes + 2] ?? 0) >> 2).toBe(0x50 >> 2);
    expect((mp3[tagBytes + 3] ?? 0) >> 6).toBe(3);
    expect((mp3.length - tagBytes) / durationSec / 8000).toBeCloseTo(1, 1);
  });

  it('can be made from 2000 characters', async () => {
    const { durationSec } = await render({ text: `${sentence} `.repeat(40).slice(0, 2000) });

    expect(durationSec).toBeGreaterThan(90);
  });

  it('has a distinct sound for every voice, and women’s voices are higher than men’s', async () => {
    const voices = await Promise.all(
      voiceSlugs.map(async (voice) => ({
        voice,
        ...(await speak({ voice: voice.toUpperCase(), text: 'Bom dia a todos.' })),
      })),
    );
    const hashes = voices.map(({ sound }) => createHash('sha256').update(sound.samples).digest('hex'));
    const pitches = (gender: string) =>
      voices.filter(({ voice }) => namedPersona(voice).gender === gender).map(({ sound }) => melody(sound).medianHz);

    expect(new Set(hashes).size).toBe(voiceSlugs.length);
    expect(Math.min(...pitches('female'))).toBeGreaterThan(Math.max(...pitches('male')) * 1.05);
    expect(pitches('neutral').every((pitch) => pitch < Math.min(...pitches('female')))).toBe(true);
    expect(pitches('neutral').length).toBe(1);
  });

  it('has a wide pitch range at low stability and a narrow one at high stability', async () => {
    const spans = await Promise.all(
      [0, 0.5, 1].map(async (stability) => melody((await speak({ text: sentence, stability })).sound).spanHz),
    );
    const [expressive = 0, usual = 0, monotone = 0] = spans;

    expect(expressive).toBeGreaterThan(usual * 1.4);
    expect(usual).toBeGreaterThan(monotone * 3);
  });

  it.each([
    ['laura', 1],
    ['bill', -1],
  ])('brings the voice %s closer to the persona’s pitch and timbre at a high similarity', async (voice, direction) => {
    const [plain, own] = await Promise.all(
      [0, 1].map(async (similarityBoost) => {
        const { sound } = await speak({ text: sentence, voice, similarityBoost });
        return { pitch: melody(sound).medianHz, brightness: brightness(sound) };
      }),
    );
    if (!plain || !own) throw new Error('two results were expected');

    expect(direction * (own.pitch / plain.pitch - 1)).toBeGreaterThan(0.06);
    expect(direction * (own.brightness / plain.brightness - 1)).toBeGreaterThan(0.02);
  });

  it('uses a voiceId in preference to a named voice, and sounds the same for the same voiceId', async () => {
    const [first, again, other, named] = await Promise.all(
      [
        { voiceId: 'mine' },
        { voiceId: 'mine', voice: 'bill' },
        { voiceId: 'other' },
        { voice: 'bill', voiceId: undefined },
      ].map((voice) => speak({ text: 'Bom dia.', ...voice })),
    );

    expect(again?.mp3).toEqual(first?.mp3);
    expect(other?.sound).not.toEqual(first?.sound);
    expect(named?.sound).not.toEqual(first?.sound);
  });

  it('uses a named voice even if its name is given as the voiceId', async () => {
    const [byId, byName] = await Promise.all([
      speak({ text: 'Bom dia.', voice: undefined, voiceId: 'bill' }),
      speak({ text: 'Bom dia.', voice: 'bill' }),
    ]);

    expect(byId.mp3).toEqual(byName.mp3);
  });

  it.each([
    ['emoji', '😀🎉👩‍👩‍👧'],
    ['punctuation', '... !?! —'],
    ['symbols', '@ % & * # ='],
    ['spaces', '  \n\t '],
    ['invisible characters', '\u200d\u200b\u2066\ufeff'],
  ])('for a text of only %s is a short silence', async (_, text) => {
    const { sound, durationSec } = await speak({ text });

    expect(durationSec).toBe(0.5);
    expect(sound.seconds).toBeCloseTo(0.5, 1);
    expect(peak(sound)).toBeLessThan(0.001);
  });

  it.each([
    ['an option', '--help -v de -w'],
    ['a formula', '1 < 2 & 3 > 2 "x" \'y\' `id` $(id) %s%n {}'],
    ['NUL and control characters', 'um\0dois\u0001+50S\u001b[2J três\u007f'],
    ['lone surrogates', 'um \ud83d dois \udc00'],
    ['an endless word', 'a'.repeat(400)],
    ['an endless number', '7'.repeat(40)],
    ['an unreadable word', 'xkcdqzwrtp'.repeat(15)],
    ['other scripts', '你好 привет مرحبا 한국어 ไทย'],
    ['stacked accents', `Z${'\u0351\u036b'.repeat(300)}algo`],
    ['one letter', 'a'],
  ])('is made from a text with %s without an error', async (_, text) => {
    const { sound } = await speak({ text });

    expect(peak(sound)).toBeGreaterThan(0.05);
  });

  it('speaks markup, phoneme codes, commands and options in a text without interpreting them', async () => {
    const target = join(engine.filesDir, 'written-by-text');
    const [pause, codes, plainCodes, command, plainCommand] = await Promise.all(
      [
        '<speak><break time="60s"/>Bom dia</speak>',
        "[[h@l'oU]] mundo",
        "h@l'oU mundo",
        'Bom \u000190Sdia',
        'Bom 90Sdia',
      ].map((text) => speak({ text })),
    );
    await speak({ text: `-w ${target}` });

    expect(pause?.durationSec).toBeLessThan(30);
    expect(codes?.mp3).toEqual(plainCodes?.mp3);
    expect(command?.mp3).toEqual(plainCommand?.mp3);
    expect(existsSync(target)).toBe(false);
  });

  it('has a length limit on its text that counts an emoji as one character', async () => {
    expect((await render({ text: '😀'.repeat(2000) })).durationSec).toBe(0.5);
  });
});
