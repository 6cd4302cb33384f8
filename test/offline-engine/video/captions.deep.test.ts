import { expect, test } from 'vitest';
import { secondsOfSound } from '../../../offline-engine/sound/sound.ts';
import { actedVoice } from '../../../offline-engine/speech/acting.ts';
import { speakLine } from '../../../offline-engine/speech/spoken-line.ts';
import { captionCues } from '../../../offline-engine/video/captions.ts';

const line = 'Gente, olha que café incrível! Eu tomo todo dia e vocês precisam provar, corre lá.';

test('captions show every word once, a few at a time, from the beginning of the speech to its end', () => {
  const cues = captionCues(line, 0.5, 6);
  expect(cues.map(({ text }) => text)).toEqual([
    'Gente,',
    'olha que café',
    'incrível!',
    'Eu tomo todo',
    'dia e vocês',
    'precisam provar,',
    'corre lá.',
  ]);
  expect(cues.map(({ startSeconds }) => startSeconds).slice(1)).toEqual(
    cues.map(({ endSeconds }) => endSeconds).slice(0, -1),
  );
  expect(cues[0]?.startSeconds).toBe(0.5);
  expect(cues.at(-1)?.endSeconds).toBeCloseTo(6.5, 6);
});

test('a caption changes once its words have been spoken, within the pause that may follow', async () => {
  const part = { gender: 'feminino', voiceType: 'auto', emotion: 'auto', accent: 'auto' } as const;
  const secondsFor = async (text: string) =>
    secondsOfSound(await speakLine({ text, language: 'pt-br', longestSeconds: 30, ...actedVoice(part) }));
  const cues = captionCues(line, 0, await secondsFor(line));
  const words = cues.map(({ text }) => text);
  for (const index of [0, 2, 4]) {
    const spokenSeconds = await secondsFor(
      words
        .slice(0, index + 1)
        .join(' ')
        .replace(/\p{P}$/u, ''),
    );
    expect(cues[index]?.endSeconds).toBeGreaterThan(spokenSeconds - 0.2);
    expect(cues[index]?.endSeconds).toBeLessThan(spokenSeconds + 0.4);
  }
});

test.each([['!'], ['...'], ['😀'], ['7'], ['a'.repeat(90)], ['um '.repeat(30).trim()]])(
  'captions of %j end with the speech',
  (text) => {
    const cues = captionCues(text, 1, 2);
    expect(cues.map((cue) => cue.text).join(' ')).toBe(text);
    expect(cues.at(-1)?.endSeconds).toBe(3);
    expect(cues.every(({ startSeconds, endSeconds }) => startSeconds >= 1 && endSeconds >= startSeconds)).toBe(true);
  },
);
