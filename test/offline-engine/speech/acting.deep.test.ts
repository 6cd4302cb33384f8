/** The spoken lines of videos, by gender, voice type and emotion. */
import { expect, test } from 'vitest';
import { samplesPerSecond, secondsOfSound } from '../../../offline-engine/sound/sound.ts';
import { actedVoice, type Part } from '../../../offline-engine/speech/acting.ts';
import { speakLine } from '../../../offline-engine/speech/spoken-line.ts';
import { ugcAccents, ugcEmotions, ugcVoiceTypes } from '../../../shared/contracts/generate-videos.ts';
import { brightness, melody } from './sound.ts';

const measuredRate = 22_050;

const spoken = async (changes: Partial<Part> = {}, text = 'Eu tomo este café todo dia.', longestSeconds = 30) => {
  const part: Part = { gender: 'feminino', voiceType: 'auto', emotion: 'auto', accent: 'auto', ...changes };
  const sound = await speakLine({ text, language: 'pt-br', longestSeconds, ...actedVoice(part) });
  const seconds = secondsOfSound(sound);
  const samples = Int16Array.from(
    { length: Math.floor(seconds * measuredRate) },
    (_, at) => 32_767 * (sound[Math.floor((at * samplesPerSecond) / measuredRate)] ?? 0),
  );
  const measured = { samples, seconds };
  return { seconds, brightness: brightness(measured), ...melody(measured) };
};

test('a woman’s voice is higher than a neutral one, which is higher than a man’s', async () => {
  const [woman, neutral, man] = await Promise.all(
    (['feminino', 'auto', 'masculino'] as const).map((gender) => spoken({ gender })),
  );
  expect(woman?.medianHz).toBeGreaterThan((neutral?.medianHz ?? 0) * 1.1);
  expect(neutral?.medianHz).toBeGreaterThan((man?.medianHz ?? 0) * 1.1);
});

test('emotions change the pitch and tempo of a voice', async () => {
  const [plain, sad, excited, surprised, strict] = await Promise.all([
    spoken(),
    spoken({ emotion: 'triste' }),
    spoken({ emotion: 'empolgado' }),
    spoken({ emotion: 'surpreso' }),
    spoken({ emotion: 'autoritario' }),
  ]);
  expect(sad.seconds).toBeGreaterThan(plain.seconds * 1.12);
  expect(sad.medianHz).toBeLessThan(plain.medianHz * 0.95);
  expect(sad.spanHz).toBeLessThan(plain.spanHz * 0.7);
  expect(excited.seconds).toBeLessThan(plain.seconds * 0.9);
  expect(surprised.medianHz).toBeGreaterThan(plain.medianHz * 1.15);
  expect(strict.medianHz).toBeLessThan(plain.medianHz * 0.9);
});

test('voice types change the pitch and timbre of a voice, and a whisper is mostly breath', async () => {
  const [plain, deep, high, soft, whisper] = await Promise.all([
    spoken(),
    spoken({ voiceType: 'grave' }),
    spoken({ voiceType: 'aguda' }),
    spoken({ voiceType: 'suave' }),
    spoken({ voiceType: 'sussurro' }),
  ]);
  expect(deep.medianHz).toBeLessThan(plain.medianHz * 0.85);
  expect(high.medianHz).toBeGreaterThan(plain.medianHz * 1.15);
  expect(soft.brightness).toBeLessThan(plain.brightness);
  expect(whisper.brightness).toBeGreaterThan(plain.brightness * 1.4);
});

test('no two values of an option for a voice produce the same voice', () => {
  const of = (field: keyof Part, values: readonly string[]) =>
    values.map((value) => {
      const part = { gender: 'auto', voiceType: 'auto', emotion: 'auto', accent: 'auto', [field]: value } as Part;
      return JSON.stringify(actedVoice(part));
    });
  for (const voices of [of('voiceType', ugcVoiceTypes), of('emotion', ugcEmotions), of('accent', ugcAccents)]) {
    expect(new Set(voices).size).toBe(voices.length);
  }
});

test.each([['7'.repeat(90)], ['palavra '.repeat(11).trim()], ['%'.repeat(89).concat('a')]])(
  'a spoken line that would take too long is spoken faster: %s',
  async (text) => {
    const { seconds } = await spoken({}, text, 3);
    expect(seconds).toBeGreaterThan(0.3);
    expect(seconds).toBeLessThanOrEqual(3.05);
  },
);

test('a spoken line without words is silent', async () => {
  expect((await spoken({}, '😀 !')).seconds).toBe(0);
});
